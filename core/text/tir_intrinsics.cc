#include "core/text/tir_intrinsics.h"

#include <algorithm>
#include <array>

namespace passdiff::tir {
namespace {

using enum ResultRule;

// Sorted. The results are those of TVM's constructors (python/tvm/tirx/op.py).
constexpr std::array kIntrinsics = {
    IntrinsicRow{"TVMBackendAllocWorkspace", handle},
    IntrinsicRow{"TVMBackendFreeWorkspace", int32},
    IntrinsicRow{"acos", as_first},
    IntrinsicRow{"acosh", as_first},
    IntrinsicRow{"address_of", handle},
    IntrinsicRow{"anylist_getitem", handle},
    IntrinsicRow{"anylist_resetitem", int32},
    IntrinsicRow{"anylist_setitem_call_cpacked", int32},
    IntrinsicRow{"anylist_setitem_call_packed", int32},
    IntrinsicRow{"asin", as_first},
    IntrinsicRow{"asinh", as_first},
    IntrinsicRow{"assume", boolean},
    IntrinsicRow{"atan", as_first},
    IntrinsicRow{"atan2", as_first},
    IntrinsicRow{"atanh", as_first},
    IntrinsicRow{"bitwise_and", as_first},
    IntrinsicRow{"bitwise_not", as_first},
    IntrinsicRow{"bitwise_or", as_first},
    IntrinsicRow{"bitwise_xor", as_first},
    IntrinsicRow{"call_cpacked", int32},
    IntrinsicRow{"call_cpacked_lowered", int32},
    IntrinsicRow{"call_extern", written_first},
    IntrinsicRow{"call_llvm_intrin", written_first},
    IntrinsicRow{"call_llvm_pure_intrin", written_first},
    IntrinsicRow{"call_packed", int32},
    IntrinsicRow{"call_packed_lowered", int32},
    IntrinsicRow{"call_pure_extern", written_first},
    IntrinsicRow{"ceil", as_first},
    IntrinsicRow{"clz", int32},
    IntrinsicRow{"copysign", as_first},
    IntrinsicRow{"cos", as_first},
    IntrinsicRow{"cosh", as_first},
    IntrinsicRow{"end_profile_intrinsic", none},
    IntrinsicRow{"erf", as_first},
    IntrinsicRow{"exp", as_first},
    IntrinsicRow{"exp10", as_first},
    IntrinsicRow{"exp2", as_first},
    IntrinsicRow{"fabs", as_first},
    IntrinsicRow{"floor", as_first},
    IntrinsicRow{"fma", as_first},
    IntrinsicRow{"fmod", as_first},
    IntrinsicRow{"get_active_lane_mask", written_first},
    IntrinsicRow{"handle_add_byte_offset", handle},
    IntrinsicRow{"hypot", as_first},
    IntrinsicRow{"if_then_else", as_second},
    IntrinsicRow{"ignore_loop_partition", boolean},
    IntrinsicRow{"isfinite", boolean},
    IntrinsicRow{"isinf", boolean},
    IntrinsicRow{"isnan", boolean},
    IntrinsicRow{"isnullptr", boolean},
    IntrinsicRow{"ldexp", as_first},
    IntrinsicRow{"likely", as_first},
    IntrinsicRow{"log", as_first},
    IntrinsicRow{"log10", as_first},
    IntrinsicRow{"log1p", as_first},
    IntrinsicRow{"log2", as_first},
    IntrinsicRow{"lookup_param", handle},
    IntrinsicRow{"masked_load", written_first},
    IntrinsicRow{"masked_store", none},
    IntrinsicRow{"nearbyint", as_first},
    IntrinsicRow{"nextafter", as_first},
    IntrinsicRow{"popcount", as_first},
    IntrinsicRow{"pow", as_first},
    IntrinsicRow{"q_multiply_shift", int32},
    IntrinsicRow{"q_multiply_shift_per_axis", int32},
    IntrinsicRow{"reinterpret", written_first},
    IntrinsicRow{"round", as_first},
    IntrinsicRow{"rsqrt", as_first},
    IntrinsicRow{"shift_left", as_first},
    IntrinsicRow{"shift_right", as_first},
    IntrinsicRow{"sigmoid", as_first},
    IntrinsicRow{"sin", as_first},
    IntrinsicRow{"sinh", as_first},
    IntrinsicRow{"sqrt", as_first},
    IntrinsicRow{"start_profile_intrinsic", none},
    IntrinsicRow{"tan", as_first},
    IntrinsicRow{"tanh", as_first},
    IntrinsicRow{"thread_return", none},
    IntrinsicRow{"trunc", as_first},
    IntrinsicRow{"tvm_access_ptr", handle},
    IntrinsicRow{"tvm_fill_fragment", none},
    IntrinsicRow{"tvm_global_barrier_kinit", none},
    IntrinsicRow{"tvm_kernel_replace_point", none},
    IntrinsicRow{"tvm_load_matrix_sync", none},
    IntrinsicRow{"tvm_mma_sync", none},
    IntrinsicRow{"tvm_stack_alloca", handle},
    IntrinsicRow{"tvm_stack_make_array", handle},
    IntrinsicRow{"tvm_stack_make_shape", handle},
    IntrinsicRow{"tvm_storage_sync", none},
    IntrinsicRow{"tvm_store_matrix_sync", none},
    IntrinsicRow{"tvm_struct_get", written_last},
    IntrinsicRow{"tvm_struct_set", int32},
    IntrinsicRow{"tvm_thread_allreduce", none},
    IntrinsicRow{"tvm_thread_invariant", as_first},
    IntrinsicRow{"tvm_throw_last_error", none},
    IntrinsicRow{"tvm_tuple", none},
    IntrinsicRow{"tvm_warp_activemask", uint32},
    IntrinsicRow{"tvm_warp_shuffle", as_second},
    IntrinsicRow{"tvm_warp_shuffle_down", as_second},
    IntrinsicRow{"tvm_warp_shuffle_up", as_second},
    IntrinsicRow{"tvm_warp_shuffle_xor", as_second},
    IntrinsicRow{"type_annotation", written_first},
    IntrinsicRow{"undef", int32},
    IntrinsicRow{"vectorcombine", written_first},
    IntrinsicRow{"vectorhigh", written_first},
    IntrinsicRow{"vectorlow", written_first},
    IntrinsicRow{"vscale", int32},
};
static_assert(std::ranges::is_sorted(kIntrinsics, {}, &IntrinsicRow::name));

constexpr std::array kOperators = {
    OperatorRow{"shift_left", "<<", "LShift"},     OperatorRow{"shift_right", ">>", "RShift"},
    OperatorRow{"bitwise_and", "&", "BitwiseAnd"}, OperatorRow{"bitwise_xor", "^", "BitwiseXor"},
    OperatorRow{"bitwise_or", "|", "BitwiseOr"},
};

// Ops of TVM 0.27 that are not called "tirx.".
constexpr std::array<std::string_view, 6> kPrimitive = {"ceil",   "clz",  "if_then_else",
                                                        "likely", "log2", "vscale"};
// Ops that TVMScript calls without this prefix.
constexpr std::array<std::string_view, 4> kPacked = {"call_cpacked", "call_cpacked_lowered", "call_packed",
                                                     "call_packed_lowered"};

bool holds(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

const IntrinsicRow* find_intrinsic(std::string_view name) {
  const auto found = std::ranges::lower_bound(kIntrinsics, name, {}, &IntrinsicRow::name);
  return found == kIntrinsics.end() || found->name != name ? nullptr : &*found;
}

std::optional<ScalarType> implied_type(const IntrinsicRow& row, std::span<const Expr> args) {
  switch (row.result) {
    case as_first:
      return args.empty() ? std::nullopt : std::optional(args[0]->type);
    case as_second:
      return args.size() < 2 ? std::nullopt : std::optional(args[1]->type);
    case boolean:
      return number_type(DType::boolean);
    case int32:
      return number_type(DType::int32);
    case uint32:
      return number_type(DType::uint32);
    case handle:
      return kHandle;
    case none:
      return kNoValue;
    case written_first:
    case written_last:
      break;
  }
  return std::nullopt;
}

std::string intrinsic_of_op(std::string_view op) {
  for (const std::string_view dialect : {"tirx.", "tir.", "prim."}) {
    if (op.starts_with(dialect)) op.remove_prefix(dialect.size());
  }
  constexpr std::string_view kPrefix = "tvm_";
  if (op.starts_with(kPrefix) && holds(kPacked, op.substr(kPrefix.size()))) op.remove_prefix(kPrefix.size());
  return std::string(op);
}

std::string op_of_intrinsic(std::string_view intrinsic) {
  if (holds(kPacked, intrinsic)) return "tirx.tvm_" + std::string(intrinsic);
  return (holds(kPrimitive, intrinsic) ? "prim." : "tirx.") + std::string(intrinsic);
}

std::span<const OperatorRow> operator_rows() {
  return kOperators;
}

const OperatorRow* find_operator(std::string_view intrinsic) {
  const auto found = std::ranges::find(kOperators, intrinsic, &OperatorRow::intrinsic);
  return found == kOperators.end() ? nullptr : &*found;
}

}  // namespace passdiff::tir
