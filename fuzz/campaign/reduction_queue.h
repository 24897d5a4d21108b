// The queue of failing cases that wait for their reduction.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/documents/case.h"
#include "core/result.h"
#include "oracle/verdict.h"
#include "passes/pass.h"

namespace passdiff {

// A case that a campaign has drawn, on which a pipeline failed.
struct Candidate {
  std::int64_t index = 0;  // of the case in the campaign
  TestCase test;
  Pipeline pipeline;
  Verdict verdict;
  std::set<std::string> edit;  // what the pass did (oracle/edit.h), where that is known
  std::string origin;          // "seed 7, case 1234"
};

// Reducing a case costs hundreds of checks, and most cases with one key (signature.h) have one cause. So a few cases of each key wait, the
// keys that were reduced least often go first, the worst severity before others, and a key whose reductions bring nothing new backs off: its next one is due when
// the key has been seen twice as often. No key is ever closed. Of the cases of one key, the one goes first whose pass did what earlier
// ones did not, so that a rare bug does not hide behind a common one. All of it depends on the order of the calls alone.
class ReductionQueue {
 public:
  // For the cases of one subject, name and version. What another subject's campaigns left on disk stays there.
  explicit ReductionQueue(std::string subject) : subject_(std::move(subject)) {}

  // A case with this key was seen; `times` of them.
  void count(const std::string& key, std::int64_t times) { keys_[key].known.count += times; }
  std::int64_t count_of(const std::string& key) const;
  // Lets the case wait, if it is among the few of its key that tell most.
  void add(Candidate candidate);
  // How many cases may be taken at once, how many of these on which a pass hangs, and how many of keys of which one has been reduced.
  struct Most {
    std::size_t cases;
    std::size_t hanging;
    std::size_t again = std::numeric_limits<std::size_t>::max();
  };
  // Cases to reduce now, no two with one key, in the order in which they are due. Keys that are not due are left out.
  std::vector<Candidate> take(Most most) { return take_if(most, false); }
  // The same, for keys of which no case has been reduced yet: what must not be forgotten when a campaign ends.
  std::vector<Candidate> take_unseen(Most most) { return take_if(most, true); }
  // What the reduction of a case of this key and with this edit brought: a cause that was not known before, or not. A case that was taken and is
  // not reduced after all is to be added again.
  void reduced(const std::string& key, const std::set<std::string>& edit, bool fruitful);

  // How many keys have a case waiting, of which none has been reduced.
  std::int64_t unseen() const;
  // How many cases wait, also of keys of which others have been reduced.
  std::int64_t waiting() const;
  // What is known of a key besides the cases that wait.
  struct KeyCount {
    std::int64_t count = 0;
    std::int64_t due = 0;  // the count from which on a case may be reduced
    int reductions = 0;
    int fruitless = 0;           // reductions in a row that brought nothing new
    std::set<std::string> done;  // the edits of the cases that were reduced
  };
  using Counts = std::map<std::string, KeyCount>;
  Counts counts() const;
  void restore(const Counts& counts);

  // Writes the cases that wait and are not there yet as case folders below `folder`. They carry the verdict, so that a campaign that goes
  // on need not judge them again. Fails with case.write.
  std::optional<Error> save(const std::filesystem::path& folder);
  // Removes the folders of cases that do not wait any more. To be called once what was learnt from them is on disk.
  void forget_taken(const std::filesystem::path& folder);
  // Reads the cases that save() wrote for this subject, and that are wanted; the others stay on disk for a campaign that wants them.
  void load(const std::filesystem::path& folder, const std::function<bool(const Candidate&)>& wanted);

 private:
  struct Key {
    KeyCount known;
    std::vector<Candidate> waiting;
  };

  static std::size_t novelty(const Key& key, const Candidate& candidate);
  std::vector<Candidate> take_if(Most most, bool unseen_only);

  std::string folder_name(const Candidate& candidate, const std::string& key) const;

  std::string subject_;
  std::map<std::string, Key> keys_;
  std::set<std::string> saved_;  // names of the folders on disk
};

}  // namespace passdiff
