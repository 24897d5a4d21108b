// What one case of a campaign is: a module with arguments, and the pipelines to run over it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/gen/generator.h"
#include "core/result.h"
#include "passes/pass.h"

namespace passdiff {

// How many random pipelines are run over one module, so that generating it is a small part of the work.
inline constexpr std::size_t kPipelinesPerCase = 4;

struct DrawOptions {
  GenerateOptions generate;
  // The most passes in a random pipeline, of which each has two at least; 0: each pass is run alone.
  int longest_pipeline = 0;
  // The compiler's own pipelines, of which some cases run every beginning, too.
  std::span<const BuildPipeline> builds = {};
};

struct DrawnCase {
  TestCase test;
  std::vector<Pipeline> pipelines;
  std::string origin;  // "seed 7, case 1234"
  std::vector<const Idiom*> idioms_drawn;  // see GeneratedCase
  std::vector<const Idiom*> idioms_made;
};

// Whether a campaign gives the pass this module.
bool is_meant_for(const Pass& pass, const Module& module);

// Case `index` of a campaign: a function of seed and index (and of the passes) alone.
DrawnCase draw_case(std::uint64_t seed, std::uint64_t index, std::span<const Pass* const> passes,
                    const DrawOptions& options);

// An input (fuzz/cases/mutate.h) that makes the module of case `index`.
std::vector<std::uint8_t> fresh_input(std::uint64_t seed, std::uint64_t index);
// The pass on a module, after the passes that it needs, with options that the input draws for it: for each pass alike, whatever else is run.
Pipeline pipeline_of_input(const Pass& pass, std::span<const std::uint8_t> input, const Module& module);
// So many random pipelines that the input draws, of two to `longest` passes.
std::vector<Pipeline> pipelines_of_input(std::span<const Pass* const> passes, std::size_t count, int longest,
                                         std::span<const std::uint8_t> input, const Module& module);

// Those of the passes that a case runs, which are meant for its module: each pass and, on one case in two or where there are only rules, one of the
// rules of a pass (Pass::rule_of), which is drawn; or the rule of the name `wanted`.
std::vector<const Pass*> passes_of_case(std::span<const Pass* const> passes, Choices& choices, const Module& module, std::string_view wanted = {});
// The same, as an input draws them.
std::vector<const Pass*> passes_of_input(std::span<const Pass* const> passes, std::span<const std::uint8_t> input, const Module& module,
                                         std::string_view wanted = {});

// One pipeline for each of passes_of_case, after the passes that it needs, with drawn options.
std::vector<Pipeline> draw_pipelines(std::span<const Pass* const> passes, Choices& choices,
                                     const Module& module);
// A random pipeline of two to `longest` graph-level passes, in any order and with repetitions; empty if none is meant for the
// module.
Pipeline draw_pipeline(std::span<const Pass* const> passes, int longest, Choices& choices,
                       const Module& module);

// On one case in so many, all beginnings of one of the compiler's own pipelines that end in one of the passes; none on the others, nor on modules
// with distributed tensors. A beginning of one pass is left out: that pass runs alone.
std::vector<Pipeline> draw_build_prefixes(std::span<const BuildPipeline> builds, std::span<const Pass* const> passes, Choices& choices,
                                          const Module& module);
// The same, as an input draws them.
std::vector<Pipeline> build_prefixes_of_input(std::span<const BuildPipeline> builds, std::span<const Pass* const> passes,
                                              std::span<const std::uint8_t> input, const Module& module);

// The options with what the passes are for: functions of TensorIR, if one of them is for modules that are not graphs of ops alone; distributed
// tensors in all cases if all passes are about them, in a few if some are. Those run on such cases alone, and no other pass does.
GenerateOptions options_for(std::span<const Pass* const> passes, GenerateOptions options);

// The word that stands for all passes that can be driven.
inline constexpr std::string_view kAllPasses = "all";
// The subject's pass of this name. Fails with campaign.pass where the subject lacks it, or where it cannot be driven.
Result<const Pass*> drivable_pass(const Subject& subject, std::string_view name);
// The subject's passes of these names, each once; all that can be driven if no names are given, or kAllPasses is among them. Fails as
// drivable_pass does, for a name with options behind it, which are drawn, and for a pass that cannot be made without any.
Result<std::vector<std::string>> select_passes(const Subject& subject, std::span<const std::string> names);

}  // namespace passdiff
