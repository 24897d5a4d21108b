// passdiff report: a folder of findings as one HTML page.
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/documents/files.h"
#include "fuzz/cli/commands.h"
#include "fuzz/views/html_report.h"

namespace passdiff {
namespace {

struct ReportFlags {
  std::string findings;
  std::string out = "report.html";
};

int run_report(const ReportFlags& flags) {
  const Result<ReportContent> content = read_report(flags.findings);
  if (!content) return fail(content.error());
  if (const auto error = write_whole(flags.out, html_report(*content))) return fail(*error);
  const std::size_t known = content->campaign ? content->campaign->known.size() : 0;
  fmt::print("{}: {} cause{}{}\n", flags.out, content->causes.size(), content->causes.size() == 1 ? "" : "s",
             known > 0 ? fmt::format(", and {} known", known) : "");
  return kExitClean;
}

}  // namespace

void add_report(CLI::App& app, Run& run) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* command =
      app.add_subcommand("report", "Write a folder of findings as one HTML page, which needs no other file");
  command->add_option("findings", flags->findings, "The folder that a campaign wrote")->required();
  command->add_option("-o,--out", flags->out, "The page; an existing file is replaced")
      ->capture_default_str();
  command->callback([flags, &run] { run = [flags] { return run_report(*flags); }; });
}

}  // namespace passdiff
