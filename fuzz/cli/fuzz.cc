// passdiff fuzz: a campaign.
#include <unistd.h>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>

#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/report.h"
#include "fuzz/cli/command_line.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/locations.h"
#include "fuzz/cli/progress_printer.h"
#include "fuzz/cli/rates.h"
#include "fuzz/cli/signals.h"
#include "fuzz/conform/refused_ops.h"

namespace passdiff {
namespace {

// The seconds that a duration such as `90`, `90s`, `10m` or `2h` means; nothing if the text is no duration.
std::optional<double> seconds_of(std::string_view text) {
  double factor = 1;
  if (text.ends_with("s") || text.ends_with("m") || text.ends_with("h")) {
    factor = text.back() == 's' ? 1 : text.back() == 'm' ? 60 : 3600;
    text.remove_suffix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || value > 1e9)
    return std::nullopt;
  return value * factor;
}

// The bytes that a size such as `500M`, `2G` or `4096` means; nothing if the text is no size.
std::optional<std::uintmax_t> bytes_of(std::string_view text) {
  int shift = 0;
  constexpr std::string_view kUnits = "kMGT";
  if (const auto unit = text.empty() ? std::string_view::npos : kUnits.find(text.back()); unit != std::string_view::npos) {
    shift = 10 * (static_cast<int>(unit) + 1);
    text.remove_suffix(1);
  }
  std::uintmax_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0 || value > (std::uintmax_t{1} << (62 - shift)))
    return std::nullopt;
  return value << shift;
}

struct FuzzFlags {
  SubjectFlags subject;
  std::vector<std::string> passes{"all"};
  std::string time;
  std::int64_t cases = 0;
  std::int64_t checks_bound = 0;
  bool guided = false;
  bool unguided = false;
  std::string corpus;
  std::string disk = "2G";
  bool count_rewrites = false;
  std::uint64_t seed = 1;
  int jobs = 1;
  int pipelines = 0;
  std::string findings = "findings";
  std::string known;
  std::vector<std::string> checks;
  std::string severity;
  std::vector<std::string> ignored;
  bool json = false;
};

int run_fuzz(const FuzzFlags& flags) {
  CampaignOptions options;
  options.passes = flags.passes;
  options.seed = flags.seed;
  options.jobs = flags.jobs;
  options.findings = flags.findings;
  const bool none_known = flags.known == "none";
  if (!none_known) options.known = flags.known.empty() ? default_known_folder() : std::filesystem::path(flags.known);
  options.ignored.insert(flags.ignored.begin(), flags.ignored.end());
  if (!flags.severity.empty()) options.severity = severity_from_name(flags.severity);
  if (!none_known && !flags.known.empty() && !std::filesystem::is_directory(flags.known)) {
    return fail({"usage.known", flags.known + ": no such folder"});
  }
  if (flags.cases > 0) options.cases = flags.cases;
  if (flags.checks_bound > 0) options.checks = flags.checks_bound;
  if (!flags.time.empty() || (flags.cases == 0 && flags.checks_bound == 0)) {
    options.seconds = seconds_of(flags.time.empty() ? "60s" : flags.time);
    if (!options.seconds) return fail({"usage.time", flags.time + ": not a time; say 90, 90s, 10m or 2h"});
  }
  options.guided = flags.guided || (options.seconds && !flags.unguided);
  options.corpus = flags.corpus;
  const std::optional<std::uintmax_t> disk = bytes_of(flags.disk);
  if (!disk) return fail({"usage.disk", flags.disk + ": not a size; say 500M or 2G"});
  options.disk = *disk;
  options.count_rewrites = flags.count_rewrites;
  options.draw.longest_pipeline = flags.pipelines;
  options.refused_ops = refused_ops;
  for (const std::string& rate : flags.checks) {
    if (const auto error = set_rate(options.check.sampling, rate, flags.subject.subject == "tvm")) return fail(*error);
  }

  stop_on_signals();
  ProgressPrinter printer(options.seconds.value_or(0));
  SubjectFlags subject = flags.subject;
  subject.machine_seconds = 10;  // generated modules take less than one, real ones may take a minute
  subject.stop = &stop_requested();
  const auto make = [subject] { return make_subject(subject); };
  Result<CampaignResult> result = run_campaign(make, options, std::ref(printer), stop_requested());
  printer.end();
  if (!result) return fail(result.error());
  std::fputs(table(*result).c_str(), flags.json ? stderr : stdout);
  if (flags.json) std::printf("%s\n", json_line(*result).c_str());
  if (result->subject_gone)
    return fail({"subject.gone", "the compiler's process cannot be started any more; `passdiff doctor` says what is wrong"});
  for (const DistinctBug& s : result->signatures) {
    if (!s.known) return kExitFindings;
  }
  return kExitClean;
}

}  // namespace

void add_fuzz(CLI::App& app, Run& run) {
  auto flags = std::make_shared<FuzzFlags>();
  CLI::App* command =
      app.add_subcommand("fuzz", "Generate modules, run passes over them, report what breaks");
  command->footer(
      "SIGINT or SIGTERM ends the campaign within a few seconds, with its report: reductions that are under way are left to the next campaign with\n"
      "this folder. A second one ends it at once.");
  add_subject_flags(*command, flags->subject);
  command->add_option("--passes", flags->passes, "Passes to test, separated by commas, or all")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--pipelines", flags->pipelines,
                   "Random pipelines of two to so many passes, in place of each pass alone")
      ->check(CLI::Range(2, 64));
  auto* time = command->add_option("--time", flags->time, "How long: 90, 90s, 10m, 2h (default 60s)");
  command
      ->add_option("--cases", flags->cases,
                   "How many cases, in place of a time; then results do not depend on --jobs")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->excludes(time);
  command
      ->add_option("--max-checks", flags->checks_bound, "End after about so many checks, if nothing else ends the campaign before")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  auto* guided = command->add_flag("--guided", flags->guided,
                                   "Let what cases show choose the next ones: the default, unless --cases says how many");
  command->add_flag("--unguided", flags->unguided, "Case i is a function of the seed and i: the default with --cases")->excludes(guided);
  command->add_option("--corpus", flags->corpus, "Folder for the inputs of a guided campaign (default: corpus, in the folder for findings)");
  command->add_option("--disk", flags->disk, "The most that there may be on disk besides the findings: 500M, 2G")->capture_default_str();
  command->add_flag("--count-rewrites", flags->count_rewrites, "Count the rewrites that passes made, in the JSON object");
  add_seed(*command, flags->seed, "Where the cases come from");
  add_jobs(*command, flags->jobs, "Threads, each with a compiler process of its own (default: one for each core)");
  command->add_option("--findings", flags->findings, "Folder for findings")->capture_default_str();
  command->add_option("--known", flags->known, "Tree of cases that are known bugs, or none (default: corpus/known)");
  command->add_option("--severity", flags->severity, "Report findings of this severity alone")
      ->check(CLI::IsMember(severity_names()));
  command->add_option("--ignore", flags->ignored, "Names of causes not to report, separated by commas")->delimiter(',');
  command
      ->add_option("--check", flags->checks,
                   "How often to make a costly check: NAME=1/N on one case in N, NAME=1 on each, NAME=0 never "
                   "(default: " +
                       to_string(Sampling::of_campaigns()) + ")")
      ->delimiter(',');
  command->add_flag("--json", flags->json, "The last line of standard output is a JSON object");
  command->callback([flags, &run] { run = [flags] { return run_fuzz(*flags); }; });
}

}  // namespace passdiff
