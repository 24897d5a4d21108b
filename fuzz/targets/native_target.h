// The subject of the targets that fuzz native passes.
#pragma once

#include "fuzz/targets/fuzz_target.h"

namespace passdiff {

// The native passes, with the flags' fault switched on. Fails with usage.fault for a fault that no native pass has.
inline Result<std::unique_ptr<Subject>> make_faulty_subject(const TargetFlags& flags) {
  if (!flags.fault.empty() && find_fault(flags.fault) == nullptr) {
    return Error{"usage.fault", flags.fault + ": no such fault; see `passdiff list faults`"};
  }
  return make_native_subject(flags.fault);
}

}  // namespace passdiff
