// Calls of functions that are made for the call, so that every value in them is known; calls of functions that are
// there already; closures.
#include <algorithm>

#include "core/eval/interpret.h"
#include "core/form/builder.h"
#include "core/gen/magnitude.h"
#include "core/gen/steps.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr int kMaxDepth = 2;

int depth_of(GraphBuilder& graph) {
  int depth = 0;
  for (Operands* caller = graph.function().caller; caller != nullptr; caller = caller->function().caller)
    ++depth;
  return depth;
}

// What the callee's types have for a dim of the caller: a symbolic dim of its own, or the same static size unless
// `symbolic`.
Dim own_dim(FunctionDraft& function, const GraphBuilder& caller, const Dim& dim, bool symbolic) {
  if (dim.is_static() && !symbolic) return dim;
  for (const Symbol& symbol : function.symbols) {
    if (proven_equal(symbol.outside, dim)) return symbol.var;
  }
  static const char* const kNames[] = {"n", "m", "p", "q"};
  const std::size_t count = function.symbols.size();
  std::string name = count < std::size(kNames) ? kNames[count] : "s" + std::to_string(count);
  function.symbols.push_back({make_sym_var(std::move(name)), caller.size_of(dim), dim});
  return function.symbols.back().var;
}

Type own_type(FunctionDraft& function, const GraphBuilder& caller, const Type& type, bool symbolic) {
  if (const TupleType* tuple = type.as_tuple()) {
    std::vector<Type> fields;
    for (const Type& field : tuple->fields) fields.push_back(own_type(function, caller, field, symbolic));
    return tuple_type(std::move(fields));
  }
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !tensor->shape.has_value()) return type;
  TensorType own = *tensor;
  for (Dim& dim : *own.shape) dim = own_dim(function, caller, dim, symbolic);
  return own;
}

bool has_known_shapes(const Type& type) {
  if (const TupleType* tuple = type.as_tuple()) {
    return !tuple->fields.empty() &&
           std::all_of(tuple->fields.begin(), tuple->fields.end(), has_known_shapes);
  }
  const TensorType* tensor = type.as_tensor();
  return tensor != nullptr && tensor->shape.has_value() && tensor->dtype.has_value();
}

std::string helper_name(const Module& module) {
  static const char* const kNames[] = {"helper", "inner", "scale", "step"};
  const std::size_t count = module.functions.size();
  return count < std::size(kNames) ? kNames[count] : "helper" + std::to_string(count);
}

// A result of one or several values; the caller need not use all of them.
ExprPtr helper_result(Choices& choices, GraphBuilder& body) {
  ExprPtr result = choose_result(choices, body);
  if (choices.one_in(4)) {
    const Entry* more = body.choose(choices, [](const Entry& e) { return e.tensor != nullptr; });
    if (more != nullptr) result = make_tuple({result, more->shown.expr});
  }
  return result;
}

void use_result(Choices& choices, GraphBuilder& graph, const ExprPtr& result) {
  const TupleType* tuple = result->type.as_tuple();
  if (tuple == nullptr || tuple->fields.empty()) return;
  const std::size_t size = tuple->fields.size();
  const std::size_t count = 1 + choices.index(std::min<std::size_t>(size, 2));
  for (std::size_t i = 0; i < count; ++i) graph.item(result, static_cast<int>(choices.index(size)));
}

ExprPtr draw_argument(Choices& choices, GraphBuilder& graph) {
  const Entry* entry = graph.choose(choices, [](const Entry& e) {
    return e.origin != Origin::constant && has_known_shapes(e.shown.expr->type);
  });
  if (entry != nullptr) return entry->shown.expr;
  return graph.any_tensor(choices, 0, 3);
}

// An argument of this type for a known function. Sizes for the symbolic dims are drawn where they occur first.
ExprPtr argument_for(Choices& choices, GraphBuilder& graph, const Type& type, std::vector<Symbol>& symbols) {
  if (const TupleType* tuple = type.as_tuple()) {
    std::vector<ExprPtr> fields;
    for (const Type& field : tuple->fields) fields.push_back(argument_for(choices, graph, field, symbols));
    return graph.pack(std::move(fields));
  }
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !has_known_shapes(type)) return nullptr;
  Shape shape;
  for (const Dim& dim : *tensor->shape) {
    const SymVar* var = dim.as_var();
    if (dim.is_static()) {
      shape.push_back(dim);
      continue;
    }
    if (var == nullptr) return nullptr;
    auto known = std::find_if(symbols.begin(), symbols.end(), [&](const Symbol& s) { return s.var == *var; });
    if (known == symbols.end()) known = symbols.insert(symbols.end(), {*var, graph.dim(choices), Dim(0)});
    shape.emplace_back(known->value);
  }
  return graph.want(choices, *tensor->dtype, std::move(shape));
}

ExprPtr call_known_function(Choices& choices, GraphBuilder& graph) {
  const KnownFunction callee = choices.pick(graph.draft().known_functions);
  std::vector<ExprPtr> args;
  std::vector<Value> values;
  std::vector<Symbol> symbols;
  Provenance provenance{.inexact = callee.inexact, .lifted = true};
  for (const Type& param : *callee.type.as_func()->params) {
    args.push_back(argument_for(choices, graph, param, symbols));
    if (args.back() == nullptr) return nullptr;
    values.push_back(graph.value_of(args.back(), provenance));
  }
  const Outcome outcome = interpret(graph.draft().module, callee.name, values);
  const Returned* returned = std::get_if<Returned>(&outcome);
  if (returned == nullptr || !returned->overflows.empty() || !is_moderate(returned->value)) return nullptr;
  Result<ExprPtr> call = call_global(callee.name, callee.type, std::move(args));
  return call.ok() ? graph.bind_known(*call, returned->value, provenance) : nullptr;
}

}  // namespace

ExprPtr call_new_function(Choices& choices, GraphBuilder& graph, const std::vector<ExprPtr>& args,
                          const Idiom* idiom) {
  CaseDraft& draft = graph.draft();
  FunctionDraft function;
  function.caller = &graph;
  GraphBuilder body(draft, function);
  const bool symbolic = draft.options.symbolic_shapes && choices.one_in(5);
  Provenance outside;
  for (const ExprPtr& arg : args) {
    Provenance provenance;
    Entry passed;
    passed.shown.value = graph.value_of(arg, provenance);
    passed.provenance = provenance;
    outside.join(provenance);
    const ExprPtr param = body.parameter_for(own_type(function, graph, arg->type, symbolic), passed, arg);
    if (const TupleType* tuple = param->type.as_tuple()) {
      body.item(param, static_cast<int>(choices.index(tuple->fields.size())));
    }
  }
  body.begin_block(draft.config.blocks != BlockStyle::plain);
  if (idiom != nullptr)
    idiom->make(choices, body);
  else
    grow(choices, body, body.binding_count() + 1 + static_cast<int>(choices.index(4)));
  const ExprPtr result = helper_result(choices, body);
  Provenance inside;
  Value known = body.value_of(result, inside);

  std::vector<Var> params;
  for (const Parameter& parameter : function.inputs) params.push_back(parameter.var);
  NamedAttrs attrs;
  if (choices.one_in(4)) attrs["role"] = std::string("helper");  // means nothing to any pass, which must keep it
  const FunctionPtr made = make_function(std::move(params), body.finish(result), true, std::move(attrs));
  std::string name = helper_name(draft.module);
  const Type type = type_of(*made);
  const bool is_public = choices.one_in(3);
  draft.module.functions.push_back({.name = name, .function = made, .is_public = is_public});
  draft.known_functions.push_back({.name = name, .type = type, .inexact = inside.inexact});
  Result<ExprPtr> call = call_global(std::move(name), type, function.arguments);
  if (!call.ok()) return nullptr;
  outside.inexact = outside.inexact || inside.inexact;
  for (const ExprPtr& arg : function.arguments) graph.value_of(arg, outside);
  return graph.bind_known(*call, std::move(known), outside);
}

bool add_call_of_function(Choices& choices, GraphBuilder& graph) {
  CaseDraft& draft = graph.draft();
  ExprPtr result;
  const bool may_make = static_cast<int>(draft.module.functions.size()) < draft.config.max_helpers;
  if (!draft.known_functions.empty() && (!may_make || choices.one_in(3))) {
    result = call_known_function(choices, graph);
  } else if (may_make && depth_of(graph) < kMaxDepth) {
    std::vector<ExprPtr> args;
    const std::size_t count = 1 + choices.index(3);
    for (std::size_t i = 0; i < count; ++i) {
      ExprPtr arg = draw_argument(choices, graph);
      if (arg == nullptr) return false;
      if (choices.one_in(6)) arg = make_tuple({arg, args.empty() ? arg : args.back()});
      args.push_back(std::move(arg));
    }
    result = call_new_function(choices, graph, args);
  }
  if (result == nullptr) return false;
  use_result(choices, graph, result);
  return true;
}

bool add_closure(Choices& choices, GraphBuilder& graph) {
  if (graph.has_symbols()) return false;  // a local function does not see symbolic dims of the function around
  std::vector<Var> params;
  std::vector<ExprPtr> args;
  if (graph.entries().empty()) graph.any_tensor(choices, 0, 3);
  GraphBuilder body(graph.draft(), graph.function(), &graph);
  const std::size_t count = 1 + choices.index(2);
  for (std::size_t i = 0; i < count; ++i) {
    const ExprPtr arg = graph.any_tensor(choices, 0, 3);
    const Entry* entry = arg != nullptr ? graph.find(arg) : nullptr;
    if (entry == nullptr) return false;
    args.push_back(arg);
    body.parameter_for(arg->type, *entry, nullptr, &params);
  }
  grow_calls(choices, body, 1 + static_cast<int>(choices.index(3)));
  if (body.binding_count() == 0) return false;
  const ExprPtr result = body.entries().back().shown.expr;
  Provenance inside;
  Value known = body.value_of(result, inside);
  const FunctionPtr local = make_function(std::move(params), body.finish(result));
  const ExprPtr closure = outside_dataflow(graph, [&] {
    return graph.bind_known(make_expr(local, type_of(*local)), Value{}, Provenance{.lifted = false});
  });
  Result<ExprPtr> call = call_function(closure, args);
  if (!call.ok()) return true;
  inside.lifted = false;
  graph.bind_known(*call, known, inside);
  if (choices.one_in(3)) graph.bind_known(*call, std::move(known), inside);
  return true;
}

}  // namespace passdiff
