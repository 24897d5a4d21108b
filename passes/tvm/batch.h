// The pipelines of one transform call on their way through workers that may die.
#pragma once

#include <cstddef>
#include <deque>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <vector>

#include "passes/pass.h"
#include "passes/tvm/connection.h"

namespace passdiff {

// What the end of a worker says of the module it was building: it ran no pass yet.
CannotBuild cannot_build(const Answer& answer);

// All pipelines go in one request. One that a worker dies at is then sent alone, and judged by that: what
// went before it in the same worker has no part in its verdict. After a deadline all go alone, each with a
// deadline of its own.
class Batch {
 public:
  // Pipelines whose options are no JSON are refused here.
  explicit Batch(std::span<const Pipeline> pipelines);

  bool done() const { return together_.empty() && alone_.empty(); }
  // The pipelines of the next request.
  nlohmann::json next();
  // A reply, or a death, for what next() gave last.
  void settle(const Answer& answer, double cpu_seconds);
  // The same reply for all that are left.
  void give_up(const CannotBuild& reason);
  std::vector<TransformReply> take_replies() { return std::move(replies_); }

 private:
  void read_results(const Answer& answer);
  void settle_death(const Answer& answer, double cpu_seconds);
  void answer_sent(const CannotBuild& reason);
  void forget_sent();

  std::span<const Pipeline> pipelines_;
  std::vector<nlohmann::json> documents_;
  std::vector<TransformReply> replies_;
  std::vector<std::size_t> together_;
  std::deque<std::size_t> alone_;
  std::vector<std::size_t> sent_;
  std::set<std::size_t> retried_;
  bool build_retried_ = false;
};

}  // namespace passdiff
