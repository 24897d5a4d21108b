#include "core/gen/steps.h"

#include <algorithm>
#include <array>
#include <concepts>

#include "core/form/builder.h"
#include "core/match.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr int kRefusalsPerBinding = 4;

bool is_data(const Type& type) {
  return type.as_tensor() != nullptr || type.as_tuple() != nullptr;
}

bool add_op_call(Choices& choices, GraphBuilder& graph) {
  const std::vector<std::uint8_t>& ops = graph.config().ops;
  if (ops.empty()) return false;
  const ExprPtr var = graph.draw_call(choices, all_ops()[choices.pick(ops)]);
  if (var == nullptr) return false;
  // Ops take the items of a tuple, such as the result of split, rather than the tuple.
  const TupleType* tuple = var->type.as_tuple();
  if (tuple != nullptr && !tuple->fields.empty() && !choices.one_in(4)) {
    const std::size_t count = std::min<std::size_t>(tuple->fields.size(), 1 + choices.index(2));
    const std::size_t first = choices.index(tuple->fields.size());
    for (std::size_t i = 0; i < count; ++i)
      graph.item(var, static_cast<int>((first + i) % tuple->fields.size()));
  }
  return true;
}

bool add_idiom(Choices& choices, GraphBuilder& graph) {
  const std::vector<const Idiom*>& idioms = graph.config().idioms;
  if (idioms.empty()) return false;
  const int before = graph.binding_count();
  const Idiom* const idiom = choices.pick(idioms);
  idiom->make(choices, graph);
  if (graph.binding_count() == before) return false;
  graph.draft().idioms_made.push_back(idiom);
  return true;
}

bool add_alias(Choices& choices, GraphBuilder& graph) {
  const Entry* entry = graph.choose(choices, [](const Entry& e) { return is_data(e.shown.expr->type); });
  return entry != nullptr && graph.bind(entry->shown.expr) != nullptr;
}

bool add_tuple(Choices& choices, GraphBuilder& graph) {
  std::vector<ExprPtr> fields;
  const std::size_t count = 1 + choices.index(3);
  for (std::size_t i = 0; i < count; ++i) {
    const Entry* entry = graph.choose(choices, [](const Entry& e) { return is_data(e.shown.expr->type); });
    if (entry == nullptr) return false;
    fields.push_back(entry->shown.expr);
  }
  if (choices.one_in(4)) fields[0] = make_tuple({fields[0]});
  const ExprPtr tuple = graph.bind(make_tuple(std::move(fields)));
  if (!choices.one_in(3)) graph.item(tuple, static_cast<int>(choices.index(count)));
  return true;
}

bool add_item(Choices& choices, GraphBuilder& graph) {
  const Entry* entry = graph.choose(choices, [](const Entry& e) {
    const TupleType* tuple = e.shown.expr->type.as_tuple();
    return tuple != nullptr && !tuple->fields.empty();
  });
  if (entry == nullptr) return false;
  const ExprPtr tuple = entry->shown.expr;
  const std::size_t size = tuple->type.as_tuple()->fields.size();
  return graph.item(tuple, static_cast<int>(choices.index(size))) != nullptr;
}

// The attribute with another value that may suit the op, or the same where none is likely to.
AttrValue changed(const AttrValue& attr, Choices& choices, GraphBuilder& graph) {
  return match(
      attr, [](const std::same_as<bool> auto& truth) { return AttrValue(!truth); },
      [&](const std::same_as<std::int64_t> auto&) { return AttrValue(choices.integer(-1, 1)); },
      [&](const std::same_as<DType> auto&) { return AttrValue(graph.dtype(choices)); },
      [](const std::vector<std::int64_t>& numbers) {
        return AttrValue(std::vector<std::int64_t>(numbers.rbegin(), numbers.rend()));
      },
      [](const OneOf<std::monostate, double, std::string, VDeviceRef, AttrList, AttrMap, IndexMap, MeshRef> auto&
             kept) { return AttrValue(kept); });
}

// Makes an earlier call again: the same, with exchanged operands, or with one attribute changed.
bool add_repetition(Choices& choices, GraphBuilder& graph) {
  if (graph.calls().empty()) return false;
  const ExprPtr repeated = graph.calls()[graph.calls().size() - 1 - choices.index(graph.calls().size())];
  const Call& call = *as<Call>(repeated);
  const OpDef& op = *called_op(call);
  std::vector<ExprPtr> args = call.args;
  Attrs attrs = call.attrs;
  const std::size_t variation = choices.index(4);
  if (variation == 1 && args.size() == 2) std::swap(args[0], args[1]);
  if (variation == 2 && !attrs.empty()) {
    AttrValue& attr = attrs[choices.index(attrs.size())];
    attr = changed(attr, choices, graph);
  }
  return graph.emit(op, std::move(args), std::move(attrs)) != nullptr;
}

// Casts a value to its own type, to a more general one, or to one with a new symbolic dim for a size.
bool add_match_cast(Choices& choices, GraphBuilder& graph) {
  const Entry* entry = graph.choose(
      choices, [](const Entry& e) { return e.shown.value.as_tensor() != nullptr && e.var != nullptr; });
  if (entry == nullptr) return false;
  const ExprPtr value = entry->shown.expr;
  const TensorType& type = *value->type.as_tensor();
  if (entry->tensor == nullptr) {  // an earlier match_cast made its shape unknown: this one makes it known again
    const Tensor& tensor = entry->shown.value.tensor();
    const std::vector<std::int64_t> sizes = tensor.shape();
    return graph.match_cast(
               value, tensor_type(Shape(sizes.begin(), sizes.end()), tensor.dtype, type.vdevice)) != nullptr;
  }
  TensorType cast = type;
  const std::size_t variation = choices.index(4);
  if (variation == 1) cast.shape = std::nullopt;
  if (variation == 2 && !type.shape->empty() && graph.draft().options.symbolic_shapes &&
      graph.outer() == nullptr) {
    const std::size_t axis = choices.index(type.shape->size());
    const std::int64_t size = graph.size_of((*type.shape)[axis]);
    std::vector<Symbol>& symbols = graph.function().symbols;
    symbols.push_back({make_sym_var("k" + std::to_string(symbols.size())), size, Dim(size), false});
    (*cast.shape)[axis] = symbols.back().var;
  }
  const ExprPtr forgotten = graph.match_cast(value, cast);
  if (variation == 1 && !choices.one_in(3)) graph.match_cast(forgotten, type);
  return true;
}

bool add_constant(Choices& choices, GraphBuilder& graph) {
  const Shape shape = graph.shape(choices, 0, 3);
  if (!is_static(shape)) return false;
  return graph.bind(graph.fresh(choices, Origin::constant, graph.dtype(choices), shape)) != nullptr;
}

using AddStep = bool (*)(Choices&, GraphBuilder&);

struct Step {
  AddStep add;
  unsigned weight;
};

using Steps = std::array<Step, 11>;

// The kinds of steps, with weights that add up to 256: calls of ops, the first choice, get what the others leave.
// An idiom makes about two bindings, so half its share of the bindings will do.
Steps steps_of(const Config& config) {
  const auto if_enabled = [](bool enabled, unsigned weight) { return enabled ? weight : 0; };
  Steps steps = {{{add_op_call, 0},
                  {add_idiom, if_enabled(!config.idioms.empty(), config.idioms_of_16 * 16 / 2)},
                  {add_repetition, 9},
                  {add_tuple, 6},
                  {add_item, 6},
                  {add_alias, 5},
                  {add_match_cast, 4},
                  {add_constant, 2},
                  {add_call_of_function, if_enabled(config.max_helpers > 0, 30)},
                  {add_closure, if_enabled(config.closures, 24)},
                  {add_branches, if_enabled(config.branches, 24)}}};
  unsigned sum = 0;
  for (const Step& step : steps) sum += step.weight;
  CHECK(sum < 256) << "no steps are left for op calls";
  steps[0].weight = 256 - sum;
  return steps;
}

AddStep pick_step(Choices& choices, const Steps& steps) {
  auto rest = static_cast<unsigned>(choices.index(256));
  for (const Step& step : steps) {
    if (rest < step.weight) return step.add;
    rest -= step.weight;
  }
  return add_op_call;
}

}  // namespace

void grow(Choices& choices, GraphBuilder& graph, int bindings) {
  const Steps steps = steps_of(graph.config());
  const bool mixed = graph.config().blocks == BlockStyle::mixed;
  for (int refusals = 0; graph.binding_count() < bindings && refusals < kRefusalsPerBinding * bindings;) {
    choices.begin_unit();
    if (mixed && choices.one_in(6)) graph.begin_block(choices.flip());
    if (!pick_step(choices, steps)(choices, graph)) ++refusals;
  }
}

void grow_calls(Choices& choices, GraphBuilder& graph, int bindings) {
  for (int refusals = 0; graph.binding_count() < bindings && refusals < kRefusalsPerBinding * bindings;) {
    choices.begin_unit();
    if (!add_op_call(choices, graph)) ++refusals;
  }
}

}  // namespace passdiff
