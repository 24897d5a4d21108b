// The difference of two sequences of texts: the lines of two modules, or the tokens of two lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace passdiff {

enum class DiffKind : std::uint8_t { kept, removed, added };

// One step from `before` to `after`. Indices count in each sequence; a removed text has the `after` of what follows it, an added
// one the `before`.
struct DiffStep {
  DiffKind kind = DiffKind::kept;
  std::size_t before = 0;
  std::size_t after = 0;
};

// The steps in order, removals before additions. They keep as much as can be kept, unless the sequences are so long and so
// different that finding this out would take seconds: then all between their common beginning and their common end is replaced.
std::vector<DiffStep> difference(std::span<const std::string_view> before,
                                 std::span<const std::string_view> after);

// The lines without their ends. A last line need not end.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace passdiff
