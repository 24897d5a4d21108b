// Builders of expressions and functions that infer types: the generator, the parser and passes make theirs with them. Those of scalars,
// shapes and tuples are in core/ops/literal.h.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/module.h"
#include "core/ir/walk.h"
#include "core/ops/literal.h"
#include "core/ops/op.h"
#include "core/result.h"

namespace passdiff {

// Builds the body of one function or branch, binding by binding. Names of variables are made unique within the
// builder.
class SeqBuilder {
 public:
  explicit SeqBuilder(std::string_view name_prefix = "lv") : prefix_(name_prefix) {}

  // Later bindings stand in a new block; a plain block after a plain block is the same block.
  void begin_block(bool dataflow);
  // Binds the value to a new variable of the value's type. In a dataflow block the variable is visible outside if
  // it is an `output`.
  Var emit(ExprPtr value, bool output = true, std::string_view name = {});
  // Binds the value to a new variable of a declared type, which may be more general than the value's.
  Var emit_declared(ExprPtr value, Type declared, bool output = true, std::string_view name = {});
  Var emit_match_cast(ExprPtr value, Type type, bool output = true, std::string_view name = {});
  SeqExpr finish(ExprPtr result);

 private:
  Var bind(ExprPtr value, Type declared, std::optional<Type> cast, bool output, std::string_view name);
  std::string fresh(std::string_view name);

  std::string prefix_;
  int next_ = 0;
  std::vector<Block> blocks_;
  std::vector<std::string> used_;
};

ExprPtr make_constant(Tensor tensor, std::optional<Sharding> sharding = std::nullopt);
Result<ExprPtr> make_tuple_get_item(ExprPtr tuple, int index);  // fails with type.tuple-index
ExprPtr make_prim_float(double value, DType dtype);
ExprPtr make_global(const Module& module, std::string_view name);
// Calls of functions. The result type is the callee's; its symbolic dims are replaced by what the arguments have in
// their place, and shapes become unknown where the arguments do not tell. Fails with type.arity, type.argument.
Result<ExprPtr> call_function(ExprPtr callee, std::vector<ExprPtr> args);
Result<ExprPtr> call_global(std::string name, const Type& func_type, std::vector<ExprPtr> args);
// A function of the host as a value: of unknown parameters, and not known to be pure.
ExprPtr make_extern_func(std::string name);
ExprPtr call_extern(std::string name, std::vector<ExprPtr> args, std::vector<Type> type_args);
Result<ExprPtr> make_if(ExprPtr condition, SeqExpr then_branch, SeqExpr else_branch);  // fails with type.condition

// The type of a function of the module, by name; nothing if there is none.
using TypeOfGlobal = std::function<std::optional<Type>(const std::string& name)>;
// The node as an expression whose type follows from its parts: calls, tuples, Ifs and functions as the builders above
// type them, mentions of global functions by `type_of_global`. What has no such parts is of the type `declared`. Fails
// as the builders do, and with type.unknown-function.
Result<ExprPtr> make_typed(ExprNode node, const Type& declared, const TypeOfGlobal& type_of_global);

FunctionPtr make_function(std::vector<Var> params, SeqExpr body, bool pure = true, NamedAttrs attrs = {});
Type type_of(const Function& function);

}  // namespace passdiff
