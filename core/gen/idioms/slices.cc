// Idioms of indexing: takes, slices and splits, one after another and of joined values.
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

ExprPtr take(Choices& choices, GraphBuilder& graph, const ExprPtr& from, std::size_t axis) {
  if (from == nullptr) return nullptr;
  const Shape& shape = result_shape(from);
  const std::int64_t size = graph.size_of(shape[axis]);
  if (size == 0) return nullptr;
  constexpr std::string_view kModes[] = {"fast", "clip", "wrap", "nan"};
  const std::string mode(choices.pick(kModes));
  const bool outside = mode == "clip" || mode == "wrap";
  const FillSpec fill{
      .fill = Fill::indices, .limit = outside ? size + 2 : size, .allow_negative = outside && choices.flip()};
  const ExprPtr indices =
      graph.fresh(choices, choices.flip() ? Origin::constant : Origin::input, DType::int64,
                  choices.one_in(4) ? Shape{} : Shape{graph.dim(choices)}, fill);
  return graph.call("relax.take", {from, indices},
                    {{"axis", either_sign(choices, axis, shape.size())}, {"mode", mode}});
}

// take of take, of concat, of a permuted value; along the same axis or another.
void take_chain(Choices& choices, GraphBuilder& graph) {
  ExprPtr value = graph.any_tensor(choices, 1, 3);
  if (value == nullptr) return;
  if (choices.one_in(3)) {
    value = graph.call("relax.concat", {graph.pack({value, value})}, {{"axis", std::int64_t{0}}});
  } else if (choices.flip()) {
    value = graph.call("relax.permute_dims", {value});
  }
  for (int i = 0; i < 2 && value != nullptr && !result_shape(value).empty(); ++i) {
    value = take(choices, graph, value, choices.index(result_shape(value).size()));
  }
  if (value != nullptr && choices.flip()) graph.call("relax.add", {value, value});
}

// strided_slice of strided_slice: of everything, reversed, of nothing, beyond the end.
void slice_chain(Choices& choices, GraphBuilder& graph) {
  ExprPtr value = draw_static(choices, graph, 1, 4);
  for (int i = 0; i < 3 && value != nullptr; ++i) {
    const Shape shape = result_shape(value);
    const std::size_t axis = choices.index(shape.size());
    const std::int64_t size = shape[axis].value();
    const std::int64_t plain = either_sign(choices, axis, shape.size());
    ExprPtr next;
    switch (choices.index(5)) {
      case 0:
        next = slice(graph, value, plain, 0, size);
        break;
      case 1:
        next = slice(graph, value, plain, choices.integer(0, size), size + choices.integer(0, 2));
        break;
      case 2:
        next = slice(graph, value, plain, -1, -size - 1, -1);
        break;
      case 3:
        next = slice(graph, value, plain, 0, size, 2);
        break;
      default:
        next = slice(graph, value, plain, -choices.integer(1, std::max<std::int64_t>(size, 1)), size);
        break;
    }
    if (next != nullptr && choices.one_in(3)) graph.call("relax.negative", {value});
    value = next;
  }
}

// A product that is split into parts, of which some are used, as CombineParallelMatmul leaves it.
void split_product(Choices& choices, GraphBuilder& graph) {
  const DType dtype = graph.float_dtype(choices);
  const Dim rows = graph.dim(choices), inner = graph.dim(choices);
  const std::int64_t width = graph.dim(choices);
  const ExprPtr lhs = graph.want(choices, dtype, {rows, inner});
  const auto part = [&] { return graph.fresh(choices, Origin::weight, dtype, {inner, Dim(width)}); };
  const ExprPtr joined =
      choices.flip() ? graph.call("relax.concat", {graph.pack({part(), part()})}, {{"axis", std::int64_t{1}}})
                     : graph.fresh(choices, Origin::weight, dtype, {inner, Dim(2 * width)});
  const ExprPtr product = graph.call("relax.matmul", {lhs, joined});
  const bool by_sections = choices.flip() && width > 0;
  const AttrValue sections =
      by_sections ? AttrValue(std::int64_t{2}) : AttrValue(std::vector<std::int64_t>{width});
  const std::int64_t axis = either_sign(choices, 1, 2);
  const ExprPtr split =
      graph.call("relax.split", {product}, {{"indices_or_sections", sections}, {"axis", axis}});
  const ExprPtr second = graph.item(split, 1);
  const ExprPtr first = choices.one_in(3) ? nullptr : graph.item(split, 0);
  if (choices.flip()) graph.call("relax.nn.relu", {second});
  if (choices.flip()) graph.call("relax.multiply", {first, second});
}

}  // namespace

std::vector<Idiom> slices_idioms() {
  return {
      {"take-chain", "take of take, of a concat, of a permuted value", 2, take_chain},
      {"slice-chain", "strided_slice one after another: whole, reversed, empty", 2, slice_chain},
      {"split-product", "a product with joined weights, split again", 2, split_product},
  };
}

}  // namespace passdiff
