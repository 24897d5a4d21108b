// Builders that infer types: how generator, parser and passes make functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ir/module.h"
#include "core/ops/op.h"
#include "core/result.h"

namespace passdiff {

// Makes one function (or branch): parameters, blocks, bindings. Names are made unique within the builder.
class SeqBuilder {
 public:
  explicit SeqBuilder(std::string_view name_prefix = "lv") : prefix_(name_prefix) {}

  void begin_block(bool dataflow);  // ends the block before
  // Binds the value to a new variable of the value's type. `output` matters in dataflow blocks: visible
  // outside.
  Var emit(ExprPtr value, bool output = true, std::string_view name = {});
  // To a variable that is declared of another type: what stood in for the value may have been known better.
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

ExprPtr make_constant(Tensor tensor);
ExprPtr make_tuple(std::vector<ExprPtr> fields);
Result<ExprPtr> make_tuple_get_item(ExprPtr tuple, int index);  // type.tuple-index
ExprPtr make_shape(Shape values);
ExprPtr make_prim(std::int64_t value);
ExprPtr make_prim(Dim value);
ExprPtr make_prim_float(double value, DType dtype);
ExprPtr make_global(const Module& module, std::string_view name);
// Calls of functions: the result type is the callee's with its symbolic dims replaced by the arguments'
// (erased where they cannot be deduced). Fails with type.arity, type.argument.
Result<ExprPtr> call_function(ExprPtr callee, std::vector<ExprPtr> args);
Result<ExprPtr> call_global(std::string name, const Type& func_type, std::vector<ExprPtr> args);
ExprPtr call_extern(std::string name, std::vector<ExprPtr> args, std::vector<Type> type_args);
Result<ExprPtr> make_if(ExprPtr condition, SeqExpr then_branch, SeqExpr else_branch);  // type.condition

FunctionPtr make_function(std::vector<Var> params, SeqExpr body, bool pure = true, NamedAttrs attrs = {});
Type type_of(const Function& function);

}  // namespace passdiff
