#include "core/ir/module.h"

#include <algorithm>
#include <array>

namespace passdiff {
namespace {

// https://docs.python.org/3/reference/lexical_analysis.html#keywords, sorted.
constexpr std::array<std::string_view, 35> kPythonKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
static_assert(std::is_sorted(kPythonKeywords.begin(), kPythonKeywords.end()));

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int count_in(const SeqExpr& seq);

int count_in(const ExprPtr& value) {
  if (const auto* branches = as<If>(value))
    return count_in(*branches->then_branch) + count_in(*branches->else_branch);
  if (const auto* function = as<FunctionPtr>(value)) return count_in((*function)->body);
  return 0;
}

int count_in(const SeqExpr& seq) {
  int count = 0;
  for (const Block& block : seq.blocks) {
    for (const Binding& binding : block.bindings) count += 1 + count_in(binding.value);
  }
  return count + (seq.result ? count_in(seq.result) : 0);
}

}  // namespace

const GlobalFunction* Module::find(std::string_view name) const {
  for (const GlobalFunction& candidate : functions) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

bool is_identifier(std::string_view name) {
  if (name.empty() || !is_letter(name.front())) return false;
  const auto allowed = [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (!std::all_of(name.begin(), name.end(), allowed)) return false;
  return !std::binary_search(kPythonKeywords.begin(), kPythonKeywords.end(), name);
}

int count_bindings(const Module& module) {
  int count = 0;
  for (const GlobalFunction& global : module.functions) count += count_in(global.function->body);
  return count;
}

}  // namespace passdiff
