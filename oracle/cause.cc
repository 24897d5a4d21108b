#include "oracle/cause.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "core/form/well_formed.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/text/text.h"
#include "oracle/edit.h"
#include "oracle/features.h"
#include "oracle/messages.h"

namespace passdiff {
namespace {

using Words = std::set<std::string>;

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

// Whether the place alone tells what is wrong. Places in the containers and casts of the runtime do not: everything goes through
// them.
bool names_the_bug(std::string_view site) {
  return site.find(':') != std::string_view::npos && site.find("tvm::ffi::") == std::string_view::npos &&
         site.find("tvm_ffi") == std::string_view::npos;
}

// Whether a word of an edit names an attribute that changed, of whatever op.
bool is_of_attribute(const std::string& word) {
  return word.starts_with("~.");
}

// Whether the feature tells causes of this kind apart. Constants, tuples and dead code stay in reduced modules for many reasons. Dtypes matter
// for values, and attributes for what the pass did to their op, or where nothing else names the bug.
bool tells_of(const Cause& cause, const std::string& feature) {
  if (feature == "constant" || feature == "tuple" || feature == "dead-code") return false;
  if (feature == "scalar" && cause.kind == CauseKind::error) return false;  // reduction ends at rank 0 or 1, as the values have it
  const bool dtype = feature == "integer" || feature == "bool" || feature == "float64" || feature == "narrow-float";
  // An attribute that the pass changed says what it did, and the dtype where that shows.
  if (dtype) return cause.kind == CauseKind::values && !std::any_of(cause.edit.begin(), cause.edit.end(), is_of_attribute);
  const std::size_t dot = feature.rfind('.');
  if (dot == std::string::npos || feature.starts_with("op ")) return true;
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

// Which op of several had another attribute is chance, and so is which elementwise op had other operands, or which op at all stood behind
// one with another attribute; which one vanished or came is what the pass did.
Words generalised(const Words& edit) {
  Words general;
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

// The operations of the source that the edit does not name: one that a pass leaves alone, and that the bug needs nevertheless. Elementwise ones,
// and calls of functions of TensorIR, which may compute anything, are left out, since any would do.
Words untouched(const Module& source, const Words& edit) {
  Words ops = operations_of(source);
  std::erase_if(ops, [&](const std::string& word) {
    const std::string op = word.substr(std::string_view("op ").size());
    const bool named = std::any_of(edit.begin(), edit.end(), [&](const std::string& done) {
      return done.substr(1) == op || done.substr(1).starts_with(op + ".");
    });
    const bool any_would_do = op == "call_tir" || op == "unary" || op == "binary" || general_kind(op) != op;
    return named || any_would_do;
  });
  return ops;
}

// Which elementwise op it was at which the compiler died is chance: those of as many operands are handled alike.
Words with_general_kinds(const Words& features) {
  constexpr std::string_view kOp = "op ";
  Words general;
  for (const std::string& feature : features)
    general.insert(feature.starts_with(kOp) ? std::string(kOp) + general_kind(feature.substr(kOp.size())) : feature);
  return general;
}

// Without the insides of functions of TensorIR, unless nothing else changed and the values are wrong: a pass that makes
// such functions fills them with whatever the op asks for, and an ill-formed one says in its site what is wrong.
Words without_bodies(Words edit, CauseKind kind) {
  const auto in_body = [](const std::string& word) { return word.substr(1).starts_with("T."); };
  if (kind == CauseKind::values && std::all_of(edit.begin(), edit.end(), in_body)) return edit;
  std::erase_if(edit, in_body);
  return edit;
}

// Which rule infers the type that is said to be wrong in the target, "main: lv1 is declared ...", "target: lv1: float32[1] is no ...", named by
// the first of the ops that share it: compilers err in what ops share, as the shape of a scan, be it a sum or a product. Empty where the detail names another kind of binding, or none.
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
  const auto alike = [wrong](const OpDef& op) { return op.infer == wrong->infer && op.infer_declared == wrong->infer_declared; };
  return fmt::format("inference of {}", script_name(*std::ranges::find_if(all_ops(), alike)));
}

bool includes(const Words& all, const Words& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}
bool nested(const Words& a, const Words& b) {
  return includes(a, b) || includes(b, a);
}
Words common(const Words& a, const Words& b) {
  Words both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}
Words only_in(const Words& a, const Words& b) {
  Words rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(rest, rest.end()));
  return rest;
}

constexpr std::string_view kSays = "says ";

// The features that are no ops, and no messages: dims, calls, branches.
Words structure_in(Words features) {
  std::erase_if(features, [](const std::string& feature) {
    return feature.starts_with("op ") || feature.starts_with(kSays) || feature.find('.') != std::string::npos;
  });
  return features;
}

// Whether two errors in the containers of the runtime, which name no bug, need the same structure, if they need any: that says more than
// which ops stand in it.
bool need_the_same_structure(const Cause& a, const Cause& b) {
  const Words structure = structure_in(a.features);
  return a.kind == CauseKind::error && !structure.empty() && structure == structure_in(b.features);
}

// Whether two errors of one kind say the same of two operations, as each inference of a type does in its own place.
bool say_the_same(const Cause& a, const Cause& b) {
  const Words both = common(a.features, b.features);
  const auto error_of = [](const Cause& cause) { return cause.site.substr(0, cause.site.find('@')); };
  return a.kind == CauseKind::error && error_of(a) == error_of(b) &&
         std::any_of(both.begin(), both.end(), [](const std::string& word) { return word.starts_with(kSays); });
}

constexpr std::string_view kAnotherShape = "another-shape";

std::string_view word_for(TypeDifference difference) {
  switch (difference) {
    case TypeDifference::unknown:
      return "";
    case TypeDifference::shape:
      return kAnotherShape;
    case TypeDifference::dtype:
      return "another-dtype";
    case TypeDifference::device:
      return "another-device";
    case TypeDifference::kind:
      return "another-kind";
  }
  return "";
}

// The word for what the compiler says of an argument that a parameter does not take; empty if the error is another one.
std::string_view refused_argument(const Cause& cause) {
  for (const TypeDifference difference : {TypeDifference::shape, TypeDifference::dtype, TypeDifference::device, TypeDifference::kind}) {
    if (cause.kind == CauseKind::error && cause.features.contains(std::string(word_for(difference)))) return word_for(difference);
  }
  return "";
}

// Whether one shows wrong values, and the other a result of another shape, after the same operations were rewritten: the sizes of the module decide
// which of them a wrong rewrite makes.
bool differ_in_shape_alone(const Cause& a, const Cause& b) {
  if (a.kind == CauseKind::form && b.kind == CauseKind::values) return differ_in_shape_alone(b, a);
  if (a.kind != CauseKind::values || b.kind != CauseKind::form || !b.features.contains(std::string(kAnotherShape))) return false;
  const bool rewrites = std::any_of(a.edit.begin(), a.edit.end(), [](const std::string& word) {
    return is_of_attribute(word) || find_op("relax." + word.substr(1)) != nullptr;
  });
  Words needed = b.features;
  needed.erase(std::string(kAnotherShape));
  return rewrites && a.edit == b.edit && nested(a.features, needed);
}

bool have_an_op_in_common(const Cause& a, const Cause& b) {
  const Words both = common(a.features, b.features);
  return std::any_of(both.begin(), both.end(), [](const std::string& word) { return word.starts_with("op "); });
}

// Whether the compiler dies on the module of one, and hangs or fills the memory on that of the other, which need the same: what undefined
// behaviour leads to is chance.
bool die_either_way(const Cause& a, const Cause& b) {
  return a.kind == CauseKind::crash && b.kind == CauseKind::crash && hangs(a.symptom) != hangs(b.symptom) && nested(a.features, b.features) &&
         have_an_op_in_common(a, b);
}

constexpr std::string_view kEntryOf = "entry of ";

// Whether two errors miss an entry of the same table, and need the same structure. Which of the lookups of a pass meets first what the pass has
// left out is chance.
bool miss_the_same_entry(const Cause& a, const Cause& b) {
  const Words structure = structure_in(a.features);
  const bool misses = std::any_of(structure.begin(), structure.end(), [](const std::string& word) { return word.starts_with(kEntryOf); });
  return misses && structure.size() > 1 && need_the_same_structure(a, b);
}

// Leaves out the ops that make a scalar to differentiate of anything, unless nothing else is left.
void forget_loss(Words& features) {
  Words others = features;
  std::erase_if(others, [](const std::string& feature) { return feature == "op sum" || feature == "op mean"; });
  if (!others.empty()) features = std::move(others);
}

std::string list(const Words& words) {
  return words.empty() ? "nothing" : fmt::format("{}", fmt::join(words, ", "));
}

// What tells the causes apart though they have a pass in common; nothing if they are one.
std::optional<std::string> distinction(const Cause& a, const Cause& b) {
  if (differ_in_shape_alone(a, b) || die_either_way(a, b)) return std::nullopt;
  if (a.kind != b.kind) return fmt::format("one is of kind {}, the other {}", cause_kind_name(a.kind), cause_kind_name(b.kind));
  const bool by_symptom = a.kind != CauseKind::values && !(a.kind == CauseKind::form && a.site == kWrongType && b.site == kWrongType);
  if (by_symptom && a.symptom != b.symptom && !(hangs(a.symptom) && hangs(b.symptom)))
    return fmt::format("one is {}, the other {}", symptom_name(a.symptom), symptom_name(b.symptom));
  if (a.site != b.site && (miss_the_same_entry(a, b) || say_the_same(a, b))) return std::nullopt;
  if (a.site != b.site) return fmt::format("one is at {}, the other at {}", a.site, b.site);
  if (refused_argument(a) != refused_argument(b) && !refused_argument(a).empty() && !refused_argument(b).empty())
    return fmt::format("one refuses an argument of {}, the other of {}", refused_argument(a), refused_argument(b));
  if (a.kind == CauseKind::promise || (a.kind == CauseKind::error && names_the_bug(a.site))) return std::nullopt;
  const bool same_edit = a.kind == CauseKind::form ? nested(a.edit, b.edit) : a.edit == b.edit;
  if (!same_edit) return fmt::format("one changes {}, the other {}", list(a.edit), list(b.edit));
  if (!nested(a.features, b.features) && !need_the_same_structure(a, b)) {
    return fmt::format("one needs {}, the other {}", list(only_in(a.features, b.features)),
                       list(only_in(b.features, a.features)));
  }
  return std::nullopt;
}

std::string likeness_of(const Cause& a, const Cause& b) {
  if (a.kind == CauseKind::error && a.site == b.site && names_the_bug(a.site)) return "both are thrown at " + a.site;
  if (a.kind == CauseKind::promise) return fmt::format("both are {}", symptom_name(a.symptom));
  const Words features = common(a.features, b.features);
  std::string text = a.site.empty() || a.site != b.site ? "both" : fmt::format("both are at {},", a.site);
  if (!a.edit.empty() || !b.edit.empty()) text += fmt::format(" change {}", list(common(a.edit, b.edit)));
  if (!features.empty()) text += fmt::format("{} need {}", a.edit.empty() ? "" : " and", list(features));
  return text == "both" ? fmt::format("both are {} and need nothing", cause_kind_name(a.kind)) : text;
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
    if (feature.starts_with("op ")) return feature.substr(3);
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
  if (cause.kind != CauseKind::values) cause.site = verdict.site;
  // Where passes ran before, the structure at fault may be theirs: calls of functions that fusion made.
  if (cause.kind == CauseKind::form && &before != &source) cause.features.merge(structure_of(before));
  // A function of derivatives is new as a whole; which op has a wrong one is among the ops of what was differentiated.
  const Words edit = target == nullptr || differentiates ? Words() : edit_between(before, *target);
  cause.edit = without_bodies(generalised(edit), cause.kind);
  // An ill-formed target says in its site what is wrong; which ops stand around it is chance.
  const bool named = cause.kind == CauseKind::error ? names_the_bug(cause.site) : !cause.edit.empty();
  if (!named && cause.kind != CauseKind::form) cause.features.merge(operations_of(shown));
  // Where passes ran before, the operation at which the culprit fails may be theirs; but every op becomes a call of a function of TensorIR, and
  // then of the virtual machine.
  if (!named && (cause.kind == CauseKind::error || cause.kind == CauseKind::crash) && &before != &source) {
    Words made = operations_of(before);
    std::erase_if(made, [](const std::string& feature) {
      const OpDef* op = find_op("relax." + feature.substr(std::string_view("op ").size()));
      return feature.starts_with("op call_") || (op != nullptr && op->pass_made);
    });
    cause.features.merge(made);
  }
  if (named && cause.kind == CauseKind::values) cause.features.merge(untouched(source, edit));
  // A pass that changes no operation asks each for its type again: the bug is in what one of them says.
  if (verdict.symptom == Symptom::wrong_type && cause.edit.empty() && target != nullptr) {
    if (std::string inference = wrong_inference(verdict, *target); !inference.empty()) cause.features.insert(std::move(inference));
  }
  std::erase_if(cause.features, [&](const std::string& feature) { return !tells_of(cause, feature); });
  if (cause.kind == CauseKind::crash) cause.features = with_general_kinds(cause.features);
  // A value of another shape or dtype is a mismatch that has the code of a wrong type where the dtype alone is another.
  const TypeDifference difference = verdict.symptom == Symptom::mismatch ? TypeDifference::dtype : type_difference(verdict.detail);
  if (cause.site == kWrongType && difference != TypeDifference::unknown) cause.features.emplace(word_for(difference));
  if (const TypeDifference refused = argument_difference(verdict.detail); cause.kind == CauseKind::error && named && refused != TypeDifference::unknown)
    cause.features.emplace(word_for(refused));
  if (const std::string complaint = complaint_of(verdict.detail, before); cause.kind == CauseKind::error && named && !complaint.empty())
    cause.features.insert(std::string(kSays) + complaint);
  if (const std::string table = table_without_entry(verdict.detail); cause.kind == CauseKind::error && !table.empty())
    cause.features.insert(std::string(kEntryOf) + table);
  if (differentiates) forget_loss(cause.features);
  return cause;
}

Likeness compare_causes(const Cause& a, const Cause& b) {
  const bool common_pass = std::any_of(a.passes.begin(), a.passes.end(), [&](const std::string& pass) {
    return std::find(b.passes.begin(), b.passes.end(), pass) != b.passes.end();
  });
  if (!common_pass)
    return {false, fmt::format("one lies in {}, the other in {}", fmt::join(a.passes, ", "), fmt::join(b.passes, ", "))};
  if (auto why = distinction(a, b)) return {false, *std::move(why)};
  return {true, likeness_of(a, b)};
}

bool are_at_one_place(Symptom symptom, std::string_view site, std::string_view other) {
  const auto signal_of = [](std::string_view crash) { return crash.substr(0, crash.find(' ')); };
  return symptom == Symptom::crash ? signal_of(site) == signal_of(other) : site == other;
}

bool differ_in_pass_alone(const Cause& a, const Cause& b) {
  if (a.kind != b.kind || a.symptom != b.symptom || a.passes == b.passes) return false;
  if (!are_at_one_place(a.symptom, a.site, b.site)) return false;
  switch (a.kind) {
    case CauseKind::error:
      return names_the_bug(a.site) || nested(a.features, b.features);
    case CauseKind::crash:
    case CauseKind::form:
      return nested(a.features, b.features);
    case CauseKind::values:  // two passes may well be wrong about one module, each in its way
      return !a.edit.empty() && a.edit == b.edit && nested(a.features, b.features);
    case CauseKind::promise:
      return false;
  }
  return false;
}

bool is_thrown_alike(const Cause& cause, const Verdict& verdict) {
  return cause.kind == CauseKind::error && cause.symptom == verdict.symptom && cause.site == verdict.site && names_the_bug(cause.site) &&
         refused_argument(cause) == word_for(argument_difference(verdict.detail)) &&
         std::find(cause.passes.begin(), cause.passes.end(), verdict.culprit) != cause.passes.end();
}

bool hangs_alike(const Cause& cause, const Verdict& verdict, const Module& module) {
  const bool blamed = std::find(cause.passes.begin(), cause.passes.end(), verdict.culprit) != cause.passes.end();
  if (!blamed || !hangs(cause.symptom) || !hangs(verdict.symptom) || cause.features.empty()) return false;
  Words all = with_general_kinds(operations_of(module));
  all.merge(features_of(module));
  return includes(all, cause.features);
}

bool one_case_tells(const Cause& a, const Cause& b) {
  switch (a.kind) {
    // Every call that does not type is thrown at one place: what the modules need must say the same. Of errors in the containers of the runtime,
    // an operation that both need must name it.
    case CauseKind::error:
      if (names_the_bug(a.site)) return nested(structure_in(a.features), structure_in(b.features));
      return a.site.find('@') != std::string::npos && have_an_op_in_common(a, b);
    case CauseKind::crash:
      return !a.features.empty() && !b.features.empty();
    case CauseKind::form:
      return !a.edit.empty() && !b.edit.empty() && nested(a.edit, b.edit);
    case CauseKind::values:
    case CauseKind::promise:
      return false;
  }
  return false;
}

void join(Cause& into, const Cause& other) {
  for (const std::string& pass : other.passes) {
    if (std::find(into.passes.begin(), into.passes.end(), pass) == into.passes.end()) into.passes.push_back(pass);
  }
  into.features = common(into.features, other.features);
  if (into.passes.size() == 1 || into.edit == other.edit) into.edit = common(into.edit, other.edit);
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
  return {{"kind", cause_kind_name(cause.kind)}, {"symptom", symptom_name(cause.symptom)}, {"passes", cause.passes},
          {"site", cause.site},                  {"edit", cause.edit},                     {"features", cause.features}};
}

Result<Cause> cause_from_json(const nlohmann::json& document) {
  const Error error{"cause.field", "a cause has kind, symptom, passes, site, edit and features"};
  Cause cause;
  try {
    cause.passes = document.at("passes").get<std::vector<std::string>>();
    cause.site = document.at("site").get<std::string>();
    cause.edit = document.at("edit").get<Words>();
    cause.features = document.at("features").get<Words>();
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
