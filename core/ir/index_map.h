// Maps from the indices of a tensor to those of its rearrangement, as R.layout_transform takes them.
#pragma once

#include <string>
#include <vector>

#include "core/ir/dim.h"

namespace passdiff {

// `lambda i, j: (i, j // 4, j % 4)`: an element at indices `axes` moves to `indices`, which mention no variable but `axes`.
// TVM's tirx.IndexMap, without an inverse of its own.
struct IndexMap {
  std::vector<SymVar> axes;  // each occurs once
  Shape indices;
};

// Whether both are built alike, whatever their variables are called.
bool operator==(const IndexMap& a, const IndexMap& b);
// Whether the indices mention the map's own variables alone.
bool is_closed(const IndexMap& map);
// As a lambda of TVMScript with the names of the variables as they are.
std::string to_string(const IndexMap& map);

}  // namespace passdiff
