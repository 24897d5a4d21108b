#include "passes/native/rewrite.h"

#include <algorithm>

#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// Calls `visit` on each direct operand of an expression that is neither a branch nor a function.
template <class Visit>
void for_each_operand(const Expr& expr, const Visit& visit) {
  if (const auto* call = std::get_if<Call>(&expr.node)) {
    if (const auto* callee = std::get_if<ExprPtr>(&call->callee)) visit(*callee);
    for (const ExprPtr& arg : call->args) visit(arg);
  } else if (const auto* tuple = std::get_if<Tuple>(&expr.node)) {
    for (const ExprPtr& field : tuple->fields) visit(field);
  } else if (const auto* get = std::get_if<TupleGetItem>(&expr.node)) {
    visit(get->tuple);
  } else if (const auto* branch = std::get_if<If>(&expr.node)) {
    visit(branch->condition);
  }
}

// The sequences inside an expression.
template <class Visit>
void for_each_seq(const Expr& expr, const Visit& visit) {
  if (const auto* branch = std::get_if<If>(&expr.node)) {
    visit(*branch->then_branch);
    visit(*branch->else_branch);
  } else if (const auto* function = std::get_if<FunctionPtr>(&expr.node)) {
    visit((*function)->body);
  }
}

std::vector<ExprPtr> substitute_all(const std::vector<ExprPtr>& exprs, const Substitution& substitution) {
  std::vector<ExprPtr> result;
  result.reserve(exprs.size());
  for (const ExprPtr& e : exprs) result.push_back(substitute(e, substitution));
  return result;
}

Dim substitute_dim(const Dim& dim, const Substitution& substitution) {
  return substitute(dim, [&](const SymVar& var) -> std::optional<Dim> {
    const Dim* found = substitution.symbols.find(var.get());
    return found == nullptr ? std::nullopt : std::optional(*found);
  });
}

struct NodeSubstituter {
  const Substitution& by;
  using Node = decltype(Expr::node);

  Node operator()(const Call& call) const {
    Call result{call.callee, substitute_all(call.args, by), call.attrs, call.type_args};
    if (const auto* callee = std::get_if<ExprPtr>(&call.callee)) result.callee = substitute(*callee, by);
    return result;
  }
  Node operator()(const Tuple& tuple) const { return Tuple{substitute_all(tuple.fields, by)}; }
  Node operator()(const TupleGetItem& get) const {
    return TupleGetItem{substitute(get.tuple, by), get.index};
  }
  Node operator()(const ShapeExpr& shape) const {
    ShapeExpr result;
    for (const Dim& dim : shape.values) result.values.push_back(substitute_dim(dim, by));
    return result;
  }
  Node operator()(const PrimValue& prim) const {
    const auto* dim = std::get_if<Dim>(&prim.value);
    if (dim == nullptr) return prim;
    return PrimValue{prim.dtype, substitute_dim(*dim, by)};
  }
  Node operator()(const If& branch) const {
    return If{substitute(branch.condition, by),
              std::make_shared<const SeqExpr>(substitute(*branch.then_branch, by)),
              std::make_shared<const SeqExpr>(substitute(*branch.else_branch, by))};
  }
  Node operator()(const FunctionPtr& function) const {
    Function result = *function;
    result.body = substitute(function->body, by);
    return std::make_shared<const Function>(std::move(result));
  }
  template <class Leaf>
  Node operator()(const Leaf& leaf) const {
    return leaf;
  }
};

bool mentions(const ExprPtr& expr, const Substitution& substitution) {
  bool found = false;
  for_each_use(expr, [&](const Var& var) { found |= substitution.vars.find(var.get()) != nullptr; });
  if (found || substitution.symbols.entries().empty()) return found;
  for_each_symbol(expr, [&](const SymVar& s) { found |= substitution.symbols.find(s.get()) != nullptr; });
  if (!found) for_each_sym_var(expr->type, [&](const SymVar&) { found = true; });
  return found;
}

bool same_operands(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_computation);
}

bool same_node(const Call& a, const Call& b) {
  const OpDef* op = called_op(a);
  const OpDef* other = called_op(b);
  return op != nullptr && other != nullptr && op == other && a.attrs == b.attrs &&
         same_operands(a.args, b.args);
}
bool same_node(const Var& a, const Var& b) {
  return a == b;
}
bool same_node(const Constant& a, const Constant& b) {
  return a.tensor == b.tensor || bit_equal(*a.tensor, *b.tensor, true);
}
bool same_node(const Tuple& a, const Tuple& b) {
  return same_operands(a.fields, b.fields);
}
bool same_node(const TupleGetItem& a, const TupleGetItem& b) {
  return a.index == b.index && same_computation(a.tuple, b.tuple);
}
bool same_node(const ShapeExpr& a, const ShapeExpr& b) {
  return proven_equal(a.values, b.values);
}
bool same_node(const PrimValue& a, const PrimValue& b) {
  const auto* x = std::get_if<Dim>(&a.value);
  const auto* y = std::get_if<Dim>(&b.value);
  if (a.dtype != b.dtype || (x == nullptr) != (y == nullptr)) return false;
  return x != nullptr ? proven_equal(*x, *y) : std::get<double>(a.value) == std::get<double>(b.value);
}
bool same_node(const StringImm& a, const StringImm& b) {
  return a.value == b.value;
}
bool same_node(const DataTypeImm& a, const DataTypeImm& b) {
  return a.value == b.value;
}
template <class Node>
bool same_node(const Node&, const Node&) {
  return false;
}

}  // namespace

void for_each_use(const ExprPtr& expr, const std::function<void(const Var&)>& visit) {
  if (const Var* var = as<Var>(expr)) return visit(*var);
  for_each_operand(*expr, [&](const ExprPtr& operand) { for_each_use(operand, visit); });
  for_each_seq(*expr, [&](const SeqExpr& seq) { for_each_use(seq, visit); });
}

void for_each_use(const SeqExpr& seq, const std::function<void(const Var&)>& visit) {
  for (const Block& block : seq.blocks) {
    for (const Binding& binding : block.bindings) for_each_use(binding.value, visit);
  }
  for_each_use(seq.result, visit);
}

void for_each_symbol(const ExprPtr& expr, const std::function<void(const SymVar&)>& visit) {
  if (const auto* shape = as<ShapeExpr>(expr)) {
    for (const Dim& dim : shape->values) for_each_sym_var(dim, visit);
  } else if (const auto* prim = as<PrimValue>(expr)) {
    if (const auto* dim = std::get_if<Dim>(&prim->value)) for_each_sym_var(*dim, visit);
  } else if (const auto* call = as<Call>(expr)) {
    for (const Type& type : call->type_args) for_each_sym_var(type, visit);
  } else if (const auto* function = as<FunctionPtr>(expr)) {
    for (const Var& param : (*function)->params) for_each_sym_var(param->type, visit);
    for_each_sym_var((*function)->result_type, visit);
  }
  for_each_operand(*expr, [&](const ExprPtr& operand) { for_each_symbol(operand, visit); });
  for_each_seq(*expr, [&](const SeqExpr& seq) { for_each_symbol(seq, visit); });
}

void for_each_symbol(const SeqExpr& seq, const std::function<void(const SymVar&)>& visit) {
  for (const Block& block : seq.blocks) {
    for (const Binding& binding : block.bindings) {
      for_each_symbol(binding.value, visit);
      for_each_sym_var(binding.var->type, visit);
      if (binding.match_cast) for_each_sym_var(*binding.match_cast, visit);
    }
  }
  for_each_symbol(seq.result, visit);
}

namespace {

void for_each_global(const ExprPtr& expr, const std::function<void(const std::string&)>& visit) {
  if (const auto* global = as<GlobalRef>(expr)) visit(global->name);
  if (const auto* call = as<Call>(expr)) {
    if (const auto* callee = std::get_if<GlobalRef>(&call->callee)) visit(callee->name);
  }
  for_each_operand(*expr, [&](const ExprPtr& operand) { for_each_global(operand, visit); });
  for_each_seq(*expr, [&](const SeqExpr& seq) { for_each_global(seq, visit); });
}

bool is_impure_seq(const Module& module, const SeqExpr& seq) {
  for (const Block& block : seq.blocks) {
    for (const Binding& binding : block.bindings) {
      if (is_impure(module, binding.value)) return true;
    }
  }
  return is_impure(module, seq.result);
}

bool is_impure_callee(const Module& module, const Callee& callee) {
  if (std::holds_alternative<const Op*>(callee)) return false;
  if (const auto* global = std::get_if<GlobalRef>(&callee)) {
    const GlobalFunction* function = module.find(global->name);
    return function == nullptr || !function->function->pure;
  }
  const auto* value = std::get_if<ExprPtr>(&callee);
  const FuncType* type = value == nullptr ? nullptr : (*value)->type.as_func();
  return type == nullptr || !type->pure;
}

}  // namespace

void for_each_global(const SeqExpr& seq, const std::function<void(const std::string&)>& visit) {
  for (const Block& block : seq.blocks) {
    for (const Binding& binding : block.bindings) for_each_global(binding.value, visit);
  }
  for_each_global(seq.result, visit);
}

bool is_impure(const Module& module, const ExprPtr& expr) {
  if (as<FunctionPtr>(expr) != nullptr) return false;  // making a closure calls nothing
  const auto* call = as<Call>(expr);
  bool impure = call != nullptr && is_impure_callee(module, call->callee);
  for_each_operand(*expr, [&](const ExprPtr& operand) { impure = impure || is_impure(module, operand); });
  for_each_seq(*expr, [&](const SeqExpr& seq) { impure = impure || is_impure_seq(module, seq); });
  return impure;
}

bool is_referenced(const Module& module, std::string_view global) {
  bool found = false;
  for (const GlobalFunction& function : module.functions) {
    for_each_global(function.function->body, [&](const std::string& name) { found |= name == global; });
  }
  return found;
}

Type Substitution::type(const Type& type) const {
  if (symbols.entries().empty()) return type;
  return substitute(type, [&](const SymVar& var) -> std::optional<Dim> {
    const Dim* found = symbols.find(var.get());
    return found == nullptr ? std::nullopt : std::optional(*found);
  });
}

ExprPtr substitute(const ExprPtr& expr, const Substitution& substitution) {
  if (const Var* var = as<Var>(expr)) {
    const ExprPtr* found = substitution.vars.find(var->get());
    return found == nullptr ? expr : *found;
  }
  if (!mentions(expr, substitution)) return expr;
  return std::make_shared<const Expr>(
      Expr{std::visit(NodeSubstituter{substitution}, expr->node), substitution.type(expr->type)});
}

SeqExpr substitute(const SeqExpr& seq, const Substitution& substitution) {
  SeqExpr result;
  for (const Block& block : seq.blocks) {
    Block& copy = result.blocks.emplace_back(Block{block.dataflow, {}});
    copy.bindings.reserve(block.bindings.size());
    for (const Binding& binding : block.bindings) {
      copy.bindings.push_back({binding.var, substitute(binding.value, substitution), binding.match_cast});
    }
  }
  result.result = substitute(seq.result, substitution);
  return result;
}

bool same_computation(const ExprPtr& a, const ExprPtr& b) {
  // No short cut for a == b: bindings may share the node of an impure call.
  if (a->node.index() != b->node.index()) return false;
  return std::visit(
      [&](const auto& node) { return same_node(node, std::get<std::decay_t<decltype(node)>>(b->node)); },
      a->node);
}

}  // namespace passdiff
