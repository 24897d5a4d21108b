#include "oracle/signature.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/ops/op.h"

namespace passdiff {
namespace {

std::string_view short_name(const OpDef& op) {
  std::string_view name = op.name;
  if (name.starts_with("relax.")) name.remove_prefix(6);
  return name;
}

void collect_pattern(const SeqExpr& seq, std::set<std::string>& pattern);

void collect_pattern(const ExprPtr& expr, std::set<std::string>& pattern) {
  if (const Call* call = as<Call>(expr)) {
    if (const auto* op = std::get_if<const OpDef*>(&call->callee)) {
      pattern.emplace(short_name(**op));
    } else if (std::holds_alternative<GlobalRef>(call->callee)) {
      pattern.emplace("call-global");
    } else if (std::holds_alternative<ExternFunc>(call->callee)) {
      pattern.emplace("call-extern");
    } else {
      pattern.emplace("call-local");
    }
  } else if (const If* branch = as<If>(expr)) {
    pattern.emplace("if");
    collect_pattern(*branch->then_branch, pattern);
    collect_pattern(*branch->else_branch, pattern);
  } else if (const FunctionPtr* function = as<FunctionPtr>(expr)) {
    pattern.emplace("local-function");
    collect_pattern((*function)->body, pattern);
  } else if (as<Tuple>(expr) != nullptr) {
    pattern.emplace("tuple");
  } else if (as<TupleGetItem>(expr) != nullptr) {
    pattern.emplace("tuple-get-item");
  }
}

void collect_pattern(const SeqExpr& seq, std::set<std::string>& pattern) {
  for (const Block& block : seq.blocks) {
    for (const Binding& binding : block.bindings) {
      if (binding.match_cast) pattern.emplace("match-cast");
      collect_pattern(binding.value, pattern);
    }
  }
}

}  // namespace

std::string key_of(const Verdict& verdict) {
  return fmt::format("{}|{}|{}|{}", verdict.check, verdict.culprit, symptom_name(verdict.symptom), verdict.site);
}

std::string op_pattern(const Module& module, std::string_view entry) {
  const GlobalFunction* function = module.find(entry);
  if (function == nullptr) return {};
  std::set<std::string> pattern;
  collect_pattern(function->function->body, pattern);
  return fmt::format("{}", fmt::join(pattern, " "));
}

std::string signature_of(const Verdict& verdict, const Module& reduced, std::string_view entry) {
  return key_of(verdict) + "|" + op_pattern(reduced, entry);
}

std::string slug_of(const Verdict& verdict, const std::string& signature) {
  const std::uint64_t hash = XXH3_64bits(signature.data(), signature.size());
  std::string slug = fmt::format("{}-{}", verdict.culprit, symptom_name(verdict.symptom));
  const std::size_t bar = signature.rfind('|');
  std::string_view pattern = bar == std::string::npos ? std::string_view() : std::string_view(signature).substr(bar + 1);
  constexpr std::size_t kWords = 40;  // file names stay readable
  for (char c : pattern.substr(0, kWords)) slug += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
  slug.insert(fmt::format("{}-{}", verdict.culprit, symptom_name(verdict.symptom)).size(), "-");
  std::string clean;
  for (char c : slug) {
    if (c != '-' || clean.empty() || clean.back() != '-') clean += c;
  }
  while (!clean.empty() && clean.back() == '-') clean.pop_back();
  return fmt::format("{}-{:06x}", clean, hash & 0xffffff);
}

}  // namespace passdiff
