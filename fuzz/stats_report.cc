#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/ops/op.h"
#include "fuzz/stats.h"
#include "oracle/report_format.h"

namespace passdiff {
namespace {

using nlohmann::json;

bool falls_short(const PassStats& pass) {
  return pass.share() < kLeastShare || pass.ways.size() < kLeastWays;
}

std::string section(const char* title, const Census::Counts& counts) {
  std::string text = fmt::format("\n{}\n", title);
  for (const auto& [name, count] : counts) text += fmt::format("  {:>9}  {}\n", count, name);
  return text;
}

// The calls of every op that generation rules make, those that never occurred too.
Census::Counts ops_of(const Stats& stats) {
  Census::Counts counts = stats.census.ops();
  for (const OpDef& op : all_ops()) {
    if (!op.pass_made) counts.try_emplace(std::string(op.name), 0);
  }
  return counts;
}

json to_json(const PassStats& pass) {
  return {{"drawn_for", pass.drawn_for},   {"given", pass.given},
          {"changed", pass.changed},       {"changed_of_drawn_for", pass.changed_of_drawn_for},
          {"share", pass.share()},         {"ways", pass.ways.size()},
          {"refused", pass.refused},       {"undecided", pass.undecided},
          {"unreadable", pass.unreadable}, {"falls_short", falls_short(pass)},
          {"symptoms", pass.symptoms}};
}

}  // namespace

std::string table(const Stats& stats) {
  std::string text = fmt::format("{} cases\n\n  {:<34} {:>9} {:>8} {:>8} {:>7} {:>6} {:>8} {:>10} {:>11}\n",
                                 stats.cases, "pass", "drawn for", "given", "changed", "share", "ways",
                                 "refused", "undecided", "unreadable");
  for (const auto& [name, pass] : stats.passes) {
    text += fmt::format("{} {:<34} {:>9} {:>8} {:>8} {:>6.1f}% {:>6} {:>8} {:>10} {:>11}\n",
                        falls_short(pass) ? '!' : ' ', name, pass.drawn_for, pass.given, pass.changed,
                        100 * pass.share(), pass.ways.size(), pass.refused, pass.undecided, pass.unreadable);
  }
  text += fmt::format(
      "share: of the cases drawn for the pass, those that it, or what it needs, changed; !: below {:.0f} % "
      "or in fewer than {} ways\n",
      100 * kLeastShare, kLeastWays);
  text += section("Ops (calls)", ops_of(stats));
  text += section("Dtypes (tensors)", stats.census.dtypes());
  text += section("Ranks (tensors)", stats.census.ranks());
  text += section("Idioms (made)", stats.idioms);
  text += section("Features", stats.census.features());
  return text;
}

std::string json_line(const Stats& stats) {
  json passes = json::object();
  for (const auto& [name, pass] : stats.passes) passes[name] = to_json(pass);
  const json object = {{"format", kReportFormat},         {"cases", stats.cases},
                       {"passes", std::move(passes)},     {"ops", ops_of(stats)},
                       {"dtypes", stats.census.dtypes()}, {"ranks", stats.census.ranks()},
                       {"idioms", stats.idioms},          {"features", stats.census.features()}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace passdiff
