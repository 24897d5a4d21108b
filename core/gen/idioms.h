// Idioms: small patterns that passes match, with variations, grafted onto random context.
#pragma once

#include <span>
#include <string_view>

#include "core/ops/choices.h"

namespace passdiff {

class GraphBuilder;

struct Idiom {
  std::string_view name;
  std::string_view summary;
  unsigned weight;
  // Adds the pattern to the graph. Steps that do not type or evaluate are left out: what stands is a
  // fragment.
  void (*make)(Choices& choices, GraphBuilder& graph);
};

std::span<const Idiom> idiom_table();

// The files of idioms, joined by idiom_table().
std::span<const Idiom> matmul_idioms();
std::span<const Idiom> matmul_form_idioms();
std::span<const Idiom> layout_idioms();
std::span<const Idiom> indexing_idioms();
std::span<const Idiom> network_idioms();
std::span<const Idiom> sharing_idioms();
std::span<const Idiom> structure_idioms();
std::span<const Idiom> call_idioms();

}  // namespace passdiff
