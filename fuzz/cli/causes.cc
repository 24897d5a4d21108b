// passdiff causes: findings of any number of folders, grouped by cause.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/cause_list.h"
#include "fuzz/campaign/index.h"
#include "fuzz/campaign/ranking.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/status_line.h"

namespace passdiff {
namespace {

struct CausesFlags {
  SubjectFlags subject;
  std::vector<std::string> paths;
  bool json = false;
};

struct Member {
  std::filesystem::path folder;
  std::string because;  // why it is held to have the cause of the group's first member
};
// The findings of each cause, by its place in the list. The first of them is the list's own.
struct Groups {
  CauseList causes;
  std::map<std::filesystem::path, std::vector<Member>> further = {};  // by the folder of the first

  void place(Subject& subject, const std::filesystem::path& folder, Finding finding) {
    Recognised found = causes.find(subject, finding);
    if (found.cause == nullptr) {
      causes.add(std::move(finding), folder);
    } else {
      further[found.cause->folder].push_back({folder, std::move(found.because)});
    }
  }
  std::vector<Member> members_of(const MetCause& cause) const {
    std::vector<Member> members = {{cause.folder, {}}};
    if (const auto found = further.find(cause.folder); found != further.end())
      members.insert(members.end(), found->second.begin(), found->second.end());
    return members;
  }
};

std::vector<std::size_t> order_of(const Subject& subject, const CauseList& list) {
  std::vector<Ranked> ranked;
  for (const MetCause& met : list.causes()) ranked.push_back({&met.finding.cause, in_default_pipeline(subject, met.finding.cause)});
  return rank(ranked);
}

// How much two causes look alike: both of one kind, with one symptom, at one place.
int resemblance(const Cause& a, const Cause& b) {
  return int{a.kind == b.kind} + int{a.symptom == b.symptom} + int{a.site == b.site} + int{a.edit == b.edit};
}

// What tells the cause apart from the one of the same pass that is most like it.
std::string why_apart(const CauseList& list, const Cause& cause) {
  const Cause* nearest = nullptr;
  for (const MetCause& met : list.causes()) {
    const Cause& other = met.finding.cause;
    if (&other == &cause || other.passes.front() != cause.passes.front()) continue;
    if (nearest == nullptr || resemblance(cause, other) > resemblance(cause, *nearest)) nearest = &other;
  }
  if (nearest == nullptr) return {};
  return fmt::format("     not {}: {}\n", name_of(*nearest), compare_causes(cause, *nearest).because);
}

void print_groups(const Groups& groups, const std::vector<std::size_t>& order) {
  int rank = 0;
  for (const std::size_t i : order) {
    const MetCause& met = groups.causes.causes()[i];
    const Cause& cause = met.finding.cause;
    fmt::print("{:>4} {:<14} {:<18} {}: {}\n", ++rank, severity_name(cause.symptom), symptom_name(cause.symptom),
               fmt::join(cause.passes, ", "), describe(cause));
    for (const Member& member : groups.members_of(met))
      fmt::print("     {}{}{}\n", member.folder.string(), member.because.empty() ? "" : ": ", member.because);
    fmt::print("{}", why_apart(groups.causes, cause));
  }
}

nlohmann::json groups_json(const Groups& groups, const std::vector<std::size_t>& order) {
  auto list = nlohmann::json::array();
  for (const std::size_t i : order) {
    const MetCause& met = groups.causes.causes()[i];
    const Cause& cause = met.finding.cause;
    auto members = nlohmann::json::array();
    for (const Member& member : groups.members_of(met)) members.push_back(member.folder.string());
    list.push_back({{"rank", list.size() + 1},
                    {"cause", name_of(cause)},
                    {"severity", severity_name(cause.symptom)},
                    {"evidence", to_json(cause)},
                    {"folders", std::move(members)}});
  }
  return list;
}

int run_causes(const CausesFlags& flags) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& path : flags.paths) {
    if (!std::filesystem::exists(path)) return fail({"usage.path", path + ": no such folder"});
    std::ranges::move(cases_to_judge(path), std::back_inserter(folders));
  }
  if (folders.empty()) return fail({"usage.path", fmt::format("{}: no findings there (case folders, with case.json)", fmt::join(flags.paths, ", "))});
  Result<std::unique_ptr<Subject>> subject = make_subject(flags.subject);
  if (!subject) return fail(subject.error());
  Groups groups;
  int gone = 0;
  std::vector<Error> unreadable;
  StatusLine status;
  for (const auto& folder : folders) {
    status.show(folder.filename().string());
    auto finding = finding_in(**subject, folder);
    if (!finding) {
      unreadable.push_back(finding.error());
    } else if (*finding) {
      groups.place(**subject, folder, **std::move(finding));
    } else {
      ++gone;
    }
  }
  status.show({});
  const std::vector<std::size_t> order = order_of(**subject, groups.causes);
  if (flags.json) {
    fmt::print("{}\n", groups_json(groups, order).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    print_groups(groups, order);
    fmt::print("{} findings, {} causes; {} are no findings here ({} {})\n", folders.size() - static_cast<std::size_t>(gone) - unreadable.size(),
               order.size(), gone, (*subject)->name(), (*subject)->version());
  }
  for (const Error& error : unreadable) fail(error);
  if (!unreadable.empty()) return kExitUsage;
  return order.empty() ? kExitClean : kExitFindings;
}

}  // namespace

void add_causes(CLI::App& app, Run& run) {
  auto flags = std::make_shared<CausesFlags>();
  CLI::App* command = app.add_subcommand(
      "causes", "Group findings by cause, ranked, and say why two are held to be one cause, or two");
  add_subject_flags(*command, flags->subject);
  command->add_flag("--json", flags->json, "The groups as a JSON list");
  command->add_option("paths", flags->paths, "Folders of findings, or trees of case folders")->required();
  command->callback([flags, &run] { run = [flags] { return run_causes(*flags); }; });
}

}  // namespace passdiff
