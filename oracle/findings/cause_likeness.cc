// When two causes are one.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/form/well_formed.h"
#include "core/ops/op.h"
#include "oracle/features.h"
#include "oracle/findings/cause.h"
#include "oracle/findings/cause_words.h"

namespace passdiff {
namespace {

bool includes(const CauseWords& all, const CauseWords& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

bool nested(const CauseWords& a, const CauseWords& b) {
  return includes(a, b) || includes(b, a);
}

CauseWords common(const CauseWords& a, const CauseWords& b) {
  CauseWords both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  return both;
}

CauseWords only_in(const CauseWords& a, const CauseWords& b) {
  CauseWords rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(rest, rest.end()));
  return rest;
}

// The features that are no ops, and no messages: dims, calls, branches.
CauseWords structure_in(CauseWords features) {
  std::erase_if(features, [](const std::string& feature) {
    return feature.starts_with(kOpWord) || feature.starts_with(kSaysWord) || feature.find('.') != std::string::npos;
  });
  return features;
}

CauseWords ops_in(CauseWords features) {
  std::erase_if(features, [](const std::string& feature) { return !feature.starts_with(kOpWord); });
  return features;
}

// Whether two causes of one kind need the same structure, if they need any beside operations. Of errors in the containers of the runtime, which
// name no bug, and of crashes that says more than which ops stand in it.
bool need_the_same_structure(CauseKind kind, const Cause& a, const Cause& b) {
  const CauseWords structure = structure_in(a.features);
  return a.kind == kind && b.kind == kind && !structure.empty() && structure == structure_in(b.features);
}

// Whether causes have a feature of this beginning in common.
bool share_a_word(const Cause& a, const Cause& b, std::string_view beginning) {
  const CauseWords both = common(a.features, b.features);
  return std::any_of(both.begin(), both.end(), [&](const std::string& word) { return word.starts_with(beginning); });
}

// Whether two errors of one kind say the same of two operations, as each inference of a type does in its own place.
bool say_the_same(const Cause& a, const Cause& b) {
  const auto error_of = [](const Cause& cause) { return cause.site.substr(0, cause.site.find('@')); };
  return a.kind == CauseKind::error && error_of(a) == error_of(b) && share_a_word(a, b, kSaysWord);
}

// Whether one shows wrong values, and the other a result of another shape, after the same operations were rewritten: the sizes of the module decide
// which of them a wrong rewrite makes.
bool differ_in_shape_alone(const Cause& a, const Cause& b) {
  if (a.kind == CauseKind::form && b.kind == CauseKind::values) return differ_in_shape_alone(b, a);
  if (a.kind != CauseKind::values || b.kind != CauseKind::form || !b.features.contains(std::string(word_for(TypeDifference::shape)))) return false;
  const bool rewrites = std::any_of(a.edit.begin(), a.edit.end(), [](const std::string& word) {
    return is_of_attribute(word) || find_op("relax." + word.substr(1)) != nullptr;
  });
  CauseWords needed = b.features;
  needed.erase(std::string(word_for(TypeDifference::shape)));
  return rewrites && a.edit == b.edit && nested(a.features, needed);
}

bool have_an_op_in_common(const Cause& a, const Cause& b) {
  return share_a_word(a, b, kOpWord);
}

// Whether the compiler dies on the module of one, and hangs or fills the memory on that of the other, which need the same: what undefined
// behaviour leads to is chance.
bool die_either_way(const Cause& a, const Cause& b) {
  return a.kind == CauseKind::crash && b.kind == CauseKind::crash && hangs(a.symptom) != hangs(b.symptom) && nested(a.features, b.features) &&
         have_an_op_in_common(a, b);
}

// Whether two errors miss an entry of the same table, and need the same structure. Which of the lookups of a pass meets first what the pass has
// left out is chance.
bool miss_the_same_entry(const Cause& a, const Cause& b) {
  const CauseWords structure = structure_in(a.features);
  const bool misses = std::any_of(structure.begin(), structure.end(), [](const std::string& word) { return word.starts_with(kEntryWord); });
  return misses && structure.size() > 1 && need_the_same_structure(CauseKind::error, a, b);
}

// Whether two errors miss an entry of the same table at the same place: it lies in what the passes share, as the rules of type inference.
bool miss_one_entry_at_one_place(const Cause& a, const Cause& b) {
  return a.kind == CauseKind::error && b.kind == CauseKind::error && a.site == b.site && share_a_word(a, b, kEntryWord);
}

// Whether two errors in the containers of the runtime meet the same operations, and no other: what fails lies in what passes share of them, as the
// rule that infers their types, and what else the module needs is what leads a pass there.
bool fail_at_the_same_ops(const Cause& a, const Cause& b) {
  const CauseWords ops = ops_in(a.features);
  return a.kind == CauseKind::error && b.kind == CauseKind::error && a.site == b.site && a.site.find('@') != std::string::npos &&
         !names_the_bug(a.site) && !ops.empty() && ops == ops_in(b.features) && nested(a.features, b.features);
}

// Whether two errors are an assertion of the arithmetic analyses (tvm::sym) that fails: these are asked by many passes, and have to say no instead.
bool fail_in_one_analysis(const Cause& a, const Cause& b) {
  return a.kind == CauseKind::error && b.kind == CauseKind::error && a.site == b.site && a.site.starts_with("InternalError@") &&
         a.site.find(":tvm::sym::") != std::string::npos;
}

// Whether the types of both targets are wrong by the inference of the same operation, whichever pass asked for it.
bool infer_the_same_wrongly(const Cause& a, const Cause& b) {
  return a.site == kWrongType && b.site == kWrongType && share_a_word(a, b, kInferenceWord);
}

// Whether the compiler fails at one place over the targets of both, which our IR cannot hold, and the modules have structure in common that both need:
// what else they need is what makes the target unreadable.
bool fail_to_compile_alike(const Cause& a, const Cause& b) {
  const bool unread = a.edit.empty() && b.edit.empty() && a.symptom == Symptom::does_not_compile && b.symptom == Symptom::does_not_compile;
  return unread && a.site == b.site && names_the_bug(a.site) && !structure_in(common(a.features, b.features)).empty();
}

std::string list(const CauseWords& words) {
  return words.empty() ? "nothing" : fmt::format("{}", fmt::join(words, ", "));
}

// Whether a target breaks the rules of scope.
bool is_of_scope(std::string_view site) {
  return site == "form.undefined-var" || site == "form.redefined-var" || site == "form.dataflow-escape" || site == "form.undefined-symbol";
}

// The edit with what features call the ops: which op defined what is out of scope is chance.
CauseWords general_edit(const CauseWords& edit) {
  CauseWords general;
  for (const std::string& word : edit) general.insert(word.front() + general_kind(word.substr(1)));
  return general;
}

// The operations that a pass takes away and adds. Without those that it leaves with operands of another type, which are whatever follows.
CauseWords rewritten_ops(CauseWords edit) {
  std::erase_if(edit, [](const std::string& word) { return word.starts_with('~') && find_op("relax." + word.substr(1)) != nullptr; });
  return edit;
}

// Whether targets fail to compile at one place after the same operations were replaced.
bool fail_after_the_same_rewrite(const Cause& a, const Cause& b) {
  const auto is_taken_away = [](const std::string& word) { return word.starts_with('-'); };
  return a.symptom == Symptom::does_not_compile && b.symptom == Symptom::does_not_compile && std::ranges::any_of(a.edit, is_taken_away) &&
         rewritten_ops(a.edit) == rewritten_ops(b.edit);
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
  const bool same_edit = a.kind != CauseKind::form ? a.edit == b.edit
                         : is_of_scope(a.site)     ? nested(general_edit(a.edit), general_edit(b.edit))
                                                   : nested(a.edit, b.edit) || fail_after_the_same_rewrite(a, b);
  if (!same_edit) return fmt::format("one changes {}, the other {}", list(a.edit), list(b.edit));
  // Where blocks went into others, the edit says nothing of what was computed in them: the values have to.
  const auto loses_digits = [](const Cause& cause) { return cause.symptom == Symptom::less_precise; };
  if (a.kind == CauseKind::values && inlines_blocks_alone(a.edit) && loses_digits(a) != loses_digits(b))
    return "one loses digits, the other computes something else";
  if (!nested(a.features, b.features) && !need_the_same_structure(CauseKind::error, a, b) && !fail_to_compile_alike(a, b)) {
    return fmt::format("one needs {}, the other {}", list(only_in(a.features, b.features)),
                       list(only_in(b.features, a.features)));
  }
  return std::nullopt;
}

std::string likeness_of(const Cause& a, const Cause& b) {
  if (a.kind == CauseKind::error && a.site == b.site && names_the_bug(a.site)) return "both are thrown at " + a.site;
  if (a.kind == CauseKind::promise) return fmt::format("both are {}", symptom_name(a.symptom));
  const CauseWords features = common(a.features, b.features);
  std::string text = a.site.empty() || a.site != b.site ? "both" : fmt::format("both are at {},", a.site);
  if (!a.edit.empty() || !b.edit.empty()) text += fmt::format(" change {}", list(common(a.edit, b.edit)));
  if (!features.empty()) text += fmt::format("{} need {}", a.edit.empty() ? "" : " and", list(features));
  return text == "both" ? fmt::format("both are {} and need nothing", cause_kind_name(a.kind)) : text;
}

}  // namespace

Likeness compare_causes(const Cause& a, const Cause& b) {
  const bool common_pass = std::any_of(a.passes.begin(), a.passes.end(), [&](const std::string& pass) {
    return std::find(b.passes.begin(), b.passes.end(), pass) != b.passes.end();
  });
  if (!common_pass && miss_one_entry_at_one_place(a, b)) return {true, fmt::format("both miss an entry of one table at {}", a.site)};
  if (infer_the_same_wrongly(a, b) || fail_in_one_analysis(a, b) || (!common_pass && fail_at_the_same_ops(a, b))) return {true, likeness_of(a, b)};
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
      return names_the_bug(a.site) || nested(a.features, b.features) || have_an_op_in_common(a, b);
    case CauseKind::crash:  // which op stands in the structure that the compiler dies of may be chance
      return nested(a.features, b.features) || need_the_same_structure(CauseKind::crash, a, b);
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
  return cause.kind == CauseKind::error && cause.symptom == verdict.symptom && cause.site == site_of_cause(verdict.site) && names_the_bug(cause.site) &&
         refused_argument(cause) == word_for(argument_difference(verdict.detail)) &&
         std::find(cause.passes.begin(), cause.passes.end(), verdict.culprit) != cause.passes.end();
}

bool hangs_alike(const Cause& cause, const Verdict& verdict, const Module& module) {
  const bool blamed = std::find(cause.passes.begin(), cause.passes.end(), verdict.culprit) != cause.passes.end();
  if (!blamed || !hangs(cause.symptom) || !hangs(verdict.symptom) || cause.features.empty()) return false;
  CauseWords all = with_general_kinds(operations_of(module));
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
      return !a.features.empty() && !b.features.empty() && nested(a.features, b.features);
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

}  // namespace passdiff
