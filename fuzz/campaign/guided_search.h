// What a guided campaign knows: its corpus, its guide, and how they make the next cases.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "fuzz/campaign/corpus.h"
#include "fuzz/campaign/guide.h"
#include "fuzz/campaign/judged_case.h"
#include "fuzz/cases/drawn_case.h"
#include "fuzz/cases/mutate.h"
#include "passes/pass.h"

namespace passdiff {

// What inputs of a corpus are for: "tvm 0.27.0.post1, graphs", "..., with TensorIR", "..., with TensorIR, some distributed", for which the generator
// makes other modules of the same bytes.
std::string corpus_kind(const Subject& subject, std::span<const Pass* const> passes);

// The random pipelines among the passes of a case that was chosen for the sake of pipelines.
std::vector<Pipeline> random_pipelines(std::span<const Pass* const> passes, std::span<const std::uint8_t> input, const Module& module);

// How the origin of a case begins: "seed 7, guided case ". The number of the case follows.
std::string guided_origin(std::uint64_t seed);
// Whether that is the origin of one of the cases [first, end) of the campaign with this seed.
bool is_guided_case(const std::string& origin, std::uint64_t seed, std::int64_t first, std::int64_t end);

class GuidedSearch {
 public:
  // For cases of the subject's `passes`.
  GuidedSearch(std::uint64_t seed, const std::filesystem::path& corpus, const Subject& subject, std::span<const Pass* const> passes,
               const DrawOptions& draw, int jobs);

  // Takes up what other campaigns have added to the corpus.
  void begin_round() { corpus_.read(); }
  // Forgets what the campaign's cases from `first` on have added: it draws them again.
  void forget(std::int64_t first, std::int64_t end) { corpus_.forget(first, end); }
  // Case `index`: the module, and the passes that run over it. A function of the seed, the index, and the corpus and the counts at the beginning of the
  // round. Each job may call it on its own.
  DrawnCase draw(int job, std::int64_t index, std::span<const Pass* const> passes);
  const Behaviour& seen() const { return corpus_.seen(); }
  // Adds to the corpus what showed something new in the round, and learns what paid. `new_keys` are those of its candidates whose keys were not met
  // before. Fails with case.write.
  std::optional<Error> learn(std::vector<SeenCase> round, const Subject& subject, std::span<const Candidate* const> new_keys);

  const Corpus& corpus() const { return corpus_; }
  const Guide::Counts& counts() const { return guide_.counts(); }
  void restore(Guide::Counts counts) { guide_.restore(std::move(counts)); }

 private:
  std::uint64_t seed_;
  Corpus corpus_;
  Guide guide_;
  DrawOptions draw_;
  std::vector<InputMutator> mutators_;  // one for each job
};

}  // namespace passdiff
