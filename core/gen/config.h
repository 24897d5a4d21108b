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
  // What is drawn from; what stands here several times is drawn more often.
  std::vector<std::uint8_t> ops;     // indices into all_ops()
  std::vector<const Idiom*> idioms;  // empty: the case has no idioms
  std::vector<DType> dtypes;
  std::vector<DType> float_dtypes;  // those of `dtypes` that are float; float32 if there is none
  std::vector<std::int64_t> dims;   // sizes of axes

  int bindings = 8;  // how many main should have
  std::size_t max_tensors = 8;   // how many parameters, and how many constants, may be made for operands
  unsigned reuse_of_16 = 12;     // how many of 16 operands are values that are in scope already
  unsigned constants_of_16 = 4;  // how many of 16 newly made operands are constants,
  unsigned weights_of_16 = 6;    // and how many are weights; the others are inputs
  unsigned idioms_of_16 = 4;     // how many of 16 bindings are made by idioms, about
  BlockStyle blocks = BlockStyle::one_dataflow;
  bool num_input = true;  // main has the attribute num_input
  bool symbolic = false;  // main has symbolic dims from the start
  bool branches = false;
  bool closures = false;
  int max_helpers = 0;   // how many functions main may call
  bool sibling = false;  // a second public function with the weights of main
  int vdevices = 0;
  bool undefined = false;    // generation rules may create undefined behaviour
  bool wild = false;         // values may be NaN, infinite or huge
  bool training = false;     // main is differentiable, and returns a loss
  bool distributed = false;  // the values of main are to be spread over a mesh
  bool odd_outputs = false;  // functions may return parameters, constants, one value twice, nested tuples
};

Config draw_config(Choices& choices, const GenerateOptions& options);
bool is_avoided(const GenerateOptions& options, std::string_view name);

}  // namespace passdiff
