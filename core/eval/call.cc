// Calls: of ops, functions of the module, closures and functions of the host.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/eval/interpreter.h"
#include "core/eval/library_errors.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// Holds the values of a call's arguments, without allocation for the usual few.
class ArgumentBuffer {
 public:
  explicit ArgumentBuffer(std::size_t size) : size_(size) {
    if (size > kInline) heap_.resize(size);
  }
  Value& operator[](std::size_t i) { return data()[i]; }
  std::span<Value> all() { return {data(), size_}; }

 private:
  static constexpr std::size_t kInline = 4;  // most ops take one to three operands
  Value* data() { return size_ > kInline ? heap_.data() : inline_.data(); }

  std::array<Value, kInline> inline_;
  std::vector<Value> heap_;
  std::size_t size_;
};

// A typed expression that stands for the value, so that types can be inferred from values. Null for values that no operand can
// be.
ExprPtr expr_of(const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) {
    const std::vector<std::int64_t> extents = (*tensor)->shape();
    return make_expr(Constant{*tensor}, tensor_type(Shape(extents.begin(), extents.end()), (*tensor)->dtype));
  }
  if (const auto* shape = std::get_if<ShapeValue>(&value.node)) {
    const Shape dims(shape->dims.begin(), shape->dims.end());
    return make_expr(ShapeExpr{dims}, shape_type(dims));
  }
  if (const auto* scalar = std::get_if<ScalarValue>(&value.node)) {
    PrimValue prim{scalar->dtype, Dim(0)};
    if (const double* number = std::get_if<double>(&scalar->value)) {
      prim.value = *number;
    } else {
      prim.value = Dim(std::get<std::int64_t>(scalar->value));
    }
    return make_expr(std::move(prim), prim_type(scalar->dtype));
  }
  if (const auto* dtype = std::get_if<DType>(&value.node)) return make_expr(DataTypeImm{*dtype}, object_type());
  if (const auto* text = std::get_if<std::string>(&value.node)) return make_expr(StringImm{*text}, object_type());
  // What a call without a result returns, and R.null_value(): to an op an operand that is left out.
  if (std::holds_alternative<std::monostate>(value.node)) return make_expr(Tuple{}, TupleType{});
  if (const TupleValue* tuple = value.as_tuple()) {
    Tuple fields;
    TupleType types;
    for (const Value& field : tuple->fields) {
      fields.fields.push_back(expr_of(field));
      if (fields.fields.back() == nullptr) return nullptr;
      types.fields.push_back(fields.fields.back()->type);
    }
    return make_expr(std::move(fields), std::move(types));
  }
  return nullptr;
}

// How many elements a result of this type has: kOpen if the type does not say, kImpossible if no value can have the type. The
// number saturates.
constexpr std::int64_t kOpen = -1;
constexpr std::int64_t kImpossible = -2;
std::int64_t elements_of(const Type& type) {
  std::int64_t total = 0;
  if (const TupleType* tuple = type.as_tuple()) {
    for (const Type& field : tuple->fields) {
      const std::int64_t elements = elements_of(field);
      if (elements < 0) return elements;
      total = std::max(total, elements);
    }
    return total;
  }
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !tensor->shape) return kOpen;
  total = 1;
  for (const Dim& dim : *tensor->shape) {
    if (!dim.is_static()) return kOpen;
    if (dim.value() < 0) return kImpossible;
    if (__builtin_mul_overflow(total, dim.value(), &total)) return std::numeric_limits<std::int64_t>::max();
  }
  return total;
}

// About how many steps on single elements a call takes that makes a result of so many elements (Returned::work). Of an op that sums up
// products the number of these follows from the sizes: exactly for a matmul of matrices, whose M*K, K*N and M*N elements meet in M*K*N.
std::int64_t work_of(const OpDef& op, std::span<const Value> args, std::int64_t elements) {
  std::int64_t work = elements;
  double products = static_cast<double>(elements);
  for (const Value& arg : args) {
    const std::int64_t operand = elements_of(arg);
    work += operand;
    products *= static_cast<double>(operand);
  }
  return op.multilinear && args.size() == 2 ? work + static_cast<std::int64_t>(std::sqrt(products)) : work;
}

bool has_empty_tensor(const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) return (*tensor)->size() == 0;
  const TupleValue* tuple = value.as_tuple();
  return tuple != nullptr && std::any_of(tuple->fields.begin(), tuple->fields.end(), has_empty_tensor);
}

// Rounds operands as results are under Rounding::float32_as and Rounding::most: a pass that lowers precision may cast them before the op.
void lower_operands(std::span<Value> args, Rounding& rounding) {
  for (Value& arg : args) {
    const TensorPtr* tensor = arg.as_tensor();
    if (tensor == nullptr || !is_float((*tensor)->dtype)) continue;
    arg = make_tensor(round_floats((*tensor)->dtype, (*tensor)->floats(), rounding));
  }
}

}  // namespace

bool Interpreter::eval_call(const Expr& expr, const Call& call, Frame& frame, Value& out) {
  const OpDef* op = called_op(call);
  if (op != nullptr && op->eval == nullptr) return perform(*op, call, frame, out);
  ArgumentBuffer args(call.args.size());
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (!eval(call.args[i], frame, args[i])) return false;
  }
  if (op != nullptr) {
    if (!heap_.empty() && !std::ranges::all_of(args.all(), [this](const Value& value) { return readable(value); })) return false;
    if (context_.rounding.float32_as || context_.rounding.most) lower_operands(args.all(), context_.rounding);
    return call_op(*op, expr, args.all(), out);
  }
  if (std::holds_alternative<const Op*>(call.callee)) return stop(Unsupported{"a call of no op"});
  if (const auto* global = std::get_if<GlobalRef>(&call.callee))
    return call_global(*global, args.all(), out);
  if (const auto* external = std::get_if<ExternFunc>(&call.callee))
    return call_extern(external->name, args.all(), call.type_args, false, frame, out);
  Value callee;
  if (!eval(std::get<ExprPtr>(call.callee), frame, callee)) return false;
  return call_value(callee, args.all(), out);
}

bool Interpreter::call_op(const OpDef& op, const Expr& expr, std::span<const Value> args, Value& out) {
  const Call& call = std::get<Call>(expr.node);
  bool open = elements_of(expr.type) < 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const StaticMatch match = match_static(args[i], call.args[i]->type);
    if (match == StaticMatch::no) {
      return wrong_type(fmt::format("{}: operand {} is {}, not {}", op.name, i, to_string(args[i], 0),
                                    to_string(call.args[i]->type)));
    }
    open = open || match == StaticMatch::open;
  }
  // Evaluation relies on operands that inference has accepted. It has if make_call typed the call and no type left anything
  // open; otherwise types are inferred again, from the values.
  if (expr.inferred && !open) return run_op(op, call, args, expr.type, out);
  const std::optional<Type> result = result_type(op, call, args, open);
  return result && run_op(op, call, args, *result, out);
}

std::optional<Type> Interpreter::result_type(const OpDef& op, const Call& call, std::span<const Value> args,
                                             bool open) {
  std::vector<ExprPtr> exprs = call.args;
  if (open) {
    for (std::size_t i = 0; i < args.size(); ++i) {
      exprs[i] = expr_of(args[i]);
      if (exprs[i] == nullptr) {
        wrong_type(fmt::format("{}: operand {} is {}", op.name, i, to_string(args[i], 0)));
        return std::nullopt;
      }
    }
  }
  Result<Type> type = infer_call(op, exprs, call.attrs);
  if (type) return std::move(type).value();
  // Types that say everything and do not fit are wrong; types that left something open may turn out not to fit, which traps.
  const bool arity = type.error().code == "type.arity" || type.error().code == "type.attribute";
  if (open && type.error().code == "type.not-inbound") {  // the size is known only now: what the call promises of it is not so
    undefined(UndefinedRule::index_out_of_bounds, op.name, type.error().message);
  } else if (open && !arity) {
    stop(Trapped{"trap.operands", type.error().message});
  } else {
    wrong_type(type.error().message);
  }
  return std::nullopt;
}

// Evaluates the call, or takes over what an equal one has returned.
Value Interpreter::evaluate(const OpCall& call) {
  if (!takes_over_calls_ || !heap_.empty()) return call.op.eval(call.args, call.attrs, call.result, context_);
  const std::uint64_t hash = KnownCalls::hash(call);
  if (const Value* known = known_runs_->calls().find(call, hash)) return *known;
  Value result = call.op.eval(call.args, call.attrs, call.result, context_);
  if (context_.log.empty()) known_runs_->calls().keep(call, hash, result);
  return result;
}

bool Interpreter::run_op(const OpDef& op, const Call& call, std::span<const Value> args, const Type& result,
                         Value& out) {
  const std::int64_t expected = elements_of(result);
  if (expected == kImpossible) return stop(Trapped{"trap.shape", fmt::format("{}: negative dim", op.name)});
  if (expected > options_.limits.elements) return stop(LimitExceeded{"elements"});
  out = evaluate({op, args, call.attrs, result});
  if (options_.library_errors) add_library_error(op, args, context_.rounding, out);
  if (!context_.log.empty()) {
    context_.log.attribute(op.name, binding_);
    if (context_.log.must_stop()) return stop(Undefined{context_.log.records()});
  }
  if (options_.observe) options_.observe(args, out);
  const std::int64_t elements = elements_of(out);
  work_ += work_of(op, args, elements);
  from_nothing_ |= elements > 0 && std::any_of(args.begin(), args.end(), has_empty_tensor);
  return count_elements(elements);
}

bool Interpreter::count_elements(std::int64_t elements) {
  elements_ += elements;
  return elements_ <= options_.limits.total_elements || stop(LimitExceeded{"memory"});
}

bool Interpreter::call_global(const GlobalRef& global, std::span<const Value> args, Value& out) {
  if (const GlobalPrimFunc* prim_func = module_.find_prim_func(global.name)) return run_prim_func(*prim_func, args, {}, out);
  const GlobalFunction* found = module_.find(global.name);
  if (found == nullptr || found->function == nullptr) return stop(Unsupported{"no function " + global.name});
  Frame frame;
  return call_function(*found->function, frame, args, out);
}

bool Interpreter::call_value(const Value& callee, std::span<const Value> args, Value& out) {
  const auto* callable = std::get_if<std::shared_ptr<const Callable>>(&callee.node);
  if (callable == nullptr || *callable == nullptr) return wrong_type("not callable: " + to_string(callee, 0));
  const Closure* closure = (*callable)->closure();
  if (closure == nullptr || closure->home != home_) return call_host(**callable, args, out);
  Frame frame = closure->captured;
  if (closure->self) frame.variables.set(closure->self.get(), callee);
  if (closure->bound.empty()) return call_function(*closure->function, frame, args, out);
  return call_function(*closure->function, frame, with_bound(*closure, args), out);
}

bool Interpreter::call_host(const Callable& callable, std::span<const Value> args, Value& out) {
  Outcome outcome = callable.call(args);
  auto* returned = std::get_if<Returned>(&outcome);
  if (returned == nullptr) return stop(std::move(outcome));
  for (const auto* records : {&returned->overflows, &returned->contradictions}) {
    for (const UndefinedRecord& record : *records) {
      context_.log.report(record.rule, record.detail);
      context_.log.locate(record.statement);
      context_.log.attribute(record.op, record.binding);
    }
  }
  from_nothing_ |= returned->from_nothing;
  work_ += returned->work;
  std::move(returned->effects.begin(), returned->effects.end(), std::back_inserter(effects_));
  out = std::move(returned->value);
  return true;
}

bool Interpreter::bind_parameters(const Function& function, Frame& frame, std::span<const Value> args) {
  if (args.size() != function.params.size()) {
    return stop(Trapped{"trap.arity",
                        fmt::format("{} arguments for {} parameters", args.size(), function.params.size())});
  }
  std::vector<const Type*> types;
  types.reserve(args.size());
  for (const Var& param : function.params) {
    if (param == nullptr) return stop(Unsupported{"a parameter is missing"});
    types.push_back(&param->type);
  }
  if (const std::optional<std::size_t> bad = bind_types(args, types, frame.symbols)) {
    return stop(refused_argument(fmt::format("parameter {}: {} is no {}", function.params[*bad]->name, to_string(args[*bad], 0),
                                             to_string(*types[*bad]))));
  }
  for (std::size_t i = 0; i < args.size(); ++i) frame.variables.set(function.params[i].get(), args[i]);
  return true;
}

bool Interpreter::call_function(const Function& function, Frame& frame, std::span<const Value> args,
                                Value& out) {
  if (depth_ >= options_.limits.depth) return stop(LimitExceeded{"depth"});
  // A call counts as a step, so that functions without bindings cannot run for ever.
  if (++steps_ > options_.limits.steps) return stop(LimitExceeded{"steps"});
  if (!bind_parameters(function, frame, args)) return false;
  const std::string_view caller_binding = binding_;
  binding_ = "return";
  ++depth_;
  const bool completed = eval_seq(function.body, frame, out);
  --depth_;
  if (!completed) return false;
  if (!has_type(out, function.result_type, frame.symbols)) {
    return wrong_type(fmt::format("{} is no {}", to_string(out, 0), to_string(function.result_type)));
  }
  binding_ = caller_binding;
  return true;
}

bool Interpreter::extern_value(const ExternFunc& external, Value& out) {
  const auto found = options_.host_functions.find(external.name);
  if (found == options_.host_functions.end()) return stop(Unsupported{"extern function " + external.name});
  out = found->second;
  return true;
}

Value Interpreter::make_closure(FunctionPtr function, Frame captured, Var self) {
  if (home_ == nullptr) home_ = std::make_shared<const ClosureHome>(ClosureHome{module_, options_});
  auto closure = std::make_shared<const Closure>(
      Closure{std::move(function), std::move(captured), std::move(self), home_});
  return std::make_shared<const Callable>(std::move(closure));
}

Outcome Callable::call(std::span<const Value> arguments) const {
  if (closure_ == nullptr) return function_(arguments);
  const ClosureHome& home = *closure_->home;
  const Value self = std::make_shared<const Callable>(closure_);
  return Interpreter(home.module, home.options, closure_->home).run(*closure_, self, arguments);
}

Value host_function(Callable::Function function) {
  return std::make_shared<const Callable>(std::move(function));
}

}  // namespace passdiff
