#include "core/form/rebuild.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/form/builder.h"
#include "core/form/signature.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

class Rebuilder : public Rewriter {
 public:
  Rebuilder(const Module& old, const Edits& edits) : old_(old), edits_(edits) {}

  Result<Module> run() {
    Module result{.functions = {}, .vdevices = old_.vdevices, .attrs = old_.attrs, .prim_funcs = old_.prim_funcs, .meshes = old_.meshes};
    for (const GlobalPrimFunc& f : old_.prim_funcs) function_types_.emplace(f.name, type_of(*f.function));
    for (const GlobalFunction& f : old_.functions) function_types_.emplace(f.name, type_of(*f.function));
    // Callees first, so that callers see their new types; recursion keeps the old one.
    for (const GlobalFunction& f : old_.functions) {
      if (!make(f.name)) return *std::move(error_);
    }
    for (const GlobalFunction& f : old_.functions)
      result.functions.push_back({f.name, made_.at(f.name), f.is_public});
    return result;
  }

  ExprPtr expr(const ExprPtr& old) override {
    return match(
        old, [&](const Var& var) { return variable(old, var); },
        [&](const Constant& constant) {
          const TensorPtr fresh = edits_.constant ? edits_.constant(constant.tensor) : constant.tensor;
          return fresh == constant.tensor ? old : make_constant(*fresh);
        },
        [&](const ShapeExpr& shape) { return edits_.dim ? make_shape(map_shape(shape.values)) : old; },
        [&](const OneOf<Call, Tuple, TupleGetItem, If, FunctionPtr, GlobalRef> auto&) { return parts(old); },
        [&](const OneOf<PrimValue, StringImm, DataTypeImm, ExternFunc> auto&) { return old; });
  }

 protected:
  bool remakes_all() const override { return true; }

  ExprPtr remake(const ExprPtr& old, ExprNode node) override {
    Call* call = std::get_if<Call>(&node);
    const OpDef* op = call == nullptr ? nullptr : called_op(*call);
    if (op != nullptr && edits_.attrs) {
      if (auto attrs = edits_.attrs(*op, call->attrs)) call->attrs = *std::move(attrs);
    }
    return made(make_typed(std::move(node), old->type, [&](const std::string& name) -> std::optional<Type> {
      const auto found = function_types_.find(name);
      return found == function_types_.end() ? std::nullopt : std::optional(found->second);
    }));
  }

  FunctionPtr function(const FunctionPtr& old) override {
    std::vector<Var> params;
    for (const Var& param : old->params) {
      const Type type = edits_.param_type ? edits_.param_type(param) : param->type;
      Var fresh = make_var(param->name, map_type(type), param->dataflow);
      vars_.insert_or_assign(param.get(), var_expr(fresh));
      params.push_back(std::move(fresh));
    }
    SeqExpr body;
    if (!seq(old->body, body)) return nullptr;
    return make_function(std::move(params), std::move(body), old->pure, old->attrs);
  }

  bool binding(const Binding& old, BlockSink& to) override {
    if (edits_.remove && edits_.remove(old)) return true;
    if (edits_.replace) {
      if (auto replacement = edits_.replace(old)) {
        ExprPtr value = expr(*replacement);
        if (value == nullptr) return false;
        vars_.insert_or_assign(old.var.get(), std::move(value));
        return true;
      }
    }
    const std::optional<ExprPtr> rewritten = edits_.rewrite ? edits_.rewrite(old) : std::nullopt;
    ExprPtr value = expr(rewritten.value_or(old.value));
    if (value == nullptr) return false;
    return bind(old, std::move(value), to);
  }

 private:
  bool make(const std::string& name) {
    if (made_.contains(name) || !in_progress_.insert(name).second) return true;
    const GlobalFunction* old = old_.find(name);
    if (old == nullptr) return true;
    std::vector<std::string> callees;
    for_each_global(old->function->body, [&](const std::string& callee) { callees.push_back(callee); });
    for (const std::string& callee : callees) {
      if (!make(callee)) return false;
    }
    FunctionPtr fresh = function(old->function);
    if (fresh == nullptr) return false;
    function_types_.insert_or_assign(name, type_of(*fresh));
    made_.emplace(name, std::move(fresh));
    return true;
  }

  bool bind(const Binding& old, ExprPtr value, BlockSink& to) {
    Type type = value->type;
    std::optional<Type> cast;
    if (old.match_cast) {
      type = map_type(*old.match_cast);
      if (edits_.cast) type = edits_.cast(type);
      if (!may_match(value->type, type)) {
        error_ = Error{"type.match-cast",
                       "match_cast: no " + to_string(value->type) + " is a " + to_string(type)};
        return false;
      }
      cast = type;
    }
    const bool exposed = edits_.expose && edits_.expose(old.var);
    const Var var = make_var(old.var->name, std::move(type), old.var->dataflow && !exposed);
    vars_.insert_or_assign(old.var.get(), var_expr(var));
    to.add({var, std::move(value), std::move(cast)});
    return true;
  }

  ExprPtr made(Result<ExprPtr> result) {
    if (result) return *std::move(result);
    error_ = result.error();
    return nullptr;
  }

  ExprPtr variable(const ExprPtr& old, const Var& var) {
    const auto found = vars_.find(var.get());
    if (found != vars_.end()) return found->second;
    // A variable that an edit brought along (a new parameter, say) stands for itself.
    if (edits_.replace || edits_.rewrite) return old;
    error_ = Error{"rebuild.unbound", var->name + ": a variable that nothing binds"};
    return nullptr;
  }

  Shape map_shape(const Shape& old) const {
    Shape shape;
    for (const Dim& dim : old) shape.push_back(edits_.dim ? edits_.dim(dim) : dim);
    return shape;
  }
  Type map_type(const Type& old) const {
    if (!edits_.dim) return old;
    if (const ShapeType* shape = old.as_shape(); shape != nullptr && shape->values)
      return ShapeType{map_shape(*shape->values), shape->rank};
    return replace_tensors(old, [&](TensorType tensor) {
      if (tensor.shape) tensor.shape = map_shape(*tensor.shape);
      return tensor;
    });
  }

  const Module& old_;
  const Edits& edits_;
  std::optional<Error> error_;  // why a null was returned
  std::unordered_map<const VarNode*, ExprPtr> vars_;
  std::unordered_map<std::string, Type> function_types_;
  std::unordered_map<std::string, FunctionPtr> made_;
  std::unordered_set<std::string> in_progress_;
};

}  // namespace

Result<Module> rebuild(const Module& module, const Edits& edits) {
  return Rebuilder(module, edits).run();
}

}  // namespace passdiff
