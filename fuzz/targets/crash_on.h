// A crash on demand, which every target can be asked for: to try out what an engine does with one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace passdiff {

// The text whose inputs crash; empty: none do.
inline std::string& crash_text() {
  static std::string text;
  return text;
}

// Takes --crash-on=TEXT. False for any other argument.
inline bool take_crash_flag(std::string_view argument) {
  constexpr std::string_view kFlag = "--crash-on=";
  if (!argument.starts_with(kFlag)) return false;
  crash_text() = argument.substr(kFlag.size());
  return true;
}

inline void crash_if_asked(std::span<const std::uint8_t> input) {
  const std::string& text = crash_text();
  if (text.empty()) return;
  if (std::search(input.begin(), input.end(), text.begin(), text.end()) != input.end()) std::abort();
}

}  // namespace passdiff
