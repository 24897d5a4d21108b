#include "core/gen/graph_builder.h"

#include <algorithm>

#include "core/form/builder.h"
#include "core/gen/magnitude.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::int64_t kMaxElements = 1024;  // of one tensor: checks then take a few microseconds per binding

// Whether tensors of a type lie on another virtual device than those seen before; notes theirs.
bool on_another_device(const Type& type, std::optional<int>& device) {
  if (const TupleType* tuple = type.as_tuple()) {
    return std::any_of(tuple->fields.begin(), tuple->fields.end(), [&](const Type& field) { return on_another_device(field, device); });
  }
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !tensor->vdevice) return false;
  const bool another = device && *device != *tensor->vdevice;
  device = tensor->vdevice;
  return another;
}

// Whether an operation would compute on two virtual devices at once. Inference of most ops rejects that; that of batch_norm and a few others
// does not, and no compiler can run it.
bool on_two_devices(std::span<const ExprPtr> operands) {
  std::optional<int> device;
  return std::any_of(operands.begin(), operands.end(), [&](const ExprPtr& operand) { return on_another_device(operand->type, device); });
}

}  // namespace

GraphBuilder::GraphBuilder(CaseDraft& draft, FunctionDraft& function, GraphBuilder* outer)
    : Operands(draft, function, outer), blocks_(function) {
  calls_.reserve(16);
  operands_.reserve(4);
}

SeqExpr GraphBuilder::finish(const ExprPtr& result) {
  blocks_.end();
  values().note_uses(result, blocks_.number());
  return blocks_.finish(result);
}

bool GraphBuilder::is_small(const Type& type) const {
  if (const TupleType* tuple = type.as_tuple()) {
    return std::all_of(tuple->fields.begin(), tuple->fields.end(),
                       [this](const Type& field) { return is_small(field); });
  }
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !tensor->shape.has_value()) return true;
  std::int64_t elements = 1;
  for (const Dim& dim : *tensor->shape) {
    elements *= size_of(dim);
    if (elements > kMaxElements || elements < 0) return false;
  }
  return true;
}

bool GraphBuilder::is_acceptable(const OpDef& op, const Value& value, const EvalContext& context,
                                 bool intended) const {
  if (context.log.must_stop()) return intended && !op.undefined.empty();
  if (config().wild) return true;
  return !context.log.overflowed() && is_moderate(value);
}

ExprPtr GraphBuilder::emit(const OpDef& op, std::vector<ExprPtr> args, Attrs attrs) {
  const bool intended = take_intent();
  if (std::any_of(args.begin(), args.end(), [](const ExprPtr& arg) { return arg == nullptr; }))
    return nullptr;
  if (on_two_devices(args)) return nullptr;
  const Result<ExprPtr> made = make_call(op, std::move(args), std::move(attrs));
  if (!made || !is_small((*made)->type)) return nullptr;
  const ExprPtr& expr = *made;
  const Call& call = *as<Call>(expr);
  Provenance provenance;
  operands_.clear();
  for (const ExprPtr& arg : call.args) operands_.push_back(value_of(arg, provenance));
  EvalContext context;
  Value value = op.eval(operands_, call.attrs, expr->type, context);
  if (!is_acceptable(op, value, context, intended)) return nullptr;
  if (context.log.must_stop()) {  // execution ends here: any value will do for what comes after
    const TensorType* type = expr->type.as_tensor();
    if (type == nullptr || !type->shape.has_value() || !type->dtype.has_value()) return nullptr;
    value = make_tensor(zeros(*type->dtype, sizes(*type->shape)));
    draft().undefined = true;
  }
  // A library function's last digits depend on the machine; rounded results do not.
  if (op.ulps > 0) provenance.inexact = true;
  calls_.push_back(expr);
  return bind_known(expr, std::move(value), provenance);
}

ExprPtr GraphBuilder::call(std::string_view name, std::vector<ExprPtr> args,
                           std::initializer_list<AttrArg> given) {
  const OpDef* op = find_op(name);
  CHECK(op != nullptr) << "no op " << name;
  if (!draft().options.avoid.empty() && is_avoided(draft().options, name)) return nullptr;
  const std::span<const Param> params = op->attributes();
  Attrs attrs;
  attrs.reserve(params.size());
  std::size_t used = 0;
  for (const Param& param : params) {
    const auto* found =
        std::find_if(given.begin(), given.end(), [&](const AttrArg& a) { return a.first == param.name; });
    if (found != given.end()) ++used;
    attrs.push_back(found != given.end() ? found->second : param.default_value.value_or(AttrValue{}));
  }
  CHECK(used == given.size()) << name << " lacks an attribute that was given";
  ExprPtr var = emit(*op, std::move(args), std::move(attrs));
  const TensorType* type = var != nullptr ? var->type.as_tensor() : nullptr;
  return type != nullptr && !type->shape.has_value() ? nullptr : var;
}

ExprPtr GraphBuilder::draw_call(Choices& choices, const OpDef& op) {
  const Mark before = mark();
  take_intent();
  std::optional<CallDraft> draft = op.generate(choices, *this);
  ExprPtr var = draft.has_value() ? emit(op, std::move(draft->args), std::move(draft->attrs)) : nullptr;
  if (var == nullptr) roll_back(before);
  return var;
}

ExprPtr GraphBuilder::bind_as(Type type, ExprPtr value, Value&& known, Provenance provenance,
                              std::optional<Type> match_cast) {
  values().note_uses(value, blocks_.number());
  std::shared_ptr<VarNode> var = blocks_.bind(std::move(value), type, std::move(match_cast));
  ExprPtr expr = make_expr(Var(var), std::move(type));
  values().add({.shown = {expr, std::move(known)},
                .var = std::move(var),
                .provenance = provenance,
                .block = blocks_.number()});
  return expr;
}

ExprPtr GraphBuilder::bind_known(ExprPtr value, Value known, Provenance provenance) {
  Type type = value->type;
  return bind_as(std::move(type), std::move(value), std::move(known), provenance, std::nullopt);
}

ExprPtr GraphBuilder::bind(ExprPtr value) {
  if (value == nullptr) return nullptr;
  Provenance provenance;
  Value known = value_of(value, provenance);
  return bind_known(std::move(value), std::move(known), provenance);
}

void GraphBuilder::perform(const ExprPtr& call) {
  values().note_uses(call, blocks_.number());
  blocks_.bind(call, call->type, std::nullopt);
}

ExprPtr GraphBuilder::match_cast(const ExprPtr& value, Type type) {
  if (value == nullptr) return nullptr;
  Provenance provenance;
  Value known = value_of(value, provenance);
  return bind_as(type, value, std::move(known), provenance, type);
}

ExprPtr GraphBuilder::item(const ExprPtr& tuple, int index) {
  if (tuple == nullptr) return nullptr;
  Result<ExprPtr> made = make_tuple_get_item(tuple, index);
  return made.ok() ? bind(*std::move(made)) : nullptr;
}

ExprPtr GraphBuilder::pack(std::vector<ExprPtr> fields) const {
  if (std::find(fields.begin(), fields.end(), nullptr) != fields.end()) return nullptr;
  return make_tuple(std::move(fields));
}

}  // namespace passdiff
