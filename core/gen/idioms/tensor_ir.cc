// Idioms of TensorIR: calls of functions that are generated here, so that passes over TensorIR see more than what LegalizeOps makes.
#include <algorithm>

#include "core/eval/interpret.h"
#include "core/form/builder.h"
#include "core/gen/graph_builder.h"
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"
#include "core/gen/magnitude.h"
#include "core/gen/prim_func_draft.h"
#include "core/ops/op.h"

namespace passdiff {
namespace {

std::string free_name(const Module& module) {
  std::string name = "loops";
  for (int i = 1; module.find(name) != nullptr || module.find_prim_func(name) != nullptr; ++i) name = "loops" + std::to_string(i);
  return name;
}

// The function applied to the value; nothing if it is undefined there.
std::optional<Value> applied(const GlobalPrimFunc& function, const ExprPtr& x, const Type& result, const Value& value) {
  Module module;
  module.prim_funcs = {function};
  const Var param = make_var("x", x->type);
  SeqBuilder body;
  Result<ExprPtr> call = make_call(*find_op("relax.call_tir"),
                                   {make_global(module, function.name), make_tuple({var_expr(param)})}, {}, {result});
  if (!call) return std::nullopt;
  const ExprPtr made = var_expr(body.emit(*call));
  module.functions.push_back({.name = "main", .function = make_function({param}, body.finish(made))});
  const Outcome outcome = interpret(module, "main", {&value, 1});
  const auto* returned = std::get_if<Returned>(&outcome);
  if (returned == nullptr || !returned->overflows.empty() || !is_moderate(returned->value)) return std::nullopt;
  return returned->value;
}

struct AppliedFunction {
  GlobalPrimFunc function;
  Type result;
  Value value;
};

// A function of x and what it returns for this value. Nothing if all of a few drafts are undefined there.
std::optional<AppliedFunction> draw_function(Choices& choices, GraphBuilder& graph, const ExprPtr& x, const Value& argument) {
  constexpr int kDrafts = 3;
  for (int i = 0; i < kDrafts; ++i) {
    tir::PrimFuncDraft draft(choices, result_dtype(x), result_shape(x), graph.sizes(result_shape(x)));
    GlobalPrimFunc function{.name = free_name(graph.draft().module), .function = draft.make(), .is_public = false};
    const Type result = tensor_type(draft.result_shape(), result_dtype(x));
    if (std::optional<Value> value = applied(function, x, result, argument)) return AppliedFunction{function, result, *std::move(value)};
  }
  return std::nullopt;
}

// Whether loops can run over the tensor: it has elements, and each of its sizes is an integer or a variable.
bool can_be_looped_over(const GraphBuilder& graph, const ExprPtr& x) {
  if (x == nullptr || result_dtype(x) == DType::boolean || is_minifloat(result_dtype(x))) return false;
  const Shape& shape = result_shape(x);
  return std::all_of(shape.begin(), shape.end(), [&](const Dim& dim) {
    return (dim.is_static() || dim.as_var() != nullptr) && graph.size_of(dim) != 0;
  });
}

// Calls of two or three functions, one of what the other returned.
void call_functions(Choices& choices, GraphBuilder& graph, ExprPtr x) {
  if (!can_be_looped_over(graph, x)) return;
  const int chain = static_cast<int>(choices.integer(2, 3));
  for (int i = 0; i < chain && x != nullptr; ++i) {
    Provenance provenance;
    const Value argument = graph.value_of(x, provenance);
    const std::optional<AppliedFunction> made = draw_function(choices, graph, x, argument);
    if (!made) return;
    Module& module = graph.draft().module;
    module.prim_funcs.push_back(made->function);
    Result<ExprPtr> call = make_call(*find_op("relax.call_tir"), {make_global(module, made->function.name), make_tuple({x})}, {},
                                     {made->result});
    x = call.ok() ? graph.bind_known(*call, made->value, provenance) : nullptr;
  }
}

void loop_nest(Choices& choices, GraphBuilder& graph) {
  call_functions(choices, graph, graph.any_tensor(choices, 0, 3));
}

void loop_nest_of_bfloat16(Choices& choices, GraphBuilder& graph) {
  const ExprPtr like = graph.any_tensor(choices, 0, 3);
  if (like != nullptr) call_functions(choices, graph, graph.want(choices, DType::bfloat16, result_shape(like)));
}

}  // namespace

std::vector<Idiom> tensor_ir_idioms() {
  return {
      {.name = "loop-nest",
       .summary = "calls of generated functions of TensorIR: tiles, guards, stages, reductions, integer arithmetic",
       .weight = 6,
       .make = loop_nest,
       .passes = {"s_tir.StmtSimplify", "s_tir.LoopPartition", "tirx.VectorizeLoop", "tirx.UnrollLoop", "s_tir.HoistExpression",
                  "s_tir.CompactBufferAllocation", "tirx.StorageRewrite", "s_tir.CanonicalizeLoop", "s_tir.InjectVirtualThread",
                  "s_tir.LowerMatchBuffer", "tirx.RemoveNoOp"},
       .needs_tensor_ir = true},
      {.name = "loop-nest-of-bfloat16",
       .summary = "calls of generated functions of TensorIR that compute in bfloat16",
       .weight = 1,
       .make = loop_nest_of_bfloat16,
       .passes = {"tirx.BF16ComputeLegalize"},
       .needs_tensor_ir = true},
  };
}

}  // namespace passdiff
