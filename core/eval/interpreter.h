// The state of one run of the interpreter, and closures, which keep part of it. What others call is in interpret.h.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/eval/heap.h"
#include "core/eval/interpret.h"
#include "core/eval/known_runs.h"
#include "core/eval/symbols.h"
#include "core/eval/tir/machine.h"
#include "core/ir/pointer_map.h"
#include "core/ops/op.h"

namespace passdiff {

// The variables and symbolic dims of one function call, by identity. The branches of an If use their function's frame.
struct Frame {
  PointerMap<Value> variables;
  Symbols symbols;
  std::vector<const VarNode*> killed = {};  // variables that the program has given up
};

// The module that a closure belongs to, kept alive for closures that outlive the run that made them.
struct ClosureHome {
  Module module;
  InterpretOptions options;
};

// A function of a module as a value.
struct Closure {
  FunctionPtr function;
  Frame captured;  // a copy of the frame in which the closure was made
  Var self;  // the variable that a local function is bound to, so that it can call itself; null for globals
  std::shared_ptr<const ClosureHome> home;
  std::vector<Value> bound = {};  // the values of the last parameters (R.make_closure)
};

// The arguments of a call of the closure, and after them those that are bound.
std::vector<Value> with_bound(const Closure& closure, std::span<const Value> arguments);

// Whether a function of TVM's virtual machine (its name after `vm.builtin.`) is called by programs alone, for an object whose kind
// only the machine knows, or for what it does: a cache of attention, a call for debugging, one between workers. No pass makes, leaves
// out or changes such a call, so it is an unknown function of the host (core/eval/unknown_function.h).
bool is_opaque_vm_builtin(std::string_view name);

// Whether a condition holds: a bool scalar, or a bool tensor of rank 0. Nothing if the value is neither.
std::optional<bool> condition_value(const Value& value);

class PrimFuncArguments;
class ShapeHeap;

// Every method that can fail returns false after noting in `stop_` why the run ends; callers return at once.
class Interpreter {
 public:
  Interpreter(const Module& module, const InterpretOptions& options, std::shared_ptr<const ClosureHome> home)
      : module_(module), options_(options), home_(std::move(home)),
        known_runs_(options.known_runs != nullptr ? options.known_runs : std::make_shared<KnownRuns>()) {
    context_.rounding = options.rounding;
    context_.rounding.library_errors = options.library_errors && is_stochastic(options.rounding);
    takes_over_calls_ = options.known_runs != nullptr && module.prim_funcs.empty() && is_faithful(options.rounding);
  }

  Outcome run(std::string_view function, std::span<const Value> arguments);
  Outcome run(const Closure& closure, const Value& self, std::span<const Value> arguments);

 private:
  bool eval(const ExprPtr& expr, Frame& frame, Value& out);
  bool eval_compound(const Expr& expr, Frame& frame, Value& out);
  bool eval_node(const Var& var, Frame& frame, Value& out);
  bool eval_node(const Constant& constant, Frame& frame, Value& out);
  bool eval_node(const Tuple& tuple, Frame& frame, Value& out);
  bool eval_node(const TupleGetItem& item, Frame& frame, Value& out);
  bool eval_node(const ShapeExpr& shape, Frame& frame, Value& out);
  bool eval_node(const PrimValue& prim, Frame& frame, Value& out);
  bool eval_node(const StringImm& text, Frame& frame, Value& out);
  bool eval_node(const DataTypeImm& dtype, Frame& frame, Value& out);
  bool eval_node(const GlobalRef& global, Frame& frame, Value& out);
  bool eval_node(const ExternFunc& external, Frame& frame, Value& out);
  bool eval_node(const If& branches, Frame& frame, Value& out);
  bool eval_node(const FunctionPtr& function, Frame& frame, Value& out);
  bool eval_seq(const SeqExpr& seq, Frame& frame, Value& out);
  bool eval_binding(const Binding& binding, Frame& frame);
  bool eval_dim(const Dim& dim, const Frame& frame, std::int64_t& out);
  bool match_cast(const Binding& binding, const Value& value, Frame& frame);

  bool eval_call(const Expr& expr, const Call& call, Frame& frame, Value& out);
  bool call_op(const OpDef& op, const Expr& expr, std::span<const Value> args, Value& out);
  bool perform(const OpDef& op, const Call& call, Frame& frame, Value& out);
  bool print_values(const Call& call, Frame& frame, Value& out);
  bool assert_condition(const Call& call, Frame& frame, Value& out);
  bool call_operands(const Call& call, Frame& frame, Value& out);
  bool call_fields(const Call& call, Frame& frame, Value& out);
  bool spread_whole(const Call& call, Frame& frame, Value& out);
  bool bind_last(const Value& function, std::span<const Value> bound, Value& out);
  bool bind_last_arguments(const Call& call, Frame& frame, Value& out);
  bool call_tir(const Call& call, Frame& frame, Value& out);
  bool call_tir_inplace(const Call& call, Frame& frame, Value& out);
  bool call_tir_dyn(const Call& call, Frame& frame, Value& out);
  bool alloc_tensor(const Call& call, Frame& frame, Value& out);
  bool alloc_storage(const Call& call, Frame& frame, Value& out);
  bool alloc_tensor_in_storage(const Call& call, Frame& frame, Value& out);
  bool kill(const Call& call, Frame& frame, Value& out);
  bool call_builtin_with_context(const Call& call, Frame& frame, Value& out);
  bool tir_arguments(const Call& call, Frame& frame, std::vector<Value>& out);
  bool results_of(const Type& declared, Frame& frame, std::vector<Value>& out);
  Outcome run(const GlobalPrimFunc& global, std::span<const Value> arguments);
  bool run_prim_func(const GlobalPrimFunc& global, std::span<const Value> args, std::span<const char> writable, Value& out);
  bool run_machine(const GlobalPrimFunc& global, PrimFuncArguments& arguments, tir::MachineOptions& options, ScalarValue& number);
  std::shared_ptr<const tir::Program> program_of(const GlobalPrimFunc& global);
  const GlobalPrimFunc* called_prim_func(const ExprPtr& callee) const;
  std::optional<Outcome> call_packed(const tir::HostCall& call);
  bool call_vm_builtin(std::string_view name, std::span<const Value> args, Value& out);
  bool alloc_shape_heap(std::span<const Value> args, Value& out);
  bool read_shape_heap(const ShapeHeap& heap, std::int64_t at, std::int64_t& out);
  bool match_size(std::int64_t size, std::int64_t code, std::int64_t operand, ShapeHeap& heap);
  bool match_shape(std::span<const Value> args, Value& out);
  bool match_prim_value(std::span<const Value> args, Value& out);
  bool made_size(std::span<const Value> args, std::size_t at, std::int64_t& out);
  bool make_shape(std::span<const Value> args, Value& out);
  bool make_prim_value(std::span<const Value> args, Value& out);
  bool check_tensor_info(std::span<const Value> args, Value& out);
  bool check_shape_info(std::span<const Value> args, Value& out);
  bool check_tuple_info(std::span<const Value> args, Value& out);
  bool check_prim_value_info(std::span<const Value> args, Value& out);
  bool check_func_info(std::span<const Value> args, Value& out);
  bool shape_of(std::span<const Value> args, Value& out);
  bool reshape(std::span<const Value> args, Value& out);
  bool tensor_to_shape(std::span<const Value> args, Value& out);
  bool make_vm_closure(std::span<const Value> args, Value& out);
  bool invoke_vm_closure(std::span<const Value> args, Value& out);
  bool multinomial_from_uniform(std::span<const Value> args, Value& out);
  bool unchanged(std::span<const Value> args, Value& out);
  bool is_kept(const Value& value);   // no in-place call has taken its memory
  bool readable(const Value& value);  // kept, and each element was written
  void note_inputs(const Value& argument);
  bool undefined(UndefinedRule rule, std::string_view op, std::string detail);
  bool eval_all(std::span<const ExprPtr> exprs, Frame& frame, std::vector<Value>& out);
  bool fields_of(const ExprPtr& tuple, Frame& frame, std::vector<Value>& out);
  bool apply(const ExprPtr& callee, const Call& call, std::span<const Value> args, Frame& frame, Value& out);
  bool call_extern(const std::string& name, std::span<const Value> args, const std::vector<Type>& declared, bool pure,
                   Frame& frame, Value& out);
  bool call_for_op(const OpDef& op, std::span<const Value> args, Value& out);
  bool check_assertion(std::span<const Value> args);
  void record(std::string_view function, std::span<const Value> args, bool pure);
  Value evaluate(const OpCall& call);
  bool run_op(const OpDef& op, const Call& call, std::span<const Value> args, const Type& result, Value& out);
  std::optional<Type> result_type(const OpDef& op, const Call& call, std::span<const Value> args, bool open);
  bool call_global(const GlobalRef& global, std::span<const Value> args, Value& out);
  bool call_value(const Value& callee, std::span<const Value> args, Value& out);
  bool call_host(const Callable& callable, std::span<const Value> args, Value& out);
  bool call_function(const Function& function, Frame& frame, std::span<const Value> args, Value& out);
  bool bind_parameters(const Function& function, Frame& frame, std::span<const Value> args);
  bool extern_value(const ExternFunc& external, Value& out);
  Value make_closure(FunctionPtr function, Frame captured, Var self);

  bool count_elements(std::int64_t elements);
  bool stop(Outcome outcome);
  bool wrong_type(std::string message);
  Outcome finish(bool completed, Value value);

  const Module& module_;
  const InterpretOptions& options_;
  std::shared_ptr<const ClosureHome> home_;  // made with the first closure
  EvalContext context_;
  std::optional<Outcome> stop_;
  std::string_view binding_ = "return";  // the variable that is being computed, for messages
  std::int64_t steps_ = 0;
  std::int64_t elements_ = 0;
  std::int64_t work_ = 0;  // Returned::work
  int depth_ = 0;
  int nesting_ = 0;
  std::vector<Effect> effects_;
  bool from_nothing_ = false;
  Heap heap_;
  std::vector<TensorPtr> inputs_;  // tensors that the caller gave, which functions must not write
  std::shared_ptr<KnownRuns> known_runs_;  // those of the options; else of this run alone
  bool takes_over_calls_ = false;          // of ops: no function here may write a tensor, and nothing is drawn
};

}  // namespace passdiff
