#include "fuzz/conform/refused_ops.h"

#include "core/ops/op.h"
#include "fuzz/conform/drawn_call.h"

namespace passdiff {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr std::uint64_t kMostDraws = 12;  // of which some are of nothing
constexpr int kCalls = 3;
constexpr int kPatience = 3;  // how many ops in a row may go without an answer

enum class Word : std::uint8_t { taken, refused, none };

// Where the compiler dies of a module, that is no word: it may have been killed, and if not, it is worth seeing again.
Word word_on(Subject& subject, const Module& module) {
  const Pipeline nothing;
  const std::vector<TransformReply> replies = subject.transform(module, std::span(&nothing, 1), {});
  const auto* failure = std::get_if<CannotBuild>(&replies.at(0).result);
  if (failure == nullptr) return Word::taken;
  const bool died = failure->kind == "crash" || failure->kind == "timeout" || failure->kind == "memory";
  return died || failure->site.starts_with("subject.") ? Word::none : Word::refused;
}

// `refused` if there are calls of the op, and the subject refuses each.
Word word_on(Subject& subject, const OpDef& op) {
  Word word = Word::none;
  int calls = 0;
  for (std::uint64_t index = 0; index < kMostDraws && calls < kCalls; ++index) {
    const std::optional<DrawnCall> drawn = draw_call(op, kSeed, index);
    if (!drawn) continue;
    word = word_on(subject, drawn->test.module);
    if (word != Word::refused) return word;
    ++calls;
  }
  return calls > 0 ? word : Word::taken;
}

}  // namespace

std::vector<std::string> refused_ops(Subject& subject) {
  std::vector<std::string> refused;
  int silent = 0;
  for (const OpDef& op : all_ops()) {
    if (op.pass_made) continue;
    const Word word = word_on(subject, op);
    if (word == Word::refused) refused.emplace_back(op.name);
    silent = word == Word::none ? silent + 1 : 0;
    if (silent >= kPatience) return {};  // it is gone, and to start it again takes longer each time
  }
  return refused;
}

}  // namespace passdiff
