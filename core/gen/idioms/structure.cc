// Idioms of structure: branches, closures, private functions, symbolic shapes, virtual devices.
#include "core/form/builder.h"
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"
#include "core/gen/steps.h"

namespace passdiff {
namespace {

constexpr std::string_view kPlacedOps[] = {"relax.add", "relax.multiply", "relax.subtract"};

// The same call outside of an If and in its branches, which share operands.
void if_with_shared_values(Choices& choices, GraphBuilder& graph) {
  if (!graph.draft().options.control_flow) return;
  const ExprPtr a = graph.any_tensor(choices, 0, 3);
  const ExprPtr condition = draw_condition(choices, graph);
  if (a == nullptr || condition == nullptr || as<Var>(condition) == nullptr) return;
  const ExprPtr b = graph.want(choices, result_dtype(a), result_shape(a));
  const std::string_view op = choices.pick(kPlacedOps);
  if (choices.flip()) graph.call(op, {a, b});
  GraphBuilder then_graph(graph.draft(), graph.function(), &graph);
  const ExprPtr same = then_graph.call(op, {a, b});
  const ExprPtr then_result = choices.flip() ? then_graph.call("relax.negative", {same}) : same;
  GraphBuilder else_graph(graph.draft(), graph.function(), &graph);
  const ExprPtr else_result =
      choices.flip() ? else_graph.call(op, {a, b}) : else_graph.call("relax.abs", {a});
  if (then_result == nullptr || else_result == nullptr) return;
  Branch then_branch = finish_branch(then_graph, then_result);
  const ExprPtr result =
      bind_if(graph, condition, std::move(then_branch), finish_branch(else_graph, else_result));
  if (choices.flip()) graph.call(op, {a, b});
  if (result != nullptr && choices.flip()) graph.call("relax.add", {result, a});
}

void closure_capture(Choices& choices, GraphBuilder& graph) {
  if (graph.draft().options.several_functions) add_closure(choices, graph);
}

// A match_cast that makes a shape unknown, one that makes it known with a new symbolic dim, and arithmetic on the
// dim.
void symbolic_match_cast(Choices& choices, GraphBuilder& graph) {
  if (!graph.draft().options.symbolic_shapes) return;
  const ExprPtr x = graph.any_tensor(choices, 1, 3);
  if (x == nullptr) return;
  Shape shape = result_shape(x);
  const std::size_t axis = choices.index(shape.size());
  const Dim dim = new_symbol(graph, graph.size_of(shape[axis]));
  ExprPtr value = x;
  if (choices.flip()) {
    value = graph.match_cast(value, choices.flip()
                                        ? tensor_type_of_rank(static_cast<int>(shape.size()), result_dtype(x))
                                        : tensor_type_of_rank(kUnknownRank, result_dtype(x)));
  }
  shape[axis] = dim;
  value = graph.match_cast(value, tensor_type(shape, result_dtype(x)));
  switch (choices.index(4)) {
    case 0:
      graph.call("relax.add", {value, value});
      break;
    case 1:
      graph.call("relax.concat", {graph.pack({value, value})}, {{"axis", static_cast<std::int64_t>(axis)}});
      break;
    case 2: {
      Dim elements = 1;
      for (const Dim& one : shape) elements = elements * one;
      const ExprPtr flat = reshape(graph, value, {elements});
      if (choices.flip()) reshape(graph, flat, shape);
      break;
    }
    default:
      graph.call("relax.zeros", {make_shape({dim, Dim(2)})}, {{"dtype", result_dtype(x)}});
      break;
  }
}

// Values that are hinted to a device or copied to a virtual device, some twice, some used with values without one.
void vdevice_hints(Choices& choices, GraphBuilder& graph) {
  const auto devices = static_cast<std::size_t>(graph.vdevice_count());
  if (devices == 0) return;
  ExprPtr x = graph.any_tensor(choices, 0, 3);
  if (x == nullptr) return;
  if (choices.one_in(3)) {
    TensorType placed = *x->type.as_tensor();
    placed.vdevice = static_cast<int>(choices.index(devices));
    Provenance ignored;
    x = graph.parameter(Origin::input, placed, graph.value_of(x, ignored));
  }
  const auto device = [&] { return AttrValue(VDeviceRef{static_cast<int>(choices.index(devices))}); };
  const std::string_view op = choices.flip() ? "relax.to_vdevice" : "relax.hint_on_device";
  const ExprPtr placed = graph.call(op, {x}, {{"dst_vdevice", device()}});
  const ExprPtr next = graph.call(choices.pick(kPlacedOps), {placed, choices.flip() ? placed : x});
  if (choices.flip()) graph.call("relax.hint_on_device", {next}, {{"dst_vdevice", device()}});
  if (choices.one_in(3)) graph.call("relax.to_vdevice", {placed}, {{"dst_vdevice", device()}});
}

// A private function whose parameter is a tuple, of which it need not use every field.
void private_call_with_tuple(Choices& choices, GraphBuilder& graph) {
  if (!graph.draft().options.several_functions || graph.function().caller != nullptr) return;
  const ExprPtr a = graph.any_tensor(choices, 0, 3);
  const ExprPtr b = graph.any_tensor(choices, 0, 3);
  if (a == nullptr || b == nullptr) return;
  ExprPtr tuple = graph.pack({a, b});
  if (choices.one_in(3)) tuple = graph.pack({tuple, a});
  if (choices.flip()) tuple = graph.bind(tuple);
  std::vector<ExprPtr> args = {tuple};
  for (const ExprPtr& one : {b, a}) {
    if (choices.flip()) args.push_back(one);
  }
  const ExprPtr result = call_new_function(choices, graph, args);
  if (result == nullptr) return;
  const TupleType* type = result->type.as_tuple();
  if (type != nullptr && !type->fields.empty())
    graph.item(result, static_cast<int>(choices.index(type->fields.size())));
}

}  // namespace

std::vector<Idiom> structure_idioms() {
  return {
      {"if-with-shared-values",
       "the same calls outside of an If and in its branches",
       2,
       if_with_shared_values,
       {"EliminateCommonSubexpr"}},
      {"closure-capture",
       "a local function that uses variables around it",
       2,
       closure_capture,
       {"LambdaLift"},
       false,
       false},
      {"symbolic-match-cast",
       "shapes forgotten and found again, new symbolic dims",
       2,
       symbolic_match_cast,
       {"CanonicalizeBindings"},
       false,
       false},
      {"vdevice-hints",
       "values hinted to virtual devices or copied there",
       2,
       vdevice_hints,
       {"RealizeVDevice", "UpdateVDevice"},
       true},
      {"private-call-with-tuple",
       "a private function of tuples, partly used",
       2,
       private_call_with_tuple,
       {"ExpandTupleArguments", "RemoveUnusedOutputs", "RemoveUnusedParameters", "InlinePrivateFunctions"},
       false,
       false},
  };
}

}  // namespace passdiff
