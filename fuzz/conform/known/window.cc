#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// A window of one element of bfloat16.
bool holds_no_number(const CallDifference& difference) {
  const auto* dtype = std::get_if<DType>(&attribute(difference.call, "dtype"));
  const auto* size = std::get_if<ScalarValue>(&difference.call.operands.at(0).node);
  return dtype != nullptr && *dtype == DType::bfloat16 && size != nullptr &&
         std::get<std::int64_t>(size->value) == 1 &&
         difference.detail.find("tvm.tirx.const must be int, float, or bool") != std::string_view::npos;
}

}  // namespace

std::vector<KnownDisagreement> window_known() {
  return {
      {.op = "relax.hamming_window",
       .kind = Disagree::refusal,
       .why = "TVM makes a window of one element from a numpy array, whose elements of bfloat16 it takes for "
              "no numbers",
       .explains = holds_no_number}};
}

}  // namespace passdiff
