// The pipelines of one transform call on their way through workers that may die.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "passes/pass.h"
#include "passes/tvm/connection.h"
#include "passes/tvm/deaths.h"

namespace passdiff {

// The reply if the worker died while it was building the module, before any pass.
CannotBuild cannot_build(const Answer& answer);

// All pipelines go in one request, but for those with passes in which workers died lately: these follow in a request of their own, the latest ones
// last, so that little has to be done again if they kill one more. A pipeline at which the worker dies, or is killed at a deadline, is sent again,
// alone, and judged by that, so that the pipelines before it in the same worker have no part in its verdict. What has the same passes up to the
// one that was fatal gets the same reply without a try; the rest of its request goes in one request again.
class Batch {
 public:
  // Pipelines whose options are no JSON are refused here. Deaths are noted in `deaths`, which must outlive the batch.
  Batch(std::span<const Pipeline> pipelines, Deaths& deaths);

  bool done() const { return requests_.empty() && alone_.empty(); }
  // The pipelines of the next request.
  nlohmann::json next();
  // Takes the answer to the request that next() gave last: replies, or the death of the worker.
  void settle(const Answer& answer, double cpu_seconds);
  // Gives all pipelines that are left the same reply.
  void give_up(const CannotBuild& reason);
  std::vector<TransformReply> take_replies() { return std::move(replies_); }

 private:
  void read_results(const Answer& answer);
  void settle_death(const Answer& answer, double cpu_seconds);
  void settle_alike(std::size_t culprit);
  void answer_sent(const CannotBuild& reason);
  void forget_sent();
  void remove_from_requests(const std::function<bool(std::size_t)>& is_settled);

  std::span<const Pipeline> pipelines_;
  std::vector<nlohmann::json> documents_;
  std::vector<TransformReply> replies_;
  Deaths& deaths_;
  std::deque<std::vector<std::size_t>> requests_;  // none of them empty
  std::deque<std::size_t> alone_;                  // sent before these
  std::vector<std::size_t> sent_;
  bool sent_alone_ = false;
  std::map<std::size_t, int> kills_;  // by others, of the worker that ran the pipeline alone
  int build_kills_ = 0;
  bool build_retried_ = false;
};

}  // namespace passdiff
