// Walking through expressions: match tells the alternatives of Expr apart (and of Type), the others visit what
// an expression is made of. An alternative added to Expr does not compile until every match says what it does
// with it.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/ir/module.h"
#include "core/match.h"

namespace passdiff {

// Calls the handler of the expression's alternative: match(expr, [](const Call& call) {...}, ...).
template <class... Handlers>
decltype(auto) match(const Expr& expr, Handlers&&... handlers) {
  return match(expr.node, std::forward<Handlers>(handlers)...);
}
template <class... Handlers>
decltype(auto) match(const ExprPtr& expr, Handlers&&... handlers) {
  return match(expr->node, std::forward<Handlers>(handlers)...);
}

// Calls the handler of the type's kind: match(type, [](const TensorType& tensor) {...}, ...).
template <class... Handlers>
decltype(auto) match(const Type& type, Handlers&&... handlers) {
  detail::Overloaded matcher{std::forward<Handlers>(handlers)...};
  static_assert(!detail::Handles<decltype(matcher), detail::Nothing>, "a match has a handler that takes any type");
  return type.visit(matcher);
}

// Calls `visit` on each direct operand: the value that is called, arguments, fields, a tuple, a condition. Expressions inside of
// branches and local functions are no operands.
template <class Visit>
void for_each_operand(const Expr& expr, Visit&& visit) {
  match(
      expr,
      [&](const Call& call) {
        if (const auto* callee = std::get_if<ExprPtr>(&call.callee)) visit(*callee);
        for (const ExprPtr& arg : call.args) visit(arg);
      },
      [&](const Tuple& tuple) {
        for (const ExprPtr& field : tuple.fields) visit(field);
      },
      [&](const TupleGetItem& item) { visit(item.tuple); },
      [&](const If& branches) { visit(branches.condition); },
      [](const OneOf<Var, Constant, ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef, ExternFunc,
                     FunctionPtr> auto&) {});
}

// Which of the sequences inside expressions a walk enters.
enum class Enter : std::uint8_t { none, branches, functions, all };

// Calls `visit` on the sequences directly inside: both branches of an If, the body of a local function.
template <Enter kEnter = Enter::all, class Visit>
void for_each_seq(const Expr& expr, Visit&& visit) {
  match(
      expr,
      [&](const If& branches) {
        if constexpr (kEnter == Enter::branches || kEnter == Enter::all) {
          visit(*branches.then_branch);
          visit(*branches.else_branch);
        }
      },
      [&](const FunctionPtr& function) {
        if constexpr (kEnter == Enter::functions || kEnter == Enter::all) visit(function->body);
      },
      [](const OneOf<Var, Constant, Call, Tuple, TupleGetItem, ShapeExpr, PrimValue, StringImm, DataTypeImm,
                     GlobalRef, ExternFunc> auto&) {});
}

// What a walk does after a visit: it goes on, skips what is inside of what it visited, or stops.
enum class Walk : std::uint8_t { on, skip, stop };

namespace detail {

// `visit` may return nothing, which means Walk::on.
template <class Visit, class... Args>
Walk step(Visit& visit, const Args&... args) {
  if constexpr (std::is_void_v<std::invoke_result_t<Visit&, const Args&...>>) {
    visit(args...);
    return Walk::on;
  } else {
    return visit(args...);
  }
}

template <Enter kEnter, class Visit>
bool walk_bindings(const SeqExpr& seq, Visit& visit) {
  for (const Block& block : seq.blocks) {
    for (const Binding& binding : block.bindings) {
      Walk next = Walk::on;
      if constexpr (std::is_invocable_v<Visit&, const Binding&, const Block&>) {
        next = step(visit, binding, block);
      } else {
        next = step(visit, binding);
      }
      if (next == Walk::stop) return false;
      if (kEnter == Enter::none || next == Walk::skip) continue;
      bool going = true;
      for_each_seq<kEnter>(*binding.value, [&](const SeqExpr& inner) {
        going = going && walk_bindings<kEnter>(inner, visit);
      });
      if (!going) return false;
    }
  }
  return true;
}

template <Enter kEnter, class Visit>
bool walk_exprs(const SeqExpr& seq, Visit& visit);

template <Enter kEnter, class Visit>
bool walk_exprs(const ExprPtr& expr, Visit& visit) {
  const Walk next = step(visit, expr);
  if (next != Walk::on) return next == Walk::skip;
  bool going = true;
  const auto enter = [&](const auto& part) { going = going && walk_exprs<kEnter>(part, visit); };
  for_each_operand(*expr, enter);
  for_each_seq<kEnter>(*expr, enter);
  return going;
}

template <Enter kEnter, class Visit>
bool walk_exprs(const SeqExpr& seq, Visit& visit) {
  const auto value = [&](const Binding& binding) {
    return walk_exprs<kEnter>(binding.value, visit) ? Walk::on : Walk::stop;
  };
  return walk_bindings<Enter::none>(seq, value) && walk_exprs<kEnter>(seq.result, visit);
}

}  // namespace detail

// Calls `visit(binding)`, or `visit(binding, block)`, on each binding in order; each before those inside its
// value. False if a visit stopped the walk.
template <Enter kEnter = Enter::all, class Visit>
bool for_each_binding(const SeqExpr& seq, Visit&& visit) {
  return detail::walk_bindings<kEnter>(seq, visit);
}
// Calls `visit` on each binding of the sequence itself, the last one first.
template <class Visit>
void for_each_binding_reversed(const SeqExpr& seq, Visit&& visit) {
  for (auto block = seq.blocks.rbegin(); block != seq.blocks.rend(); ++block) {
    for (auto binding = block->bindings.rbegin(); binding != block->bindings.rend(); ++binding) {
      visit(*binding);
    }
  }
}

// Calls `visit(expr)` on the expression and all in it: each before its operands, operands before what is inside of branches and
// local functions. In a sequence, on the bound values and the result. False if a visit stopped the walk.
template <Enter kEnter = Enter::all, class Visit>
bool for_each_expr(const ExprPtr& expr, Visit&& visit) {
  return detail::walk_exprs<kEnter>(expr, visit);
}
template <Enter kEnter = Enter::all, class Visit>
bool for_each_expr(const SeqExpr& seq, Visit&& visit) {
  return detail::walk_exprs<kEnter>(seq, visit);
}

// Whether `holds` is true of any expression, or of any binding, that these walks visit.
template <Enter kEnter = Enter::all, class Root, class Holds>
bool any_expr(const Root& root, Holds&& holds) {
  const auto visit = [&](const ExprPtr& expr) { return holds(expr) ? Walk::stop : Walk::on; };
  return !for_each_expr<kEnter>(root, visit);
}
template <Enter kEnter = Enter::all, class Holds>
bool any_binding(const SeqExpr& seq, Holds&& holds) {
  const auto visit = [&](const Binding& binding) { return holds(binding) ? Walk::stop : Walk::on; };
  return !for_each_binding<kEnter>(seq, visit);
}

}  // namespace passdiff
