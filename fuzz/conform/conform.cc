#include "fuzz/conform/conform.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "core/ops/op.h"
#include "fuzz/campaign/jobs.h"
#include "fuzz/conform/op_run.h"

namespace passdiff {
namespace {

Result<std::vector<const OpDef*>> chosen_ops(const ConformOptions& options) {
  std::vector<const OpDef*> ops;
  for (const std::string& name : options.ops) {
    const OpDef* op = find_op(name.starts_with("relax.") ? name : "relax." + name);
    if (op == nullptr) return Error{"conform.op", name + ": no such op; see `passdiff list ops`"};
    if (op->pass_made) return Error{"conform.op", name + ": only passes make calls of this op"};
    if (std::ranges::find(ops, op) == ops.end()) ops.push_back(op);
  }
  if (!options.ops.empty()) return ops;
  for (const OpDef& op : all_ops()) {
    if (!op.pass_made) ops.push_back(&op);
  }
  return ops;
}

}  // namespace

bool OpConformance::conforms() const {
  return agreed + explained > 0 && std::all_of(disagreements.begin(), disagreements.end(),
                                               [](const Disagreement& d) { return !d.why.empty(); });
}

bool ConformResult::conforms() const {
  return std::all_of(ops.begin(), ops.end(), [](const OpConformance& op) { return op.conforms(); });
}

Result<ConformResult> run_conform(const MakeConformSubject& make_subject, const ConformOptions& options,
                                  const std::function<void(const OpConformance&)>& progress,
                                  const std::atomic<bool>& stop) {
  const std::vector<const OpDef*> ops = TRY(chosen_ops(options));
  const auto start = std::chrono::steady_clock::now();
  Jobs jobs(options.jobs, make_subject);
  if (const auto error = jobs.error()) return *error;
  if (!jobs.subject(0).call_functions(Module(), {}) || !jobs.subject(0).infer_types({}))
    return Error{"conform.subject", std::string(jobs.subject(0).name()) + ": this subject compiles nothing"};
  ConformResult result;
  result.ops.resize(ops.size());
  std::mutex telling;
  jobs.for_each(static_cast<std::int64_t>(ops.size()), [&](int job, std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    result.ops[at].op = ops[at]->name;
    if (stop) return;
    result.ops[at] = conform_op(jobs.subject(job), *ops[at], options, stop);
    const std::scoped_lock lock(telling);
    progress(result.ops[at]);
  });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace passdiff
