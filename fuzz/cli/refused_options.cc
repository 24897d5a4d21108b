#include "fuzz/cli/refused_options.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "fuzz/cli/commands.h"

namespace passdiff {
namespace {

// More of long options, which hold tensors, would hide the reason.
constexpr std::size_t kShownOptions = 200;

// Where the host fails to make a pass (passes/tvm/PROTOCOL.md), and where a native pass refuses its options.
bool is_of_options(std::string_view site) {
  return site.ends_with("@options") || site.starts_with("options.");
}

std::string options_text(const Pipeline& pipeline, std::string_view pass) {
  const auto call = std::ranges::find(pipeline, pass, &PassCall::name);
  if (call == pipeline.end() || call->options == "{}") return "without options";
  const bool whole = call->options.size() <= kShownOptions;
  return fmt::format("from the options {}{}", call->options.substr(0, kShownOptions), whole ? "" : "...");
}

}  // namespace

std::optional<Error> refused_options(const Verdict& verdict, const Pipeline& pipeline) {
  if (!is_finding(verdict.symptom) || !is_of_options(verdict.site)) return std::nullopt;
  return Error{"usage.options", fmt::format("{}: it cannot be made {}: {}", verdict.culprit, options_text(pipeline, verdict.culprit),
                                            first_line(verdict.detail))};
}

}  // namespace passdiff
