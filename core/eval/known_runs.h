// What functions of TensorIR, and ops, did when they ran before. The modules that passes make of one source share most of their functions, and call
// them with the same arguments, so that runs of these modules take over from each other what they have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/eval/known_calls.h"
#include "core/eval/tir/program.h"
#include "core/ir/tir/prim_func.h"
#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {

// A run that returned, and in which nothing undefined happened.
struct KnownRun {
  // What an argument's memory holds afterwards, which the run has written.
  struct Written {
    std::size_t argument = 0;  // the number of the memory
    Tensor elements;
    std::vector<std::uint8_t> flags;  // for each element, whether it was written; empty: all were
  };
  std::vector<Written> written = {};
  ScalarValue number;         // that it returned
  std::int64_t steps = 0;     // that it took
  std::int64_t elements = 0;  // that it allocated
};

// Functions are told apart by their addresses, which stay theirs for as long as this lives; runs are shared by those that differ in attributes and in
// names alone, as many passes leave them. Not for several threads at once.
class KnownRuns {
 public:
  // The compiled function; null if it was not compiled yet.
  std::shared_ptr<const tir::Program> program_of(const tir::PrimFuncPtr& function) const;
  void keep(const tir::PrimFuncPtr& function, std::shared_ptr<const tir::Program> program);

  // The run of the function on what `arguments` describes: everything on which the run depends. Null if there was none.
  const KnownRun* find(const tir::PrimFuncPtr& function, const std::string& arguments);
  // Beyond a bound on memory nothing more is kept.
  void keep(const tir::PrimFuncPtr& function, std::string arguments, KnownRun run);
  // How often find() knew the run.
  std::int64_t found() const { return found_; }

  // The same of calls of ops.
  KnownCalls& calls() { return calls_; }

 private:
  using Runs = std::unordered_map<std::string, KnownRun>;  // by what describes the arguments
  struct Entry {
    tir::PrimFuncPtr function;
    std::shared_ptr<const tir::Program> program = nullptr;
    Runs* runs = nullptr;  // until they are asked for
  };
  Entry& entry_of(const tir::PrimFuncPtr& function);
  Runs& runs_of(const tir::PrimFuncPtr& function);

  std::unordered_map<const tir::PrimFunc*, Entry> entries_;
  std::map<std::vector<std::uint64_t>, Runs> runs_;  // by what encode_behaviour writes
  std::size_t bytes_ = 0;                            // about the size of all runs
  std::int64_t found_ = 0;
  KnownCalls calls_;
};

}  // namespace passdiff
