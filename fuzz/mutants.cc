#include "fuzz/mutants.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "fuzz/campaign/jobs.h"
#include "oracle/findings/finding.h"

namespace passdiff {
namespace {

Detection seek(const Fault& fault, const MutantOptions& options, const std::atomic<bool>& stop) {
  const auto subject = make_native_subject(fault.name);
  const Pass* pass = find_pass(*subject, fault.pass);
  CHECK(pass != nullptr) << fault.name << ": no native pass is named " << fault.pass;
  const CheckOptions checks{.confirm = false, .sampling = Sampling::of_campaigns()};
  Detection detection{.fault = &fault};
  for (std::int64_t i = 0; i < options.cases_per_fault && !stop; ++i) {
    const DrawnCase drawn = draw_case(options.seed, static_cast<std::uint64_t>(i), std::span(&pass, 1), {});
    for (const Pipeline& pipeline : drawn.pipelines) {
      const Checked checked = check(*subject, drawn.test, pipeline, checks);
      if (!is_finding(checked.verdict.symptom)) continue;
      detection.cases = i + 1;
      detection.symptom = checked.verdict.symptom;
      detection.check = checked.verdict.check;
      const auto finding = make_finding(*subject, drawn.test, pipeline, checked.verdict, checks, {}, {});
      detection.bindings = count_bindings((finding ? finding->test : drawn.test).module);
      return detection;
    }
  }
  return detection;
}

std::string line(const Detection& found, std::int64_t sought) {
  if (found.cases == 0) return fmt::format("missed  {:<52} not in {} cases", found.fault->name, sought);
  return fmt::format("found   {:<52} {:>6} cases  {:<16} {:<18} {:>2} bindings", found.fault->name,
                     found.cases, found.check, symptom_name(found.symptom), found.bindings);
}

// The folder for what sound passes report, removed at the end: the figures are all that is wanted of it.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() / fmt::format("passdiff-mutants-{}", getpid())) {}
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Result<CampaignResult> run_sound(const MutantOptions& options, std::span<const Fault* const> faults,
                                 const std::atomic<bool>& stop) {
  std::set<std::string> passes;
  for (const Fault* fault : faults) passes.emplace(fault->pass);
  CampaignOptions campaign;
  campaign.passes.assign(passes.begin(), passes.end());
  campaign.seed = options.seed;
  campaign.jobs = options.jobs;
  campaign.cases = options.cases_per_fault;
  const TemporaryFolder folder;
  campaign.findings = folder.path();
  const auto make = []() -> Result<std::unique_ptr<Subject>> { return make_native_subject(); };
  return run_campaign(make, campaign, [](const Progress&) {}, stop);
}

}  // namespace

int MutationScore::found() const {
  return static_cast<int>(std::count_if(detections.begin(), detections.end(),
                                        [](const Detection& detection) { return detection.cases > 0; }));
}

double MutationScore::median_bindings() const {
  std::vector<int> sizes;
  for (const Detection& detection : detections) {
    if (detection.cases > 0) sizes.push_back(detection.bindings);
  }
  if (sizes.empty()) return 0;
  std::sort(sizes.begin(), sizes.end());
  const std::size_t half = sizes.size() / 2;
  return sizes.size() % 2 == 1 ? sizes[half] : (sizes[half - 1] + sizes[half]) / 2.0;
}

Result<MutationScore> measure_mutants(const MutantOptions& options,
                                      const std::function<void(const std::string&)>& tell,
                                      const std::atomic<bool>& stop) {
  std::vector<const Fault*> faults = options.faults;
  if (faults.empty()) {
    for (const Fault& fault : all_faults()) faults.push_back(&fault);
  }
  MutationScore score;
  score.detections.resize(faults.size());
  std::mutex telling;
  Jobs jobs(options.jobs, []() -> Result<std::unique_ptr<Subject>> { return make_native_subject(); });
  jobs.for_each(static_cast<std::int64_t>(faults.size()), [&](int, std::int64_t i) {
    Detection& detection = score.detections[static_cast<std::size_t>(i)];
    detection = seek(*faults[static_cast<std::size_t>(i)], options, stop);
    if (stop) return;
    const std::lock_guard lock(telling);
    tell(line(detection, options.cases_per_fault));
  });
  score.sound = TRY(run_sound(options, faults, stop));
  return score;
}

}  // namespace passdiff
