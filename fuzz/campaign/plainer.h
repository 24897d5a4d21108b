// Plainer forms of a test case: the same program without something that makes a pass fail on it whatever else there is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/documents/case.h"

namespace passdiff {

enum class Plainer : std::uint8_t {
  as_drawn,
  inlined,            // private functions are inlined, and dead code is gone
  without_constants,  // the entry's constants are parameters
  without_dataflow,   // no dataflow blocks in functions
  all,                // all of these
};
inline constexpr std::array kPlainer = {Plainer::as_drawn, Plainer::inlined, Plainer::without_constants,
                                        Plainer::without_dataflow, Plainer::all};
std::string_view plainer_name(Plainer form);  // "functions inlined"

// The case in that form, made by passes of our own that are trusted. Nothing if it has nothing to take away, or cannot be changed so.
std::optional<TestCase> make_plainer(const TestCase& test, Plainer form);

}  // namespace passdiff
