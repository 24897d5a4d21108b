#include "core/eval/outcome.h"

#include <fmt/format.h>

#include <array>

namespace passdiff {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<Outcome>> kNames = {
    "returned", "undefined", "trapped", "limit-exceeded", "unsupported", "wrong-type"};

std::string describe(const UndefinedRecord& record) {
  return fmt::format("{} in {} ({}): {}", rule_name(record.rule), record.binding, record.op, record.detail);
}

std::string details(const Returned& returned) {
  std::string text = to_string(returned.value);
  for (const UndefinedRecord& record : returned.overflows) text += "; " + describe(record);
  return text;
}
std::string details(const Undefined& undefined) {
  return undefined.records.empty() ? "no record" : describe(undefined.records.back());
}
std::string details(const Trapped& trapped) {
  return fmt::format("{}: {}", trapped.code, trapped.message);
}
std::string details(const LimitExceeded& limit) {
  return limit.what;
}
std::string details(const Unsupported& unsupported) {
  return unsupported.what;
}
std::string details(const WrongType& wrong) {
  return fmt::format("{}: {}", wrong.binding, wrong.message);
}

}  // namespace

std::string_view outcome_name(const Outcome& outcome) {
  return kNames[outcome.index()];
}

std::string to_string(const Outcome& outcome) {
  return std::visit(
      [&](const auto& kind) { return fmt::format("{}: {}", outcome_name(outcome), details(kind)); }, outcome);
}

}  // namespace passdiff
