#include "core/form/rebuild.h"

#include <unordered_map>
#include <utility>

#include "core/ops/op.h"
#include "core/form/builder.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

class Rebuilder {
 public:
  Rebuilder(const Module& old, const Edits& edits) : old_(old), edits_(edits) {}

  Result<Module> run() {
    Module result{.functions = {}, .vdevices = old_.vdevices, .attrs = old_.attrs};
    for (const GlobalFunction& f : old_.functions) function_types_.emplace(f.name, type_of(*f.function));
    // Callees first, so that callers see their new types; recursion keeps the old one.
    std::unordered_map<std::string, FunctionPtr> made;
    for (const GlobalFunction& f : old_.functions) {
      if (auto error = make(f.name, made)) return *std::move(error);
    }
    for (const GlobalFunction& f : old_.functions)
      result.functions.push_back({f.name, made.at(f.name), f.is_public});
    return result;
  }

 private:
  std::optional<Error> make(const std::string& name, std::unordered_map<std::string, FunctionPtr>& made) {
    if (made.contains(name) || !in_progress_.emplace(name, true).second) return std::nullopt;
    const GlobalFunction* old = old_.find(name);
    if (old == nullptr) return std::nullopt;
    std::vector<std::string> callees;
    collect_callees(old->function->body, callees);
    for (const std::string& callee : callees) {
      if (auto error = make(callee, made)) return error;
    }
    Result<FunctionPtr> function = rebuild_function(*old->function);
    if (!function) return function.error();
    function_types_.insert_or_assign(name, type_of(**function));
    made.emplace(name, *std::move(function));
    return std::nullopt;
  }

  static void collect_callees(const SeqExpr& seq, std::vector<std::string>& names) {
    for (const Block& block : seq.blocks) {
      for (const Binding& binding : block.bindings) {
        if (const Call* call = as<Call>(binding.value)) {
          if (const auto* ref = std::get_if<GlobalRef>(&call->callee)) names.push_back(ref->name);
          for (const ExprPtr& arg : call->args) {
            if (const auto* global = as<GlobalRef>(arg)) names.push_back(global->name);
          }
        } else if (const If* branch = as<If>(binding.value)) {
          collect_callees(*branch->then_branch, names);
          collect_callees(*branch->else_branch, names);
        } else if (const FunctionPtr* inner = as<FunctionPtr>(binding.value)) {
          collect_callees((*inner)->body, names);
        } else if (const auto* global = as<GlobalRef>(binding.value)) {
          names.push_back(global->name);
        }
      }
    }
  }

  Result<FunctionPtr> rebuild_function(const Function& old) {
    std::vector<Var> params;
    for (const Var& param : old.params) {
      Type type = edits_.param_type ? edits_.param_type(param) : param->type;
      Var fresh = make_var(param->name, map_type(type), param->dataflow);
      vars_.insert_or_assign(param.get(), var_expr(fresh));
      params.push_back(std::move(fresh));
    }
    Result<SeqExpr> body = rebuild_seq(old.body);
    if (!body) return body.error();
    return make_function(std::move(params), *std::move(body), old.pure, old.attrs);
  }

  Result<SeqExpr> rebuild_seq(const SeqExpr& old) {
    SeqExpr seq;
    for (const Block& block : old.blocks) {
      Block fresh{.dataflow = block.dataflow, .bindings = {}};
      for (const Binding& binding : block.bindings) {
        if (auto error = rebuild_binding(binding, fresh)) return *std::move(error);
      }
      if (!fresh.bindings.empty()) seq.blocks.push_back(std::move(fresh));
    }
    Result<ExprPtr> result = rebuild_expr(old.result);
    if (!result) return result.error();
    seq.result = *std::move(result);
    return seq;
  }

  std::optional<Error> rebuild_binding(const Binding& old, Block& block) {
    if (edits_.remove && edits_.remove(old)) return std::nullopt;
    if (edits_.replace) {
      if (auto replacement = edits_.replace(old)) {
        Result<ExprPtr> value = rebuild_expr(*replacement);
        if (!value) return value.error();
        vars_.insert_or_assign(old.var.get(), *std::move(value));
        return std::nullopt;
      }
    }
    std::optional<ExprPtr> rewritten = edits_.rewrite ? edits_.rewrite(old) : std::nullopt;
    Result<ExprPtr> value = rebuild_expr(rewritten ? *rewritten : old.value);
    if (!value) return value.error();
    Binding binding{.var = nullptr, .value = *value, .match_cast = std::nullopt};
    Type type = (*value)->type;
    if (old.match_cast) {
      type = map_type(*old.match_cast);
      if (edits_.cast) type = edits_.cast(type);
      if (!may_match((*value)->type, type)) {
        return Error{"type.match-cast",
                     "match_cast: no " + to_string((*value)->type) + " is a " + to_string(type)};
      }
      binding.match_cast = type;
    }
    const bool exposed = edits_.expose && edits_.expose(old.var);
    binding.var = make_var(old.var->name, std::move(type), old.var->dataflow && !exposed);
    vars_.insert_or_assign(old.var.get(), var_expr(binding.var));
    block.bindings.push_back(std::move(binding));
    return std::nullopt;
  }

  Result<std::vector<ExprPtr>> rebuild_all(const std::vector<ExprPtr>& old) {
    std::vector<ExprPtr> fresh;
    fresh.reserve(old.size());
    for (const ExprPtr& expr : old) {
      Result<ExprPtr> one = rebuild_expr(expr);
      if (!one) return one.error();
      fresh.push_back(*std::move(one));
    }
    return fresh;
  }

  Result<ExprPtr> rebuild_expr(const ExprPtr& old) {
    return std::visit([&](const auto& node) { return rebuild_node(old, node); }, old->node);
  }

  Result<ExprPtr> rebuild_node(const ExprPtr& old, const Var& var) {
    const auto found = vars_.find(var.get());
    if (found != vars_.end()) return found->second;
    // A variable that an edit brought along (a new parameter, say) stands for itself.
    if (edits_.replace || edits_.rewrite) return old;
    return Error{"rebuild.unbound", var->name + ": a variable that nothing binds"};
  }
  Result<ExprPtr> rebuild_node(const ExprPtr& old, const Constant& constant) {
    if (!edits_.constant) return old;
    TensorPtr fresh = edits_.constant(constant.tensor);
    if (fresh == constant.tensor) return old;
    return make_constant(*fresh);
  }
  Result<ExprPtr> rebuild_node(const ExprPtr&, const Call& call) {
    Result<std::vector<ExprPtr>> args = rebuild_all(call.args);
    if (!args) return args.error();
    if (const OpDef* op = called_op(call)) {
      std::optional<Attrs> attrs = edits_.attrs ? edits_.attrs(*op, call.attrs) : std::nullopt;
      return make_call(*op, *std::move(args), attrs ? *std::move(attrs) : call.attrs);
    }
    if (const auto* ref = std::get_if<GlobalRef>(&call.callee)) {
      const auto found = function_types_.find(ref->name);
      if (found == function_types_.end()) return Error{"rebuild.unbound", ref->name + ": no such function"};
      return call_global(ref->name, found->second, *std::move(args));
    }
    if (const auto* callee = std::get_if<ExprPtr>(&call.callee)) {
      Result<ExprPtr> fresh = rebuild_expr(*callee);
      if (!fresh) return fresh;
      return call_function(*std::move(fresh), *std::move(args));
    }
    return call_extern(std::get<ExternFunc>(call.callee).name, *std::move(args), call.type_args);
  }
  Result<ExprPtr> rebuild_node(const ExprPtr&, const Tuple& tuple) {
    Result<std::vector<ExprPtr>> fields = rebuild_all(tuple.fields);
    if (!fields) return fields.error();
    return make_tuple(*std::move(fields));
  }
  Result<ExprPtr> rebuild_node(const ExprPtr&, const TupleGetItem& get) {
    Result<ExprPtr> tuple = rebuild_expr(get.tuple);
    if (!tuple) return tuple;
    return make_tuple_get_item(*std::move(tuple), get.index);
  }
  Result<ExprPtr> rebuild_node(const ExprPtr& old, const ShapeExpr& shape) {
    if (!edits_.dim) return old;
    return make_shape(map_shape(shape.values));
  }
  Result<ExprPtr> rebuild_node(const ExprPtr&, const If& branch) {
    Result<ExprPtr> condition = rebuild_expr(branch.condition);
    if (!condition) return condition;
    Result<SeqExpr> then_branch = rebuild_seq(*branch.then_branch);
    if (!then_branch) return then_branch.error();
    Result<SeqExpr> else_branch = rebuild_seq(*branch.else_branch);
    if (!else_branch) return else_branch.error();
    return make_if(*std::move(condition), *std::move(then_branch), *std::move(else_branch));
  }
  Result<ExprPtr> rebuild_node(const ExprPtr&, const FunctionPtr& function) {
    Result<FunctionPtr> fresh = rebuild_function(*function);
    if (!fresh) return fresh.error();
    Type type = type_of(**fresh);
    return make_expr(*std::move(fresh), std::move(type));
  }
  Result<ExprPtr> rebuild_node(const ExprPtr& old, const GlobalRef& ref) {
    const auto found = function_types_.find(ref.name);
    return found == function_types_.end() ? old : make_expr(ref, found->second);
  }
  // Leaves without parts that edits concern.
  template <class Leaf>
  Result<ExprPtr> rebuild_node(const ExprPtr& old, const Leaf&) {
    return old;
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
  std::unordered_map<const VarNode*, ExprPtr> vars_;
  std::unordered_map<std::string, Type> function_types_;
  std::unordered_map<std::string, bool> in_progress_;
};

}  // namespace

Result<Module> rebuild(const Module& module, const Edits& edits) {
  return Rebuilder(module, edits).run();
}

}  // namespace passdiff
