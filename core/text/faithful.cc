// What TVMScript cannot say, as measured on TVM 0.27's parser.
#include <algorithm>

#include "core/form/signature.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"
#include "core/text/printer.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

// TVM's parser replaces variables of this type by the empty tuple itself.
bool is_void(const Type& type) {
  return type.as_tuple() != nullptr && type.as_tuple()->fields.empty();
}

bool can_say(const AttrValue& attr);
bool can_say(const NamedAttrs& attrs) {
  return std::all_of(attrs.begin(), attrs.end(), [](const auto& attr) { return can_say(attr.second); });
}
bool can_say(const AttrValue& attr) {
  return match(
      attr,
      [](const OneOf<std::monostate, bool, std::int64_t, double, std::string,
                     std::vector<std::int64_t>> auto&) { return true; },
      [](const AttrList& list) {
        return std::all_of(list.items.begin(), list.items.end(),
                           [](const AttrValue& item) { return can_say(item); });
      },
      [](const AttrMap& map) { return can_say(map.entries); },
      [](const OneOf<DType, VDeviceRef, IndexMap, MeshRef> auto&) { return false; });
}

bool names_info(const Type& type) {
  return any_field(type, [](const Type& field) {
    const TensorType* tensor = field.as_tensor();
    return tensor != nullptr && (tensor->vdevice || tensor->sharding);
  });
}

bool names_info(const AttrValue& value) {
  return std::holds_alternative<MeshRef>(value) || names_vdevice(value);
}

bool names_info(const Binding& binding) {
  if (names_info(binding.var->type)) return true;
  const Call* call = as<Call>(binding.value);
  return call != nullptr &&
         std::any_of(call->attrs.begin(), call->attrs.end(),
                     [](const AttrValue& value) { return names_info(value); });
}

// Inside of local functions TVM's parser does not find the module's vdevices and meshes.
bool names_info(const Function& function) {
  return names_info(function.result_type) ||
         std::any_of(function.params.begin(), function.params.end(),
                     [](const Var& param) { return names_info(param->type); }) ||
         any_binding<Enter::none>(function.body, [](const Binding& binding) { return names_info(binding); });
}

// Does TVM's parser read another new shape than the call has? A size of 0 means the size of the first operand's axis.
bool means_other_shape(const Call& call) {
  const OpDef* op = called_op(call);
  if (op == nullptr || op->params.size() < 2 || op->params[1].kind != ParamKind::new_shape) return false;
  const ShapeExpr* target = call.args.size() < 2 ? nullptr : as<ShapeExpr>(call.args[1]);
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

// TVM's parser knows no R.inspect, and no types at calls of ops that infer theirs, though TVM prints both.
bool is_unknown(const Call& call) {
  const OpDef* op = called_op(call);
  return op != nullptr && (op->name.starts_with("relax.inspect.") || (op->type_args.empty() && !call.type_args.empty()));
}

bool can_say(const Function& function);
bool can_say(const SeqExpr& seq);
bool can_say_operand(const ExprPtr& expr);

bool can_say_operands(const Expr& expr) {
  bool all = true;
  for_each_operand(expr, [&all](const ExprPtr& operand) { all = all && can_say_operand(operand); });
  return all;
}

// For what a variable is bound to. As operands TVM's parser binds calls, items, ifs and functions to variables of
// their own.
bool can_say_bound(const ExprPtr& expr) {
  return match(
      expr,
      [&](const Call& call) {
        const GlobalRef* global = std::get_if<GlobalRef>(&call.callee);
        return !means_other_shape(call) && !is_unknown(call) && can_say_operands(*expr) &&
               (global == nullptr || is_printable_name(global->name));
      },
      [&](const TupleGetItem&) { return can_say_operands(*expr); },
      [&](const If& branches) {
        return can_say_operands(*expr) && can_say(*branches.then_branch) && can_say(*branches.else_branch);
      },
      [](const FunctionPtr& local) { return can_say(*local) && !names_info(*local); },
      [&](const OneOf<Var, Constant, Tuple, ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef,
                      ExternFunc> auto&) { return can_say_operand(expr); });
}

bool can_say_operand(const ExprPtr& expr) {
  return match(
      expr, [](const Var& var) { return var->dataflow || !is_void(var->type); },
      [](const Constant& constant) { return has_list_form(*constant.tensor) && !is_packed(constant.tensor->dtype); },
      [&](const Tuple&) { return can_say_operands(*expr); },
      [](const OneOf<ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef, ExternFunc> auto&) { return true; },
      [](const OneOf<Call, TupleGetItem, If, FunctionPtr> auto&) { return false; });
}

bool can_say(const Binding& binding) {
  const Type& declared = binding.var->type;
  if (binding.match_cast) {
    return !has_empty_shape(*binding.match_cast) && equal(declared, *binding.match_cast) &&
           can_say_operand(binding.value);
  }
  // TVM's parser heeds an annotation that differs from the inferred type for calls only.
  const bool same = equal(declared, binding.value->type);
  if (!same && (as<Call>(binding.value) == nullptr || has_empty_shape(declared))) return false;
  return can_say_bound(binding.value);
}

bool can_say(const SeqExpr& seq) {
  // TVM's normaliser drops the former and merges the latter.
  const bool has_empty = std::any_of(seq.blocks.begin(), seq.blocks.end(),
                                     [](const Block& block) { return block.bindings.empty(); });
  const auto alike = [](const Block& a, const Block& b) { return a.dataflow == b.dataflow; };
  const bool has_alike = std::adjacent_find(seq.blocks.begin(), seq.blocks.end(), alike) != seq.blocks.end();
  return !has_empty && !has_alike &&
         !any_binding<Enter::none>(seq, [](const Binding& binding) { return !can_say(binding); }) &&
         can_say_operand(seq.result);
}

bool can_say(const Function& function) {
  for (const Var& param : function.params) {
    if (has_empty_shape(param->type)) return false;
  }
  // TVM takes the body's type instead of a more general one that is declared.
  if (!equal(function.result_type, result_type_of(function.params, function.body))) return false;
  return can_say(function.attrs) && can_say(function.body);
}

}  // namespace

bool has_faithful_text(const Module& module) {
  return can_say(module.attrs) &&
         std::all_of(module.functions.begin(), module.functions.end(), [](const GlobalFunction& global) {
           return is_printable_name(global.name) && can_say(*global.function);
         });
}

}  // namespace passdiff
