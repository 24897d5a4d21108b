// In which passes workers died lately.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace passdiff {

struct Deaths {
  std::int64_t batches = 0;                                      // of pipelines that were sent
  std::map<std::string, std::int64_t, std::less<>> latest = {};  // by pass: the number of the batch in which a worker died in it last
};

}  // namespace passdiff
