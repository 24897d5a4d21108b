// What one case is made of: drawn from its first bytes (swarm testing), within what the campaign asks for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/gen/generate.h"
#include "core/gen/idioms.h"
#include "core/ops/op.h"

namespace passdiff {

enum class BlockStyle : std::uint8_t { one_dataflow, mixed, plain };

struct Config {
  std::vector<std::uint8_t> ops;     // indices into all_ops(); an op stands here as often as its weight says
  std::vector<const Idiom*> idioms;  // likewise; empty: no idioms in this case
  std::vector<DType> dtypes;         // likewise
  std::vector<DType> float_dtypes;   // the float ones of them, float32 if there is none
  std::vector<std::int64_t> dims;    // sizes to draw from
  int bindings = 8;                  // wanted in main
  std::size_t max_tensors = 8;       // parameters that may be made on demand, and constants likewise
  unsigned reuse_of_16 = 12;         // how often an operand is a value already there
  unsigned constants_of_16 = 4;      // of the new tensors
  unsigned weights_of_16 = 6;
  unsigned idioms_of_16 = 4;  // of the steps
  BlockStyle blocks = BlockStyle::one_dataflow;
  bool num_input = true;
  bool symbolic = false;
  bool branches = false;
  bool closures = false;
  int max_helpers = 0;   // functions that main calls
  bool sibling = false;  // a second public function with the weights of main
  int vdevices = 0;
  bool undefined = false;    // rules may create undefined behaviour
  bool wild = false;         // NaN, infinities and huge numbers stay
  bool odd_outputs = false;  // results beside the usual one variable or tuple
};

Config draw_config(Choices& choices, const GenerateOptions& options);
bool is_avoided(const GenerateOptions& options, std::string_view name);

}  // namespace passdiff
