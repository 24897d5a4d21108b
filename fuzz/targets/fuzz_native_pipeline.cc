// Random pipelines of two to eight native passes, those that change the calls among them.
#include "fuzz/targets/fuzz_target.h"
#include "fuzz/targets/native_target.h"

namespace passdiff {

TargetInfo target_info() {
  return {.passes = {}, .longest_pipeline = 8};
}
Result<std::unique_ptr<Subject>> make_target_subject(const TargetFlags& flags) {
  return make_faulty_subject(flags);
}

}  // namespace passdiff
