// The ops that are no functions of their operands but have a meaning here: R.print, R.assert_op, calls of functions of the host
// and of closures.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/eval/interpreter.h"
#include "core/eval/unknown_function.h"
#include "core/form/signature.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// What LegalizeOps makes of R.print and R.assert_op.
constexpr std::string_view kPrint = "relax.run.print";
constexpr std::string_view kAssert = "relax.run.assert_op";
// Functions of the host that compute what an op of the same name does: LegalizeOps makes calls of them.
constexpr std::string_view kRun = "relax.run.";
constexpr std::string_view kRelax = "relax.";
// What LowerRuntimeBuiltin makes of R.memory.view.
constexpr std::string_view kCreateView = "runtime.TVMTensorCreateView";
// Functions of TVM's virtual machine.
constexpr std::string_view kVmBuiltin = "vm.builtin.";

// The value as an effect keeps it: closures have no identity beyond the run that made them.
Value without_callables(const Value& value) {
  if (std::holds_alternative<std::shared_ptr<const Callable>>(value.node)) return std::string("callable");
  const TupleValue* tuple = value.as_tuple();
  if (tuple == nullptr) return value;
  TupleValue kept;
  for (const Value& field : tuple->fields) kept.fields.push_back(without_callables(field));
  return kept;
}

}  // namespace

std::vector<Value> with_bound(const Closure& closure, std::span<const Value> arguments) {
  std::vector<Value> all(arguments.begin(), arguments.end());
  all.insert(all.end(), closure.bound.begin(), closure.bound.end());
  return all;
}

void Interpreter::record(std::string_view function, std::span<const Value> args, bool pure) {
  Effect effect{.function = std::string(function), .arguments = {}, .pure = pure};
  for (const Value& arg : args) effect.arguments.push_back(without_callables(arg));
  effects_.push_back(std::move(effect));
}

bool Interpreter::eval_all(std::span<const ExprPtr> exprs, Frame& frame, std::vector<Value>& out) {
  out.resize(exprs.size());
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    if (!eval(exprs[i], frame, out[i])) return false;
  }
  return true;
}

bool Interpreter::fields_of(const ExprPtr& tuple, Frame& frame, std::vector<Value>& out) {
  Value value;
  if (!eval(tuple, frame, value)) return false;
  const TupleValue* fields = value.as_tuple();
  if (fields == nullptr) return wrong_type("arguments are no tuple: " + to_string(value, 0));
  out = fields->fields;
  return true;
}

// Its operands are a format, which the effect keeps, and values.
bool Interpreter::print_values(const Call& call, Frame& frame, Value& out) {
  std::vector<Value> args;
  if (!eval_all(call.args, frame, args)) return false;
  record(kPrint, args, false);
  out = TupleValue{};
  return true;
}

// `args` are the condition, a format, and the values that the message shows. That an assertion was made is an effect, which no pass may drop
// or repeat, though it holds.
bool Interpreter::check_assertion(std::span<const Value> args) {
  const std::optional<bool> holds = args.empty() ? std::nullopt : condition_value(args[0]);
  if (!holds) return wrong_type("an assertion of no condition");
  if (*holds) {
    record(kAssert, args.subspan(1), false);
    return true;
  }
  const auto* format = args.size() < 2 ? nullptr : std::get_if<std::string>(&args[1].node);
  return stop(Trapped{"trap.assert", "assertion failed" + (format == nullptr ? "" : ": " + *format)});
}

bool Interpreter::assert_condition(const Call& call, Frame& frame, Value& out) {
  std::vector<Value> args;
  if (!eval_all(call.args, frame, args)) return false;
  out = TupleValue{};
  return check_assertion(args);
}

bool Interpreter::call_extern(const std::string& name, std::span<const Value> args,
                              const std::vector<Type>& declared, bool pure, Frame& frame, Value& out) {
  const auto known = options_.host_functions.find(name);
  if (known != options_.host_functions.end()) return call_value(known->second, args, out);
  const bool is_builtin = name.starts_with(kVmBuiltin);
  const std::string_view builtin = is_builtin ? std::string_view(name).substr(kVmBuiltin.size()) : "";
  if (is_builtin && !is_opaque_vm_builtin(builtin)) return call_vm_builtin(builtin, args, out);
  if (name == kAssert) {
    out = TupleValue{};
    return check_assertion(args);
  }
  if (name.starts_with(kRun) || name == kCreateView) {
    const OpDef* op = name == kCreateView
                          ? find_op("relax.memory.view")
                          : find_op(std::string(kRelax) + std::string(std::string_view(name).substr(kRun.size())));
    if (op != nullptr && op->eval != nullptr) return call_for_op(*op, args, out);
  }
  record(name, args, pure);
  std::optional<Value> result = unknown_function(name, args, extern_result_type(declared), frame.symbols);
  if (!result) return stop(Unsupported{"the result of extern function " + name});
  out = *std::move(result);
  return true;
}

bool Interpreter::call_for_op(const OpDef& op, std::span<const Value> args, Value& out) {
  for (const Value& arg : args) {
    if (!readable(arg)) return false;
  }
  const auto given = op.attributes();
  const bool has_defaults = std::all_of(given.begin(), given.end(), [](const Param& param) {
    return param.optional || param.default_value.has_value();
  });
  if (args.size() > op.operand_count() || !has_defaults) return stop(Unsupported{fmt::format("a call for {}", op.name)});
  out = op.eval(args, default_attrs(op), object_type(), context_);
  context_.log.attribute(op.name, binding_);
  return !context_.log.must_stop() || stop(Undefined{context_.log.records()});
}

bool Interpreter::apply(const ExprPtr& callee, const Call& call, std::span<const Value> args, Frame& frame,
                        Value& out) {
  if (const ExternFunc* external = as<ExternFunc>(callee))
    return call_extern(external->name, args, call.type_args, called_op(call)->pure, frame, out);
  if (const GlobalRef* global = as<GlobalRef>(callee)) return call_global(*global, args, out);
  Value function;
  return eval(callee, frame, function) && call_value(function, args, out);
}

// R.call_pure_packed: the operands after the first are the arguments.
bool Interpreter::call_operands(const Call& call, Frame& frame, Value& out) {
  std::vector<Value> args;
  return eval_all(std::span(call.args).subspan(1), frame, args) &&
         apply(call.args[0], call, args, frame, out);
}

// R.call_dps_packed, R.invoke_closure: the second operand is the tuple of the arguments.
bool Interpreter::call_fields(const Call& call, Frame& frame, Value& out) {
  std::vector<Value> args;
  return fields_of(call.args[1], frame, args) && apply(call.args[0], call, args, frame, out);
}

// A closure of the module whose last parameters have these values, too (VMClosure::BindLastArgs).
bool Interpreter::bind_last(const Value& function, std::span<const Value> bound, Value& out) {
  const auto* callable = std::get_if<std::shared_ptr<const Callable>>(&function.node);
  const Closure* of = callable == nullptr ? nullptr : (*callable)->closure();
  if (of == nullptr) return stop(Unsupported{"a closure of what is no function of the module"});
  auto closure = std::make_shared<Closure>(*of);
  closure->bound.insert(closure->bound.begin(), bound.begin(), bound.end());
  out = std::make_shared<const Callable>(std::shared_ptr<const Closure>(std::move(closure)));
  return true;
}

// R.make_closure.
bool Interpreter::bind_last_arguments(const Call& call, Frame& frame, Value& out) {
  std::vector<Value> bound;
  Value function;
  return fields_of(call.args[1], frame, bound) && eval(call.args[0], frame, function) && bind_last(function, bound, out);
}

// A distributed tensor stands for all its parts together, which splitting does not change.
bool Interpreter::spread_whole(const Call& call, Frame& frame, Value& out) {
  const TensorType* whole = call.args[0]->type.as_tensor();
  if (whole == nullptr || !whole->sharding) return stop(Unsupported{"the part of a tensor that one of several workers keeps"});
  return eval(call.args[0], frame, out);
}

bool Interpreter::perform(const OpDef& op, const Call& call, Frame& frame, Value& out) {
  struct Performer {
    std::string_view op;
    bool (Interpreter::*perform)(const Call& call, Frame& frame, Value& out);
  };
  static constexpr auto kPerformers = std::to_array<Performer>({
      {"relax.print", &Interpreter::print_values},
      {"relax.assert_op", &Interpreter::assert_condition},
      {"relax.call_pure_packed", &Interpreter::call_operands},
      {"relax.call_inplace_packed", &Interpreter::call_operands},
      {"relax.call_dps_packed", &Interpreter::call_fields},
      {"relax.invoke_closure", &Interpreter::call_fields},
      {"relax.invoke_pure_closure", &Interpreter::call_fields},
      {"relax.make_closure", &Interpreter::bind_last_arguments},
      {"relax.call_tir", &Interpreter::call_tir},
      {"relax.dist.redistribute_replica_to_shard", &Interpreter::spread_whole},
      {"relax.call_tir_inplace", &Interpreter::call_tir_inplace},
      {"relax.call_tir_with_grad", &Interpreter::call_tir},  // what it names are derivatives, which only Gradient asks for
      {"relax.vm.call_tir_dyn", &Interpreter::call_tir_dyn},
      {"relax.builtin.alloc_tensor", &Interpreter::alloc_tensor},
      {"relax.memory.alloc_storage", &Interpreter::alloc_storage},
      {"relax.memory.alloc_tensor", &Interpreter::alloc_tensor_in_storage},
      {"relax.memory.kill_storage", &Interpreter::kill},
      {"relax.memory.kill_tensor", &Interpreter::kill},
      {"relax.vm.alloc_storage", &Interpreter::alloc_storage},
      {"relax.vm.alloc_tensor", &Interpreter::alloc_tensor_in_storage},
      {"relax.vm.kill_object", &Interpreter::kill},
      {"relax.call_builtin_with_ctx", &Interpreter::call_builtin_with_context},
  });
  const auto* found = std::ranges::find(kPerformers, op.name, &Performer::op);
  if (found == kPerformers.end()) return stop(Unsupported{fmt::format("{} has no meaning here", op.name)});
  return (this->*found->perform)(call, frame, out);
}

}  // namespace passdiff
