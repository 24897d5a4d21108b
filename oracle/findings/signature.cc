#include "oracle/findings/signature.h"

#include <cctype>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/ir/walk.h"
#include "oracle/edit.h"
#include "oracle/features.h"

namespace passdiff {
namespace {

std::set<std::string> pattern_of(const SeqExpr& seq) {
  std::set<std::string> pattern;
  for_each_binding(seq, [&](const Binding& binding) {
    if (binding.match_cast) pattern.emplace("match-cast");
    const std::string_view name = operation_kind(binding.value);
    if (!name.empty()) pattern.emplace(name);
  });
  return pattern;
}

std::set<std::string> without_chance(const std::set<std::string>& pattern) {
  std::set<std::string> general;
  for (const std::string& name : pattern) general.insert(general_kind(name));
  return general;
}

}  // namespace

std::string key_of(const Verdict& verdict) {
  return fmt::format("{}|{}|{}|{}", verdict.check, verdict.culprit, symptom_name(verdict.symptom),
                     verdict.site);
}

std::string op_pattern(const Module& module, std::string_view entry) {
  const GlobalFunction* function = module.find(entry);
  if (function == nullptr) return {};
  std::set<std::string> pattern = pattern_of(function->function->body);
  if (pattern.size() > 1) pattern = without_chance(pattern);
  return fmt::format("{}", fmt::join(pattern, " "));
}

std::string signature_of(const Verdict& verdict, const Module& reduced, std::string_view entry) {
  return key_of(verdict) + "|" + op_pattern(reduced, entry);
}

std::string slug_of(const Verdict& verdict, const std::string& signature) {
  constexpr std::size_t kPatternLength = 40;  // folder names stay readable
  const std::string pattern = signature.substr(signature.rfind('|') + 1).substr(0, kPatternLength);
  std::string slug = fmt::format("{} {} {}", verdict.culprit, symptom_name(verdict.symptom), pattern);
  for (char& c : slug) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  }
  while (slug.back() == '-') slug.pop_back();
  return fmt::format("{}-{:06x}", slug, XXH3_64bits(signature.data(), signature.size()) & 0xffffff);
}

}  // namespace passdiff
