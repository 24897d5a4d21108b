// The difference of two texts, line by line.
#pragma once

#include <string>
#include <string_view>

namespace passdiff {

// All lines of both texts: common ones behind two spaces, lines of `before` alone behind "- ", lines of `after` alone behind
// "+ "; the latter two in red and green if `colour`.
std::string text_diff(std::string_view before, std::string_view after, bool colour);

}  // namespace passdiff
