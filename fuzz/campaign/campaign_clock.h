// The time of a campaign, and what its bound, if it has one, allows.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>

#include "oracle/reduction/reduce.h"
#include "passes/pass.h"

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

  // A case on which a pass hangs is reduced by waiting for it, a minute and more. What that took, in seconds.
  void waited(double seconds) { waited_ += seconds; }
  // How many more of them may be reduced by now, so that a campaign with a bound spends no more than a tenth of its jobs' time on waiting. The first
  // may be after a minute: at the end of a short campaign all jobs would wait for the one that reduces it.
  std::size_t waits_left(int jobs) const {
    if (!bound_) return std::numeric_limits<std::size_t>::max();
    const double left = (kShareOfWaiting * jobs * elapsed() - waited_) / kHangClaimSeconds;
    const bool is_first = waited_ == 0 && elapsed() >= kHangClaimSeconds;
    return static_cast<std::size_t>(std::max(is_first ? 1.0 : 0.0, left));
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Until when reductions go on, as a multiple of the campaign's time.
  static constexpr double kLateShare = 1.5;
  // How long one reduction may try candidates, in seconds. Few need a tenth of it; where the compiler takes long over each candidate, jobs wait for
  // one that needs minutes.
  static constexpr double kLongestReduction = 30;

  static constexpr double kShareOfWaiting = 0.1;

  std::optional<double> bound_;
  std::optional<Clock::time_point> start_;
  double earlier_ = 0;
  double waited_ = 0;
};

}  // namespace passdiff
