#include "core/documents/json.h"
#include "core/documents/prim_func_document.h"
#include "core/documents/type_writer.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// Writes modules. Variables and symbols are numbered as they are met, so that their tables follow the body that uses them.
class ModuleWriter {
 public:
  explicit ModuleWriter(DocumentWriter& out) : out_(out), types_(out, TypeWriter::Symbols::numbered) {}
  void module(const Module& module);

 private:
  void function(const GlobalFunction& global);
  void body(const Function& function);
  void seq(const SeqExpr& seq);
  void binding(const Binding& binding);
  void variable(const Var& var) { out_.integer(numbers_.of(var)); }
  void variable_table();
  void expr(const ExprPtr& expr);
  void exprs(const std::vector<ExprPtr>& list);

  void node(const Var& var) { variable(var); }
  void node(const Constant& value) { constant(value, object_type()); }
  void node(const Call& call);
  void node(const Tuple& tuple);
  void node(const TupleGetItem& get);
  void node(const ShapeExpr& shape);
  void node(const PrimValue& prim);
  void node(const StringImm& imm) { named(ExprForm::string, imm.value); }
  void node(const DataTypeImm& imm) { named(ExprForm::dtype, dtype_name(imm.value)); }
  void node(const GlobalRef& global) { named(ExprForm::global, global.name); }
  void node(const ExternFunc& func) { named(ExprForm::extern_function, func.name); }
  void node(const If& branch);
  void node(const FunctionPtr& function);

  void constant(const Constant& constant, const Type& type);
  void op_call(const OpDef& op, const Call& call);
  void named(ExprForm form, std::string_view name);

  DocumentWriter& out_;
  TypeWriter types_;
  Numbering<Var> numbers_;
};

void ModuleWriter::named(ExprForm form, std::string_view name) {
  out_.form(form);
  out_.text(name);
}

void ModuleWriter::exprs(const std::vector<ExprPtr>& list) {
  out_.array(list.size());
  for (const ExprPtr& e : list) expr(e);
}

void ModuleWriter::expr(const ExprPtr& expr) {
  const Constant* value = as<Constant>(expr);
  if (value != nullptr) return constant(*value, expr->type);
  std::visit([this](const auto& n) { node(n); }, expr->node);
}

void ModuleWriter::constant(const Constant& constant, const Type& type) {
  const TensorType* declared = type.as_tensor();
  const bool distributed = declared != nullptr && declared->sharding;
  out_.form(ExprForm::constant, distributed ? 5 : 4);
  const Tensor& tensor = *constant.tensor;
  out_.dtype(tensor.dtype);
  out_.integers(tensor.shape());
  out_.base64(to_bytes(tensor));
  if (distributed) out_.sharding(*declared->sharding);
}

void ModuleWriter::op_call(const OpDef& op, const Call& call) {
  const bool has_types = !call.type_args.empty();
  out_.form(ExprForm::op, has_types ? 6 : op.attrs_class.empty() ? 4 : 5);
  out_.text(op.name);
  exprs(call.args);
  const auto attributes = op.attributes();
  CHECK(attributes.size() == call.attrs.size()) << op.name << " with " << call.attrs.size() << " attributes";
  out_.array(attributes.size());
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    out_.array(2);
    out_.text(attributes[i].name);
    out_.attr(call.attrs[i]);
  }
  if (has_types || !op.attrs_class.empty()) out_.text(op.attrs_class);
  if (has_types) types_.types(call.type_args);
}

void ModuleWriter::node(const Call& call) {
  const auto function_call = [&](const auto& write_callee) {
    out_.form(ExprForm::call);
    write_callee();
    exprs(call.args);
  };
  match(
      call.callee, [&](const Op*) { op_call(*called_op(call), call); },
      [&](const GlobalRef& global) { function_call([&] { node(global); }); },
      [&](const ExprPtr& callee) { function_call([&] { expr(callee); }); },
      [&](const ExternFunc& callee) {
        named(ExprForm::extern_call, callee.name);
        exprs(call.args);
        types_.types(call.type_args);
      });
}

void ModuleWriter::node(const Tuple& tuple) {
  out_.form(ExprForm::tuple);
  exprs(tuple.fields);
}

void ModuleWriter::node(const TupleGetItem& get) {
  out_.form(ExprForm::get);
  expr(get.tuple);
  out_.integer(get.index);
}

void ModuleWriter::node(const ShapeExpr& shape) {
  out_.form(ExprForm::shape);
  types_.dims(shape.values);
}

void ModuleWriter::node(const PrimValue& prim) {
  out_.form(ExprForm::prim);
  out_.dtype(prim.dtype);
  match(
      prim.value, [&](const Dim& dim) { types_.dim(dim); },
      [&](double number) { out_.number_or_name(number); });
}

void ModuleWriter::node(const If& branch) {
  out_.form(ExprForm::branch);
  expr(branch.condition);
  seq(*branch.then_branch);
  seq(*branch.else_branch);
}

void ModuleWriter::node(const FunctionPtr& function) {
  out_.begin_local_function();
  body(*function);
}

void ModuleWriter::binding(const Binding& binding) {
  out_.array(binding.match_cast ? 3 : 2);
  variable(binding.var);
  expr(binding.value);
  if (binding.match_cast) types_.type(*binding.match_cast);
}

// Goes over blocks, not bindings alone: the document keeps which bindings share a block.
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

// Writes the keys from FunctionKey::params on.
void ModuleWriter::body(const Function& function) {
  out_.key(FunctionKey::params);
  out_.array(function.params.size());
  for (const Var& param : function.params) variable(param);
  out_.key(FunctionKey::pure);
  out_.boolean(function.pure);
  out_.key(FunctionKey::attrs);
  out_.attrs(function.attrs);
  out_.key(FunctionKey::result);
  types_.type(function.result_type);
  out_.key(FunctionKey::body);
  seq(function.body);
}

void ModuleWriter::variable_table() {
  out_.array(numbers_.table().size());
  for (const Var& var : numbers_.table()) {
    out_.array(3);
    out_.text(var->name);
    types_.type(var->type);
    out_.integer(var->dataflow ? 1 : 0);
  }
  numbers_ = {};
}

void ModuleWriter::function(const GlobalFunction& global) {
  out_.begin_function(global.name, global.is_public);
  body(*global.function);
  out_.key(FunctionKey::vars);
  variable_table();
  out_.key(FunctionKey::symbols);  // written after the types of the variables, which may hold new symbols
  types_.symbol_table();
}

void ModuleWriter::module(const Module& module) {
  out_.begin_module(module.functions.size(), module.prim_funcs.size(), module.meshes.size());
  for (const GlobalFunction& global : module.functions) function(global);
  out_.key(ModuleKey::vdevices);
  out_.array(module.vdevices.size());
  for (const VDevice& device : module.vdevices) out_.vdevice(device.target, device.id, device.memory_scope);
  out_.key(ModuleKey::attrs);
  out_.attrs(module.attrs);
  if (!module.meshes.empty()) {
    out_.key(ModuleKey::meshes);
    out_.array(module.meshes.size());
    for (const DeviceMesh& mesh : module.meshes) out_.mesh(mesh.shape, mesh.device_ids, mesh.is_range);
  }
  if (module.prim_funcs.empty()) return;
  out_.key(ModuleKey::prim_funcs);
  out_.array(module.prim_funcs.size());
  for (const GlobalPrimFunc& global : module.prim_funcs) write_prim_func(out_, global);
}

}  // namespace

std::vector<std::uint8_t> module_to_cbor(const Module& module) {
  DocumentWriter out;
  ModuleWriter(out).module(module);
  return out.take();
}

std::vector<std::uint8_t> type_to_cbor(const Type& type) {
  DocumentWriter out;
  TypeWriter(out, TypeWriter::Symbols::named).type(type);
  return out.take();
}

}  // namespace passdiff
