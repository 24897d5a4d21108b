// The arguments of a call of a function of TensorIR, as its machine takes them.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/eval/heap.h"
#include "core/eval/known_runs.h"
#include "core/eval/tir/machine.h"
#include "core/tensor/value.h"

namespace passdiff {

// Tensors that are given twice share one memory.
class PrimFuncArguments {
 public:
  explicit PrimFuncArguments(Heap& heap) : heap_(heap) {}

  // False for values that functions of TensorIR do not take.
  bool add(const Value& value, bool writable);
  std::span<const tir::Argument> all() const { return arguments_; }
  // The same for arguments on which runs of one function do the same: the bytes of all that a run depends on, or a hash of them where they are
  // many. Nothing if they are too many to keep what a run leaves behind.
  std::optional<std::string> describe() const;

  // What a run has left in the arguments. Nothing if they were looked at as other dtypes, of which a run may leave more behind.
  std::optional<KnownRun> left_behind() const;
  // Leaves in the arguments what a known run with equal ones has left.
  void take_over(const KnownRun& run);

  // Hands what was written back to the heap. The name of a tensor that was given twice and written, if there is one.
  std::optional<std::string> finish();

 private:
  struct Held {
    const Tensor* tensor;
    Tensor* elements;
    tir::Memory memory;
    bool shared = false;
  };
  Held& memory_of(const TensorPtr& tensor, bool writable);

  Heap& heap_;
  std::deque<Held> held_;
  std::vector<tir::Argument> arguments_;
};

}  // namespace passdiff
