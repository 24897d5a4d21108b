#include "fuzz/conform/variants.h"

#include <map>

#include "core/form/builder.h"
#include "core/ir/queries.h"

namespace passdiff {
namespace {

using NewVars = std::map<Var, Var>;

ExprPtr with_vars(const ExprPtr& expr, const NewVars& vars) {
  if (const Var* var = as<Var>(expr)) {
    const auto found = vars.find(*var);
    return found == vars.end() ? expr : var_expr(found->second);
  }
  const Tuple* tuple = as<Tuple>(expr);
  if (tuple == nullptr) return expr;
  std::vector<ExprPtr> fields;
  for (const ExprPtr& field : tuple->fields) fields.push_back(with_vars(field, vars));
  return make_tuple(std::move(fields));
}

TypedCall typed(const DrawnCall& original, std::vector<ExprPtr> args, Attrs attrs) {
  const OpDef& op = *original.op;
  Result<Type> type = infer_call(op, args, attrs);
  const ExprPtr call =
      make_expr(Call{&op, std::move(args), std::move(attrs), {}}, type ? *type : object_type());
  DrawnCall made = typed_call(op, call, original.test.module.vdevices);
  made.index = original.index;
  return {std::move(made), std::move(type)};
}

TensorType of_rank(const TensorType& tensor, int rank) {
  return {std::nullopt, rank, tensor.dtype, tensor.vdevice};
}

// Less is known of the tensor: its shape, its rank, its dtype, or one of its sizes.
TensorType weakened(Choices& choices, const TensorType& tensor) {
  const std::size_t way = choices.index(6);
  TensorType weak = tensor;
  if (way == 0 || way == 1) weak = of_rank(tensor, tensor.rank);
  if (way == 2 || way == 3) weak = of_rank(tensor, kUnknownRank);
  if (way == 1 || way == 4) weak.dtype = std::nullopt;
  if (way == 5 && weak.shape && !weak.shape->empty())
    (*weak.shape)[choices.index(weak.shape->size())] = make_sym_var(choices.flip() ? "m" : "k");
  return weak;
}

TensorType of_shape(const TensorType& tensor, Shape shape) {
  const int rank = static_cast<int>(shape.size());
  return {std::move(shape), rank, tensor.dtype, tensor.vdevice};
}

// A tensor that the op may not take.
TensorType other_tensor(Choices& choices, const TensorType& tensor, int vdevices) {
  const std::size_t way = choices.index(5);
  if (way == 0) {
    TensorType other = tensor;
    other.dtype = drawn_dtypes()[choices.index(drawn_dtypes().size())];
    return other;
  }
  if (way == 1 && vdevices > 0) {
    TensorType other = tensor;
    other.vdevice = static_cast<int>(choices.index(static_cast<std::size_t>(vdevices)));
    return other;
  }
  if (!tensor.shape) return tensor;
  Shape shape = *tensor.shape;
  if (way == 2 || shape.empty()) {
    shape.insert(shape.begin(), Dim(choices.integer(1, 2)));
  } else if (way == 3) {
    shape.pop_back();
  } else {
    Dim& dim = shape[choices.index(shape.size())];
    dim = choices.flip() ? dim + Dim(1) : Dim(choices.integer(0, 4));
  }
  return of_shape(tensor, std::move(shape));
}

// The call with new types for one or more of its variables.
template <class Change>
std::vector<ExprPtr> with_types(Choices& choices, const DrawnCall& call, Change change) {
  NewVars vars;
  std::vector<Var> params;
  for_each_use(call.call, [&](const Var& var) { params.push_back(var); });
  for (const Var& var : params) {
    const TensorType* tensor = var->type.as_tensor();
    if (tensor == nullptr || vars.contains(var) || (params.size() > 1 && choices.one_in(3))) continue;
    vars[var] = make_var(var->name, change(*tensor));
  }
  std::vector<ExprPtr> args;
  for (const ExprPtr& arg : as<Call>(call.call)->args) args.push_back(with_vars(arg, vars));
  return args;
}

AttrValue other_value(Choices& choices, const Param& param, const AttrValue& value) {
  if (param.optional && choices.one_in(4)) return std::monostate();
  if (const bool* flag = std::get_if<bool>(&value)) return !*flag;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number + choices.integer(-7, 7);
  if (std::holds_alternative<DType>(value)) return drawn_dtypes()[choices.index(drawn_dtypes().size())];
  const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value);
  if (numbers == nullptr) return value;
  std::vector<std::int64_t> other = *numbers;
  if (other.empty() || choices.one_in(4)) {
    other.push_back(choices.integer(-3, 3));
  } else if (choices.one_in(4)) {
    other.pop_back();
  } else {
    other[choices.index(other.size())] += choices.integer(-5, 5);
  }
  return other;
}

// What is left out in favour of another attribute is given by it, as in every call.
Attrs other_attrs(Choices& choices, const DrawnCall& call) {
  Attrs attrs = as<Call>(call.call)->attrs;
  const std::size_t i = choices.index(attrs.size());
  attrs[i] = other_value(choices, call.op->attributes()[i], attrs[i]);
  const bool left_out = std::holds_alternative<std::monostate>(attrs[i]);
  return left_out && call.op->complete != nullptr ? call.op->complete(attrs) : attrs;
}

}  // namespace

std::vector<TypedCall> typed_variants(Choices& choices, const DrawnCall& call) {
  std::vector<TypedCall> variants;
  variants.push_back({call, Result<Type>(call.call->type)});
  const Call& drawn = *as<Call>(call.call);
  const auto weaken = [&](const TensorType& tensor) { return weakened(choices, tensor); };
  variants.push_back(typed(call, with_types(choices, call, weaken), drawn.attrs));
  if (!drawn.attrs.empty() && choices.flip()) {
    variants.push_back(typed(call, drawn.args, other_attrs(choices, call)));
  } else {
    const auto vdevices = static_cast<int>(call.test.module.vdevices.size());
    const auto change = [&](const TensorType& tensor) { return other_tensor(choices, tensor, vdevices); };
    variants.push_back(typed(call, with_types(choices, call, change), drawn.attrs));
  }
  return variants;
}

}  // namespace passdiff
