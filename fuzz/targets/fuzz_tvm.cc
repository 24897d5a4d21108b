// A target for TVM's passes, graph and TensorIR, which run in the host process. TVM is not instrumented: behaviour features guide the
// search.
#include "fuzz/targets/fuzz_target.h"
#include "passes/tvm/client.h"

namespace passdiff {

// libFuzzer finds extra counters by the name of their section; it clears them before every execution.
#ifdef __linux__
__attribute__((section("__libfuzzer_extra_counters")))
#endif
static std::uint8_t behaviour_counters[1 << 15];

TargetInfo target_info() {
  return {.rule = *rule_of_target("fuzz_tvm"), .behaviour_counters = behaviour_counters, .confirm = true};
}

Result<std::unique_ptr<Subject>> make_target_subject(const TargetFlags& flags) {
  TvmOptions options;
  options.python = flags.python;
  return make_tvm_subject(options);
}

}  // namespace passdiff
