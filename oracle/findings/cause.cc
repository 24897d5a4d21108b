#include "oracle/findings/cause.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "core/eval/heap.h"
#include "core/form/prim_func_form.h"
#include "core/form/well_formed.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/text/text.h"
#include "oracle/edit.h"
#include "oracle/features.h"
#include "oracle/findings/cause_words.h"
#include "oracle/messages.h"

namespace passdiff {
namespace {

CauseKind kind_of(const Verdict& verdict) {
  switch (verdict.symptom) {
    case Symptom::crash:
    case Symptom::timeout:
    case Symptom::memory:
      return CauseKind::crash;
    case Symptom::internal_error:
      return CauseKind::error;
    case Symptom::ill_formed:
    case Symptom::signature:
    case Symptom::does_not_compile:
    case Symptom::wrong_type:
      return CauseKind::form;
    case Symptom::mismatch:  // of dtypes: that shows in what the target declares, too, unless a match_cast stands before it
      return verdict.site == kWrongType ? CauseKind::form : CauseKind::values;
    default:
      return symptom_info(verdict.symptom).severity == Severity::wrong_result ? CauseKind::values : CauseKind::promise;
  }
}

// Whether the feature tells causes of this kind apart. Constants, tuples and dead code stay in reduced modules for many reasons. Dtypes matter
// for values, and attributes for what the pass did to their op, or where nothing else names the bug.
bool tells_of(const Cause& cause, const std::string& feature) {
  if (feature == "constant" || feature == "tuple" || feature == "dead-code") return false;
  // Reduction ends at rank 0 or 1, as the values have it.
  if (feature == "scalar" && (cause.kind == CauseKind::error || inlines_blocks_alone(cause.edit))) return false;
  const bool dtype = feature == "integer" || feature == "bool" || feature == "float64" || feature == "narrow-float";
  // An attribute that the pass changed says what it did, and the dtype where that shows.
  if (dtype) return cause.kind == CauseKind::values && !std::any_of(cause.edit.begin(), cause.edit.end(), is_of_attribute);
  const std::size_t dot = feature.rfind('.');
  if (dot == std::string::npos || feature.starts_with(kOpWord)) return true;
  if (hangs(cause.symptom)) return false;  // reduction has tried too little to say that it is necessary
  if (cause.edit.empty()) return cause.kind != CauseKind::form;
  const std::string op = feature.substr(0, dot);
  return std::any_of(cause.edit.begin(), cause.edit.end(), [&](const std::string& word) { return word.substr(1) == op; });
}

// "out_dtype" of "~matmul.out_dtype"; empty where the word is of no attribute.
std::string changed_attribute(const std::string& word) {
  if (!word.starts_with('~')) return {};
  const std::size_t dot = word.rfind('.');
  const bool is_op = find_op("relax." + word.substr(1)) != nullptr;
  return dot == std::string::npos || is_op || word.starts_with("~T.") ? std::string() : word.substr(dot + 1);
}

// Replaces words of an edit that depend on chance by general ones: names of ops whose attribute changed, and elementwise ops whose operands
// changed. Beside an attribute that changed, ops whose operands changed are left out; so are elementwise ones beside any other word. Which ops
// vanished or came is what the pass did, and stays.
CauseWords generalised(const CauseWords& edit) {
  CauseWords general;
  const bool names_attributes = std::any_of(edit.begin(), edit.end(), [](const std::string& word) { return !changed_attribute(word).empty(); });
  for (const std::string& word : edit) {
    const std::string attribute = changed_attribute(word);
    const std::string kind = word.starts_with('~') ? general_kind(word.substr(1)) : std::string();
    const bool elementwise = kind == "unary" || kind == "binary";
    if (!attribute.empty()) {
      general.insert("~." + attribute);
    } else if (kind.empty() || !(names_attributes || (elementwise && edit.size() > 1))) {
      general.insert(kind.empty() ? word : "~" + kind);
    }
  }
  return general;
}

// Whether the target is no program as its bindings stand, whatever they compute.
bool is_of_bindings(std::string_view site) {
  return site.starts_with("form.") && site != kWrongType;
}

constexpr std::string_view kInPlace = "+call_tir_inplace";
constexpr std::string_view kTakenIsUsed = "+use-of-what-was-taken";

// What an edit says of the bug where more is known of it: a pass that lets bindings be used where they are not does so with whatever it changed
// beside what it added, and one that computes in the place of a value that lives on does so with whatever op.
CauseWords telling(CauseWords edit, const Verdict& verdict) {
  if (is_of_bindings(verdict.site)) std::erase_if(edit, [](const std::string& word) { return word.starts_with('~'); });
  // A pass that copies functions of TensorIR without what they declare does so whichever operations they are for.
  if (is_of_bindings(verdict.site) && verdict.detail.find(kUndeclared) != std::string::npos) return {};
  if (edit.contains(std::string(kInPlace))) return {std::string(kInPlace)};
  // A pass that lets what such a call has taken be used again, as one that merges equal operations, does so with any of them.
  if (verdict.detail.find(kTakenInPlace) != std::string::npos) return {std::string(kTakenIsUsed)};
  return edit;
}

// The operations of the source that the edit does not name: one that a pass leaves alone, and that the bug needs nevertheless. Elementwise ones,
// and calls of functions of TensorIR, which may compute anything, are left out, since any would do.
CauseWords untouched(const Module& source, const CauseWords& edit) {
  CauseWords ops = operations_of(source);
  std::erase_if(ops, [&](const std::string& word) {
    const std::string op = word.substr(kOpWord.size());
    const bool named = std::any_of(edit.begin(), edit.end(), [&](const std::string& done) {
      return done.substr(1) == op || done.substr(1).starts_with(op + ".");
    });
    const bool any_would_do = op == "call_tir" || op == "unary" || op == "binary" || general_kind(op) != op;
    return named || any_would_do;
  });
  return ops;
}

// Without the insides of functions of TensorIR, unless nothing else changed and the values are wrong: a pass that makes
// such functions fills them with whatever the op asks for, and an ill-formed one says in its site what is wrong.
CauseWords without_bodies(CauseWords edit, CauseKind kind) {
  if (kind == CauseKind::values && std::all_of(edit.begin(), edit.end(), is_of_body)) return edit;
  std::erase_if(edit, is_of_body);
  return edit;
}

// The name of the first op whose types the same rule infers: compilers do with one of them what they do with the others.
std::string first_alike(const OpDef& op) {
  const auto alike = [&op](const OpDef& other) { return other.infer == op.infer && other.infer_declared == op.infer_declared; };
  return std::string(script_name(*std::ranges::find_if(all_ops(), alike)));
}

// Which rule infers the type that is said to be wrong in the target, "main: lv1 is declared ...", "target: lv1: float32[1] is no ...", named by
// the first of the ops that share it: compilers err in what ops share, as the shape of a scan, be it a sum or a product. Empty where the detail
// names another kind of binding, or none.
std::string wrong_inference(const Verdict& verdict, const Module& target) {
  constexpr std::string_view kTarget = "target: ";
  const std::string& detail = verdict.detail;
  const bool of_run = detail.starts_with(kTarget);
  const std::size_t start = of_run ? kTarget.size() : detail.find(": ") + 2;
  const std::size_t end = detail.find(of_run ? ": " : " is declared ", start);
  if (end == std::string::npos) return {};
  const std::string variable = detail.substr(start, end - start);
  const OpDef* wrong = nullptr;
  for (const GlobalFunction& global : target.functions) {
    for_each_binding(global.function->body, [&](const Binding& binding) {
      const OpDef* op = called_op(binding.value);
      if (binding.var->name == variable && op != nullptr) wrong = op;
    });
  }
  if (wrong == nullptr) return {};
  return fmt::format("{}{}", kInferenceWord, first_alike(*wrong));
}

// Leaves out the ops that make a scalar to differentiate of anything, unless nothing else is left.
void forget_loss(CauseWords& features) {
  CauseWords others = features;
  std::erase_if(others, [](const std::string& feature) { return feature == "op sum" || feature == "op mean"; });
  if (!others.empty()) features = std::move(others);
}

// The word that names the cause best: the function that threw, or an operation.
std::string salient_word(const Cause& cause) {
  if (cause.kind == CauseKind::error && names_the_bug(cause.site)) {
    const std::string tail = cause.site.substr(cause.site.rfind(':') + 1);
    if (!tail.empty()) return tail;
  }
  for (const char sign : {'-', '~', '+'}) {
    for (const std::string& word : cause.edit) {
      if (word.front() == sign) return word.substr(1);
    }
  }
  for (const std::string& feature : cause.features) {
    if (feature.starts_with(kOpWord)) return feature.substr(kOpWord.size());
  }
  return cause.features.empty() ? std::string() : *cause.features.begin();
}

std::string slug(const std::string& text) {
  std::string clean;
  for (const char c : text) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (word || (!clean.empty() && clean.back() != '-')) clean += word ? c : '-';
  }
  while (!clean.empty() && clean.back() == '-') clean.pop_back();
  return clean;
}

}  // namespace

std::string_view cause_kind_name(CauseKind kind) {
  switch (kind) {
    case CauseKind::error:
      return "error";
    case CauseKind::crash:
      return "crash";
    case CauseKind::values:
      return "wrong-values";
    case CauseKind::form:
      return "ill-formed";
    case CauseKind::promise:
      return "broken-promise";
  }
  return "?";
}

Cause cause_of(const Verdict& verdict, const Module& source, const Module& before, const Module* target) {
  const bool differentiates = verdict.symptom == Symptom::wrong_derivative;
  // What is differentiated is what the passes before have made: calls of the functions that fusion took out, say.
  const Module& shown = differentiates ? before : source;
  Cause cause{.kind = kind_of(verdict), .symptom = verdict.symptom, .passes = {verdict.culprit}, .site = {}, .edit = {}, .features = features_of(shown)};
  if (cause.kind != CauseKind::values) cause.site = site_of_cause(verdict.site);
  // What makes blocks errs in the domains of their variables, whichever operations they are for.
  if (verdict.site == rule_name(UndefinedRule::iteration_domain)) {
    cause.features.clear();
    return cause;
  }
  // Where passes ran before, the structure at fault may be theirs: calls of functions that fusion made.
  if (cause.kind == CauseKind::form && &before != &source) cause.features.merge(structure_of(before));
  // A function of derivatives is new as a whole; which op has a wrong one is among the ops of what was differentiated.
  const CauseWords edit = target == nullptr || differentiates ? CauseWords() : edit_between(before, *target);
  cause.edit = telling(without_bodies(generalised(edit), cause.kind), verdict);
  // An ill-formed target says in its site what is wrong; which ops stand around it is chance.
  const bool named = cause.kind == CauseKind::error ? names_the_bug(cause.site) : !cause.edit.empty();
  if (!named && cause.kind != CauseKind::form) cause.features.merge(operations_of(shown));
  // Where passes ran before, the operation at which the culprit fails may be theirs; but every op becomes a call of a function of TensorIR, and
  // then of the virtual machine.
  if (!named && (cause.kind == CauseKind::error || cause.kind == CauseKind::crash) && &before != &source) {
    CauseWords made = operations_of(before);
    std::erase_if(made, [](const std::string& feature) {
      const OpDef* op = find_op("relax." + feature.substr(kOpWord.size()));
      return feature.starts_with("op call_") || (op != nullptr && op->pass_made);
    });
    cause.features.merge(made);
  }
  const bool in_place = cause.kind == CauseKind::values && (cause.edit.contains(std::string(kInPlace)) || cause.edit.contains(std::string(kTakenIsUsed)));
  if (named && cause.kind == CauseKind::values && !in_place && !inlines_blocks_alone(edit)) cause.features.merge(untouched(source, edit));
  // A pass that changes no operation asks each for its type again: the bug is in what one of them says.
  if (verdict.symptom == Symptom::wrong_type && cause.edit.empty() && target != nullptr) {
    if (std::string inference = wrong_inference(verdict, *target); !inference.empty()) cause.features.insert(std::move(inference));
  }
  std::erase_if(cause.features, [&](const std::string& feature) { return !tells_of(cause, feature); });
  if (cause.kind == CauseKind::crash) cause.features = with_general_kinds(cause.features);
  // What was overwritten, an argument or a value that lives on, says why the pass took it for its own.
  if (in_place) cause.features = verdict.site.empty() ? CauseWords() : CauseWords{verdict.site};
  // A value of another shape or dtype is a mismatch that has the code of a wrong type where the dtype alone is another.
  const std::string& told = verdict.complaint.empty() ? verdict.detail : verdict.complaint;
  const TypeDifference difference = verdict.symptom == Symptom::mismatch ? TypeDifference::dtype : type_difference(told);
  if (cause.site == kWrongType && difference != TypeDifference::unknown) cause.features.emplace(word_for(difference));
  // Whoever infers types without knowing that sizes are not negative errs at whatever is sliced.
  if (cause.site == kWrongType && difference == TypeDifference::sign) {
    cause.edit.clear();
    cause.features = {std::string(word_for(difference))};
  }
  if (const TypeDifference refused = argument_difference(verdict.detail); cause.kind == CauseKind::error && named && refused != TypeDifference::unknown)
    cause.features.emplace(word_for(refused));
  if (const std::string complaint = complaint_of(verdict.detail, before); cause.kind == CauseKind::error && named && !complaint.empty())
    cause.features.insert(std::string(kSaysWord) + complaint);
  if (const std::string table = table_without_entry(verdict.detail); cause.kind == CauseKind::error && !table.empty())
    cause.features.insert(std::string(kEntryWord) + table);
  if (differentiates) forget_loss(cause.features);
  return cause;
}

std::set<std::string> edit_by_families(const Cause& cause) {
  CauseWords families;
  for (const std::string& word : cause.edit) {
    const OpDef* op = find_op("relax." + word.substr(1));
    families.insert(op == nullptr || op->elementwise || op->pass_made ? word : word.front() + first_alike(*op));
  }
  return families;
}

std::string name_of(const Cause& cause) {
  std::string key = fmt::format("{}|{}|{}", cause.passes.front(), cause_kind_name(cause.kind), cause.site);
  if (cause.kind != CauseKind::values) key += fmt::format("|{}", symptom_name(cause.symptom));
  if (!refused_argument(cause).empty()) key += fmt::format("|{}", refused_argument(cause));
  if (cause.kind != CauseKind::promise && !(cause.kind == CauseKind::error && names_the_bug(cause.site)))
    key += fmt::format("|{}|{}", fmt::join(cause.edit, ","), fmt::join(cause.features, ","));
  constexpr std::size_t kWordLength = 32;  // folder names stay readable
  const std::string word = slug(salient_word(cause)).substr(0, kWordLength);
  const std::string_view what = cause.kind == CauseKind::values ? "wrong-values" : symptom_name(cause.symptom);
  return fmt::format("{}-{}{}{}-{:06x}", slug(cause.passes.front()), word, word.empty() ? "" : "-", what,
                     XXH3_64bits(key.data(), key.size()) & 0xffffff);
}

std::string describe(const Cause& cause) {
  if (cause.kind == CauseKind::error && names_the_bug(cause.site)) return "throws at " + cause.site;
  std::string text = cause.site;
  if (!cause.edit.empty()) text += fmt::format("{}changes {}", text.empty() ? "" : "; ", fmt::join(cause.edit, " "));
  if (!cause.features.empty()) text += fmt::format("{}needs {}", text.empty() ? "" : "; ", fmt::join(cause.features, ", "));
  return text.empty() ? std::string(symptom_name(cause.symptom)) : text;
}

nlohmann::json to_json(const Cause& cause) {
  nlohmann::json document = {{"kind", cause_kind_name(cause.kind)},
                             {"symptom", symptom_name(cause.symptom)},
                             {"passes", cause.passes},
                             {"site", cause.site},
                             {"edit", cause.edit},
                             {"features", cause.features}};
  if (!cause.ill_typed.empty()) document["ill_typed"] = cause.ill_typed;
  return document;
}

Result<Cause> cause_from_json(const nlohmann::json& document) {
  const Error error{"cause.field", "a cause has kind, symptom, passes, site, edit and features"};
  Cause cause;
  try {
    cause.passes = document.at("passes").get<std::vector<std::string>>();
    cause.site = document.at("site").get<std::string>();
    cause.edit = document.at("edit").get<CauseWords>();
    cause.features = document.at("features").get<CauseWords>();
    cause.ill_typed = document.value("ill_typed", "");
    const auto symptom = document.at("symptom").get<std::string>();
    const auto kind = document.at("kind").get<std::string>();
    const SymptomInfo* row = find_symptom(symptom);
    if (row == nullptr || cause.passes.empty()) return error;
    cause.symptom = row->symptom;
    for (const CauseKind candidate : {CauseKind::error, CauseKind::crash, CauseKind::values, CauseKind::form, CauseKind::promise}) {
      if (cause_kind_name(candidate) != kind) continue;
      cause.kind = candidate;
      return cause;
    }
  } catch (const nlohmann::json::exception&) {
    return error;
  }
  return error;
}

}  // namespace passdiff
