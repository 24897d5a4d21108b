// The generator: bytes to a well-formed, well-typed module with arguments on which it is defined (mostly).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/documents/case.h"
#include "core/choices/choices.h"

namespace passdiff {

// What a campaign asks of the generator. Each case draws its own configuration within it (swarm testing).
struct GenerateOptions {
  int min_bindings = 4;
  int max_bindings = 18;  // in the main function; the median is about ten
  bool symbolic_shapes = true;
  bool control_flow = true;
  bool several_functions = true;
  bool vdevices = true;
  bool effects = true;  // prints, assertions, calls of functions of the host; `main` is impure then
  bool tensor_ir = false;  // calls of generated functions of TensorIR, for passes over them
  unsigned distributed_one_in = 0;  // one in so many cases has tensors that are to be spread over a mesh of devices, for passes over such; 0: none
  bool num_input = true;           // gives `main` the attribute num_input in most cases
  unsigned undefined_one_in = 64;  // one in so many cases may have undefined behaviour, made on purpose; 0: none
  // Idioms and ops to leave out, by name: a campaign steers away from what triggers the same bug again and again.
  std::vector<std::string> avoid;
};

// Bytes for one case: more than the generator reads for the largest module.
inline constexpr std::size_t kCaseBytes = 4096;

TestCase generate_test_case(Choices& choices, const GenerateOptions& options = {});

// A small pattern that passes match, with variations; see core/gen/idioms.h.
struct Idiom;
struct IdiomInfo {
  std::string_view name;     // "parallel-matmuls"
  std::string_view summary;  // what it makes, in one line
};
std::vector<IdiomInfo> all_idioms();

}  // namespace passdiff
