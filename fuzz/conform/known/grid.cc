#include <algorithm>
#include <cmath>

#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// The only pixel along an axis, whose centre is 0.
bool is_folded_centre(const Difference& difference) {
  const ElementDifference* e = difference.element;
  const auto* align_corners = std::get_if<bool>(&attribute(difference.call, "align_corners"));
  const auto* size = std::get_if<ShapeValue>(&difference.call.operands.at(1).node);
  return e != nullptr && std::isnan(e->ours) && !std::isnan(e->theirs) && align_corners != nullptr &&
         !*align_corners && size != nullptr &&
         std::find(size->dims.begin(), size->dims.end(), 1) != size->dims.end();
}

}  // namespace

std::vector<KnownDisagreement> grid_known() {
  return {{.op = "relax.image.affine_grid",
           .why =
               "TVM folds the product with the centre of an axis of one pixel, which is 0, to 0, also where "
               "the other factor is NaN or infinite",
           .explains = is_folded_centre}};
}

}  // namespace passdiff
