// Pieces of Python source, as repro.py is made of.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace passdiff {

inline constexpr std::size_t kPythonColumns = 100;  // where lines are broken, if they can be

using PythonLines = std::vector<std::string>;  // statements, each of one line or of several

bool fits_in_line(std::string_view text);
std::string python_string(std::string_view text);                 // "a\"b"
std::string python_literal(const nlohmann::json& value);          // True, None, {"a": [1, 2]}
std::string python_tuple(const std::vector<std::string>& items);  // (a,)
// OPEN a, b CLOSE. Where that is too long for a line, one item stands on each.
std::string python_list(std::string_view open, const std::vector<std::string>& items, std::string_view close);
// The same, with as many items on a line as it holds, if each is of one line.
std::string filled_list(std::string_view open, const std::vector<std::string>& items, std::string_view close);
// Does the name stand in the source as a name of its own? "np" does in `np.zeros(2)`, and neither in `x.np` nor in
// "np".
bool uses_name(std::string_view source, std::string_view name);
// The text on lines of kPythonColumns at most; its own line breaks become spaces.
std::string wrapped(std::string_view text);

}  // namespace passdiff
