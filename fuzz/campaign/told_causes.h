// The causes that a campaign tells. A cause is told when it is listed in the campaign's result.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/cause_list.h"
#include "fuzz/campaign/reduction_queue.h"

namespace passdiff {

class ToldCauses {
 public:
  // Causes of these names are not told. What is told is added to `bugs`, which must outlive this object.
  ToldCauses(const std::set<std::string>& ignored, std::vector<DistinctBug>& bugs) : ignored_(ignored), bugs_(bugs) {}

  // A case with this key has the cause, which is told once, whatever keys it is met under.
  void tell(const MetCause& met, const std::string& key);
  // By the folder of the cause: the keys under which it was met.
  const std::map<std::filesystem::path, std::set<std::string>>& keys() const { return keys_; }
  // How many causes of corpus/known were told, or how many others.
  std::int64_t count(bool known) const;
  // Puts what was told in order of rank, what is new before what is known, each cause with all the passes that were found to err alike, and with
  // the cases that showed its keys: these are counted for each key, since few of them are reduced, so that all causes of a key show the key's
  // count.
  void rank(const Subject& subject, const std::vector<MetCause>& causes, const ReductionQueue& queue);

 private:
  const std::set<std::string>& ignored_;
  std::vector<DistinctBug>& bugs_;
  std::map<std::filesystem::path, std::set<std::string>> keys_;
};

}  // namespace passdiff
