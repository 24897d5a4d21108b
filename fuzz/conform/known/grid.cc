#include <algorithm>
#include <cmath>

#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// A NaN that a factor of 0 makes, where an axis of the result has one pixel.
bool is_folded_along_one(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  const auto* size = std::get_if<ShapeValue>(&difference.call.operands.at(1).node);
  return e != nullptr && std::isnan(e->ours) && !std::isnan(e->theirs) && size != nullptr &&
         std::find(size->dims.begin(), size->dims.end(), 1) != size->dims.end();
}

// Its centre is 0.
bool is_folded_centre(const CallDifference& difference) {
  const auto* align_corners = std::get_if<bool>(&attribute(difference.call, "align_corners"));
  return is_folded_along_one(difference) && align_corners != nullptr && !*align_corners;
}

// It lies on a pixel, beside which the next weighs nothing.
bool is_folded_neighbour(const CallDifference& difference) {
  const auto* mode = std::get_if<std::string>(&attribute(difference.call, "coordinate_transformation_mode"));
  return is_folded_along_one(difference) && mode != nullptr && *mode == "pytorch_half_pixel";
}

KnownDisagreement of_resize(std::string_view op) {
  return {.op = op,
          .why =
              "TVM takes the only pixel along an axis from place 0 under pytorch_half_pixel, and folds the "
              "product of "
              "what lies beside it with a weight of 0 to 0, also where the other factor is NaN or infinite",
          .explains = is_folded_neighbour};
}

}  // namespace

std::vector<KnownDisagreement> grid_known() {
  return {
      {.op = "relax.image.affine_grid",
       .why = "TVM folds the product with the centre of an axis of one pixel, which is 0, to 0, also where "
              "the other factor is NaN or infinite",
       .explains = is_folded_centre},
      of_resize("relax.image.resize2d"),
      of_resize("relax.image.resize3d")};
}

}  // namespace passdiff
