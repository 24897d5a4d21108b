// What tests of the reports ask of a text.
#pragma once

#include <string>
#include <string_view>

namespace passdiff {

inline bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace passdiff
