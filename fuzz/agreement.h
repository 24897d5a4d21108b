// Agreement: whether a native pass and TVM's pass of the same name make the same of a module.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "passes/pass.h"

namespace passdiff {

// How many cases of one pass ended in which way. Every case is counted once; in the first three both targets refine
// their source.
struct Agreement {
  std::string pass;
  std::int64_t cases = 0;
  std::int64_t same = 0;       // the targets are structurally equal
  std::int64_t tidied = 0;     // the targets are equal after TVM's passes that tidy up have run on both
  std::int64_t different = 0;  // the native pass's file says in what they may differ
  std::int64_t tvm_reported = 0;
  std::int64_t native_reported = 0;
  std::int64_t refused = 0;   // one side at least refuses the module
  std::int64_t unjudged = 0;  // the source is undefined, traps or crosses a limit, or TVM's target has parts that our IR lacks
};

// A source with two targets that differ although both refine it.
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

// Runs each pass on generated cases in both subjects. The native pass draws the options, since it may have fewer than TVM's;
// each side first runs the passes that its own contract names in `needs`. Fails with agreement.pass for a pass that one
// side lacks.
Result<std::vector<Agreement>> measure_agreement(Subject& native, Subject& tvm,
                                                 const AgreementOptions& options,
                                                 const std::function<void(const Difference&)>& tell,
                                                 const std::atomic<bool>& stop);

}  // namespace passdiff
