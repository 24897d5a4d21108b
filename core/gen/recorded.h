// Arguments for modules that come without any, as those that were recorded in a program do.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/documents/bound_arguments.h"
#include "core/documents/case.h"
#include "core/eval/interpret.h"

namespace passdiff {

struct ArgumentOptions {
  std::uint64_t seed = 1;
  std::uint64_t attempts = 24;
  Limits limits;  // of the runs that tell whether arguments will do
  BoundArguments bound;  // what is not drawn
};

// The arguments of a module's function: the same for the same module, name and options. Symbolic dims get small sizes. Of the attempts
// that is taken on which the function returns and is defined, if there is one: indices in range, sizes that fit each other. Fails with
// draw.type if a parameter has a type of which no value can be made, as a function has, and with draw.size if no sizes were found.
Result<std::vector<Value>> draw_arguments(const Module& module, const std::string& function,
                                          const ArgumentOptions& options = {});

// What the arguments of a function have to be.
using BoundBy = std::function<BoundArguments(const std::string& function)>;

// The test cases of a folder: its own, if it gives arguments; else one for the entry that it names, or for each public function, with
// arguments that are drawn but for the bound ones. A function that draw_arguments refuses is left out, and the reason added to `refused`.
std::vector<TestCase> test_cases_of(const CaseFolder& content, std::uint64_t seed, std::vector<Error>& refused,
                                    const BoundBy& bound = {});

}  // namespace passdiff
