#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

std::span<const KnownDisagreement> all_known() {
  static const std::vector<KnownDisagreement> rows = joined_known_disagreements();
  return rows;
}

std::string_view why(const Difference& difference) {
  for (const KnownDisagreement& row : all_known()) {
    if (row.op == difference.call.op->name && row.kind == difference.kind && row.explains(difference))
      return row.why;
  }
  return {};
}

}  // namespace

bool is_not_lowered(const Difference& difference) {
  return difference.detail.starts_with("CodeGenVM cannot emit this Relax operator directly");
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
