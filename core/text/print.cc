#include <fmt/format.h>

#include <algorithm>

#include "core/ir/walk.h"
#include "core/text/printer.h"
#include "core/text/text.h"
#include "core/text/tir_printer.h"

namespace passdiff {
namespace {

// Has the dim an operator beside +, - and *, as min(n, 2) has?
bool has_bounds(const Dim& dim) {
  if (dim.is_static() || dim.as_var() != nullptr) return false;
  const auto& binary = std::get<DimBinary>(dim.node()->node);
  return binary.op > DimOp::multiply || has_bounds(binary.lhs) || has_bounds(binary.rhs);
}
bool has_bounds(const std::optional<Shape>& shape) {
  return shape && std::any_of(shape->begin(), shape->end(), [](const Dim& dim) { return has_bounds(dim); });
}
bool has_bounds(const Type& type) {
  return any_field(type, [](const Type& field) {
    const TensorType* tensor = field.as_tensor();
    const ShapeType* shape = field.as_shape();
    return (tensor != nullptr && has_bounds(tensor->shape)) || (shape != nullptr && has_bounds(shape->values));
  });
}

// The symbolic variables that an expression mentions, without those of local functions, which declare their own.
void collect_symbols(const SeqExpr& seq, std::vector<SymVar>& into);
void collect_symbols(const ExprPtr& expr, std::vector<SymVar>& into) {
  const auto add = [&into](const SymVar& var) { into.push_back(var); };
  for_each_operand(*expr, [&into](const ExprPtr& operand) { collect_symbols(operand, into); });
  match(
      expr,
      [&](const ShapeExpr& shape) {
        for (const Dim& dim : shape.values) for_each_sym_var(dim, add);
      },
      [&](const PrimValue& prim) {
        if (const Dim* dim = std::get_if<Dim>(&prim.value)) for_each_sym_var(*dim, add);
      },
      [&](const Call& call) {
        for (const Type& type : call.type_args) for_each_sym_var(type, add);
      },
      [](const OneOf<Var, Constant, Tuple, TupleGetItem, StringImm, DataTypeImm, GlobalRef, ExternFunc, If,
                     FunctionPtr> auto&) {});
  for_each_seq<Enter::branches>(*expr, [&into](const SeqExpr& seq) { collect_symbols(seq, into); });
}

void collect_symbols(const SeqExpr& seq, std::vector<SymVar>& into) {
  const auto add = [&into](const SymVar& var) { into.push_back(var); };
  for_each_binding<Enter::none>(seq, [&](const Binding& binding) {
    if (as<FunctionPtr>(binding.value) != nullptr) return;
    if (binding.match_cast) for_each_sym_var(*binding.match_cast, add);
    for_each_sym_var(binding.var->type, add);
    collect_symbols(binding.value, into);
  });
  collect_symbols(seq.result, into);
}

// Appends functions to a text, statement by statement.
class FunctionPrinter {
 public:
  FunctionPrinter(std::string& out, PrintContext& context) : out_(out), context_(context) {}

  void function(const Function& function, std::string_view name, bool local, bool is_public, int indent);

 private:
  void line(int indent, std::string_view text);
  void declare_symbols(const Function& function, int indent);
  void sequence(const SeqExpr& seq, int indent);
  void binding(const Binding& binding, int indent);
  void value_binding(const Binding& binding, int indent);
  void branch(const SeqExpr& seq, const Binding& binding, int indent);
  std::string annotated(const Binding& binding);

  std::string& out_;
  PrintContext& context_;
};

void FunctionPrinter::line(int indent, std::string_view text) {
  out_.append(static_cast<std::size_t>(indent) * 4, ' ');
  out_ += text;
  out_ += '\n';
}

void FunctionPrinter::declare_symbols(const Function& function, int indent) {
  std::vector<SymVar> symbols;
  for (const Var& param : function.params) {
    for_each_sym_var(param->type, [&](const SymVar& var) { symbols.push_back(var); });
  }
  for_each_sym_var(function.result_type, [&](const SymVar& var) { symbols.push_back(var); });
  collect_symbols(function.body, symbols);
  for (const SymVar& symbol : symbols) {
    if (!context_.declared_symbols.insert(symbol.get()).second) continue;
    line(indent, context_.names.of(symbol.get(), symbol->name) + " = T.int64()");
  }
}

void FunctionPrinter::function(const Function& function, std::string_view name, bool local, bool is_public,
                               int indent) {
  std::vector<std::string> options;
  if (!local && !is_public) options.emplace_back("private=True");
  if (!function.pure) options.emplace_back("pure=False");
  line(indent, options.empty() ? "@R.function" : fmt::format("@R.function({})", fmt::join(options, ", ")));
  std::vector<std::string> params;
  for (const Var& param : function.params) {
    params.push_back(context_.var(param) + ": " + context_.type(param->type, DimStyle::quoted));
  }
  line(indent, fmt::format("def {}({}) -> {}:", name, fmt::join(params, ", "),
                           context_.type(function.result_type, DimStyle::quoted)));
  const auto outer = context_.declared_symbols;
  declare_symbols(function, indent + 1);
  std::vector<std::string> attrs;
  for (const auto& [key, value] : function.attrs) {
    if (key != "global_symbol") attrs.push_back(quote(key) + ": " + attr_literal(value));
  }
  if (!attrs.empty()) line(indent + 1, fmt::format("R.func_attr({{{}}})", fmt::join(attrs, ", ")));
  const std::size_t body = out_.size();
  sequence(function.body, indent + 1);
  line(indent + 1, "return " + context_.expr(function.body.result));
  if (!local && out_.find("cls.", body) != std::string::npos) {
    out_.insert(body, std::string(static_cast<std::size_t>(indent + 1) * 4, ' ') + "cls = Module\n");
  }
  context_.declared_symbols = outer;
}

// Goes over blocks, not bindings alone: each dataflow block has a header and a footer of its own.
void FunctionPrinter::sequence(const SeqExpr& seq, int indent) {
  for (const Block& block : seq.blocks) {
    if (block.bindings.empty()) continue;
    if (!block.dataflow) {
      for (const Binding& one : block.bindings) binding(one, indent);
      continue;
    }
    line(indent, "with R.dataflow():");
    std::vector<std::string> outputs;
    for (const Binding& one : block.bindings) {
      binding(one, indent + 1);
      if (!one.var->dataflow) outputs.push_back(context_.var(one.var));
    }
    line(indent + 1, fmt::format("R.output({})", fmt::join(outputs, ", ")));
  }
}

std::string FunctionPrinter::annotated(const Binding& binding) {
  const std::string name = context_.var(binding.var);
  // TVM's parser misreads these annotations, but TVM infers the types well.
  const Type& inferred = binding.match_cast ? *binding.match_cast : binding.value->type;
  const bool may_go =
      has_empty_shape(binding.var->type) || (context_.plain_tvm && has_bounds(binding.var->type));
  if (may_go && equal(binding.var->type, inferred)) return name;
  return name + ": " + context_.type(binding.var->type);
}

void FunctionPrinter::branch(const SeqExpr& seq, const Binding& binding, int indent) {
  sequence(seq, indent);
  // The last assignment of a branch is its value (TVM removes the binding again).
  line(indent, annotated(binding) + " = " + context_.expr(seq.result));
}

void FunctionPrinter::value_binding(const Binding& binding, int indent) {
  const std::string value = context_.expr(binding.value);
  if (binding.match_cast) {
    line(indent, fmt::format("{} = R.match_cast({}, {})", annotated(binding), value,
                             context_.type(*binding.match_cast)));
  } else {
    line(indent, annotated(binding) + " = " + value);
  }
}

void FunctionPrinter::binding(const Binding& binding, int indent) {
  match(
      binding.value,
      [&](const FunctionPtr& local) { function(*local, context_.var(binding.var), true, false, indent); },
      [&](const If& branches) {
        line(indent, "if " + context_.expr(branches.condition) + ":");
        branch(*branches.then_branch, binding, indent + 1);
        line(indent, "else:");
        branch(*branches.else_branch, binding, indent + 1);
      },
      [&](const OneOf<Var, Constant, Call, Tuple, TupleGetItem, ShapeExpr, PrimValue, StringImm, DataTypeImm,
                      GlobalRef, ExternFunc> auto&) { value_binding(binding, indent); });
}

constexpr std::string_view kImports =
    "# from tvm.script import ir as I\n# from tvm.script import tirx as T\n# from tvm.script import relax as "
    "R\n\n";

std::string mesh_literal(const DeviceMesh& mesh) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : mesh.shape) sizes.push_back(std::to_string(size));
  const bool is_range = mesh.is_range && !mesh.device_ids.empty();
  const std::string ids = is_range ? fmt::format("I.Range({}, {})", mesh.device_ids.front(), mesh.device_ids.back() + 1)
                                   : fmt::format("[{}]", fmt::join(mesh.device_ids, ", "));
  return fmt::format("R.device_mesh({}, {})", tuple_literal(sizes), ids);
}

void print_module_infos(const Module& module, std::string& out) {
  std::vector<std::string> attrs;
  for (const auto& [key, value] : module.attrs) attrs.push_back(quote(key) + ": " + attr_literal(value));
  if (!attrs.empty()) out += fmt::format("    I.module_attrs({{{}}})\n", fmt::join(attrs, ", "));
  std::vector<std::string> infos;
  std::vector<std::string> devices;
  for (const VDevice& device : module.vdevices) {
    devices.push_back(
        fmt::format("I.vdevice({}, {}, {})", quote(device.target), device.id, quote(device.memory_scope)));
  }
  if (!devices.empty()) infos.push_back(fmt::format("\"vdevice\": [{}]", fmt::join(devices, ", ")));
  std::vector<std::string> meshes;
  for (const DeviceMesh& mesh : module.meshes) meshes.push_back(mesh_literal(mesh));
  if (!meshes.empty()) infos.push_back(fmt::format("\"mesh\": [{}]", fmt::join(meshes, ", ")));
  if (!infos.empty()) out += fmt::format("    I.module_global_infos({{{}}})\n", fmt::join(infos, ", "));
}

// With the text comes where in it the statements of the function of TensorIR `located` begin.
struct Printed {
  std::string text;
  std::vector<std::size_t> starts;
};

Printed print(const Module& module, bool plain_tvm, std::string_view located = {}) {
  Printed printed;
  std::string out = "@I.ir_module\nclass Module:\n";
  print_module_infos(module, out);
  if (module.functions.empty() && module.prim_funcs.empty()) out += "    pass\n";
  std::string_view separator;
  std::set<std::string> type_vars;
  for (const GlobalPrimFunc& global : module.prim_funcs) {
    out += separator;
    std::vector<std::size_t> starts = print_prim_func(global, 1, out, type_vars);
    if (global.name == located) printed.starts = std::move(starts);
    separator = "\n";
  }
  for (const GlobalFunction& global : module.functions) {
    PrintContext context{.module = &module};
    context.plain_tvm = plain_tvm;
    out += separator;
    FunctionPrinter(out, context).function(*global.function, global.name, false, global.is_public, 1);
    separator = "\n";
  }
  const std::string_view typing = type_vars.empty() ? "" : "# from typing import TypeVar\n";
  printed.text = fmt::format("{}{}{}", typing, kImports, type_var_lines(type_vars));
  for (std::size_t& start : printed.starts) start += printed.text.size();
  printed.text += out;
  return printed;
}

}  // namespace

std::string print(const Module& module) {
  return print(module, false).text;
}
std::string print_for_tvm(const Module& module) {
  return print(module, true).text;
}

std::optional<TextLine> line_of_statement(const Module& module, std::string_view function, int statement) {
  const Printed printed = print(module, false, function);
  if (statement < 0 || static_cast<std::size_t>(statement) >= printed.starts.size()) return std::nullopt;
  const auto start = printed.text.begin() + static_cast<std::ptrdiff_t>(printed.starts[static_cast<std::size_t>(statement)]);
  const auto first = std::find_if(start, printed.text.end(), [](char c) { return c != ' '; });
  const auto lines_before = std::count(printed.text.begin(), start, '\n');
  return TextLine{static_cast<int>(lines_before) + 1, std::string(first, std::find(first, printed.text.end(), '\n'))};
}

std::string print(const ExprPtr& expr) {
  PrintContext context;
  return context.expr(expr);
}

}  // namespace passdiff
