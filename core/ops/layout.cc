// The families of ops that only move data, from the rows of their files.
#include "core/ops/layout.h"

#include <initializer_list>
#include <vector>

#include "core/ops/family.h"

namespace passdiff {
namespace {

std::vector<OpDef> joined(std::initializer_list<std::span<const OpDef>> parts) {
  std::vector<OpDef> all;
  for (const std::span<const OpDef> part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::span<const OpDef> layout_ops() {
  static const std::vector<OpDef> rows = joined({axes_rows(), reshape_rows()});
  return rows;
}

std::span<const OpDef> join_ops() {
  static const std::vector<OpDef> rows = joined({concat_rows(), split_rows(), repeat_rows()});
  return rows;
}

std::span<const OpDef> index_ops() {
  static const std::vector<OpDef> rows = joined({take_rows(), slice_rows()});
  return rows;
}

}  // namespace passdiff
