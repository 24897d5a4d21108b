#include "core/ir/index_map.h"

#include <algorithm>
#include <functional>

namespace passdiff {
namespace {

std::ptrdiff_t position(const std::vector<SymVar>& axes, const SymVar& var) {
  return std::find(axes.begin(), axes.end(), var) - axes.begin();
}

bool alike(const Dim& a, const std::vector<SymVar>& axes_of_a, const Dim& b,
           const std::vector<SymVar>& axes_of_b) {
  if (a.is_static() || b.is_static()) return a.is_static() && b.is_static() && a.value() == b.value();
  const SymVar* x = a.as_var();
  const SymVar* y = b.as_var();
  if (x != nullptr || y != nullptr)
    return x != nullptr && y != nullptr && position(axes_of_a, *x) == position(axes_of_b, *y);
  const auto& left = std::get<DimBinary>(a.node()->node);
  const auto& right = std::get<DimBinary>(b.node()->node);
  return left.op == right.op && alike(left.lhs, axes_of_a, right.lhs, axes_of_b) &&
         alike(left.rhs, axes_of_a, right.rhs, axes_of_b);
}

}  // namespace

bool operator==(const IndexMap& a, const IndexMap& b) {
  return a.axes.size() == b.axes.size() &&
         std::equal(a.indices.begin(), a.indices.end(), b.indices.begin(), b.indices.end(),
                    [&](const Dim& x, const Dim& y) { return alike(x, a.axes, y, b.axes); });
}

bool is_closed(const IndexMap& map) {
  bool closed = true;
  for (const Dim& index : map.indices) {
    for_each_sym_var(index, [&](const SymVar& var) {
      closed = closed && std::find(map.axes.begin(), map.axes.end(), var) != map.axes.end();
    });
  }
  return closed;
}

std::string to_string(const IndexMap& map) {
  std::string text = "lambda";
  for (std::size_t i = 0; i < map.axes.size(); ++i) text += (i == 0 ? " " : ", ") + map.axes[i]->name;
  text += ": (";
  for (std::size_t i = 0; i < map.indices.size(); ++i) {
    const Dim& index = map.indices[i];
    // TVM's IndexMap.from_func refuses Python's integers.
    text +=
        (i == 0 ? "" : ", ") + (index.is_static() ? "T.int64(" + to_string(index) + ")" : to_string(index));
  }
  return text + (map.indices.size() == 1 ? ",)" : ")");
}

}  // namespace passdiff
