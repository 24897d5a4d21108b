#include "core/ir/module.h"

#include <algorithm>
#include <array>

#include "core/ir/walk.h"

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

template <class Global>
const Global* find_named(const std::vector<Global>& globals, std::string_view name) {
  for (const Global& candidate : globals) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

}  // namespace

const GlobalFunction* Module::find(std::string_view name) const {
  return find_named(functions, name);
}

const GlobalPrimFunc* Module::find_prim_func(std::string_view name) const {
  return find_named(prim_funcs, name);
}

bool is_identifier(std::string_view name) {
  if (name.empty() || !is_letter(name.front())) return false;
  const auto allowed = [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  if (!std::all_of(name.begin(), name.end(), allowed)) return false;
  return !std::binary_search(kPythonKeywords.begin(), kPythonKeywords.end(), name);
}

int count_bindings(const Module& module) {
  int count = 0;
  for (const GlobalFunction& global : module.functions) {
    for_each_binding(global.function->body, [&](const Binding&) { ++count; });
  }
  return count;
}

}  // namespace passdiff
