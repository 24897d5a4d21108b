// The causes that a campaign has met: known ones, those that earlier runs told, and its own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz/campaign/jobs.h"
#include "oracle/findings/finding.h"
#include "passes/pass.h"

namespace passdiff {

struct MetCause {
  Finding finding;               // the first that showed it
  std::filesystem::path folder;  // where that is
  bool known = false;            // from a tree of known bugs
  // The cause as this finding alone shows it. That of `finding` is joined with what else was met, and loses features by that.
  Cause alone;
  // What plainer forms of the case show (oracle/findings/part_findings.h); nothing: they were not asked for yet.
  std::optional<std::vector<Cause>> parts = std::nullopt;
};

// A cause of the list as it has become: what a campaign that goes on must know, since later findings are held against that.
struct GrownCause {
  std::string folder;
  Cause alone;   // MetCause::alone
  Cause joined;  // the cause of MetCause::finding
  bool operator==(const GrownCause&) const = default;
};

struct Recognised {
  const MetCause* cause = nullptr;  // null: the finding has a new one
  std::string because = {};         // why it is held to have this one
};

class CauseList {
 public:
  // Replays case folders, each on one of the jobs, and adds what is a finding on this subject, in this version, in the order of the folders.
  // Cases that cannot be read or replayed are left out. Cases in looks/NAME/ count as the case NAME: they have its cause, and show it
  // otherwise. `tell` is called before each, by one thread at a time.
  void replay(Jobs& jobs, std::span<const std::filesystem::path> folders, bool known, const std::function<void()>& tell);

  // The first cause of the list that says the same; else the first whose case fails alike under the passes of the finding. The finding
  // is joined to either of these. Else one that a plainer form of the finding's case shows (oracle/findings/part_findings.h); else one of which a plainer
  // form shows the finding, or what a plainer form of the finding's case shows. To the latter two it is not joined.
  Recognised find(Subject& subject, const Finding& finding);
  // Whether a finding of the list shows exactly this cause.
  bool has(const Cause& cause) const;
  // The cause of the list that a case has by its verdict alone: of an error whose place names it, or of a pass that hangs on such a module.
  // There is no need to reduce it. Null: reduction must tell.
  const MetCause* fails_alike(const Verdict& verdict, const Module& module) const;
  // Adds a cause that find() does not know. The reference holds until the next one is added.
  const MetCause& add(Finding finding, const std::filesystem::path& folder, bool known = false);

  const std::vector<MetCause>& causes() const { return causes_; }
  // In the order of the list: the causes that are not of a tree of known bugs, and those of it that a finding has joined.
  std::vector<GrownCause> grown() const;
  // Makes the causes that are on the list now what grown() said of them earlier.
  void restore(const std::vector<GrownCause>& grown);

 private:
  struct Alike {
    MetCause* cause = nullptr;
    std::string because = {};
  };
  Alike alike(const Cause& cause);  // the first with what this one says
  // The first error or fault of form (CauseKind::form) of which a plainer form shows one of these causes. It must have a pass in common with the
  // last of them, unless it is a target that does not compile. Of faults of form only those targets and wrong types have plainer forms.
  const MetCause* with_part(Subject& subject, const std::vector<Cause>& causes);

  std::vector<MetCause> causes_;
};

// What the case folder shows today: the case itself, its verdict and cause. Nothing if it is no finding, or has a pass that the subject lacks.
// Where the folder gives no arguments they are drawn, as `passdiff replay` draws them, and the first of its
// functions counts that shows a finding. The subject's machine runs only where nothing else shows one. Fails as read_case does.
Result<std::optional<Finding>> finding_in(Subject& subject, const std::filesystem::path& folder);

}  // namespace passdiff
