#include "passes/tvm/repro_module.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/ir/tir/prim_func.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/text/text.h"
#include "passes/tvm/repro_python.h"

namespace passdiff {
namespace {

constexpr std::string_view kClass = "@I.ir_module";
constexpr std::string_view kInspect = "R.inspect.";

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// `R.inspect.tensor_ndim(x)` becomes a call of the op of that name. Calls are bound to variables, so that one ends
// with its line.
void call_inspect_ops_by_name(std::string& text) {
  for (std::size_t at = text.find(kInspect); at != std::string::npos; at = text.find(kInspect, at + 1)) {
    const std::size_t open = text.find('(', at);
    const std::size_t end = text.find('\n', at);
    if (open == std::string::npos || end == std::string::npos || text[end - 1] != ')') return;
    const std::string name = text.substr(at + 2, open - at - 2);
    const std::string args = text.substr(open + 1, end - open - 2);
    text.replace(at, end - at, fmt::format("relax.Call(tvm.ir.Op.get(\"relax.{}\"), [{}])", name, args));
  }
}

// TVM's parser takes no declared type of R.builtin.alloc_tensor, which it infers.
void drop_types_of_allocations(std::string& text) {
  constexpr std::string_view kAlloc = "R.builtin.alloc_tensor(";
  constexpr std::string_view kTypes = ", ty_args=(";
  for (std::size_t at = text.find(kAlloc); at != std::string::npos; at = text.find(kAlloc, at + 1)) {
    const std::size_t end = text.find('\n', at);
    const std::size_t types = text.find(kTypes, at);
    if (types < end && text[end - 1] == ')') text.erase(types, end - 1 - types);
  }
}

bool has_computed_size(const std::optional<Shape>& shape) {
  return shape && std::ranges::any_of(
                      *shape, [](const Dim& dim) { return !dim.is_static() && dim.as_var() == nullptr; });
}
bool has_computed_size(const Type& type) {
  return match(
      type, [](const TensorType& tensor) { return has_computed_size(tensor.shape); },
      [](const ShapeType& shape) { return has_computed_size(shape.values); },
      [](const TupleType& tuple) {
        return std::ranges::any_of(tuple.fields, [](const Type& field) { return has_computed_size(field); });
      },
      [](const OneOf<ObjectType, PrimType, FuncType> auto&) { return false; });
}

// Is the declared type the inferred one, in the same words? Sizes that are computed may be equal and spelt
// otherwise (n + n, 2 * n), which is all that some passes look at.
bool declares_what_is_inferred(const Binding& binding) {
  return !has_computed_size(binding.var->type) &&
         equal(binding.var->type, binding.match_cast ? *binding.match_cast : binding.value->type);
}
bool declares_what_is_inferred(const Module& module) {
  const auto declares_other = [](const Binding& binding) { return !declares_what_is_inferred(binding); };
  return std::ranges::none_of(module.functions, [&](const GlobalFunction& global) {
    return any_binding<Enter::all>(global.function->body, declares_other);
  });
}

// Whether the parser's check refuses what TVM's passes and API take: it holds a function without the attribute s_tir against the rules of
// functions without blocks.
bool is_refused_as_text(const Module& module) {
  return std::ranges::any_of(module.prim_funcs, [](const GlobalPrimFunc& global) {
    return tir::has_blocks(*global.function) && !global.function->attrs.contains("s_tir");
  });
}

// Where the annotation `: R.Tensor((2,), dtype="float32")` before ` = ` ends, which begins at `at`.
std::size_t end_of_annotation(const std::string& text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size() && text[at] != '\n'; ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && text.compare(at, 3, " = ") == 0) return at;
  }
  return std::string::npos;
}

// `lv: R.Tensor((2,), dtype="float32") = R.exp(x)` becomes `lv = R.exp(x)`.
void drop_annotations(std::string& text) {
  for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
    const std::size_t name = text.find_first_not_of(' ', line);
    const std::size_t colon = text.find_first_of(": \n(", name);
    if (colon == std::string::npos || text.compare(colon, 4, ": R.") != 0) continue;
    const std::size_t end = end_of_annotation(text, colon);
    if (end != std::string::npos) text.erase(colon, end - colon);
  }
}

// The name by which TVMScript calls the device: "llvm:1:global" is the second one of that target.
std::string script_name(const Module& module, std::size_t index) {
  const VDevice& device = module.vdevices[index];
  int ordinal = 0;
  for (std::size_t i = 0; i < index; ++i) ordinal += module.vdevices[i].target == device.target ? 1 : 0;
  return fmt::format("{}:{}:{}", device.target, ordinal, device.memory_scope);
}

// Binds the module's virtual devices to Python's name `vdevices`, and refers to them by it.
std::string name_vdevices(std::string& text, const Module& module) {
  std::vector<std::string> devices;
  for (std::size_t i = 0; i < module.vdevices.size(); ++i) {
    const VDevice& device = module.vdevices[i];
    devices.push_back(fmt::format("I.vdevice({}, {}, {})", python_string(device.target), device.id,
                                  python_string(device.memory_scope)));
    replace_all(text, fmt::format("vdevice={}", python_string(script_name(module, i))),
                fmt::format("vdevice=vdevices[{}]", i));
  }
  replace_all(text, fmt::format("{{\"vdevice\": [{}]}}", fmt::join(devices, ", ")),
              "{\"vdevice\": vdevices}");
  return python_list("vdevices = [", devices, "]") + "\n";
}

}  // namespace

bool has_local_function(const Module& module) {
  return std::ranges::any_of(module.functions, [](const GlobalFunction& global) {
    return any_binding<Enter::all>(global.function->body, [](const Binding& binding) {
      return as<FunctionPtr>(binding.value) != nullptr;
    });
  });
}

bool has_device_hint(const Module& module) {
  const OpDef* const hint = find_op("relax.hint_on_device");
  return std::ranges::any_of(module.functions, [&](const GlobalFunction& global) {
    return any_expr(global.function->body, [&](const ExprPtr& expr) {
      const auto* call = as<Call>(expr);
      return call != nullptr && called_op(*call) == hint;
    });
  });
}

std::string module_class(const Module& module) {
  const std::string printed = print_for_tvm(module);
  const std::size_t at = printed.find(kClass);
  std::string before;
  for (std::size_t line = 0; line < at; line = printed.find('\n', line) + 1) {
    if (printed[line] != '#' && printed[line] != '\n')
      before += printed.substr(line, printed.find('\n', line) + 1 - line);
  }
  std::string text = printed.substr(at);
  if (is_refused_as_text(module)) text.replace(0, kClass.size(), std::string(kClass) + "(check_well_formed=False)");
  if (declares_what_is_inferred(module)) drop_annotations(text);
  call_inspect_ops_by_name(text);
  drop_types_of_allocations(text);
  if (!module.vdevices.empty() && has_local_function(module)) before += name_vdevices(text, module);
  return before.empty() ? text : before + "\n\n" + text;
}

}  // namespace passdiff
