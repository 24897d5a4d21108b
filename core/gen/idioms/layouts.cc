// Idioms of layout_transform, which OptimizeLayoutTransform matches: a layout and its inverse, with padding and with other steps
// between them.
#include <algorithm>

#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

std::vector<SymVar> index_vars(std::size_t rank) {
  std::vector<SymVar> vars;
  for (std::size_t i = 0; i < rank; ++i) vars.push_back(make_sym_var(std::string(1, static_cast<char>('i' + i))));
  return vars;
}

IndexMap permuting(const std::vector<std::int64_t>& axes) {
  IndexMap map{index_vars(axes.size()), {}};
  for (const std::int64_t axis : axes) map.indices.emplace_back(map.axes[static_cast<std::size_t>(axis)]);
  return map;
}

// Splits the axis into blocks of `block`, whose index becomes the last one; and the map that joins them again.
IndexMap splitting(std::size_t rank, std::size_t axis, std::int64_t block) {
  IndexMap map{index_vars(rank), {}};
  map.indices.assign(map.axes.begin(), map.axes.end());
  const Dim whole = map.axes[axis];
  map.indices[axis] = Dim::binary(DimOp::floor_divide, whole, block);
  map.indices.push_back(Dim::binary(DimOp::floor_mod, whole, block));
  return map;
}
IndexMap joining(std::size_t rank, std::size_t axis, std::int64_t block) {
  IndexMap map{index_vars(rank + 1), {}};
  map.indices.assign(map.axes.begin(), map.axes.end() - 1);
  map.indices[axis] = Dim(map.axes[axis]) * Dim(block) + Dim(map.axes[rank]);
  return map;
}

struct LayoutPair {
  IndexMap there, back;
};

// A permutation and its inverse, which for squares may be another permutation; or blocks of an axis, split and joined.
std::optional<LayoutPair> draw_pair(Choices& choices, const Shape& shape) {
  const std::size_t rank = shape.size();
  if (rank > 1 && !choices.one_in(3)) {
    const std::vector<std::int64_t> axes = draw_permutation(choices, rank);
    std::vector<std::int64_t> inverse(rank);
    for (std::size_t i = 0; i < rank; ++i) inverse[static_cast<std::size_t>(axes[i])] = static_cast<std::int64_t>(i);
    return LayoutPair{permuting(axes), permuting(choices.one_in(3) ? axes : inverse)};
  }
  const std::size_t axis = choices.index(rank);
  const std::int64_t block = choices.integer(2, 3);
  // Where blocks do not divide the axis, what pads stays after joining: the shapes then differ.
  return LayoutPair{splitting(rank, axis, block), joining(rank, axis, block)};
}

ExprPtr transform(Choices& choices, GraphBuilder& graph, const ExprPtr& value, const IndexMap& map, bool must_pad) {
  if (value == nullptr) return nullptr;
  AttrValue pad;
  if (must_pad || choices.one_in(3)) {
    const std::int64_t number = choices.integer(0, 3);
    pad = is_float(result_dtype(value)) ? AttrValue(static_cast<double>(number) / 2) : AttrValue(number);
  }
  return graph.call("relax.layout_transform", {value}, {{"index_map", map}, {"pad_value", pad}});
}

// layout_transform, nothing or elementwise steps, and the transform back.
void layout_round_trip(Choices& choices, GraphBuilder& graph) {
  constexpr std::string_view kUnary[] = {"relax.negative", "relax.nn.relu", "relax.abs"};
  const DType dtype = choices.flip() ? DType::float32 : graph.float_dtype(choices);
  const Shape shape = static_shape(graph, graph.shape(choices, 1, 4));
  const ExprPtr start = graph.want(choices, dtype, shape);
  if (start == nullptr) return;
  const std::optional<LayoutPair> pair = draw_pair(choices, shape);
  const bool splits = pair->there.indices.size() > pair->there.axes.size();
  const ExprPtr there = transform(choices, graph, start, pair->there, splits);
  ExprPtr between = there;
  if (choices.one_in(3)) between = graph.call(choices.pick(kUnary), {between});
  if (choices.one_in(4)) between = graph.call("relax.add", {between, there});
  const ExprPtr back = transform(choices, graph, between, pair->back, false);
  if (back != nullptr && choices.flip()) graph.call("relax.nn.relu", {back});
  if (there != nullptr && choices.one_in(4)) graph.call("relax.negative", {there});
  if (back != nullptr && choices.one_in(4)) transform(choices, graph, back, pair->there, splits);
}

// Padding in every mode, of every value, followed by a pad or a slice that takes it away again.
void pad_chain(Choices& choices, GraphBuilder& graph) {
  const ExprPtr start = draw_static(choices, graph, 1, 3);
  if (start == nullptr) return;
  const Shape shape = result_shape(start);
  const auto pad = [&](const ExprPtr& value) -> ExprPtr {
    if (value == nullptr) return nullptr;
    constexpr std::string_view kModes[] = {"constant", "constant", "constant", "reflect", "replicate", "circular"};
    constexpr double kValues[] = {1, 0, -2, 0.5, 3};
    const double number = is_float(result_dtype(value)) ? choices.pick(kValues) : 1;
    std::vector<std::int64_t> width;
    for (std::size_t i = 0; i < 2 * shape.size(); ++i) width.push_back(static_cast<std::int64_t>(choices.index(2)));
    return graph.call("relax.nn.pad", {value},
                      {{"pad_width", width}, {"pad_mode", std::string(choices.pick(kModes))}, {"pad_value", number}});
  };
  const ExprPtr padded = pad(start);
  if (padded == nullptr) return;
  if (choices.flip()) {
    pad(padded);
  } else {
    const std::size_t axis = choices.index(shape.size());
    slice(graph, padded, static_cast<std::int64_t>(axis), static_cast<std::int64_t>(choices.index(2)),
          graph.size_of(shape[axis]));
  }
  if (choices.one_in(3)) pad(start);
}

}  // namespace

std::vector<Idiom> layouts_idioms() {
  return {
      {"layout-round-trip",
       "layout_transform, elementwise steps, and the transform back",
       3,
       layout_round_trip,
       {"OptimizeLayoutTransform"}},
      {"pad-chain",
       "pads in all modes, one after another or sliced away",
       2,
       pad_chain,
       {"FuseOps", "EliminateCommonSubexpr"}},
  };
}

}  // namespace passdiff
