// How many workers died in each pass, by its name.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace passdiff {

using Deaths = std::map<std::string, int, std::less<>>;

}  // namespace passdiff
