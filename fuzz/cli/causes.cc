// passdiff causes: findings of any number of folders, grouped by cause.
#include <cstdio>
#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "fuzz/cause_list.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/status_line.h"
#include "fuzz/index.h"
#include "fuzz/ranking.h"
#include "oracle/part_findings.h"

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
struct Group {
  Finding first;  // its cause joined with those of the others
  std::vector<Member> members;
  Cause alone;  // the cause as the first member alone shows it
};

// Puts the finding into the group of its cause, or into one of its own.
void place(Subject& subject, const std::filesystem::path& folder, Finding finding, std::vector<Group>& groups) {
  for (Group& group : groups) {
    Likeness likeness = compare_causes(group.alone, finding.cause);
    if (!likeness.same) likeness = same_cause(&subject, group.first, finding);
    if (!likeness.same) continue;
    join(group.first.cause, finding.cause);
    group.members.push_back({folder, likeness.because});
    return;
  }
  for (const Finding& part : findings_in_parts(subject, finding)) {
    for (Group& group : groups) {
      if (!compare_causes(group.alone, part.cause).same && !compare_causes(group.first.cause, part.cause).same) continue;
      group.members.push_back({folder, "a part of it is " + std::string(symptom_name(part.cause.symptom)) + " by itself"});
      return;
    }
  }
  Cause alone = finding.cause;
  groups.push_back({std::move(finding), {{folder, {}}}, std::move(alone)});
}

std::vector<std::size_t> order_of(const Subject& subject, const std::vector<Group>& groups) {
  std::vector<Ranked> ranked;
  for (const Group& group : groups) ranked.push_back({&group.first.cause, in_default_pipeline(subject, group.first.cause)});
  return rank(ranked);
}

// How much two causes look alike: both of one kind, with one symptom, at one place.
int resemblance(const Cause& a, const Cause& b) {
  return int{a.kind == b.kind} + int{a.symptom == b.symptom} + int{a.site == b.site} + int{a.edit == b.edit};
}

// What tells the group apart from the one of the same pass that is most like it.
std::string why_apart(const std::vector<Group>& groups, std::size_t at) {
  const Cause& cause = groups[at].first.cause;
  const Cause* nearest = nullptr;
  for (const Group& group : groups) {
    const Cause& other = group.first.cause;
    if (&other == &cause || other.passes.front() != cause.passes.front()) continue;
    if (nearest == nullptr || resemblance(cause, other) > resemblance(cause, *nearest)) nearest = &other;
  }
  if (nearest == nullptr) return {};
  return fmt::format("     not {}: {}\n", name_of(*nearest), compare_causes(cause, *nearest).because);
}

void print_groups(const std::vector<Group>& groups, const std::vector<std::size_t>& order) {
  int rank = 0;
  for (const std::size_t i : order) {
    const Cause& cause = groups[i].first.cause;
    fmt::print("{:>4} {:<14} {:<18} {}: {}\n", ++rank, severity_name(cause.symptom), symptom_name(cause.symptom),
               fmt::join(cause.passes, ", "), describe(cause));
    for (const Member& member : groups[i].members)
      fmt::print("     {}{}{}\n", member.folder.string(), member.because.empty() ? "" : ": ", member.because);
    fmt::print("{}", why_apart(groups, i));
  }
}

nlohmann::json groups_json(const std::vector<Group>& groups, const std::vector<std::size_t>& order) {
  auto list = nlohmann::json::array();
  for (const std::size_t i : order) {
    auto members = nlohmann::json::array();
    for (const Member& member : groups[i].members) members.push_back(member.folder.string());
    list.push_back({{"rank", list.size() + 1},
                    {"cause", name_of(groups[i].first.cause)},
                    {"severity", severity_name(groups[i].first.cause.symptom)},
                    {"evidence", to_json(groups[i].first.cause)},
                    {"folders", std::move(members)}});
  }
  return list;
}

int run_causes(const CausesFlags& flags) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& path : flags.paths) {
    if (!std::filesystem::exists(path)) return fail({"usage.path", path + ": no such folder"});
    for (const auto& folder : find_cases(path)) {
      const std::string parent = folder.parent_path().filename().string();
      if (parent != kWaitingFolder && parent != kUnconfirmedFolder) folders.push_back(folder);
    }
  }
  if (folders.empty()) return fail({"usage.path", "no findings there (case folders, with case.json)"});
  Result<std::unique_ptr<Subject>> subject = make_subject(flags.subject);
  if (!subject) return fail(subject.error());
  std::vector<Group> groups;
  int gone = 0;
  StatusLine status;
  for (const auto& folder : folders) {
    status.show(folder.filename().string());
    if (auto finding = finding_in(**subject, folder)) {
      place(**subject, folder, *std::move(finding), groups);
    } else {
      ++gone;
    }
  }
  status.show({});
  const std::vector<std::size_t> order = order_of(**subject, groups);
  if (flags.json) {
    fmt::print("{}\n", groups_json(groups, order).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    print_groups(groups, order);
    fmt::print("{} findings, {} causes; {} are no findings here ({} {})\n", folders.size() - static_cast<std::size_t>(gone),
               groups.size(), gone, (*subject)->name(), (*subject)->version());
  }
  return groups.empty() ? kExitClean : kExitFindings;
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
