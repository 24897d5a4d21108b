// A target for random pipelines of two to eight native passes, including those that change how functions are called.
#include "fuzz/targets/fuzz_target.h"
#include "fuzz/targets/native_target.h"

namespace passdiff {

TargetInfo target_info() {
  return {.rule = *rule_of_target("fuzz_native_pipeline")};
}
Result<std::unique_ptr<Subject>> make_target_subject(const TargetFlags& flags) {
  return make_faulty_subject(flags);
}

}  // namespace passdiff
