// What the inputs of the libFuzzer targets that run passes mean: the same for a target, which runs them, and for the command, which
// opens one as a case.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/documents/case.h"
#include "passes/pass.h"

namespace passdiff {

// What a target runs, by its name.
struct TargetRule {
  std::string_view subject;         // "native", "tvm"
  std::vector<std::string> passes;  // empty: every pass of the subject that can be driven; pipelines are made of those at graph level
  int longest_pipeline = 0;         // 0: each input runs one pass, chosen by its first bytes
};

// The rule of fuzz_tvm, of fuzz_native_pipeline, or of fuzz_<Pass> for a native pass; nothing for other names.
std::optional<TargetRule> rule_of_target(std::string_view name);
// The names of all of them, and of the targets that read documents, in the order of the alphabet.
std::vector<std::string> target_names();
bool reads_documents(std::string_view target);

// The subject's passes that the rule names, of those that can be driven. CHECKs that there is one.
std::vector<const Pass*> passes_of(const TargetRule& rule, const Subject& subject);
// The pipeline that an input chooses for the module that it makes; empty if its pass is not meant for that.
Pipeline pipeline_of(const TargetRule& rule, std::span<const Pass* const> passes,
                     std::span<const std::uint8_t> input, const Module& module);

// An input as a case, without passes where it chooses one that is not meant for its module: the target does nothing then.
CaseFolder case_of_input(const TargetRule& rule, const Subject& subject,
                         std::span<const std::uint8_t> input);

}  // namespace passdiff
