// Functions whose signature is about to change, and the functions of the module that call them.
#include <algorithm>

#include "core/ir/pointer_map.h"
#include "core/form/builder.h"
#include "passes/native/moved_params.h"
#include "passes/native/rewrite.h"

namespace passdiff {
namespace {

using Replace = std::function<std::optional<ExprPtr>(const ExprPtr&)>;

SeqExpr replace_in_seq(const SeqExpr& seq, const Replace& replace, bool& changed) {
  SeqExpr result;
  const auto part = [&](const ExprPtr& expr) {
    ExprPtr replaced = replace_parts(expr, replace);
    changed |= replaced != expr;
    return replaced;
  };
  for (const Block& block : seq.blocks) {
    Block& copy = result.blocks.emplace_back(Block{block.dataflow, {}});
    for (const Binding& binding : block.bindings) {
      copy.bindings.push_back({binding.var, part(binding.value), binding.match_cast});
    }
  }
  result.result = part(seq.result);
  return result;
}

// Rebuilds one node of replaced operands. `changed` says whether any of them is another.
struct PartReplacer {
  const Replace& replace;
  bool changed = false;
  using Node = decltype(Expr::node);

  ExprPtr part(const ExprPtr& expr) {
    ExprPtr replaced = replace_parts(expr, replace);
    changed |= replaced != expr;
    return replaced;
  }
  Node operator()(const Call& call) {
    Call result = call;
    if (const auto* callee = std::get_if<ExprPtr>(&call.callee)) result.callee = part(*callee);
    for (ExprPtr& arg : result.args) arg = part(arg);
    return result;
  }
  Node operator()(const Tuple& tuple) {
    Tuple result = tuple;
    for (ExprPtr& field : result.fields) field = part(field);
    return result;
  }
  Node operator()(const TupleGetItem& item) { return TupleGetItem{part(item.tuple), item.index}; }
  Node operator()(const If& branch) {
    return If{part(branch.condition),
              std::make_shared<const SeqExpr>(replace_in_seq(*branch.then_branch, replace, changed)),
              std::make_shared<const SeqExpr>(replace_in_seq(*branch.else_branch, replace, changed))};
  }
  Node operator()(const FunctionPtr& function) {
    auto result = std::make_shared<Function>(*function);
    result->body = replace_in_seq(function->body, replace, changed);
    return FunctionPtr(std::move(result));
  }
  template <class Leaf>
  Node operator()(const Leaf& leaf) {
    return leaf;
  }
};

std::string fresh_name(const Module& module, const std::string& wanted) {
  std::string name = wanted;
  for (int i = 1; module.find(name) != nullptr; ++i) name = wanted + std::to_string(i);
  return name;
}

FunctionPtr redirected(const FunctionPtr& function, const std::string& from, const std::string& to) {
  Replace replace;
  replace = [&](const ExprPtr& expr) -> std::optional<ExprPtr> {
    if (const auto* global = as<GlobalRef>(expr); global != nullptr && global->name == from) {
      return make_expr(GlobalRef{to}, expr->type);
    }
    const auto* call = as<Call>(expr);
    const auto* callee = call == nullptr ? nullptr : std::get_if<GlobalRef>(&call->callee);
    if (callee == nullptr || callee->name != from) return std::nullopt;
    Call result = *call;
    result.callee = GlobalRef{to};
    for (ExprPtr& arg : result.args) arg = replace_parts(arg, replace);
    return make_expr(std::move(result), expr->type);
  };
  bool changed = false;
  SeqExpr body = replace_in_seq(function->body, replace, changed);
  if (!changed) return function;
  auto result = std::make_shared<Function>(*function);
  result->body = std::move(body);
  return result;
}

// The same parameters anew: no two functions share variables or symbolic dims.
std::vector<Var> fresh_params(const Function& function, Substitution& by) {
  std::vector<Var> params;
  for (const Var& param : function.params) {
    for_each_sym_var(param->type, [&](const SymVar& symbol) {
      if (by.symbols.find(symbol.get()) == nullptr)
        by.symbols.set(symbol.get(), Dim(make_sym_var(symbol->name)));
    });
  }
  for (const Var& param : function.params) params.push_back(make_var(param->name, by.type(param->type)));
  return params;
}

// A function that hands its arguments on, with the result written out as a tuple where it was.
FunctionPtr forwarder(const Function& function, const std::string& to) {
  Substitution by;
  auto result = std::make_shared<Function>();
  result->params = fresh_params(function, by);
  std::vector<ExprPtr> args;
  for (const Var& param : result->params) args.push_back(var_expr(param));
  auto call = call_global(to, type_of(function), std::move(args));
  CHECK(call.ok()) << call.error().message;
  SeqBuilder seq;
  seq.begin_block(false);
  ExprPtr value = var_expr(seq.emit(*std::move(call)));
  const auto* fields = as<Tuple>(function.body.result);
  if (fields != nullptr && value->type.as_tuple() != nullptr) {
    std::vector<ExprPtr> items;
    for (std::size_t i = 0; i < fields->fields.size(); ++i) {
      auto item = make_tuple_get_item(value, static_cast<int>(i));
      CHECK(item.ok()) << item.error().message;
      items.push_back(var_expr(seq.emit(*std::move(item))));
    }
    value = make_tuple(std::move(items));
  }
  result->body = seq.finish(std::move(value));
  result->result_type = by.type(function.result_type);
  result->pure = function.pure;
  result->attrs = function.attrs;
  return result;
}

}  // namespace

ExprPtr replace_parts(const ExprPtr& expr, const Replace& replace) {
  if (auto replaced = replace(expr)) return *std::move(replaced);
  PartReplacer replacer{replace};
  auto node = std::visit(replacer, expr->node);
  return replacer.changed ? make_expr(std::move(node), expr->type) : expr;
}

Module keep_callers(const Module& module, const std::function<bool(const GlobalFunction&)>& changes) {
  Module result = module;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const GlobalFunction global = result.functions[i];
    if (!global.is_public || !changes(global) || !is_referenced(result, global.name)) continue;
    const std::string inner = fresh_name(result, global.name + "_unchanged");
    result.functions[i].function = forwarder(*global.function, inner);
    result.functions.push_back({inner, global.function, false});
    for (GlobalFunction& function : result.functions) {
      if (function.name != global.name) function.function = redirected(function.function, global.name, inner);
    }
  }
  return result;
}

}  // namespace passdiff
