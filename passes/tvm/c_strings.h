// Arguments and environments of new processes, as posix_spawn takes them.
#pragma once

#include <string>
#include <vector>

namespace passdiff {

// Pointers to the strings, which must outlive them, and a null pointer at the end.
inline std::vector<char*> c_strings(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace passdiff
