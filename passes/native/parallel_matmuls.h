// Matmuls with the same left operand in a segment of bindings, and the one matmul that replaces them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/ir/module.h"
#include "core/ops/op.h"
#include "core/result.h"

namespace passdiff {

// The faults of combining that can be switched on.
struct CombineFaults {
  bool dependent_merged = false;
  bool split_sizes_reversed = false;
  bool split_axis_of_operands = false;
  bool parts_in_source_order = false;
  bool bias_on_first_axis = false;
  bool broadcast_bias = false;
  bool first_activation_for_all = false;
  bool mixed_out_dtypes = false;
  bool used_product_removed = false;
  bool rank_one_operand = false;
  bool order_reversed = false;
  bool lone_matmul = false;

  bool operator==(const CombineFaults&) const = default;
  bool any() const { return *this != CombineFaults{}; }
};

// One matmul of a group, and the bias and activation that follow it and all others of the group, as indices into the segment.
struct ParallelBranch {
  std::size_t matmul = 0;
  std::optional<std::size_t> bias_add, activation;
  ExprPtr rhs;
  ExprPtr bias;
  Dim width = 0;

  std::size_t last() const { return activation ? *activation : bias_add ? *bias_add : matmul; }
};
using ParallelBranches = std::vector<ParallelBranch>;

class ParallelMatmuls {
 public:
  // `used_outside` says whether a variable that the segment binds is used outside of it.
  ParallelMatmuls(const std::vector<Binding>& segment, bool dataflow,
                  const std::function<bool(const Var&)>& used_outside, const CombineFaults& faults);

  // Groups of two or more matmuls that do not depend on one another, in the order of their first; each matmul is in one group at
  // most.
  std::vector<ParallelBranches> groups() const;
  // The segment with the group combined. Fails if something does not type.
  Result<std::vector<Binding>> combine(const ParallelBranches& group) const;

 private:
  class Combination;

  const Call* op_call(std::size_t i, std::string_view op) const;
  bool is_candidate(std::size_t i) const;
  bool fits(const ParallelBranch& first, const ParallelBranch& other) const;
  bool depends(std::size_t i, const ParallelBranch& on) const;
  bool operand_depends(const ExprPtr& operand, const ParallelBranch& on) const;
  std::optional<std::size_t> sole_user(std::size_t i) const;
  void add_biases(ParallelBranches& group) const;
  bool are_biases(const ParallelBranches& group) const;
  void add_activations(ParallelBranches& group) const;
  Result<ExprPtr> emit_joined(const ParallelBranches& group, const ExprPtr& activated_by,
                              Combination& made) const;

  const std::vector<Binding>& segment_;
  bool dataflow_;
  const CombineFaults& faults_;
  std::vector<std::vector<bool>> needs_;
  std::vector<std::vector<std::size_t>> users_;
  std::vector<bool> used_outside_;
};

}  // namespace passdiff
