#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "fuzz/conform/prim_funcs.h"
#include "fuzz/conform/texts.h"

namespace passdiff {
namespace {

constexpr int kPrimFuncFormat = 1;

struct CountRow {
  std::string_view name;
  std::int64_t PrimFuncConformance::* count;
  std::string_view meaning;
};
constexpr CountRow kCounts[] = {
    {"modules", &PrimFuncConformance::modules, "that LegalizeOps was given"},
    {"not-lowered", &PrimFuncConformance::not_lowered, "of these: refused, or they or their targets cannot be read"},
    {"not-ended", &PrimFuncConformance::not_ended,
     "of these: lowered, but the source does not take its arguments, or the run of the target is undefined or ends before its end"},
    {"calls", &PrimFuncConformance::calls, "of functions of TensorIR in the runs of the others"},
    {"functions", &PrimFuncConformance::functions, "that were called, equal ones counted once"},
    {"agreed", &PrimFuncConformance::agreed, "of the functions: interpreter and compiled code leave the same in their buffers"},
    {"undefined", &PrimFuncConformance::undefined, "undefined alone, or an integer overflows: any result will do"},
    {"undetermined", &PrimFuncConformance::undetermined, "too sensitive to rounding to be compared"},
    {"not-run", &PrimFuncConformance::not_run, "the interpreter cannot run them"},
    {"explained", &PrimFuncConformance::explained, "they differ, or are refused, for a known reason"},
    {"refused", &PrimFuncConformance::refused, "the compiler does not compile or run them"},
    {"differ", &PrimFuncConformance::differ, "interpreter and compiled code leave different results"},
};

}  // namespace

std::string prim_func_table(const PrimFuncConformance& result) {
  std::string text;
  for (const CountRow& row : kCounts) text += fmt::format("{:<14}{:>9}  {}\n", row.name, result.*row.count, row.meaning);
  for (const auto& [reason, count] : result.reasons) text += fmt::format("{}: {}\n", reason, count);
  for (const PrimFuncDisagreement& d : result.disagreements) {
    text += fmt::format("{} {}: {} functions, the first from {}\n    {}\n", d.function, d.symptom, d.count, d.origin, d.detail);
    if (!d.why.empty()) text += fmt::format("    known: {}\n", d.why);
  }
  return text;
}

std::string prim_func_json(const PrimFuncConformance& result) {
  auto disagreements = nlohmann::json::array();
  for (const PrimFuncDisagreement& d : result.disagreements) {
    disagreements.push_back(
        {{"function", d.function}, {"symptom", d.symptom}, {"why", d.why}, {"detail", d.detail}, {"count", d.count}, {"origin", d.origin}});
  }
  nlohmann::json document = {{"format", kPrimFuncFormat},
                             {"conforms", result.conforms()},
                             {"seconds", result.seconds},
                             {"reasons", result.reasons},
                             {"disagreements", std::move(disagreements)}};
  for (const CountRow& row : kCounts) document[std::string(row.name)] = result.*row.count;
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<int> write_disagreements(const PrimFuncConformance& result, std::string_view subject, const std::string& root) {
  int written = 0;
  for (const PrimFuncDisagreement& d : result.disagreements) {
    CaseFolder folder;
    folder.test = d.test;
    folder.origin = fmt::format("passdiff conform --tensor-ir, {}, {}", d.origin, subject);
    folder.readme = fmt::format("{}\n{}", start_of(d.detail), d.why.empty() ? d.symptom : d.why);
    TRY(write_case(folder, std::filesystem::path(root) / slug_of(fmt::format("{}-{}", d.test.entry, d.symptom))));
    ++written;
  }
  return written;
}

}  // namespace passdiff
