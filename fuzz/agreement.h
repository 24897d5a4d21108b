// Agreement: the same module through a native pass and through TVM's pass of that name.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "oracle/check.h"
#include "passes/pass.h"

namespace passdiff {

// What became of the cases of one pass. Every case is counted once; the first three have targets that both refine
// their source.
struct Agreement {
  std::string pass;
  std::int64_t cases = 0;
  std::int64_t same = 0;       // the targets are structurally equal
  std::int64_t tidied = 0;     // they are, once TVM's tidying passes have been over both
  std::int64_t different = 0;  // the pass's file says why
  std::int64_t tvm_reported = 0;
  std::int64_t native_reported = 0;
  std::int64_t refused = 0;   // by one side at least
  std::int64_t unjudged = 0;  // undefined, trapped, beyond a limit, or with parts that our IR lacks
};

// Two targets that differ though both refine `source`.
struct Difference {
  const std::string& pass;
  const TestCase& source;
  const Module& native;
  const Module& tvm;
};

struct AgreementOptions {
  std::vector<std::string> passes;  // empty: all that both subjects have
  std::int64_t cases = 1000;        // generated; each goes through every pass that it is meant for
  std::uint64_t seed = 1;
};

// Options are drawn by the native pass, which knows those that it has; each side runs what its own contract says the
// pass needs before it. Fails with agreement.pass for a pass that one side lacks.
Result<std::vector<Agreement>> measure_agreement(Subject& native, Subject& tvm,
                                                 const AgreementOptions& options,
                                                 const std::function<void(const Difference&)>& tell,
                                                 const std::atomic<bool>& stop);

}  // namespace passdiff
