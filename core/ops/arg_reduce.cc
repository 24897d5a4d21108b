// argmax, argmin.
#include "core/ops/attr_access.h"
#include "core/ops/infer.h"
#include "core/ops/reduce.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

enum class Extreme : std::uint8_t { max, min };

// The axis as the list that reductions take; null for None.
const Ints* axis_list(const Attrs& attrs, Ints& storage) {
  const std::int64_t* axis = optional_attr<std::int64_t>(attrs, 0);
  if (!axis) return nullptr;
  storage = {*axis};
  return &storage;
}

Result<Type> infer_arg(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> data = tensor_operand(args, 0);
  if (!data) return data.error();
  Ints storage;
  return infer_reduction(**data, axis_list(attrs, storage), attr<bool>(attrs, 1), DType::int64);
}

// Among equals the first wins. TVM keeps the best only if it is beyond the next or equal and earlier, so that
// a NaN is replaced by whatever follows it (argmax in topi/reduction.h, measured). Where all elements are the
// lowest of their dtype (uint8 zeros, -inf) TVM returns -1, the index that it starts from: its mistake.
template <Extreme extreme, class Array>
void fold_positions(const Array& in, const Reduction& r, std::int64_t* out) {
  using Element = typename Array::value_type;
  std::vector<Element> best(r.results);
  std::vector<std::int64_t> position(r.results, 0);
  for (std::size_t i = 0; i < r.slots.size(); ++i) {
    const std::size_t slot = r.slots[i];
    const Element next = in.data()[i];
    const std::int64_t here = position[slot]++;
    const bool keep = here > 0 && (extreme == Extreme::max ? best[slot] >= next : best[slot] <= next);
    if (keep) continue;
    best[slot] = next;
    out[slot] = here;
  }
}

template <Extreme extreme>
Value eval_arg(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  Ints storage;
  const std::optional<Reduction> r = reduction_of(dims, axis_list(attrs, storage), attr<bool>(attrs, 1));
  if (!r) return misfit(context);
  if (r->is_empty()) report_empty(extreme == Extreme::max ? "argmax" : "argmin", context);
  Tensor result = zeros(DType::int64, r->shape);
  std::int64_t* out = std::get<Tensor::Ints>(result.values).data();
  std::visit([&](const auto& in) { fold_positions<extreme>(in, *r, out); }, data.values);
  return make_tensor(std::move(result));
}

// bool and bfloat16 do not compile in TVM; of uint8 zeros it makes -1 (measured).
constexpr DTypes kArgDTypes{DType::int8,    DType::int32,   DType::int64,
                            DType::float16, DType::float32, DType::float64};

std::optional<CallDraft> generate_arg(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) {
    return CallDraft{{full_constant(scope, DType::float32, {2, 0}, 0.0)}, {std::int64_t{-1}, false}};
  }
  // Rank 0 does not compile in TVM.
  const std::optional<Drawn> data = draw_operand(choices, scope, kArgDTypes, 1, 4, Known::rank);
  if (!data) return std::nullopt;
  AttrValue axis;
  if (!choices.one_in(4)) axis = draw_axis(choices, data->rank());
  Attrs attrs{axis, choices.one_in(3)};
  Ints storage;
  if (reduced_count(*data, axis_list(attrs, storage)) == 0) return std::nullopt;
  return CallDraft{{data->expr}, std::move(attrs)};
}

const Param kArgParams[] = {
    {"x", ParamKind::tensor},
    {"axis", ParamKind::attr_int, true, AttrValue()},
    {"keepdims", ParamKind::attr_bool, false, AttrValue(false)},
};
constexpr UndefinedRule kEmpty[] = {UndefinedRule::uninitialised_read};

}  // namespace

std::span<const OpDef> arg_rows() {
  static const OpDef kRows[] = {
      {{"relax.argmax"},
       .params = kArgParams,
       .undefined = kEmpty,
       .infer = infer_arg,
       .eval = eval_arg<Extreme::max>,
       .generate = generate_arg},
      {{"relax.argmin"},
       .params = kArgParams,
       .undefined = kEmpty,
       .infer = infer_arg,
       .eval = eval_arg<Extreme::min>,
       .generate = generate_arg},
  };
  return kRows;
}

}  // namespace passdiff
