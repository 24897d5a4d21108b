#include "passes/tvm/repro_passes.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/ir/walk.h"
#include "passes/tvm/distributed_passes.h"
#include "passes/tvm/dlight_passes.h"
#include "passes/tvm/options.h"
#include "passes/tvm/repro_values.h"
#include "passes/tvm/version.h"

namespace passdiff {
namespace {

using nlohmann::json;

// From so many passes without options in a row on, their names stand in a loop.
constexpr std::size_t kManyPasses = 3;

Error unsayable(const std::string& option) {
  return {"repro.options", "no expression of Python says the option " + option};
}

// The patterns that options of FuseOpsByPattern name, as host_passes.py has them, and the ops without which each
// matches nothing.
struct Pattern {
  std::string_view name;
  std::string_view expression;
  std::vector<std::string_view> ops;
};
const std::vector<Pattern>& all_patterns() {
  static const std::vector<Pattern> patterns = {
      {"matmul_bias",
       R"(is_op("relax.add")(is_op("relax.matmul")(wildcard(), wildcard()), wildcard()))",
       {"relax.add", "relax.matmul"}},
      {"matmul_relu",
       R"(is_op("relax.nn.relu")(is_op("relax.matmul")(wildcard(), wildcard())))",
       {"relax.nn.relu", "relax.matmul"}},
      {"matmul", R"(is_op("relax.matmul")(wildcard(), wildcard()))", {"relax.matmul"}},
      {"conv2d_relu",
       R"(is_op("relax.nn.relu")(is_op("relax.nn.conv2d")(wildcard(), wildcard())))",
       {"relax.nn.relu", "relax.nn.conv2d"}},
      {"conv2d", R"(is_op("relax.nn.conv2d")(wildcard(), wildcard()))", {"relax.nn.conv2d"}},
      {"transposed",
       R"(is_op("relax.matmul")(wildcard(), is_op("relax.permute_dims")(wildcard())))",
       {"relax.matmul", "relax.permute_dims"}},
      {"split_item", R"(is_tuple_get_item(is_op("relax.split")(wildcard()), 0))", {"relax.split"}},
      {"added_twice",
       R"(is_op("relax.add")(is_op("relax.add")(wildcard(), wildcard()), wildcard()))",
       {"relax.add"}},
      {"multiplied", R"(is_op("relax.multiply")(wildcard(), wildcard()))", {"relax.multiply"}},
      {"negative", R"(is_op("relax.negative")(wildcard()))", {"relax.negative"}},
      {"reshape", R"(is_op("relax.reshape")(wildcard(), wildcard()))", {"relax.reshape"}}};
  return patterns;
}

// The option that names another current target.
constexpr std::string_view kTarget = "$target";

// What the host gives a pass where options leave it out (DEFAULTS of host_passes.py).
json default_options(const std::string& pass) {
  if (is_dlight(pass)) return {{kTarget, dlight_target(pass)}};
  if (pass == "tirx.NarrowDataType") return {{"target_bits", 32}};
  if (pass != "FuseOpsByPattern") return json::object();
  const json names = {"matmul_bias", "matmul", "conv2d", "added_twice", "multiplied", "negative"};
  return {{"patterns", {{"$patterns", names}}}};
}

bool calls_op(const Module& module, std::string_view name) {
  return std::ranges::any_of(module.functions, [&](const GlobalFunction& global) {
    return any_expr(global.function->body, [&](const ExprPtr& expr) {
      const Call* call = as<Call>(expr);
      const Op* const* op = call == nullptr ? nullptr : std::get_if<const Op*>(&call->callee);
      return op != nullptr && (*op)->name == name;
    });
  });
}

// UpdateParamType: a function from a parameter to its type without the shape. It may return None for what is no
// tensor, as a pass before it may have made of a parameter.
std::string forget_shape(const Module& module, bool is_first) {
  const bool all_tensors = is_first && std::ranges::all_of(module.functions, [](const GlobalFunction& global) {
                             return std::ranges::all_of(global.function->params, [](const Var& param) { return param->type.as_tensor() != nullptr; });
                           });
  const std::string_view guard = all_tensors ? "" : "    if isinstance(param.ty, relax.TensorType):\n    ";
  const std::string_view vdevice = module.vdevices.empty() ? "" : ", vdevice=param.ty.vdevice";
  return fmt::format(
      "def forget_shape(param):\n{}    return relax.TensorType(dtype=param.ty.dtype, ndim=param.ty.ndim{})",
      guard, vdevice);
}

constexpr std::string_view kRegister =
    R"(def register(name, make_pass, **contract):  # what the file calls as passdiff_plugin.register
    own = isinstance(make_pass, tvm.transform.Pass)
    passes[name] = (lambda: make_pass) if own else make_pass)";

constexpr std::string_view kUnder = R"(def under(target, transform):  # the pass, with another current target
    @tvm.transform.module_pass(opt_level=0)
    def run(module, _):
        with tvm.target.Target(target):
            return transform(module)

    return run)";

void add_once(PythonLines& lines, std::string text) {
  if (std::ranges::find(lines, text) == lines.end()) lines.push_back(std::move(text));
}

// Passes of Relax that do not stand in relax.transform.
bool is_of_backend(std::string_view name) { return name == "DispatchSampling" || name == "DispatchSortScan"; }

bool has_plain_loop(const PassCall& call, const PluginPasses& plugin) {
  return call.options == "{}" && call.name.find('.') == std::string::npos && !is_of_backend(call.name) &&
         !plugin.names.contains(call.name) && default_options(call.name).empty();
}

// for name in ("LegalizeOps", "FuseOps"): ...
std::string loop_over(std::span<const PassCall> calls, const std::string& variable) {
  std::vector<std::string> names;
  for (const PassCall& call : calls) names.push_back(python_string(call.name));
  return filled_list("for name in (", names, "):") +
         fmt::format("\n    {} = getattr(relax.transform, name)()({})", variable, variable);
}

}  // namespace

Result<std::string> PassExpressions::callable(const std::string& name, bool first) {
  if (name == "always") return std::string("lambda *_: True");
  if (name == "never") return std::string("lambda *_: False");
  if (name == "multiply_exchanged")
    return std::string("lambda builder, call: builder.call_te(tvm.topi.multiply, call.args[1], call.args[0])");
  if (name == "pairs") return std::string("lambda _, weights, *__: len(weights) == 2");
  if (name != "forget_shapes") return Error{"repro.options", "no function of an option is called " + name};
  add_once(functions_, forget_shape(test_.module, first));
  return std::string("forget_shape");
}

// A pattern with an op that the source lacks matches nothing in it, and is left out.
Result<std::string> PassExpressions::patterns(const json& names, bool first) {
  std::vector<std::string> items;
  for (const json& name : names) {
    const auto known =
        std::ranges::find_if(all_patterns(), [&](const Pattern& pattern) { return name == pattern.name; });
    if (known == all_patterns().end()) return unsayable(name.dump());
    const bool may_match = !first || std::ranges::all_of(known->ops, [&](std::string_view op) {
      return calls_op(test_.module, op);
    });
    if (may_match) items.push_back(fmt::format("(\"passdiff.{}\", {})", known->name, known->expression));
  }
  if (items.empty()) return std::string("[]");
  add_once(statements_, python_list("patterns = [", items, "]"));
  return std::string("patterns");
}

Result<std::string> PassExpressions::tagged(const std::string& tag, const json& item, bool first) {
  const GlobalFunction* entry = entry_of(test_.module);
  if (tag == "$callable" && item.is_string()) return callable(item.get<std::string>(), first);
  if (tag == "$patterns" && item.is_array()) return patterns(item, first);
  if (tag == "$dtype" && item.is_string()) return python_string(item.get<std::string>());
  if (tag == "$vdevice" && item.is_number_integer())
    return fmt::format("Module.global_infos[\"vdevice\"][{}]", item.dump());
  if (tag == "$tensor") return machine_value(TRY(value_from_json(item)));
  if (tag == "$param" && item.is_string() && entry != nullptr) {
    const auto& params = entry->function->params;
    const auto found =
        std::ranges::find(params, item.get<std::string>(), [](const Var& param) { return param->name; });
    if (found != params.end())
      return fmt::format("Module[{}].params[{}]", python_string(entry->name), found - params.begin());
  }
  if (tag == "$symbol" && item.is_string() && entry != nullptr) {
    return fmt::format("next(n for n in relax.analysis.defined_symbolic_vars(Module[{}]) if n.name == {})",
                       python_string(entry->name), python_string(item.get<std::string>()));
  }
  return unsayable(tag + " " + item.dump());
}

Result<std::string> PassExpressions::option(const json& value, bool first) {
  if (value.is_array()) {
    std::vector<std::string> items;
    for (const json& item : value) items.push_back(TRY(option(item, first)));
    return fmt::format("[{}]", fmt::join(items, ", "));
  }
  if (!value.is_object()) return python_literal(value);
  if (value.size() == 1 && value.begin().key().starts_with("$"))
    return tagged(value.begin().key(), value.front(), first);
  std::vector<std::string> items;
  for (const auto& [key, item] : value.items())
    items.push_back(python_string(key) + ": " + TRY(option(item, first)));
  return fmt::format("{{{}}}", fmt::join(items, ", "));
}

std::string PassExpressions::constructor(const PassCall& call) {
  if (plugin_.names.contains(call.name)) {
    add_once(functions_, std::string(kRegister));
    add_once(statements_, "passes = {}");
    add_once(statements_, "sys.modules[\"passdiff_plugin\"] = types.SimpleNamespace(register=register)");
    add_once(statements_, fmt::format("runpy.run_path({})", python_string(plugin_.file)));
    return fmt::format("passes[{}]", python_string(call.name));
  }
  const std::size_t dot = call.name.rfind('.');
  if (is_of_backend(call.name)) {
    add_once(statements_, "tvm.target.Target(\"llvm\").__enter__()  # the current target, for which the pass asks");
    return "relax.backend." + call.name;
  }
  if (dot == std::string::npos) return "relax.transform." + call.name;
  if (is_distributed(call.name)) return "relax.distributed.transform." + call.name.substr(dot + 1);
  if (is_dlight(call.name)) {
    add_once(statements_, "from tvm.s_tir import dlight");
    return call.name;
  }
  // Before 0.27 this one stood in another namespace.
  const bool moved = call.name == "s_tir.StmtSimplify" && is_before_0_27(version_);
  return fmt::format("tvm.{}.transform.{}", moved ? "tirx" : call.name.substr(0, dot), call.name.substr(dot + 1));
}

Result<std::string> PassExpressions::object(const PassCall& call, bool first) {
  json options = json::parse(call.options, nullptr, false);
  if (!options.is_object()) return unsayable(call.options);
  if (!plugin_.names.contains(call.name)) {
    json given = default_options(call.name);
    given.update(options);
    options = std::move(given);
  }
  std::vector<std::string> arguments;
  for (const auto& [key, value] : options.items()) {
    if (key != kTarget) arguments.push_back(key + "=" + TRY(option(value, first)));
  }
  std::string made = python_list(constructor(call) + "(", arguments, ")");
  if (is_dlight(call.name)) made = "dlight.ApplyDefaultSchedule(" + made + ")";
  if (!options.contains(kTarget)) return made;
  add_once(functions_, std::string(kUnder));
  return fmt::format("under({}, {})", TRY(option(options[kTarget], first)), made);
}

Result<PythonLines> PassExpressions::apply(std::span<const PassCall> calls, const std::string& target) {
  PythonLines lines;
  std::string module = "Module";
  for (std::size_t i = 0; i < calls.size();) {
    std::size_t end = i;
    while (end < calls.size() && has_plain_loop(calls[end], plugin_)) ++end;
    if (end - i >= kManyPasses) {
      if (module != target) lines.push_back(target + " = " + module);
      lines.push_back(loop_over(calls.subspan(i, end - i), target));
      i = end;
    } else {
      lines.push_back(fmt::format("{} = {}({})", target, TRY(object(calls[i], i == 0)), module));
      ++i;
    }
    module = target;
  }
  return lines;
}

}  // namespace passdiff
