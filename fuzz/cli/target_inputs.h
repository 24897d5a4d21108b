// Inputs of the libFuzzer targets (fuzz/targets), opened by the command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"

namespace passdiff {

// Fails with usage.target for a name that no target has.
std::optional<Error> check_target(const std::string& name);

// The bytes of a file. Fails with usage.input if it cannot be read, or is larger than inputs are.
Result<std::vector<std::uint8_t>> read_input(const std::string& file);

// Prints what a target that reads documents makes of an input: the module or the value that it reads, or the reader's error; of
// fuzz_interpreter, each function's drawn arguments and its outcome, too. Returns the exit code: the error of a reader is no finding.
int show_document(const std::string& target, const std::vector<std::uint8_t>& input);

}  // namespace passdiff
