// What one case of a campaign is: a module with arguments, and the pipelines to run over it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/gen/generator.h"
#include "core/result.h"
#include "passes/pass.h"

namespace passdiff {

struct DrawOptions {
  GenerateOptions generate;
  // The most passes in a random pipeline, of which each has two at least; 0: each pass is run alone.
  int longest_pipeline = 0;
};

struct DrawnCase {
  TestCase test;
  std::vector<Pipeline> pipelines;
  std::vector<const Idiom*> idioms_drawn;  // see GeneratedCase
  std::vector<const Idiom*> idioms_made;
};

// Case `index` of a campaign: a function of seed and index (and of the passes) alone.
DrawnCase draw_case(std::uint64_t seed, std::uint64_t index, std::span<const Pass* const> passes,
                    const DrawOptions& options);

// One pipeline per pass, after the passes that it needs, with drawn options; costly passes on some cases
// only.
std::vector<Pipeline> draw_pipelines(std::span<const Pass* const> passes, Choices& choices,
                                     const Module& module);
// A random pipeline of two to `longest` graph-level passes, in any order and with repetitions; empty if none is meant for the
// module.
Pipeline draw_pipeline(std::span<const Pass* const> passes, int longest, Choices& choices,
                       const Module& module);

// The subject's passes of these names; all that can be driven if no names are given. Fails with campaign.pass for a name that
// the subject lacks or that cannot be driven.
Result<std::vector<std::string>> select_passes(const Subject& subject, std::span<const std::string> names);

}  // namespace passdiff
