// Options of passes that depend on the arguments of the test case at hand.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "passes/pass.h"

namespace passdiff {

// The sizes that the symbolic dims of the entry function have on the case's arguments, by name. Empty where the arguments do not fit the
// parameters, or the entry is no function of Relax.
std::map<std::string, std::int64_t> sizes_of(const TestCase& test);

// The pipeline as it is run on the case: in the options {"$argument": "w"} becomes the value of the entry's parameter w, as {"$tensor": ...},
// and {"$size": "n"} the size of its symbolic dim n. A reference to what the case has not is left out, with its key,
// and so are all where the option func_name names another function than the entry.
Pipeline with_case_values(const Pipeline& pipeline, const TestCase& test);

// What the options of the pipeline's passes bind arguments of the function to.
BoundArguments bound_arguments(const Subject& subject, const Pipeline& pipeline, const std::string& function);

// The first argument of the case, or size of its arguments, that contradicts what the options bind, in words; empty if none does.
std::string contradicted_binding(const TestCase& test, const BoundArguments& bound);

}  // namespace passdiff
