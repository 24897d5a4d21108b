// The time of a campaign, and what its bound, if it has one, allows.
#pragma once

#include <chrono>
#include <optional>

#include "oracle/reduction/reduce.h"

namespace passdiff {

class CampaignClock {
 public:
  // A bound on time, in seconds, is one for new cases: reductions may end later.
  explicit CampaignClock(std::optional<double> bound) : bound_(bound) {}

  // Goes on with a campaign that has lasted for so many seconds.
  void go_on_from(double seconds) { earlier_ = seconds; }
  // The time begins when what is known has been replayed.
  void start() { start_ = Clock::now(); }
  bool has_started() const { return start_.has_value(); }

  // In seconds.
  double elapsed() const { return earlier_ + (start_ ? std::chrono::duration<double>(Clock::now() - *start_).count() : 0); }
  bool is_over() const { return bound_ && elapsed() >= *bound_; }
  // Whether no further reduction may begin.
  bool is_late() const { return bound_ && elapsed() >= kLateShare * *bound_; }
  // How a reduction tries candidates that begins now. The clock must outlive it.
  ReduceOptions reduction_from_now(ReduceOptions how) const {
    if (!bound_) return how;
    how.out_of_time = [this, end = elapsed() + kLongestReduction] { return is_late() || elapsed() >= end; };
    return how;
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Until when reductions go on, as a multiple of the campaign's time.
  static constexpr double kLateShare = 1.5;
  // How long one reduction may try candidates, in seconds. Few need a tenth of it; where the compiler takes long over each candidate, jobs wait for
  // one that needs minutes.
  static constexpr double kLongestReduction = 30;

  std::optional<double> bound_;
  std::optional<Clock::time_point> start_;
  double earlier_ = 0;
};

}  // namespace passdiff
