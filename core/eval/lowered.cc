// Lowered modules: calls of functions of TensorIR, and memory.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/eval/interpreter.h"
#include "core/eval/prim_func_arguments.h"
#include "core/eval/tir/host_sorts.h"
#include "core/form/signature.h"
#include "core/ops/known_attrs.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// How many steps on single elements take as long as one of its statements (Returned::work).
constexpr std::int64_t kWorkPerStatement = 16;

// All that a run depends on. Nothing under random rounding, where no two runs are alike, or where the arguments are large.
std::optional<std::string> describe(const PrimFuncArguments& arguments, const Rounding& rounding) {
  if (is_stochastic(rounding)) return std::nullopt;
  std::optional<std::string> bytes = arguments.describe();
  const auto code = [](std::optional<DType> dtype) { return dtype ? static_cast<char>(static_cast<int>(*dtype) + 1) : '\0'; };
  if (bytes) *bytes += {static_cast<char>(rounding.mode), code(rounding.least), code(rounding.most), code(rounding.float32_as)};
  return bytes;
}

}  // namespace

const GlobalPrimFunc* Interpreter::called_prim_func(const ExprPtr& callee) const {
  const GlobalRef* global = as<GlobalRef>(callee);
  return global == nullptr ? nullptr : module_.find_prim_func(global->name);
}

std::shared_ptr<const tir::Program> Interpreter::program_of(const GlobalPrimFunc& global) {
  if (auto known = known_runs_->program_of(global.function)) return known;
  Result<tir::Program> program = tir::compile(*global.function);
  if (!program) {
    const Error& error = program.error();
    if (error.code.starts_with("unsupported.")) {
      stop(Unsupported{global.name + ": " + error.message});
    } else {
      wrong_type(global.name + ": " + error.message);
    }
    return nullptr;
  }
  auto shared = std::make_shared<const tir::Program>(std::move(program).value());
  known_runs_->keep(global.function, shared);
  return shared;
}

bool Interpreter::run_prim_func(const GlobalPrimFunc& global, std::span<const Value> args, std::span<const char> writable,
                                Value& out) {
  if (options_.observe_prim_func) options_.observe_prim_func(global, args);
  PrimFuncArguments arguments(heap_);
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!arguments.add(args[i], writable.empty() || writable[i] != 0))
      return wrong_type(fmt::format("{}: argument {} is {}", global.name, i, to_string(args[i], 0)));
  }
  tir::MachineOptions options{
      .steps = (options_.limits.steps - steps_) * kStatementsPerStep,
      .elements = options_.limits.total_elements - elements_,
      .call_host = [this](const tir::HostCall& call) { return call_packed(call); },
  };
  const std::int64_t statements = options.steps;
  ScalarValue number;
  if (!run_machine(global, arguments, options, number)) return false;
  if (const std::optional<std::string> conflict = arguments.finish())
    return undefined(UndefinedRule::conflicting_access, global.name, *conflict + " shares memory with what is written");
  steps_ = options_.limits.steps - options.steps / kStatementsPerStep;
  work_ += (statements - options.steps) * kWorkPerStatement;
  out = global.function->result.is_number() ? Value(number) : Value(TupleValue{});
  return true;
}

// Runs the function, or takes over what an equal run has left behind. Of `options`, what may be done counts down.
bool Interpreter::run_machine(const GlobalPrimFunc& global, PrimFuncArguments& arguments, tir::MachineOptions& options, ScalarValue& number) {
  const std::optional<std::string> description =
      options_.known_runs != nullptr ? describe(arguments, context_.rounding) : std::nullopt;
  const KnownRun* const known = description ? known_runs_->find(global.function, *description) : nullptr;
  if (known != nullptr && known->steps <= options.steps && known->elements <= options.elements) {
    arguments.take_over(*known);
    options.steps -= known->steps;
    options.elements -= known->elements;
    number = known->number;
    return true;
  }
  const std::shared_ptr<const tir::Program> program = program_of(global);
  if (program == nullptr) return false;
  const std::int64_t steps = options.steps;
  const std::int64_t elements = options.elements;
  tir::Machine machine(*program, options, context_);
  std::optional<Outcome> ended = machine.run(arguments.all());
  if (!context_.log.empty()) context_.log.attribute(global.name, binding_);
  if (context_.log.must_stop()) return stop(Undefined{context_.log.records()});
  if (ended) return stop(*std::move(ended));
  number = machine.result();
  std::optional<KnownRun> left = description && context_.log.empty() ? arguments.left_behind() : std::nullopt;
  if (left) {
    left->number = number;
    left->steps = steps - options.steps;
    left->elements = elements - options.elements;
    known_runs_->keep(global.function, *description, *std::move(left));
  }
  return true;
}

// The caller hands its memory over: each buffer is a copy of an argument, and all are the result.
Outcome Interpreter::run(const GlobalPrimFunc& global, std::span<const Value> arguments) {
  std::vector<Value> given;
  TupleValue result;
  for (const Value& argument : arguments) {
    const TensorPtr* tensor = argument.as_tensor();
    given.push_back(tensor == nullptr ? argument : heap_.copy(**tensor));
    if (tensor != nullptr) result.fields.push_back(given.back());
  }
  Value number;
  const bool completed = run_prim_func(global, given, {}, number);
  if (completed && global.function->result.is_number()) result.fields.push_back(std::move(number));
  return finish(completed, std::move(result));
}

// The values of what the call declares as its results: tensors that are not written yet.
bool Interpreter::results_of(const Type& declared, Frame& frame, std::vector<Value>& out) {
  if (const TupleType* tuple = declared.as_tuple()) {
    for (const Type& field : tuple->fields) {
      if (!results_of(field, frame, out)) return false;
    }
    return true;
  }
  const TensorType* tensor = declared.as_tensor();
  if (tensor == nullptr || !tensor->shape || !tensor->dtype) return stop(Unsupported{"a result of unknown shape or dtype"});
  std::vector<std::int64_t> shape(tensor->shape->size());
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!eval_dim((*tensor->shape)[i], frame, shape[i])) return false;
    if (shape[i] < 0) return stop(Trapped{"trap.shape", "a result of a negative size"});
    if (__builtin_mul_overflow(elements, shape[i], &elements) || elements > options_.limits.elements)
      return stop(LimitExceeded{"elements"});
  }
  if (!count_elements(elements)) return false;
  out.emplace_back(heap_.allocate(*tensor->dtype, shape));
  return true;
}

// The fields of the second operand, and after them the integers of the third.
bool Interpreter::tir_arguments(const Call& call, Frame& frame, std::vector<Value>& out) {
  Value given;
  if (!eval(call.args[1], frame, given)) return false;
  if (const TupleValue* fields = given.as_tuple()) {
    out = fields->fields;
  } else {
    out = {given};
  }
  return std::all_of(out.begin(), out.end(), [this](const Value& argument) { return is_kept(argument); });
}

namespace {

Value as_declared(const Type& declared, std::vector<Value> results) {
  if (declared.as_tuple() == nullptr) return results.front();
  return TupleValue{std::move(results)};
}

}  // namespace

bool Interpreter::call_tir(const Call& call, Frame& frame, Value& out) {
  const GlobalPrimFunc* function = called_prim_func(call.args[0]);
  if (function == nullptr) return stop(Unsupported{"R.call_tir of what is no function of TensorIR"});
  std::vector<Value> args;
  std::vector<Value> results;
  const Type declared = extern_result_type(call.type_args);
  if (!tir_arguments(call, frame, args) || !results_of(declared, frame, results)) return false;
  std::vector<char> writes(args.size(), 0);
  writes.resize(args.size() + results.size(), 1);
  args.insert(args.end(), results.begin(), results.end());
  if (call.args.size() > 2) {
    Value vars;
    if (!eval(call.args[2], frame, vars)) return false;
    args.push_back(std::move(vars));
    writes.push_back(0);
  }
  Value nothing;
  if (!run_prim_func(*function, args, writes, nothing)) return false;
  out = as_declared(declared, std::move(results));
  return true;
}

// Results whose index is not negative take the memory of that argument, which the program gives up.
bool Interpreter::call_tir_inplace(const Call& call, Frame& frame, Value& out) {
  const GlobalPrimFunc* function = called_prim_func(call.args[0]);
  if (function == nullptr) return stop(Unsupported{"R.call_tir_inplace of what is no function of TensorIR"});
  const Ints indices = read_attrs<InplaceAttrs>(call.attrs).inplace_indices;
  std::vector<Value> args;
  const Type declared = extern_result_type(call.type_args);
  if (!tir_arguments(call, frame, args)) return false;
  std::vector<Value> results;
  std::vector<Value> fresh;
  std::vector<TensorPtr> taken;
  const TupleType* tuple = declared.as_tuple();
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::int64_t index = indices[i];
    if (index < 0) {
      const Type& type = tuple != nullptr && i < tuple->fields.size() ? tuple->fields[i] : declared;
      if (!results_of(type, frame, fresh)) return false;
      results.push_back(fresh.back());
      continue;
    }
    const TensorPtr* tensor = static_cast<std::size_t>(index) < args.size() ? args[static_cast<std::size_t>(index)].as_tensor() : nullptr;
    if (tensor == nullptr) return wrong_type(fmt::format("no tensor at index {} of an in-place call", index));
    if (std::find(inputs_.begin(), inputs_.end(), *tensor) != inputs_.end())
      return undefined(UndefinedRule::write_to_input, function->name, "an argument of the program is overwritten");
    taken.push_back(*tensor);
    HeapTensor* const held = heap_.find(tensor->get());
    TensorPtr result = heap_.copy(**tensor);
    if (held != nullptr) heap_.find(result.get())->written = held->written;
    args[static_cast<std::size_t>(index)] = result;
    results.emplace_back(result);
  }
  args.insert(args.end(), fresh.begin(), fresh.end());
  if (call.args.size() > 2) {
    Value vars;
    if (!eval(call.args[2], frame, vars)) return false;
    args.push_back(std::move(vars));
  }
  Value nothing;
  if (!run_prim_func(*function, args, {}, nothing)) return false;
  for (TensorPtr& tensor : taken) heap_.give_up(std::move(tensor));
  out = as_declared(declared, std::move(results));
  return true;
}

bool Interpreter::call_tir_dyn(const Call& call, Frame& frame, Value& out) {
  const GlobalPrimFunc* function = called_prim_func(call.args[0]);
  if (function == nullptr) return stop(Unsupported{"R.vm.call_tir_dyn of what is no function of TensorIR"});
  std::vector<Value> args;
  return tir_arguments(call, frame, args) && run_prim_func(*function, args, {}, out);
}

bool Interpreter::alloc_tensor(const Call& call, Frame& frame, Value& out) {
  std::vector<Value> args;
  if (!eval_all(std::span(call.args).first(2), frame, args)) return false;
  const auto* shape = std::get_if<ShapeValue>(&args[0].node);
  const DType* dtype = std::get_if<DType>(&args[1].node);
  if (shape == nullptr || dtype == nullptr) return wrong_type("an allocation without a shape or a dtype");
  std::vector<Value> result;
  if (!results_of(tensor_type(Shape(shape->dims.begin(), shape->dims.end()), *dtype), frame, result)) return false;
  out = result.front();
  return true;
}

// relax.memory.alloc_storage(size, device, scope, dtype) and relax.vm.alloc_storage(size, device, dtype, scope): the size is that of a
// tensor of the dtype.
bool Interpreter::alloc_storage(const Call& call, Frame& frame, Value& out) {
  std::vector<Value> args;
  if (!eval_all(call.args, frame, args)) return false;
  const auto* shape = args.empty() ? nullptr : std::get_if<ShapeValue>(&args[0].node);
  const auto is_dtype = [](const Value& value) { return std::holds_alternative<DType>(value.node); };
  const auto dtype = std::find_if(args.begin(), args.end(), is_dtype);
  if (shape == nullptr || dtype == args.end()) return wrong_type("a storage without a size or a dtype");
  std::int64_t bits = row_of(std::get<DType>(dtype->node)).bits;
  for (const std::int64_t dim : shape->dims) {
    if (dim < 0) return stop(Trapped{"trap.shape", "a storage of a negative size"});
    if (__builtin_mul_overflow(bits, dim, &bits)) return stop(LimitExceeded{"elements"});
  }
  out = heap_.allocate_storage(bits / 8 + (bits % 8 != 0 ? 1 : 0));
  return true;
}

// alloc_tensor(storage, offset, shape, dtype, device).
bool Interpreter::alloc_tensor_in_storage(const Call& call, Frame& frame, Value& out) {
  std::vector<Value> args;
  if (!eval_all(std::span(call.args).first(4), frame, args)) return false;
  const TensorPtr* storage = args[0].as_tensor();
  const auto* offset = std::get_if<ScalarValue>(&args[1].node);
  const auto* shape = std::get_if<ShapeValue>(&args[2].node);
  const DType* dtype = std::get_if<DType>(&args[3].node);
  const auto* at = offset == nullptr ? nullptr : std::get_if<std::int64_t>(&offset->value);
  if (storage == nullptr || at == nullptr || shape == nullptr || dtype == nullptr)
    return wrong_type("an allocation in a storage without an offset, a shape or a dtype");
  std::int64_t elements = 1;
  for (const std::int64_t dim : shape->dims) {
    if (dim < 0) return stop(Trapped{"trap.shape", "a tensor of a negative size"});
    if (__builtin_mul_overflow(elements, dim, &elements) || elements > options_.limits.elements)
      return stop(LimitExceeded{"elements"});
  }
  if (!count_elements(elements)) return false;
  std::string error;
  TensorPtr tensor = heap_.allocate_in(storage->get(), *at, *dtype, shape->dims, error);
  if (tensor == nullptr) return undefined(UndefinedRule::index_out_of_bounds, "relax.memory.alloc_tensor", error);
  out = std::move(tensor);
  return true;
}

// The variable is given up; tensors in a storage that is given up live on, since they keep it (VMAllocStorage counts references).
bool Interpreter::kill(const Call& call, Frame& frame, Value& out) {
  Value value;
  if (!eval(call.args[0], frame, value)) return false;
  if (const Var* var = as<Var>(call.args[0])) frame.killed.push_back(var->get());
  out = TupleValue{};
  return true;
}

bool Interpreter::call_builtin_with_context(const Call& call, Frame& frame, Value& out) {
  std::vector<Value> args;
  const ExternFunc* function = as<ExternFunc>(call.args[0]);
  if (function == nullptr) return stop(Unsupported{"a builtin that is no function of the host"});
  return fields_of(call.args[1], frame, args) && call_extern(function->name, args, call.type_args, false, frame, out);
}

bool Interpreter::is_kept(const Value& value) {
  const TensorPtr* tensor = value.as_tensor();
  return tensor == nullptr || !heap_.is_given_up(*tensor) ||
         undefined(UndefinedRule::use_after_kill, "tensor", std::string(kTakenInPlace));
}

bool Interpreter::readable(const Value& value) {
  if (const TupleValue* tuple = value.as_tuple()) {
    return std::all_of(tuple->fields.begin(), tuple->fields.end(), [this](const Value& field) { return readable(field); });
  }
  if (!is_kept(value)) return false;
  const TensorPtr* tensor = value.as_tensor();
  const HeapTensor* held = tensor == nullptr ? nullptr : heap_.find(tensor->get());
  if (held == nullptr || held->is_written()) return true;
  const auto missing = std::count(held->written.begin(), held->written.end(), 0);
  return undefined(UndefinedRule::uninitialised_read, "tensor",
                   fmt::format("{} of {} elements were never written, or were overwritten in their storage", missing,
                               held->written.size()));
}

std::optional<Outcome> Interpreter::call_packed(const tir::HostCall& call) {
  bool known = false;
  std::optional<Outcome> ended = tir::call_host_sort(call, context_, known);
  return known ? ended : Unsupported{"packed function " + std::string(call.function)};
}

}  // namespace passdiff
