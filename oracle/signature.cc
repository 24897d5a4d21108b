#include "oracle/signature.h"

#include <cctype>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/ops/op.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

void collect_pattern(const SeqExpr& seq, std::set<std::string>& pattern);

void collect_pattern(const ExprPtr& expr, std::set<std::string>& pattern) {
  if (const Call* call = as<Call>(expr)) {
    if (const OpDef* op = called_op(*call)) {
      pattern.emplace(script_name(*op));
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

std::set<std::string> without_chance(const std::set<std::string>& pattern) {
  std::set<std::string> general;
  for (const std::string& name : pattern) {
    const OpDef* op = find_op("relax." + name);
    if (op == nullptr || !has(op->traits, Trait::elementwise)) {
      general.insert(name);
    } else {
      general.insert(op->operand_count() == 1 ? "unary" : "binary");
    }
  }
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
  std::set<std::string> pattern;
  collect_pattern(function->function->body, pattern);
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
