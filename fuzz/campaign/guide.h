// The guide of a campaign: which case to try next, by what has paid so far.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/campaign/corpus.h"
#include "fuzz/cases/mutate.h"

namespace passdiff {

// Where the input of a case comes from.
enum class Source : std::uint8_t { fresh, mutated, crossed };
inline constexpr std::array<std::string_view, 3> kSourceNames = {"fresh", "mutated", "crossed"};

// What something has cost, and what it brought: features of passes that were new, and keys of findings. Of several rounds it is
// a sum in which older ones weigh less, and in each of which a check brings 1 in the mean: the first rounds bring more than all
// later ones together.
struct Gain {
  double checks = 0;
  double brought = 0;
};

// Shares adapt to what pays, per check, above a floor for each: behaviour is a hint of bugs, no measure of them. All that a
// guide says is a function of the seed, of the corpus and of the rounds that it has learnt from.
class Guide {
 public:
  struct Counts {
    std::array<Gain, kSourceNames.size()> sources{};
    std::map<std::string, Gain> passes;  // by pass, or ">" and the pass for random pipelines that end with it
  };
  // How one case comes about.
  struct Plan {
    Source source = Source::fresh;
    std::size_t parent = 0;  // mutated, crossed: the entry of the corpus that is changed
    std::size_t other = 0;   // crossed: the one whose steps are put in
    std::string focus;       // the pass for whose sake the parent was chosen, which must run; ">" and a pass: pipelines must
  };

  explicit Guide(std::uint64_t seed) : seed_(seed) {}

  Plan plan(std::int64_t index, const Corpus& corpus) const;
  // The input that the plan makes.
  std::vector<std::uint8_t> input(const Plan& plan, std::int64_t index, const Corpus& corpus, InputMutator& mutator) const;
  // Whether a case runs the pass: if it is the focus; else as often as the pass's share says, but seldom where the pass did
  // nothing to the parent.
  bool runs(const std::string& pass, std::int64_t index, const Plan& plan, const Corpus& corpus) const;
  // How many random pipelines a case runs beside so many single passes.
  std::size_t pipelines_beside(std::size_t passes) const;

  std::array<double, kSourceNames.size()> source_shares() const;
  // How many of the cases run the pass: all for one that shows more than others.
  double share_of(const std::string& pass) const;

  // What one case of a round has cost and brought, by pass as in Counts.
  void learn(Source source, const std::map<std::string, Gain>& by_pass);
  // Makes the round count, and earlier ones less.
  void end_round();
  const Counts& counts() const { return counts_; }
  void restore(Counts counts);

 private:
  std::size_t pick(std::uint64_t draw, const Corpus& corpus, std::string& focus) const;
  void find_shares();

  std::uint64_t seed_;
  Counts counts_;
  Counts round_;
  std::map<std::string, double> shares_;  // of passes; those that are missing have all
};

}  // namespace passdiff
