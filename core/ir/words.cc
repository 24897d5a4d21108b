#include "core/ir/words.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/ir/dim.h"
#include "core/match.h"

namespace passdiff {

void Words::number(double value) {
  word(std::bit_cast<std::uint64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value));
}

void Words::text(std::string_view value) {
  size(value.size());
  for (std::size_t i = 0; i < value.size(); i += 8) {
    std::uint64_t packed = 0;
    for (std::size_t j = i; j < std::min(i + 8, value.size()); ++j) {
      packed |= static_cast<std::uint64_t>(static_cast<unsigned char>(value[j])) << (8 * (j - i));
    }
    word(packed);
  }
}

void Words::identity(const void* node) {
  const std::uint64_t* known = numbers_.find(node);
  const std::uint64_t number = known == nullptr ? numbers_.entries().size() : *known;
  if (known == nullptr) numbers_.set(node, number);
  word(number);
}

void Words::attr(const AttrValue& value) {
  word(value.index());
  match(
      value, [](std::monostate) {}, [&](bool flag) { word(flag ? 1 : 0); },
      [&](std::int64_t whole) { integer(whole); }, [&](double real) { number(real); },
      [&](const std::string& string) { text(string); },
      [&](DType dtype) { word(static_cast<std::uint64_t>(dtype)); },
      [&](const VDeviceRef& device) { integer(device.index); }, [&](const MeshRef& mesh) { integer(mesh.index); },
      [&](const std::vector<std::int64_t>& list) {
        size(list.size());
        for (const std::int64_t item : list) integer(item);
      },
      [&](const AttrList& list) {
        size(list.items.size());
        for (const AttrValue& item : list.items) attr(item);
      },
      [&](const AttrMap& map) { attrs(map.entries); },
      [&](const IndexMap& map) {
        size(map.axes.size());
        size(map.indices.size());
        for (const Dim& value : map.indices) index(map, value);
      });
}

// The variables of an index map are bound in it: their places count, so that two calls may share one map or hold equal ones.
void Words::index(const IndexMap& map, const Dim& value) {
  if (value.is_static()) {
    word(0);
    integer(value.value());
  } else if (const SymVar* var = value.as_var()) {
    word(1);
    integer(std::find(map.axes.begin(), map.axes.end(), *var) - map.axes.begin());
  } else {
    const auto& binary = std::get<DimBinary>(value.node()->node);
    word(2);
    word(static_cast<std::uint64_t>(binary.op));
    index(map, binary.lhs);
    index(map, binary.rhs);
  }
}

void Words::attrs(const NamedAttrs& values) {
  size(values.size());
  for (const auto& [name, value] : values) {
    text(name);
    attr(value);
  }
}

std::uint64_t Words::hash() const {
  if constexpr (std::endian::native == std::endian::little) {
    return XXH64(words_.data(), words_.size() * sizeof(std::uint64_t), 0);
  }
  std::vector<unsigned char> bytes;
  bytes.reserve(words_.size() * sizeof(std::uint64_t));
  for (const std::uint64_t word : words_) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<unsigned char>(word >> (8 * i)));
  }
  return XXH64(bytes.data(), bytes.size(), 0);
}

}  // namespace passdiff
