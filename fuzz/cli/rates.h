// How often checks are made, as people write it on the command line.
#pragma once

#include <optional>
#include <string_view>

#include "core/result.h"
#include "oracle/sampling.h"

namespace passdiff {

// Sets the rate that `text` asks for: `vm-agrees=1/64`, `sequential=1` for every case, `idempotent=0` for none. Fails with
// usage.check where no sampled check has that name or the rate is none, and where a subject that does not compile modules never has the check made.
std::optional<Error> set_rate(Sampling& sampling, std::string_view text, bool subject_compiles = true);

}  // namespace passdiff
