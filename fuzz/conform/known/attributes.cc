#include <algorithm>
#include <cmath>

#include "core/tensor/tensor.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// Where inference here refuses what the compiler accepts: whether it objects so. The detail begins with it.
bool objects(const CallDifference& difference, std::string_view objection) {
  const std::string_view detail = difference.detail;
  return detail.substr(0, detail.find(" here, ")).find(objection) != std::string_view::npos;
}

KnownDisagreement of_windows(std::string_view op) {
  return {
      .op = op,
      .kind = Disagree::type,
      .why =
          "TVM infers windows of negative or no size, stride or dilation, windows larger than what they move "
          "over, and lists of numbers for more axes than there are, which no kernel computes",
      .explains = [](const CallDifference& difference) {
        return objects(difference, " is out of range") || objects(difference, " numbers, not ") ||
               objects(difference, "a window is larger than the padded size");
      }};
}

KnownDisagreement of_repeats(std::string_view op) {
  return {.op = op,
          .kind = Disagree::type,
          .why = "TVM infers negative sizes where repeats are negative, and cannot allocate them",
          .explains = [](const CallDifference& difference) { return objects(difference, "a negative repeat"); }};
}

// numpy's objection to a bound that the result's dtype does not hold.
bool starts_beyond(const CallDifference& difference) {
  const auto* dtype = std::get_if<DType>(&attribute(difference.call, "dtype"));
  return dtype != nullptr && is_integer(*dtype) &&
         difference.detail.find(" out of bounds for ") != std::string_view::npos;
}

// Several NaN of a dtype that numpy itself does not know.
bool has_foreign_nans(const CallDifference& difference) {
  const Tensor& x = difference.call.operands.at(0).tensor();
  if (x.dtype != DType::bfloat16 && !is_minifloat(x.dtype)) return false;
  return std::count_if(x.floats().begin(), x.floats().end(), [](double v) { return std::isnan(v); }) > 1;
}

}  // namespace

std::vector<KnownDisagreement> attributes_known() {
  std::vector<KnownDisagreement> rows;
  for (const std::string_view op :
       {"relax.nn.avg_pool1d", "relax.nn.avg_pool2d", "relax.nn.avg_pool3d", "relax.nn.max_pool1d",
        "relax.nn.max_pool2d", "relax.nn.max_pool3d", "relax.grad.avg_pool2d_backward",
        "relax.grad.max_pool2d_backward", "relax.nn.adaptive_avg_pool1d", "relax.nn.adaptive_avg_pool2d",
        "relax.nn.adaptive_avg_pool3d", "relax.nn.conv1d", "relax.nn.conv2d", "relax.nn.conv3d",
        "relax.nn.conv1d_transpose", "relax.nn.conv2d_transpose", "relax.nn.conv3d_transpose",
        "relax.vision.roi_align", "relax.vision.roi_pool"})
    rows.push_back(of_windows(op));
  rows.push_back(of_repeats("relax.repeat"));
  rows.push_back(of_repeats("relax.tile"));
  rows.push_back({.op = "relax.nn.pad",
                  .kind = Disagree::type,
                  .why = "TVM infers negative sizes where negative widths crop more than there is",
                  .explains = [](const CallDifference& d) { return objects(d, "crops more than there is"); }});
  for (const std::string_view op : {"relax.quantize", "relax.dequantize"})
    rows.push_back({.op = op,
                    .kind = Disagree::type,
                    .why = "TVM infers any axis of an operand of rank 0, which has none",
                    .explains = [](const CallDifference& d) { return objects(d, " is outside rank 0"); }});
  rows.push_back({.op = "relax.nn.group_norm",
                  .kind = Disagree::type,
                  .why = "TVM infers a group_norm of no groups, or of a negative number of them",
                  .explains = [](const CallDifference& d) { return objects(d, " groups"); }});
  rows.push_back({.op = "relax.one_hot",
                  .kind = Disagree::type,
                  .why = "TVM asks for a positive depth where a call is built, but infers any",
                  .explains = [](const CallDifference& d) {
                    const auto* depth = std::get_if<std::int64_t>(&attribute(d.call, "depth"));
                    return depth != nullptr && *depth <= 0 && objects(d, "no depth");
                  }});
  rows.push_back({.op = "relax.split",
                  .kind = Disagree::type,
                  .why = "TVM infers sections beyond the end of an axis that has too few elements for all",
                  .explains = [](const CallDifference& d) { return objects(d, "does not fill the sections"); }});
  rows.push_back({.op = "relax.strided_slice",
                  .kind = Disagree::type,
                  .why =
                      "TVM infers a length that its kernels do not have where assume_inbound is not true, or "
                      "where the stride leads away from the end",
                  .explains = [](const CallDifference& d) {
                    return objects(d, "is not inbound") || objects(d, "leads away from the end");
                  }});
  rows.push_back(
      {.op = "relax.arange",
       .kind = Disagree::refusal,
       .why = "TVM leaves a constant arange to numpy, which refuses bounds beyond the result's dtype, "
              "though TVM casts those that it does not know",
       .explains = starts_beyond});
  rows.push_back({.op = "relax.unique",
                  .why = "TVM leaves it to numpy, which takes several NaN for one, but not those of bfloat16",
                  .explains = has_foreign_nans});
  return rows;
}

}  // namespace passdiff
