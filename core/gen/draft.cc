#include "core/gen/draft.h"

namespace passdiff {

std::int64_t FunctionDraft::size_of(const Dim& dim) const {
  if (dim.is_static()) return dim.value();
  const std::optional<std::int64_t> size =
      evaluate(dim, [this](const SymVar& var) -> std::optional<std::int64_t> {
        for (const Symbol& symbol : symbols) {
          if (symbol.var == var) return symbol.value;
        }
        return std::nullopt;
      });
  CHECK(size.has_value()) << "the size of " << to_string(dim) << " is not known while generating";
  return *size;
}

std::vector<std::int64_t> FunctionDraft::sizes(const Shape& shape) const {
  std::vector<std::int64_t> sizes;
  sizes.reserve(shape.size());
  for (const Dim& dim : shape) sizes.push_back(size_of(dim));
  return sizes;
}

}  // namespace passdiff
