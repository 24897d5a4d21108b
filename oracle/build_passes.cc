#include "oracle/build_passes.h"

#include <algorithm>

namespace passdiff {
namespace {

bool runs(const Pipeline& pipeline, std::string_view pass) {
  return std::ranges::find(pipeline, pass, &PassCall::name) != pipeline.end();
}

// The pipeline, and after it the pass, with what that needs. What both need is run once.
Pipeline continued(const Pipeline& pipeline, const Pass& pass) {
  Pipeline longer = pipeline;
  for (const std::string_view needed : pass.contract.needs) {
    if (!runs(longer, needed)) longer.push_back({std::string(needed), "{}"});
  }
  longer.push_back({pass.name, "{}"});
  return longer;
}

}  // namespace

std::vector<Checked> check_build_passes(Subject& subject, const TestCase& test, const Pipeline& pipeline, double cpu_seconds) {
  std::vector<Pipeline> longer;
  for (const Pass& pass : subject.passes()) {
    if (pass.in_default_pipeline && pass.unsupported.empty() && !runs(pipeline, pass.name)) longer.push_back(continued(pipeline, pass));
  }
  return check(subject, test, longer, {.confirm = false, .cpu_seconds = cpu_seconds});
}

}  // namespace passdiff
