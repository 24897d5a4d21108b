// What is the same in each page: how it looks, and what its controls do. Neither loads anything.
#pragma once

#include <string_view>

namespace passdiff {

std::string_view page_style();   // CSS
std::string_view page_script();  // JavaScript

}  // namespace passdiff
