#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/ops/op.h"
#include "fuzz/idle_passes.h"
#include "fuzz/stats.h"
#include "oracle/report_format.h"

namespace passdiff {
namespace {

using nlohmann::json;

bool falls_short(const std::string& name, const PassStats& pass) {
  return idle_because(name).empty() && (pass.share() < kLeastShare || pass.ways.size() < kLeastWays);
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

json to_json(const std::string& name, const PassStats& pass) {
  return {{"drawn_for", pass.drawn_for},   {"given", pass.given},
          {"changed", pass.changed},       {"changed_of_drawn_for", pass.changed_of_drawn_for},
          {"share", pass.share()},         {"ways", pass.ways.size()},
          {"refused", pass.refused},       {"undecided", pass.undecided},
          {"unreadable", pass.unreadable}, {"falls_short", falls_short(name, pass)},
          {"idle_because", idle_because(name)}, {"symptoms", pass.symptoms}};
}

// How often no verdict can be given, of all that passes were given.
std::string discards(const Stats& stats) {
  std::int64_t given = 0, undecided = 0;
  for (const auto& [name, pass] : stats.passes) {
    given += pass.given;
    undecided += pass.undecided;
  }
  return fmt::format("undecided: {} of {}, {:.2f} %\n", undecided, given,
                     given == 0 ? 0.0 : 100.0 * static_cast<double>(undecided) / static_cast<double>(given));
}

// What the columns count.
std::string legend() {
  return fmt::format(R"(drawn for: cases for which an idiom of the pass was drawn; of a pass that has no idioms, those that it was given
given: cases on which the pass ran, after the passes that it needs
changed: of those given, the ones of which it made another module
share: of those drawn for the pass, the ones that it changed: with 1 of 2 given drawn for it, and this one changed, it is 100 %. Where none was drawn for it: changed of given
ways: the different features of these changes, as which neighbouring ops vanished or appeared
refused: the pass threw, or its process died; undecided: no verdict is possible; unreadable: the target holds what passdiff cannot read
!: a share below {:.0f} %, or fewer than {} ways
)",
                     100 * kLeastShare, kLeastWays);
}

}  // namespace

std::string table(const Stats& stats) {
  std::string text = fmt::format("{} cases\n\n  {:<34} {:>9} {:>8} {:>8} {:>7} {:>6} {:>8} {:>10} {:>11}\n",
                                 stats.cases, "pass", "drawn for", "given", "changed", "share", "ways",
                                 "refused", "undecided", "unreadable");
  for (const auto& [name, pass] : stats.passes) {
    text += fmt::format("{} {:<34} {:>9} {:>8} {:>8} {:>6.1f}% {:>6} {:>8} {:>10} {:>11}\n",
                        falls_short(name, pass) ? '!' : ' ', name, pass.drawn_for, pass.given, pass.changed,
                        100 * pass.share(), pass.ways.size(), pass.refused, pass.undecided, pass.unreadable);
  }
  text += legend();
  text += discards(stats);
  for (const auto& [name, pass] : stats.passes) {
    if (const std::string_view reason = idle_because(name); !reason.empty())
      text += fmt::format("{} changes nothing by its nature: {}\n", name, reason);
  }
  text += section("Ops (calls)", ops_of(stats));
  text += section("Dtypes (tensors)", stats.census.dtypes());
  text += section("Ranks (tensors)", stats.census.ranks());
  text += section("Idioms (made)", stats.idioms);
  text += section("Features", stats.census.features());
  return text;
}

std::string json_line(const Stats& stats) {
  json passes = json::object();
  for (const auto& [name, pass] : stats.passes) passes[name] = to_json(name, pass);
  const json object = {{"format", kReportFormat},         {"cases", stats.cases},
                       {"passes", std::move(passes)},     {"ops", ops_of(stats)},
                       {"dtypes", stats.census.dtypes()}, {"ranks", stats.census.ranks()},
                       {"idioms", stats.idioms},          {"features", stats.census.features()}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace passdiff
