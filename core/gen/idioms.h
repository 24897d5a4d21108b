// Idioms: small patterns that passes match, with variations. They are added to bodies that are otherwise random.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/choices/choices.h"

namespace passdiff {

class GraphBuilder;

struct Idiom {
  std::string_view name;
  std::string_view summary;
  unsigned weight;
  // Adds the pattern to the graph, or the part of it whose steps type and evaluate.
  void (*make)(Choices& choices, GraphBuilder& graph);
  // The passes that match the pattern, by name: a case that draws the idiom is drawn for them.
  std::vector<std::string_view> passes = {};
  // The pattern is of values on virtual devices: a case that draws the idiom has such devices.
  bool needs_vdevices = false;
  // The pattern may stand in a branch or in a function made for a call, too.
  bool nests = true;
  // The pattern calls functions of TensorIR, which only some campaigns ask for.
  bool needs_tensor_ir = false;
  // The pattern is for cases of training: all of the case is differentiable then, and its entry returns a loss (training.h).
  bool trains = false;
};

// All idioms, in the order of their files' names; which of them given bytes choose depends on that order.
std::span<const Idiom> idiom_table();
// The rows of the files in core/gen/idioms, joined by the build (cmake/rows.cmake).
std::vector<Idiom> joined_idioms();

}  // namespace passdiff
