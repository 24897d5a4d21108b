// Two texts side by side, line by line.
#pragma once

#include <string>
#include <string_view>

namespace passdiff {

// Every line of both: kept lines behind two spaces, lines of `before` alone behind "- ", of `after` alone
// behind "+ ", in red and green if `colour`.
std::string text_diff(std::string_view before, std::string_view after, bool colour);

}  // namespace passdiff
