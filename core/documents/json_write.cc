#include "core/documents/json_write.h"

#include "core/ops/op.h"
#include "core/documents/json.h"
#include "core/documents/json_write_types.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// Variables, like symbols, are numbered as they are met: the tables follow the body that uses them.
class ModuleWriter {
 public:
  explicit ModuleWriter(CborWriter& out) : out_(out), types_(out, TypeWriter::Symbols::numbered) {}
  void module(const Module& module);

 private:
  void function(const GlobalFunction& global);
  void body(const Function& function);
  void seq(const SeqExpr& seq);
  void binding(const Binding& binding);
  void variable(const Var& var);
  void variable_table();
  void expr(const ExprPtr& expr);
  void exprs(const std::vector<ExprPtr>& list);

  void node(const Var& var) { variable(var); }
  void node(const Constant& constant);
  void node(const Call& call);
  void node(const Tuple& tuple);
  void node(const TupleGetItem& get);
  void node(const ShapeExpr& shape);
  void node(const PrimValue& prim);
  void node(const StringImm& imm) { tagged("str", imm.value); }
  void node(const DataTypeImm& imm) { tagged("dtype", dtype_name(imm.value)); }
  void node(const GlobalRef& global) { tagged("global", global.name); }
  void node(const ExternFunc& func) { tagged("externfn", func.name); }
  void node(const If& branch);
  void node(const FunctionPtr& function);

  void op_call(const OpDef& op, const Call& call);
  void tagged(std::string_view tag, std::string_view text);
  void tag(std::size_t elements, std::string_view tag);

  CborWriter& out_;
  TypeWriter types_;
  std::unordered_map<const VarNode*, std::int64_t> index_;
  std::vector<Var> order_;
};

void ModuleWriter::tag(std::size_t elements, std::string_view tag) {
  out_.array(elements);
  out_.text(tag);
}

void ModuleWriter::tagged(std::string_view name, std::string_view text) {
  tag(2, name);
  out_.text(text);
}

void ModuleWriter::variable(const Var& var) {
  const auto [entry, is_new] = index_.try_emplace(var.get(), static_cast<std::int64_t>(order_.size()));
  if (is_new) order_.push_back(var);
  out_.integer(entry->second);
}

void ModuleWriter::exprs(const std::vector<ExprPtr>& list) {
  out_.array(list.size());
  for (const ExprPtr& e : list) expr(e);
}

void ModuleWriter::expr(const ExprPtr& expr) {
  std::visit([this](const auto& n) { node(n); }, expr->node);
}

void ModuleWriter::node(const Constant& constant) {
  const Tensor& tensor = *constant.tensor;
  tag(4, "const");
  out_.text(dtype_name(tensor.dtype));
  const auto shape = tensor.shape();
  out_.array(shape.size());
  for (const std::int64_t dim : shape) out_.integer(dim);
  out_.text(base64_encode(to_bytes(tensor)));
}

void ModuleWriter::op_call(const OpDef& op, const Call& call) {
  tag(4, "op");
  out_.text(op.name);
  exprs(call.args);
  const auto attributes = op.attributes();
  CHECK(attributes.size() == call.attrs.size()) << op.name << " with " << call.attrs.size() << " attributes";
  out_.array(attributes.size());
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    out_.array(2);
    out_.text(attributes[i].name);
    types_.attr(call.attrs[i]);
  }
}

void ModuleWriter::node(const Call& call) {
  if (const OpDef* op = called_op(call)) return op_call(*op, call);
  if (const auto* extern_func = std::get_if<ExternFunc>(&call.callee)) {
    tag(4, "extern");
    out_.text(extern_func->name);
    exprs(call.args);
    return types_.types(call.type_args);
  }
  tag(3, "call");
  if (const auto* global = std::get_if<GlobalRef>(&call.callee)) {
    node(*global);
  } else {
    expr(std::get<ExprPtr>(call.callee));
  }
  exprs(call.args);
}

void ModuleWriter::node(const Tuple& tuple) {
  tag(2, "tuple");
  exprs(tuple.fields);
}

void ModuleWriter::node(const TupleGetItem& get) {
  tag(3, "get");
  expr(get.tuple);
  out_.integer(get.index);
}

void ModuleWriter::node(const ShapeExpr& shape) {
  tag(2, "shape");
  types_.dims(shape.values);
}

void ModuleWriter::node(const PrimValue& prim) {
  tag(3, "prim");
  out_.text(dtype_name(prim.dtype));
  if (const auto* dim = std::get_if<Dim>(&prim.value)) return types_.dim(*dim);
  types_.number(std::get<double>(prim.value));
}

void ModuleWriter::node(const If& branch) {
  tag(4, "if");
  expr(branch.condition);
  seq(*branch.then_branch);
  seq(*branch.else_branch);
}

void ModuleWriter::node(const FunctionPtr& function) {
  tag(2, "fn");
  out_.map(5);
  body(*function);
}

void ModuleWriter::binding(const Binding& binding) {
  out_.array(binding.match_cast ? 3 : 2);
  variable(binding.var);
  expr(binding.value);
  if (binding.match_cast) types_.type(*binding.match_cast);
}

void ModuleWriter::seq(const SeqExpr& seq) {
  out_.array(2);
  out_.array(seq.blocks.size());
  for (const Block& block : seq.blocks) {
    out_.array(2);
    out_.integer(block.dataflow ? 1 : 0);
    out_.array(block.bindings.size());
    for (const Binding& b : block.bindings) binding(b);
  }
  expr(seq.result);
}

// Five keys of the map that the caller began.
void ModuleWriter::body(const Function& function) {
  out_.text("params");
  out_.array(function.params.size());
  for (const Var& param : function.params) variable(param);
  out_.text("pure");
  out_.boolean(function.pure);
  out_.text("attrs");
  types_.attrs(function.attrs);
  out_.text("result");
  types_.type(function.result_type);
  out_.text("body");
  seq(function.body);
}

void ModuleWriter::variable_table() {
  out_.array(order_.size());
  for (const Var& var : order_) {
    out_.array(3);
    out_.text(var->name);
    types_.type(var->type);
    out_.integer(var->dataflow ? 1 : 0);
  }
  order_.clear();
  index_.clear();
}

void ModuleWriter::function(const GlobalFunction& global) {
  out_.map(9);
  out_.text("name");
  out_.text(global.name);
  out_.text("public");
  out_.boolean(global.is_public);
  body(*global.function);
  out_.text("vars");
  variable_table();
  out_.text("symbols");  // after the types of the variables, which may hold new ones
  types_.symbol_table();
}

void ModuleWriter::module(const Module& module) {
  out_.map(4);
  out_.text("passdiff");
  out_.integer(1);
  out_.text("functions");
  out_.array(module.functions.size());
  for (const GlobalFunction& global : module.functions) function(global);
  out_.text("vdevices");
  out_.array(module.vdevices.size());
  for (const VDevice& device : module.vdevices) {
    out_.array(3);
    out_.text(device.target);
    out_.integer(device.id);
    out_.text(device.memory_scope);
  }
  out_.text("attrs");
  types_.attrs(module.attrs);
}

}  // namespace

void write_module(CborWriter& out, const Module& module) {
  ModuleWriter(out).module(module);
}

void write_type(CborWriter& out, const Type& type) {
  TypeWriter(out, TypeWriter::Symbols::named).type(type);
}

std::vector<std::uint8_t> module_to_cbor(const Module& module) {
  CborWriter out;
  write_module(out, module);
  return out.take();
}

}  // namespace passdiff
