// What is wrong with a command line that CLI11 reads otherwise than it was meant, or refuses without saying why.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/result.h"

namespace CLI {
class App;
}

namespace passdiff {

// Adds --seed, an unsigned number. It refuses what is negative or too large: CLI11 takes either for the largest number.
void add_seed(CLI::App& command, std::uint64_t& seed, const std::string& help);
// Adds --jobs, a number of threads, and sets `jobs` to its default: the cores on which this process may run.
void add_jobs(CLI::App& command, int& jobs, const std::string& help);
// Makes all options of all commands that take a value refuse an empty one.
void refuse_empty_values(CLI::App& app);
// The error in the arguments, without the program's name: a command that there is not (usage.command), or a list of commas alone (usage.list),
// for which CLI11 would take the argument behind it. Nothing where CLI11 will see what is wrong.
std::optional<Error> fault_of_arguments(const CLI::App& app, std::span<char* const> arguments);

}  // namespace passdiff
