// A target for one native pass, whose name the build defines.
#include "fuzz/targets/fuzz_target.h"
#include "fuzz/targets/native_target.h"

namespace passdiff {

TargetInfo target_info() {
  return {.rule = *rule_of_target("fuzz_" PASSDIFF_TARGET_PASS)};
}
Result<std::unique_ptr<Subject>> make_target_subject(const TargetFlags& flags) {
  return make_faulty_subject(flags);
}

}  // namespace passdiff
