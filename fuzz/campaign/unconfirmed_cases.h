// What a campaign's quick checks reported and a closer look did not confirm.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/result.h"
#include "fuzz/campaign/reduction_queue.h"
#include "passes/pass.h"

namespace passdiff {

// One case of each key is written: where the oracle errs, these are the cases to learn it from.
class UnconfirmedCases {
 public:
  // Of the cases with this key the one of the lowest index is kept, so that the number of jobs does not matter.
  void add(const std::string& key, Candidate candidate);
  // Writes the cases that were added since the last call as case folders below `folder`; of a key of which one was written, none. Fails with
  // case.write.
  std::optional<Error> write(const Subject& subject, const std::filesystem::path& folder);

 private:
  std::map<std::string, std::optional<Candidate>> first_;  // by key: the case to write, until it is written
};

}  // namespace passdiff
