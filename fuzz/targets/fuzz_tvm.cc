// TVM's passes at graph level, in the host process: behaviour features stand in for instrumentation.
#include "fuzz/targets/fuzz_target.h"
#include "passes/tvm/client.h"

namespace passdiff {

TargetInfo target_info() {
  return {.passes = {}, .guided_by_behaviour = true, .confirm = true};
}

Result<std::unique_ptr<Subject>> make_target_subject(const TargetFlags& flags) {
  TvmOptions options;
  options.python = flags.python;
  return make_tvm_subject(options);
}

}  // namespace passdiff
