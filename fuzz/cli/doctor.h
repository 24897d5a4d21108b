// What passdiff needs of this machine, checked piece by piece.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace passdiff {

enum class Health : std::uint8_t {
  ok,
  note,    // it works, but not as well as it could
  wrong,   // TVM's passes cannot be run
  unknown  // not tried: what it needs is wrong
};

struct Diagnosis {
  std::string what;  // "python"
  Health health = Health::ok;
  std::string text;  // what is there; or what is wrong and how to mend it, in one line
};

// Looks at the Python (empty: the default one) with its packages, at the adapter, the host, the known cases, and limits of memory.
std::vector<Diagnosis> diagnose(const std::string& python);

// "ok     python      ..."
std::string to_string(const Diagnosis& diagnosis);

}  // namespace passdiff
