#include "fuzz/conform/refused_ops.h"

#include "core/ops/op.h"
#include "fuzz/conform/drawn_call.h"

namespace passdiff {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::uint64_t kMostDraws = 12;  // of which some are of nothing
constexpr int kCalls = 3;

bool is_refused(Subject& subject, const Module& module) {
  const Pipeline nothing;
  const std::vector<TransformReply> replies = subject.transform(module, std::span(&nothing, 1), {});
  const auto* refusal = std::get_if<CannotBuild>(&replies.at(0).result);
  return refusal != nullptr && !refusal->site.starts_with("subject.");
}

// Whether there are calls of the op, and the subject refuses each.
bool refuses_all(Subject& subject, const OpDef& op) {
  int calls = 0;
  for (std::uint64_t index = 0; index < kMostDraws && calls < kCalls; ++index) {
    const std::optional<DrawnCall> drawn = draw_call(op, kSeed, index);
    if (!drawn) continue;
    if (!is_refused(subject, drawn->test.module)) return false;
    ++calls;
  }
  return calls > 0;
}

}  // namespace

std::vector<std::string> refused_ops(Subject& subject) {
  std::vector<std::string> refused;
  for (const OpDef& op : all_ops()) {
    if (!op.pass_made && refuses_all(subject, op)) refused.emplace_back(op.name);
  }
  return refused;
}

}  // namespace passdiff
