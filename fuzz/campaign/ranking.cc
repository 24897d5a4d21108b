#include "fuzz/campaign/ranking.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

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

// Whether the two differ in nothing but the op of a family to which a pass does the same.
bool is_echo(const Cause& a, const Cause& b) {
  return a.passes.front() == b.passes.front() && a.symptom == b.symptom && a.site == b.site && a.features == b.features &&
         !a.edit.empty() && edit_by_families(a) == edit_by_families(b);
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
