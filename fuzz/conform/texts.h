// What reports of conformance make of texts.
#pragma once

#include <string>
#include <string_view>

namespace passdiff {

// The text up to where its first line ends, and no more than 240 characters of it.
std::string start_of(std::string_view text);
// A name for a folder: letters, digits, and hyphens for all that is between them.
std::string slug_of(std::string_view text);

}  // namespace passdiff
