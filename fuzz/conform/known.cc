#include "fuzz/conform/known.h"

#include <algorithm>
#include <cmath>

#include "core/ir/expr.h"
#include "core/tensor/rounding.h"

namespace passdiff {
namespace {

std::span<const KnownDisagreement> all_known() {
  static const std::vector<KnownDisagreement> rows = joined_known_disagreements();
  return rows;
}

std::string_view why(const CallDifference& difference) {
  for (const KnownDisagreement& row : all_known()) {
    if ((row.op.empty() || row.op == difference.call.op->name) && row.kind == difference.kind &&
        row.explains(difference))
      return row.why;
  }
  return {};
}

}  // namespace

bool is_not_lowered(const CallDifference& difference) {
  return difference.detail.starts_with("CodeGenVM cannot emit this Relax operator directly");
}

const AttrValue& attribute(const DrawnCall& call, std::string_view name) {
  const std::span<const Param> params = call.op->attributes();
  const auto found =
      std::find_if(params.begin(), params.end(), [&](const Param& p) { return p.name == name; });
  CHECK(found != params.end()) << call.op->name << " has no attribute " << name;
  return as<Call>(call.call)->attrs.at(static_cast<std::size_t>(found - params.begin()));
}

bool is_lowest_for_minus_infinity(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  return e != nullptr && e->ours == -INFINITY && e->theirs == -largest_finite(e->dtype);
}

std::string_view explanation_of(const DrawnCall& call, Disagree kind, const Conformity& conformity,
                                std::string_view detail) {
  if (conformity.elements.empty()) return why({call, kind, nullptr, detail});
  std::string_view first;
  for (const ElementDifference& element : conformity.elements) {
    const std::string_view found = why({call, kind, &element, detail});
    if (found.empty()) return {};
    if (first.empty()) first = found;
  }
  return first;
}

}  // namespace passdiff
