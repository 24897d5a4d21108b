// What TVMScript cannot say, as measured on TVM 0.27's parser.
#include "core/ops/op.h"
#include "core/text/printer.h"
#include "core/form/signature.h"
#include "core/text/text.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// R.Shape([]) is read as a shape of unknown rank.
bool has_empty_shape(const Type& type) {
  if (const ShapeType* shape = type.as_shape()) return shape->values && shape->values->empty();
  if (const TupleType* tuple = type.as_tuple()) {
    for (const Type& field : tuple->fields) {
      if (has_empty_shape(field)) return true;
    }
  }
  return false;
}

// TVM's parser replaces variables of this type by the empty tuple itself.
bool is_void(const Type& type) {
  return type.as_tuple() != nullptr && type.as_tuple()->fields.empty();
}

bool sayable(const NamedAttrs& attrs) {
  for (const auto& [key, value] : attrs) {
    if (std::holds_alternative<DType>(value) || std::holds_alternative<VDeviceRef>(value)) return false;
  }
  return true;
}

bool names_vdevice(const Type& type) {
  if (const TensorType* tensor = type.as_tensor()) return tensor->vdevice.has_value();
  if (const TupleType* tuple = type.as_tuple()) {
    for (const Type& field : tuple->fields) {
      if (names_vdevice(field)) return true;
    }
  }
  return false;
}

// R.reshape reads a size of 0 as "that of the operand's axis".
bool means_other_size(const Call& call) {
  const OpDef* op = called_op(call);
  if (op == nullptr || op->name != "relax.reshape" || call.args.size() != 2) return false;
  const ShapeExpr* target = as<ShapeExpr>(call.args[1]);
  const TensorType* data = call.args[0]->type.as_tensor();
  for (std::size_t i = 0; target != nullptr && i < target->values.size(); ++i) {
    const Dim& size = target->values[i];
    if (!size.is_static() || size.value() != 0) continue;
    const bool kept =
        data != nullptr && data->shape && i < data->shape->size() && proven_equal((*data->shape)[i], size);
    if (!kept) return true;
  }
  return false;
}

bool sayable(const Function& function);
bool sayable(const SeqExpr& seq);

// Inside of local functions TVM's parser does not find the module's vdevices.
bool uses_vdevices(const Function& function) {
  for (const Var& param : function.params) {
    if (names_vdevice(param->type)) return true;
  }
  if (names_vdevice(function.result_type)) return true;
  for (const Block& block : function.body.blocks) {
    for (const Binding& binding : block.bindings) {
      const Call* call = as<Call>(binding.value);
      for (std::size_t i = 0; call != nullptr && i < call->attrs.size(); ++i) {
        if (std::holds_alternative<VDeviceRef>(call->attrs[i])) return true;
      }
      if (names_vdevice(binding.var->type)) return true;
    }
  }
  return false;
}

bool sayable(const ExprPtr& expr, bool operand) {
  if (const Constant* constant = as<Constant>(expr)) return has_list_form(*constant->tensor);
  if (const Var* var = as<Var>(expr)) return (*var)->dataflow || !is_void((*var)->type);
  if (const Tuple* tuple = as<Tuple>(expr)) {
    for (const ExprPtr& field : tuple->fields) {
      if (!sayable(field, true)) return false;
    }
    return true;
  }
  if (const Call* call = as<Call>(expr)) {
    if (means_other_size(*call)) return false;
    for (const ExprPtr& arg : call->args) {
      if (!sayable(arg, true)) return false;
    }
    const GlobalRef* global = std::get_if<GlobalRef>(&call->callee);
    return !operand && (global == nullptr || is_printable_name(global->name));
  }
  if (const TupleGetItem* item = as<TupleGetItem>(expr)) return !operand && sayable(item->tuple, true);
  if (const If* branches = as<If>(expr)) {
    return !operand && sayable(branches->condition, true) && sayable(*branches->then_branch) &&
           sayable(*branches->else_branch);
  }
  if (const FunctionPtr* local = as<FunctionPtr>(expr)) {
    return !operand && sayable(**local) && !uses_vdevices(**local);
  }
  return true;
}

bool sayable(const Binding& binding) {
  const Type& declared = binding.var->type;
  if (binding.match_cast) {
    return !has_empty_shape(*binding.match_cast) && equal(declared, *binding.match_cast) &&
           sayable(binding.value, true);
  }
  // Annotations that differ from what is inferred are read for calls only.
  const bool same = equal(declared, binding.value->type);
  if (!same && (as<Call>(binding.value) == nullptr || has_empty_shape(declared))) return false;
  return sayable(binding.value, false);
}

// Blocks that TVM's normaliser would merge or drop.
bool sayable(const SeqExpr& seq) {
  for (std::size_t i = 0; i < seq.blocks.size(); ++i) {
    if (seq.blocks[i].bindings.empty()) return false;
    if (i > 0 && seq.blocks[i].dataflow == seq.blocks[i - 1].dataflow) return false;
    for (const Binding& binding : seq.blocks[i].bindings) {
      if (!sayable(binding)) return false;
    }
  }
  return sayable(seq.result, true);
}

bool sayable(const Function& function) {
  for (const Var& param : function.params) {
    if (has_empty_shape(param->type)) return false;
  }
  // TVM takes the body's type instead of a more general one that is declared.
  if (!equal(function.result_type, result_type_of(function.params, function.body))) return false;
  return sayable(function.attrs) && sayable(function.body);
}

}  // namespace

bool has_faithful_text(const Module& module) {
  if (!sayable(module.attrs)) return false;
  for (const GlobalFunction& global : module.functions) {
    if (!is_printable_name(global.name) || !sayable(*global.function)) return false;
  }
  return true;
}

}  // namespace passdiff
