#include "fuzz/campaign/ranking.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "core/ops/op.h"

namespace passdiff {
namespace {

// The share of words that two sets do not have in common; 0 for two empty ones.
double difference(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> both, either;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(either, either.end()));
  return either.empty() ? 0 : 1 - static_cast<double>(both.size()) / static_cast<double>(either.size());
}

// How different two causes look: another pass says most, then another place, then what the pass did and what it needs.
double distance(const Cause& a, const Cause& b) {
  const double pass = a.passes.front() == b.passes.front() ? 0 : 4;
  const double site = a.site == b.site && a.symptom == b.symptom ? 0 : 2;
  return pass + site + 2 * difference(a.edit, b.edit) + difference(a.features, b.features);
}

// What a cause says beside the one operation that the pass took away, and the attributes of it that it needs. Nothing if the pass took away another
// number of operations, or no attribute is needed.
struct AttributesOfOne {
  const OpDef* op;
  std::set<std::string> attributes;
  std::set<std::string> words;
};
std::optional<AttributesOfOne> attributes_of_one(const Cause& cause) {
  const auto taken = [](const std::string& word) { return word.starts_with('-'); };
  if (std::ranges::count_if(cause.edit, taken) != 1) return std::nullopt;
  const std::string op = std::ranges::find_if(cause.edit, taken)->substr(1);
  AttributesOfOne needed{.op = find_op("relax." + op), .attributes = {}, .words = cause.edit};
  needed.words.erase("-" + op);
  for (const std::string& feature : cause.features) {
    if (feature.starts_with(op + ".")) {
      needed.attributes.insert(feature.substr(op.size() + 1));
    } else {
      needed.words.insert(feature);
    }
  }
  if (needed.op == nullptr || needed.attributes.empty()) return std::nullopt;
  return needed;
}

// The kinds of the attributes that either needs, as both ops have them; an empty set if one of the ops lacks one.
std::set<ParamKind> kinds_in_both(const AttributesOfOne& a, const AttributesOfOne& b) {
  std::set<std::string> names = a.attributes;
  names.insert(b.attributes.begin(), b.attributes.end());
  std::set<ParamKind> kinds;
  for (const OpDef* op : {a.op, b.op}) {
    const auto all = op->attributes();
    for (const std::string& name : names) {
      const auto found = std::ranges::find(all, name, &Param::name);
      if (found == all.end()) return {};
      kinds.insert(found->kind);
    }
  }
  return kinds;
}

// Whether the names of two passes are in one namespace, as those of the schedules `dlight.gpu.Fallback` and `dlight.gpu.GeneralReduction` are: such
// passes share what they do to a module.
bool are_of_one_library(std::string_view a, std::string_view b) {
  const auto space_of = [](std::string_view pass) { return pass.substr(0, pass.rfind('.') + 1); };
  return !space_of(a).empty() && space_of(a) == space_of(b);
}

// Whether the two differ in nothing but the pass of a library that does it, or in nothing but the op to which a pass does the same: one of the same
// family, or one that has the attributes of both, which are of one kind: of two flags a pass may well forget either.
bool is_echo(const Cause& a, const Cause& b) {
  if (a.symptom != b.symptom || a.site != b.site || a.edit.empty()) return false;
  if (a.features == b.features && a.edit == b.edit && are_of_one_library(a.passes.front(), b.passes.front())) return true;
  if (a.passes.front() != b.passes.front()) return false;
  if (a.features == b.features && edit_by_families(a) == edit_by_families(b)) return true;
  const auto one = attributes_of_one(a), other = attributes_of_one(b);
  return one && other && one->words == other->words && kinds_in_both(*one, *other).size() == 1;
}

auto standing(const Ranked& report, bool echoes) {
  const SymptomInfo& symptom = symptom_info(report.cause->symptom);
  return std::tuple(symptom.severity.value_or(Severity::broken_promise), echoes, !report.in_default_pipeline);
}

}  // namespace

std::vector<std::size_t> rank(const std::vector<Ranked>& reports) {
  std::vector<std::size_t> rest(reports.size());
  std::iota(rest.begin(), rest.end(), std::size_t{0});
  std::vector<double> nearest(reports.size(), 1e9);  // the distance to the nearest report that has its rank
  std::vector<bool> echoes(reports.size());  // a report that has its rank
  std::vector<std::size_t> order;
  while (!rest.empty()) {
    const auto next = std::min_element(rest.begin(), rest.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(standing(reports[a], echoes[a]), -nearest[a], a) < std::tuple(standing(reports[b], echoes[b]), -nearest[b], b);
    });
    order.push_back(*next);
    rest.erase(next);
    for (const std::size_t i : rest) {
      const Cause& last = *reports[order.back()].cause;
      nearest[i] = std::min(nearest[i], distance(*reports[i].cause, last));
      echoes[i] = echoes[i] || is_echo(*reports[i].cause, last);
    }
  }
  return order;
}

}  // namespace passdiff
