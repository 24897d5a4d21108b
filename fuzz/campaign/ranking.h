// The order in which findings are told.
#pragma once

#include <cstddef>
#include <vector>

#include "oracle/findings/cause.h"

namespace passdiff {

// What the rank of a report depends on.
struct Ranked {
  const Cause* cause = nullptr;
  bool in_default_pipeline = false;  // of any of its passes (Pass::in_default_pipeline)
};

// The indices of the reports, the one to read first in front: by severity, then what every user of the compiler meets before what
// only those meet who run the pass themselves. Among equals by furthest point first: each is the one that differs most from all before it,
// so that the first reports are different bugs even where two causes are one after all; what differs from one of them in nothing but the op of
// a family, as cumsum from cumprod, stands behind all others of its severity.
std::vector<std::size_t> rank(const std::vector<Ranked>& reports);

}  // namespace passdiff
