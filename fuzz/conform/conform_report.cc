#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fuzz/conform/conform.h"
#include "fuzz/conform/texts.h"

namespace passdiff {
namespace {

constexpr int kConformFormat = 1;
constexpr std::string_view kKinds[] = {"value", "type", "refusal"};

std::string_view kind_name(Disagree kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

std::string describe(const Disagreement& d) {
  std::string text =
      fmt::format("{} {}: {}{}, {} calls\n    {}\n    {}\n", d.op, kind_name(d.kind), d.symptom,
                  d.dtypes.empty() ? std::string() : " (" + d.dtypes + ")", d.count, d.call, d.detail);
  if (!d.why.empty()) text += fmt::format("    known: {}\n", d.why);
  return text;
}

// What those columns count whose names do not tell.
constexpr std::string_view kLegend = R"(undefined: calls that are undefined, wrap or are made of no elements, so that nothing is compared
undetermined: calls of which an element is finite or not by the operands' last bits, so that it cannot be compared
typed: types that were compared, those of variants of the calls (--type-variants) among them; type: of these, those that disagree
explained: calls that disagree or are refused for a known reason
!: a disagreement that nothing explains, or no call that could be compared
)";

}  // namespace

std::string conform_table(const ConformResult& result) {
  std::string text =
      fmt::format("{:<30} {:>5} {:>7} {:>9} {:>12} {:>7} {:>6} {:>5} {:>5} {:>9}\n", "op", "calls", "agreed",
                  "undefined", "undetermined", "refused", "typed", "value", "type", "explained");
  for (const OpConformance& op : result.ops) {
    text += fmt::format("{:<30} {:>5} {:>7} {:>9} {:>12} {:>7} {:>6} {:>5} {:>5} {:>9}{}\n", op.op, op.calls,
                        op.agreed, op.undefined, op.undetermined, op.refused, op.typed, op.value, op.type,
                        op.explained, op.conforms() ? "" : "  !");
  }
  text += kLegend;
  for (const bool known : {false, true}) {
    for (const OpConformance& op : result.ops) {
      for (const Disagreement& d : op.disagreements) {
        if (d.why.empty() != known) text += describe(d);
      }
    }
  }
  return text;
}

std::string conform_json(const ConformResult& result) {
  auto ops = nlohmann::json::array();
  for (const OpConformance& op : result.ops) {
    auto disagreements = nlohmann::json::array();
    for (const Disagreement& d : op.disagreements) {
      disagreements.push_back({{"kind", kind_name(d.kind)},
                               {"symptom", d.symptom},
                               {"dtypes", d.dtypes},
                               {"count", d.count},
                               {"index", d.index},
                               {"call", d.call},
                               {"detail", d.detail},
                               {"why", d.why}});
    }
    ops.push_back({{"op", op.op},
                   {"calls", op.calls},
                   {"agreed", op.agreed},
                   {"undefined", op.undefined},
                   {"undetermined", op.undetermined},
                   {"refused", op.refused},
                   {"typed", op.typed},
                   {"value", op.value},
                   {"type", op.type},
                   {"explained", op.explained},
                   {"disagreements", std::move(disagreements)}});
  }
  const nlohmann::json document = {{"format", kConformFormat},
                                   {"conforms", result.conforms()},
                                   {"seconds", result.seconds},
                                   {"ops", std::move(ops)}};
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<int> write_disagreements(const ConformResult& result, std::string_view subject,
                                const std::string& root) {
  int written = 0;
  for (const OpConformance& op : result.ops) {
    for (const Disagreement& d : op.disagreements) {
      const std::string slug = slug_of(
          fmt::format("{}-{}-{}-{}-{}", d.op.substr(6), kind_name(d.kind), d.index, d.dtypes, d.symptom));
      CaseFolder folder;
      folder.test = d.test;
      folder.origin = fmt::format("passdiff conform --ops {}, call {}, {}", d.op, d.index, subject);
      folder.readme =
          fmt::format("{}\n{}", d.detail.substr(0, d.detail.find('\n')), d.why.empty() ? d.symptom : d.why);
      TRY(write_case(folder, std::filesystem::path(root) / slug));
      ++written;
    }
  }
  return written;
}

}  // namespace passdiff
