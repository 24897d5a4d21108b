// Idioms of calls: recursion, functions as values, one function called on several sizes.
#include "core/eval/interpret.h"
#include "core/form/builder.h"
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"
#include "core/gen/magnitude.h"
#include "core/gen/steps.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::string_view kDoubling[] = {"relax.add", "relax.maximum", "relax.multiply"};

bool may_add_functions(GraphBuilder& graph) {
  return graph.draft().options.several_functions && graph.function().caller == nullptr;
}

std::string free_name(const Module& module, const std::string& base) {
  std::string name = base;
  for (int i = 1; module.find(name) != nullptr; ++i) name = base + std::to_string(i);
  return name;
}

void add_private(GraphBuilder& graph, std::string name, FunctionPtr function) {
  graph.draft().module.functions.push_back(
      {.name = std::move(name), .function = std::move(function), .is_public = false});
}

// An op for `doubled`; null if the case avoids the one that is drawn.
const OpDef* draw_doubling(Choices& choices, GraphBuilder& graph) {
  const std::string_view op = choices.pick(kDoubling);
  return is_avoided(graph.draft().options, op) ? nullptr : find_op(op);
}

// Binds op(a, a) in the body; null if it does not have the type of `a`.
ExprPtr doubled(const OpDef* op, SeqBuilder& body, const ExprPtr& a) {
  if (op == nullptr) return nullptr;
  Result<ExprPtr> call = make_call(*op, {a, a}, {});
  if (!call || !equal((*call)->type, a->type)) return nullptr;
  return var_expr(body.emit(*call));
}

// Binds a call of a function of the module, which is evaluated. Null if it is undefined on these values.
ExprPtr call_made(GraphBuilder& graph, const std::string& name, const ExprPtr& callee,
                  std::vector<ExprPtr> args) {
  std::vector<Value> values;
  Provenance provenance;
  for (const ExprPtr& arg : args) values.push_back(graph.value_of(arg, provenance));
  provenance.lifted = false;
  const Outcome outcome = interpret(graph.draft().module, name, values);
  const auto* returned = std::get_if<Returned>(&outcome);
  if (returned == nullptr || !returned->overflows.empty() || !is_moderate(returned->value)) return nullptr;
  Result<ExprPtr> call = call_function(callee, std::move(args));
  return call.ok() ? graph.bind_known(*call, returned->value, provenance) : nullptr;
}

ExprPtr bool_constant(bool value) {
  Tensor tensor = zeros(DType::boolean, {});
  std::get<Tensor::Ints>(tensor.values).data()[0] = value ? 1 : 0;
  return make_constant(std::move(tensor));
}

// The function of x and more that returns callee(op(x, x), False) if `more` is true, else x. Null if it does not
// type.
FunctionPtr make_recursive(const OpDef* op, const std::string& callee, const Type& type) {
  const Var x = make_var("x", type);
  const Var more = make_var("more", tensor_type({}, DType::boolean));
  SeqBuilder then_body;
  const ExprPtr next = doubled(op, then_body, var_expr(x));
  if (next == nullptr) return nullptr;
  const Type signature = func_type({type, more->type}, type);
  Result<ExprPtr> call = call_global(callee, signature, {next, bool_constant(false)});
  if (!call) return nullptr;
  const ExprPtr again = var_expr(then_body.emit(*call));
  Result<ExprPtr> branches =
      make_if(var_expr(more), then_body.finish(again), SeqBuilder("other").finish(var_expr(x)));
  if (!branches) return nullptr;
  SeqBuilder body;
  const ExprPtr result = var_expr(body.emit(*branches, true, "result"));
  return make_function({x, more}, body.finish(result));
}

// A function that calls itself, or two that call each other, at most once.
void recursion(Choices& choices, GraphBuilder& graph) {
  if (!may_add_functions(graph) || !graph.draft().options.control_flow) return;
  const ExprPtr x = draw_static(choices, graph, 0, 3);
  if (x == nullptr) return;
  const std::string name = free_name(graph.draft().module, "repeat");
  const std::string other = choices.one_in(3) ? name + "_other" : name;
  FunctionPtr function = make_recursive(draw_doubling(choices, graph), other, x->type);
  FunctionPtr second = other == name ? nullptr : make_recursive(draw_doubling(choices, graph), name, x->type);
  if (function == nullptr || (other != name && second == nullptr)) return;
  add_private(graph, name, std::move(function));
  if (second != nullptr) add_private(graph, other, std::move(second));
  const ExprPtr global = make_global(graph.draft().module, name);
  const ExprPtr result = call_made(graph, name, global, {x, bool_constant(choices.flip())});
  if (result != nullptr) call_made(graph, name, global, {result, bool_constant(choices.flip())});
}

// A variable that stands for a function of the module; the function is called by its name and by the variable.
void function_as_value(Choices& choices, GraphBuilder& graph) {
  if (!may_add_functions(graph)) return;
  const ExprPtr x = draw_static(choices, graph, 0, 3);
  if (x == nullptr) return;
  const Var param = make_var("x", x->type);
  SeqBuilder body;
  const ExprPtr result = doubled(draw_doubling(choices, graph), body, var_expr(param));
  if (result == nullptr) return;
  const std::string name = free_name(graph.draft().module, "twice");
  add_private(graph, name, make_function({param}, body.finish(result)));
  const ExprPtr global = make_global(graph.draft().module, name);
  if (choices.one_in(3)) call_made(graph, name, global, {x});
  const ExprPtr value =
      outside_dataflow(graph, [&] { return graph.bind_known(global, Value{}, Provenance{.lifted = false}); });
  call_made(graph, name, value, {x});
}

// A function of a symbolic size, in which a match_cast defines another symbolic dim for it, called on two sizes.
void calls_of_two_sizes(Choices& choices, GraphBuilder& graph) {
  if (!may_add_functions(graph) || !graph.draft().options.symbolic_shapes) return;
  const std::int64_t size = graph.dim(choices);
  const DType dtype = graph.float_dtype(choices);
  const ExprPtr a = graph.fresh(choices, Origin::input, dtype, {size});
  const ExprPtr b =
      graph.fresh(choices, choices.flip() ? Origin::input : Origin::constant, dtype, {size + 1});
  if (a == nullptr || b == nullptr) return;
  const Dim found = make_sym_var("k");
  const Var x = make_var("x", tensor_type({make_sym_var("n")}, dtype));
  SeqBuilder body;
  const ExprPtr cast = var_expr(body.emit_match_cast(var_expr(x), tensor_type({found}, dtype)));
  const ExprPtr result = doubled(draw_doubling(choices, graph), body, cast);
  if (result == nullptr) return;
  const std::string name = free_name(graph.draft().module, "sized");
  add_private(graph, name, make_function({x}, body.finish(result)));
  for (const ExprPtr& arg : {a, b}) {
    const ExprPtr call = call_made(graph, name, make_global(graph.draft().module, name), {arg});
    const TensorType type = *arg->type.as_tensor();
    if (call != nullptr && !choices.one_in(3)) graph.match_cast(call, tensor_type(*type.shape, dtype));
  }
}

}  // namespace

std::vector<Idiom> structure_calls_idioms() {
  return {
      {"recursion",
       "a function that calls itself, or two that call each other",
       1,
       recursion,
       {"InlinePrivateFunctions"},
       false,
       false},
      {"function-as-value", "a variable that stands for a function of the module", 1, function_as_value, {}, false,
       false},
      {"calls-of-two-sizes",
       "a function of symbolic sizes with a match_cast, called on two sizes",
       1,
       calls_of_two_sizes,
       {"InlinePrivateFunctions"},
       false,
       false},
  };
}

}  // namespace passdiff
