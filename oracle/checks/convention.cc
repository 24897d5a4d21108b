#include "oracle/check_row.h"

namespace passdiff {
namespace checks::convention {
namespace {

std::optional<Verdict> judge(const CheckContext& context) {
  if (!context.uncallable) return std::nullopt;
  const bool unknown = context.uncallable->code == kComposedConvention;
  return Verdict{.symptom = unknown ? Symptom::unsupported : Symptom::signature,
                 .stage = Stage::check,
                 .site = context.uncallable->code,
                 .detail = context.uncallable->message};
}

}  // namespace
}  // namespace checks::convention

std::vector<Check> convention_rows() {
  using namespace checks::convention;
  return {{.name = "convention",
           .promise = "the target can be called as the pass's contract says",
           .after = "well-formed",
           .judge = judge}};
}

}  // namespace passdiff
