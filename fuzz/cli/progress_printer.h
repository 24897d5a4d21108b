// How a campaign's progress is printed while it runs.
#pragma once

#include <chrono>
#include <cstddef>

#include "fuzz/campaign/campaign.h"

namespace passdiff {

// On a terminal that can draw a view that is drawn again and again, with findings in lines above it; elsewhere a line every ten seconds, and one for each
// finding. Writes to standard error.
class ProgressPrinter {
 public:
  // `limit`: the bound on the campaign's time in seconds, 0 where there is none.
  explicit ProgressPrinter(double limit);

  void operator()(const Progress& progress);
  // Takes the view away.
  void end();

 private:
  void draw(const Progress& progress);

  double limit_;
  bool terminal_;
  std::chrono::steady_clock::time_point next_line_;
  std::size_t drawn_ = 0;  // lines of the view on the terminal
};

}  // namespace passdiff
