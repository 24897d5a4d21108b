// What a terminal shows of a campaign that runs: rates, findings by severity, and bars of what each pass was given and changed.
#pragma once

#include <string>
#include <vector>

#include "fuzz/campaign/campaign.h"

namespace passdiff {

// The size of a terminal, in characters.
struct TerminalSize {
  int columns = 80;
  int rows = 24;
};

// The lines of the view, none longer than the terminal is wide and fewer than it is high. `limit` is the bound on the campaign's time in
// seconds, 0 where there is none.
std::vector<std::string> live_view(const Progress& progress, double limit, const TerminalSize& size);

}  // namespace passdiff
