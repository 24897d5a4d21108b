#include "core/eval/interpret.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/eval/interpreter.h"
#include "core/ir/walk.h"
#include "core/ops/strided.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// How deep expressions and calls may be nested together, so that the C++ stack stays below 8 MiB with AddressSanitizer.
constexpr int kMaxNesting = 1'000;

}  // namespace

std::optional<bool> condition_value(const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) {
    if ((*tensor)->dtype != DType::boolean || (*tensor)->rank() != 0) return std::nullopt;
    return as_int(**tensor, 0) != 0;
  }
  const auto* scalar = std::get_if<ScalarValue>(&value.node);
  if (scalar == nullptr || scalar->dtype != DType::boolean) return std::nullopt;
  const auto* held = std::get_if<std::int64_t>(&scalar->value);
  return held == nullptr ? std::nullopt : std::optional<bool>(*held != 0);
}

bool Interpreter::stop(Outcome outcome) {
  stop_ = std::move(outcome);
  return false;
}

bool Interpreter::wrong_type(std::string message) {
  return stop(WrongType{std::string(binding_), std::move(message)});
}

bool Interpreter::eval(const ExprPtr& expr, Frame& frame, Value& out) {
  if (expr == nullptr) return stop(Unsupported{"an expression is missing"});
  if (const Var* var = std::get_if<Var>(&expr->node)) return eval_node(*var, frame, out);
  if (const auto* constant = std::get_if<Constant>(&expr->node)) return eval_node(*constant, frame, out);
  if (nesting_ >= kMaxNesting) return stop(LimitExceeded{"depth"});
  ++nesting_;
  const bool completed = eval_compound(*expr, frame, out);
  --nesting_;
  return completed;
}

bool Interpreter::eval_compound(const Expr& expr, Frame& frame, Value& out) {
  return match(
      expr, [&](const Call& call) { return eval_call(expr, call, frame, out); },
      [&](const OneOf<Var, Constant, Tuple, TupleGetItem, ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef,
                      ExternFunc, If, FunctionPtr> auto& node) { return eval_node(node, frame, out); });
}

bool Interpreter::eval_node(const Var& var, Frame& frame, Value& out) {
  const Value* value = frame.variables.find(var.get());
  if (value == nullptr) return stop(Unsupported{"variable " + (var ? var->name : "?") + " is not defined"});
  if (!frame.killed.empty() && std::find(frame.killed.begin(), frame.killed.end(), var.get()) != frame.killed.end())
    return undefined(UndefinedRule::use_after_kill, "variable", var->name + " was given up before");
  out = *value;
  return true;
}

bool Interpreter::eval_node(const Constant& constant, Frame&, Value& out) {
  if (constant.tensor == nullptr) return stop(Unsupported{"a constant has no tensor"});
  out = constant.tensor;
  return true;
}

bool Interpreter::eval_node(const Tuple& tuple, Frame& frame, Value& out) {
  TupleValue result;
  result.fields.resize(tuple.fields.size());
  for (std::size_t i = 0; i < tuple.fields.size(); ++i) {
    if (!eval(tuple.fields[i], frame, result.fields[i])) return false;
  }
  out = std::move(result);
  return true;
}

bool Interpreter::eval_node(const TupleGetItem& item, Frame& frame, Value& out) {
  Value tuple;
  if (!eval(item.tuple, frame, tuple)) return false;
  const TupleValue* held = tuple.as_tuple();
  if (held == nullptr) return wrong_type("not a tuple: " + to_string(tuple, 0));
  if (item.index < 0 || static_cast<std::size_t>(item.index) >= held->fields.size()) {
    return wrong_type(fmt::format("index {} into a tuple of {} fields", item.index, held->fields.size()));
  }
  // Copied, since assigning a part of `tuple` to `out` is safe only as long as they are different values.
  out = Value(held->fields[static_cast<std::size_t>(item.index)]);
  return true;
}

bool Interpreter::eval_dim(const Dim& dim, const Frame& frame, std::int64_t& out) {
  if (const std::optional<std::int64_t> value = frame.symbols.evaluate(dim)) {
    out = *value;
    return true;
  }
  bool bound = true;
  for_each_sym_var(dim, [&](const SymVar& var) { bound = bound && frame.symbols.find(var).has_value(); });
  if (!bound) return stop(Unsupported{"symbolic variable of " + to_string(dim) + " is not bound"});
  return stop(Trapped{"trap.shape", to_string(dim) + " divides by zero or overflows"});
}

bool Interpreter::eval_node(const ShapeExpr& shape, Frame& frame, Value& out) {
  ShapeValue result;
  result.dims.resize(shape.values.size());
  for (std::size_t i = 0; i < shape.values.size(); ++i) {
    if (!eval_dim(shape.values[i], frame, result.dims[i])) return false;
  }
  out = std::move(result);
  return true;
}

bool Interpreter::eval_node(const PrimValue& prim, Frame& frame, Value& out) {
  if (const double* number = std::get_if<double>(&prim.value)) {
    if (!is_float(prim.dtype)) return wrong_type("a float as prim value of an integer dtype");
    out = ScalarValue{prim.dtype, *number};
    return true;
  }
  std::int64_t value = 0;
  if (!eval_dim(std::get<Dim>(prim.value), frame, value)) return false;
  if (is_float(prim.dtype)) {
    out = ScalarValue{prim.dtype, static_cast<double>(value)};
  } else {
    out = ScalarValue{prim.dtype, wrap_int(prim.dtype, static_cast<std::uint64_t>(value))};
  }
  return true;
}

bool Interpreter::eval_node(const StringImm& text, Frame&, Value& out) {
  out = text.value;
  return true;
}

bool Interpreter::eval_node(const DataTypeImm& dtype, Frame&, Value& out) {
  out = dtype.value;
  return true;
}

bool Interpreter::undefined(UndefinedRule rule, std::string_view op, std::string detail) {
  context_.log.report(rule, std::move(detail));
  context_.log.attribute(op, binding_);
  return stop(Undefined{context_.log.records()});
}

bool Interpreter::eval_node(const GlobalRef& global, Frame&, Value& out) {
  const GlobalFunction* found = module_.find(global.name);
  if (found == nullptr || found->function == nullptr) return stop(Unsupported{"no function " + global.name});
  out = make_closure(found->function, {}, nullptr);
  return true;
}

bool Interpreter::eval_node(const ExternFunc& external, Frame&, Value& out) {
  return extern_value(external, out);
}

bool Interpreter::eval_node(const FunctionPtr& function, Frame& frame, Value& out) {
  if (function == nullptr) return stop(Unsupported{"a local function is missing"});
  out = make_closure(function, frame, nullptr);
  return true;
}

bool Interpreter::eval_node(const If& branches, Frame& frame, Value& out) {
  if (branches.then_branch == nullptr || branches.else_branch == nullptr) {
    return stop(Unsupported{"a branch is missing"});
  }
  Value condition;
  if (!eval(branches.condition, frame, condition)) return false;
  const std::optional<bool> chosen = condition_value(condition);
  if (!chosen) return wrong_type("not a condition: " + to_string(condition, 0));
  return eval_seq(*chosen ? *branches.then_branch : *branches.else_branch, frame, out);
}

bool Interpreter::eval_seq(const SeqExpr& seq, Frame& frame, Value& out) {
  const std::string_view outer = binding_;
  const auto eval_next = [&](const Binding& binding) {
    return eval_binding(binding, frame) ? Walk::on : Walk::stop;
  };
  if (!for_each_binding<Enter::none>(seq, eval_next)) return false;
  binding_ = outer;
  return eval(seq.result, frame, out);
}

bool Interpreter::match_cast(const Binding& binding, const Value& value, Frame& frame) {
  const Type* type = &*binding.match_cast;
  if (!bind_types({&value, 1}, {&type, 1}, frame.symbols)) return true;
  return stop(Trapped{"trap.match-cast",
                      fmt::format("{}: {} is no {}", binding_, to_string(value, 0), to_string(*type))});
}

bool Interpreter::eval_binding(const Binding& binding, Frame& frame) {
  if (binding.var == nullptr) return stop(Unsupported{"a binding has no variable"});
  if (++steps_ > options_.limits.steps) return stop(LimitExceeded{"steps"});
  binding_ = binding.var->name;
  Value value;
  if (const auto* local = binding.value ? as<FunctionPtr>(binding.value) : nullptr; local && *local) {
    value = make_closure(*local, frame, binding.var);
  } else if (!eval(binding.value, frame, value)) {
    return false;
  }
  binding_ = binding.var->name;
  if (binding.match_cast && !match_cast(binding, value, frame)) return false;
  if (!has_type(value, binding.var->type, frame.symbols)) {
    return wrong_type(fmt::format("{} is no {}", to_string(value, 0), to_string(binding.var->type)));
  }
  frame.variables.set(binding.var.get(), std::move(value));
  return true;
}

Outcome Interpreter::finish(bool completed, Value value) {
  if (completed && !heap_.empty()) completed = readable(value);
  if (!completed) return *std::move(stop_);
  Returned returned{std::move(value), {}, from_nothing_, std::move(effects_), {}, work_};
  for (const UndefinedRecord& record : context_.log.records())
    (is_contradiction(record.rule) ? returned.contradictions : returned.overflows).push_back(record);
  return returned;
}

Outcome Interpreter::run(std::string_view function, std::span<const Value> arguments) {
  if (const GlobalPrimFunc* prim_func = module_.find_prim_func(function)) return run(*prim_func, arguments);
  const GlobalFunction* found = module_.find(function);
  if (found == nullptr || found->function == nullptr)
    return Unsupported{fmt::format("no function {}", function)};
  Frame frame;
  Value value;
  for (const Value& argument : arguments) note_inputs(argument);
  const bool completed = call_function(*found->function, frame, arguments, value);
  return finish(completed, std::move(value));
}

void Interpreter::note_inputs(const Value& argument) {
  if (module_.prim_funcs.empty()) return;
  if (const TensorPtr* tensor = argument.as_tensor()) inputs_.push_back(*tensor);
  if (const TupleValue* tuple = argument.as_tuple()) {
    for (const Value& field : tuple->fields) note_inputs(field);
  }
}

Outcome Interpreter::run(const Closure& closure, const Value& self, std::span<const Value> arguments) {
  Value value;
  Frame frame = closure.captured;
  if (closure.self) frame.variables.set(closure.self.get(), self);
  const bool completed = call_function(*closure.function, frame, with_bound(closure, arguments), value);
  return finish(completed, std::move(value));
}

Outcome interpret(const Module& module, std::string_view function, std::span<const Value> arguments,
                  const InterpretOptions& options) {
  const AffordableElements affordable(options.limits.elements);
  return Interpreter(module, options, nullptr).run(function, arguments);
}

}  // namespace passdiff
