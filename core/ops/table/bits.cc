// bitwise_and bitwise_or bitwise_xor logical_xor left_shift right_shift.
// Meaning measured on TVM 0.27 compiled for llvm; inference follows src/relax/op/tensor/binary.cc.
#include <functional>
#include <string>
#include <utility>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/row.h"

namespace passdiff {
namespace {

// f of each pair of integers, wrapped. Inference accepts bool beside another dtype; it also
// accepts floats, whose bits cannot be told: TVM compiles no such call.
template <class F>
TensorPtr eval_ints(const Tensor& x1, const Tensor& x2, const Type& result, EvalContext& context, F f) {
  if (is_float(x1.dtype) || is_float(x2.dtype)) return nullptr;
  return compute_pair(x1, x2, result, context, [&](const Tensor& a, const Tensor& b, const Extents& extents) {
    return storage_of(a.dtype) == Storage::ints
               ? wrap_ints(a.dtype, zip<std::int64_t>(extents, f, a.ints(), b.ints()))
               : wrap_uints(a.dtype, zip<std::uint64_t>(extents, f, a.uints(), b.uints()));
  });
}

template <class F>
TensorPtr eval_bits(const Tensor& x1, const Tensor& x2, const Type& result, EvalContext& context) {
  return eval_ints(x1, x2, result, context, F());
}

// Bits that leave the width on the left are lost; those that come in on the right-hand side repeat the sign.
struct LeftShift {
  std::int64_t operator()(std::int64_t x, int by) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << by);
  }
  std::uint64_t operator()(std::uint64_t x, int by) const { return x << by; }
};
struct RightShift {
  auto operator()(auto x, int by) const { return x >> by; }
};

// LLVM's shl, ashr and lshr by the width or more are poison, and by a negative amount, too.
template <class Shift>
TensorPtr eval_shift(const Tensor& x1, const Tensor& x2, const Type& result, EvalContext& context) {
  bool outside = false;
  const auto element = [&, width = row_of(x1.dtype).bits]<class Int>(Int x, Int by) -> Int {
    const bool fits = std::cmp_greater_equal(by, 0) && std::cmp_less(by, width);
    outside |= !fits;
    return fits ? Shift()(x, static_cast<int>(by)) : 0;
  };
  TensorPtr value = eval_ints(x1, x2, result, context, element);
  if (outside) {
    context.log.report(UndefinedRule::shift_amount,
                       "shift by no less than the width of " + std::string(dtype_name(x1.dtype)));
  }
  return value;
}

constexpr DTypes kBitDTypes([](DType d) { return !is_float(d); });
constexpr PairRule kBitRule{.dtypes = kBitDTypes, .any_values = true};

// TVM compiles no shift of bools, and refuses literal amounts beyond the width: the undefined one is a
// vector.
std::optional<CallDraft> generate_shift(Choices& choices, Scope& scope) {
  const auto x = draw_tensor(choices, scope, kIntDTypes);
  if (!x) return std::nullopt;
  const DType dtype = *tensor_type_of(*x).dtype;
  const std::int64_t width = row_of(dtype).bits;
  if (scope.allow_undefined(choices)) {
    const std::int64_t by = choices.flip() || !is_signed_int(dtype) ? width + choices.integer(0, 3) : -1;
    return CallDraft(
        {full_constant(scope, dtype, {2}, std::int64_t{1}), full_constant(scope, dtype, {2}, by)});
  }
  const FillSpec fill{.fill = Fill::indices, .limit = width, .allow_negative = false};
  const auto by = draw_partner(choices, scope, *x, dtype, fill);
  if (!by) return std::nullopt;
  return CallDraft({x->expr, by->expr});
}

constexpr UndefinedRule kAmount[] = {UndefinedRule::shift_amount};

template <class F>
OpDef bits_row(std::string_view name) {
  return op<infer_elementwise, eval_bits<F>, generate_pair<kBitRule>>(name, {"x1", "x2"},
                                                                      {.elementwise = true});
}
template <class Shift>
OpDef shift_row(std::string_view name) {
  return op<infer_elementwise, eval_shift<Shift>, generate_shift>(
      name, {"x1", "x2"}, {.elementwise = true, .undefined = kAmount});
}

}  // namespace

std::vector<OpDef> bits_rows() {
  return {
      bits_row<std::bit_and<>>("relax.bitwise_and"),
      bits_row<std::bit_or<>>("relax.bitwise_or"),
      bits_row<std::bit_xor<>>("relax.bitwise_xor"),
      // topi lowers it to the same operator, so that of integers it is no truth value.
      bits_row<std::bit_xor<>>("relax.logical_xor"),
      shift_row<LeftShift>("relax.left_shift"),
      shift_row<RightShift>("relax.right_shift"),
  };
}

}  // namespace passdiff
