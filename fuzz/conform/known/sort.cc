#include <algorithm>
#include <cmath>

#include "core/ir/expr.h"
#include "core/ops/reduce.h"
#include "core/tensor/tensor.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// The elements that are sorted together, one line of which the element of the result belongs to.
std::vector<double> line_of(const DrawnCall& call, std::size_t element) {
  const Tensor& x = call.operands[0].tensor();
  std::optional<Ints> axes;
  const AttrValue& axis = attribute(call, "axis");
  if (const auto* one = std::get_if<std::int64_t>(&axis)) axes = Ints{*one};
  if (const auto* several = std::get_if<std::vector<std::int64_t>>(&axis)) axes = *several;
  const Reduction r = reduction_of(x.shape(), axes, false).value();
  std::size_t line = element;
  if (call.op->name != "relax.median") {  // which leaves one element of each line
    const AxisSplit split = split_at(x.shape(), runtime_axis(axes->front(), x.rank()));
    std::int64_t count = split.size;
    if (call.op->name == "relax.topk") {
      const std::int64_t k = std::get<std::int64_t>(attribute(call, "k"));
      if (k > 0) count = std::min(k, count);
    }
    const auto inner = static_cast<std::size_t>(split.inner);
    line = element / (static_cast<std::size_t>(count) * inner) * inner + element % inner;
  }
  std::vector<double> elements;
  const std::vector<std::size_t> lines = r.slots();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] == line) elements.push_back(as_double(x, i));
  }
  return elements;
}

// An element of a line that has a NaN, or where it stands in that.
bool meets_nan(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  if (e == nullptr || !is_float(difference.call.operands[0].tensor().dtype)) return false;
  const std::vector<double> line = line_of(difference.call, e->element);
  const auto is_nan = [](double value) { return std::isnan(value); };
  if (std::none_of(line.begin(), line.end(), is_nan)) return false;
  const bool is_place =
      e->theirs == std::floor(e->theirs) && e->theirs >= 0 && e->theirs < static_cast<double>(line.size());
  return std::isnan(e->theirs) || is_place || std::find(line.begin(), line.end(), e->theirs) != line.end();
}

KnownDisagreement of_sorted_nan(std::string_view op) {
  return {
      .op = op,
      .why =
          "TVM sorts by `<` alone, which is no order where a NaN is: it then leaves other elements of the "
          "same line unsorted, too",
      .explains = meets_nan};
}

// An operand of unknown shape: TVM infers one tensor exactly if the result has rank 0, or all its sizes
// are 1.
bool is_wrong_pair(const CallDifference& difference) {
  const TensorType* x = as<Call>(difference.call.call)->args.at(0)->type.as_tensor();
  if (x == nullptr || x->shape) return false;
  const auto* axes = std::get_if<std::vector<std::int64_t>>(&attribute(difference.call, "axis"));
  const bool is_pair = axes != nullptr && axes->size() <= 1;
  return !is_pair || x->rank == static_cast<int>(axes->size());
}

}  // namespace

std::vector<KnownDisagreement> sort_known() {
  return {of_sorted_nan("relax.argsort"),
          of_sorted_nan("relax.median"),
          of_sorted_nan("relax.sort"),
          of_sorted_nan("relax.topk"),
          {.op = "relax.median",
           .kind = Disagree::type,
           .why = "TVM infers a median over one axis of unknown shape as a lone tensor if the result has "
                  "rank 0, and others as "
                  "pairs over however many axes, where it lowers to pairs over one axis alone",
           .explains = is_wrong_pair}};
}

}  // namespace passdiff
