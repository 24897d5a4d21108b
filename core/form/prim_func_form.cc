#include "core/form/prim_func_form.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/form/well_formed.h"
#include "core/ir/tir/prim_func.h"
#include "core/match.h"

namespace passdiff {
namespace {

using tir::Buffer;
using tir::Expr;
using tir::ScalarType;
using tir::Stmt;
using tir::Var;
using Fault = std::optional<Error>;

// How deep a function may be nested, so that the stack stays small with AddressSanitizer.
constexpr int kMaxNesting = 1'000;

class PrimFuncChecker {
 public:
  Fault check(const tir::PrimFunc& function);

 private:
  void define(const void* node) { scope_.push_back(node); }
  bool is_defined(const void* node) const;
  Fault use(const Var& var) const;
  Fault use(const Buffer& buffer) const;
  Fault define(const Buffer& buffer);

  Fault exprs(const std::vector<Expr>& list);
  Fault expr(const Expr& expr);
  Fault own_rules(const Expr& expr);
  Fault binary(const Expr& expr, const tir::Binary& binary);
  Fault choice(const Expr& expr, const Expr& condition, const Expr& on_true, const Expr& on_false);
  Fault access(const Buffer& buffer, const std::vector<Expr>& indices, const ScalarType& type);
  Fault integer(const Expr& expr, const char* what);

  Fault stmt(const Stmt& stmt);
  Fault stmt_in_scope(const Stmt& stmt);
  Fault own_rules(const Stmt& stmt);
  Fault loop(const tir::For& loop);
  Fault block(const tir::SBlockRealize& realize);
  Fault regions(const std::vector<tir::BufferRegion>& regions);
  Fault region(const tir::BufferRegion& region);
  Fault params(const tir::PrimFunc& function);

  std::vector<const void*> scope_;  // variables and buffers, innermost last
  int nesting_ = 0;
};

bool PrimFuncChecker::is_defined(const void* node) const {
  for (auto known = scope_.rbegin(); known != scope_.rend(); ++known) {
    if (*known == node) return true;
  }
  return false;
}

Fault PrimFuncChecker::use(const Var& var) const {
  if (is_defined(var.get())) return std::nullopt;
  return Error{"form.undefined-var", "variable " + var->name + " of a function of TensorIR is not defined"};
}

Fault PrimFuncChecker::use(const Buffer& buffer) const {
  if (is_defined(buffer.get())) return std::nullopt;
  return Error{"form.undefined-var", fmt::format("buffer {}{}", buffer->name, kUndeclared)};
}

Fault PrimFuncChecker::define(const Buffer& buffer) {
  TRY_VOID(exprs(buffer->shape));
  for (const Expr& size : buffer->shape) TRY_VOID(integer(size, "a size"));
  define(static_cast<const void*>(buffer.get()));
  return std::nullopt;
}

Fault PrimFuncChecker::integer(const Expr& expr, const char* what) {
  if (expr == nullptr) return Error{"form.missing-type", std::string(what) + " is missing"};
  if (expr->type.is_number() && !is_float(expr->type.dtype)) return std::nullopt;
  return Error{std::string(kWrongType), std::string(what) + " has type " + to_string(expr->type)};
}

Fault PrimFuncChecker::exprs(const std::vector<Expr>& list) {
  for (const Expr& one : list) TRY_VOID(expr(one));
  return std::nullopt;
}

Fault PrimFuncChecker::expr(const Expr& expr) {
  if (expr == nullptr) return Error{"form.missing-type", "an expression of a function of TensorIR is missing"};
  if (nesting_ >= kMaxNesting) return Error{"form.depth", "a function of TensorIR is nested too deeply"};
  ++nesting_;
  Fault fault;
  if (const auto* let = tir::as<tir::Let>(expr)) {
    fault = this->expr(let->value);
    define(static_cast<const void*>(let->var.get()));
    if (!fault) fault = this->expr(let->body);
    scope_.pop_back();
  } else {
    tir::for_each_operand(expr, [&](const Expr& operand) {
      if (!fault) fault = this->expr(operand);
    });
    tir::for_each_buffer(expr, [&](const Buffer& buffer) {
      if (!fault) fault = use(buffer);
    });
  }
  --nesting_;
  return fault ? fault : own_rules(expr);
}

Fault PrimFuncChecker::binary(const Expr& expr, const tir::Binary& binary) {
  const ScalarType& lhs = binary.lhs->type;
  if (!(lhs == binary.rhs->type))
    return Error{std::string(kWrongType), std::string(binary_op_name(binary.op)) + " of " + to_string(lhs) + " and " +
                                        to_string(binary.rhs->type)};
  const bool of_bools = tir::is_comparison(binary.op) || tir::is_logical(binary.op);
  const DType result = of_bools ? DType::boolean : lhs.dtype;
  if (expr->type.dtype == result && expr->type.lanes == lhs.lanes) return std::nullopt;
  return Error{std::string(kWrongType), std::string(binary_op_name(binary.op)) + " of " + to_string(lhs) + " as " + to_string(expr->type)};
}

Fault PrimFuncChecker::choice(const Expr& expr, const Expr& condition, const Expr& on_true, const Expr& on_false) {
  TRY_VOID(integer(condition, "a condition"));
  if (on_true->type == expr->type && on_false->type == expr->type) return std::nullopt;
  return Error{std::string(kWrongType), "a choice between " + to_string(on_true->type) + " and " + to_string(on_false->type) + " as " +
                                      to_string(expr->type)};
}

Fault PrimFuncChecker::access(const Buffer& buffer, const std::vector<Expr>& indices, const ScalarType& type) {
  if (indices.size() != buffer->shape.size())
    return Error{"form.arity", "buffer " + buffer->name + " of " + std::to_string(buffer->shape.size()) + " axes has " +
                                   std::to_string(indices.size()) + " indices"};
  int lanes = buffer->dtype.lanes;
  for (const Expr& index : indices) {
    TRY_VOID(integer(index, "an index"));
    lanes *= index->type.lanes;
  }
  if (type.dtype == buffer->dtype.dtype && type.lanes == lanes) return std::nullopt;
  return Error{std::string(kWrongType), "elements of buffer " + buffer->name + " of " + to_string(buffer->dtype) + " as " + to_string(type)};
}

Fault PrimFuncChecker::own_rules(const Expr& expr) {
  return match(
      expr->node, [&](const Var& var) { return use(var); },
      [&](const tir::Binary& node) { return binary(expr, node); },
      [&](const tir::Select& select) { return choice(expr, select.condition, select.on_true, select.on_false); },
      [&](const tir::BufferLoad& load) { return access(load.buffer, load.indices, expr->type); },
      [](const OneOf<tir::IntImm, tir::FloatImm, tir::StringImm, tir::Not, tir::Cast, tir::Ramp, tir::Broadcast, tir::Shuffle,
                     tir::Let, tir::Call, tir::FunctionCall, tir::BufferData, tir::BufferArg> auto&) { return Fault(); });
}

Fault PrimFuncChecker::region(const tir::BufferRegion& region) {
  TRY_VOID(use(region.buffer));
  if (region.region.size() == region.buffer->shape.size()) return std::nullopt;
  return Error{"form.arity", "a region of buffer " + region.buffer->name + " has another number of axes"};
}

Fault PrimFuncChecker::regions(const std::vector<tir::BufferRegion>& regions) {
  for (const tir::BufferRegion& one : regions) TRY_VOID(region(one));
  return std::nullopt;
}

Fault PrimFuncChecker::loop(const tir::For& loop) {
  TRY_VOID(integer(loop.min, "the start of a loop"));
  TRY_VOID(integer(loop.extent, "the extent of a loop"));
  define(static_cast<const void*>(loop.var.get()));
  return stmt_in_scope(loop.body);
}

// Regions speak of the block's own variables and buffers, too.
Fault PrimFuncChecker::block(const tir::SBlockRealize& realize) {
  const tir::SBlock& block = realize.block;
  if (realize.iter_values.size() != block.iter_vars.size())
    return Error{"form.arity", "block " + block.name + " has not one value for each variable"};
  TRY_VOID(exprs(realize.iter_values));
  TRY_VOID(expr(realize.predicate));
  for (const tir::IterVar& iter : block.iter_vars) {
    TRY_VOID(expr(iter.domain.min));
    TRY_VOID(expr(iter.domain.extent));
  }
  for (const tir::IterVar& iter : block.iter_vars) define(static_cast<const void*>(iter.var.get()));
  for (const Buffer& buffer : block.alloc_buffers) TRY_VOID(define(buffer));
  for (const tir::MatchBuffer& matched : block.match_buffers) {
    TRY_VOID(region(matched.source));
    // The match binds the variables of strides and offset.
    define(static_cast<const void*>(matched.buffer.get()));
    const auto bind = [&](const Expr& value) {
      if (value != nullptr && tir::as<Var>(value)) define(static_cast<const void*>(tir::as<Var>(value)->get()));
    };
    for (const Expr& stride : matched.buffer->strides) bind(stride);
    bind(matched.buffer->elem_offset);
  }
  TRY_VOID(regions(block.reads));
  TRY_VOID(regions(block.writes));
  if (block.init) TRY_VOID(stmt_in_scope(block.init));
  return stmt_in_scope(block.body);
}

Fault PrimFuncChecker::own_rules(const Stmt& stmt) {
  return match(
      stmt->node, [&](const tir::For& node) { return loop(node); }, [&](const tir::SBlockRealize& node) { return block(node); },
      [&](const tir::Seq& seq) -> Fault {
        for (const Stmt& one : seq.stmts) TRY_VOID(this->stmt(one));
        return std::nullopt;
      },
      [&](const tir::IfThenElse& branches) -> Fault {
        TRY_VOID(integer(branches.condition, "a condition"));
        TRY_VOID(stmt_in_scope(branches.then_case));
        return branches.else_case ? stmt_in_scope(branches.else_case) : Fault();
      },
      [&](const tir::While& loop) { return stmt_in_scope(loop.body); },
      [&](const tir::BufferStore& store) -> Fault {
        TRY_VOID(use(store.buffer));
        return access(store.buffer, store.indices, store.value->type);
      },
      [&](const tir::Bind& bind) -> Fault {
        define(static_cast<const void*>(bind.var.get()));
        return std::nullopt;
      },
      [&](const OneOf<tir::AllocBuffer, tir::DeclBuffer> auto& node) { return define(node.buffer); },
      [&](const tir::AttrStmt& attr) -> Fault {
        if (const Var* thread = std::get_if<Var>(&attr.node); thread && !attr.thread_tag.empty())
          define(static_cast<const void*>(thread->get()));
        return stmt_in_scope(attr.body);
      },
      [](const OneOf<tir::Evaluate, tir::AssertStmt, tir::Return, tir::Break, tir::Continue> auto&) { return Fault(); });
}

// What a statement defines is in scope for the rest of the sequence in which it stands: `stmt` leaves it there.
Fault PrimFuncChecker::stmt(const Stmt& stmt) {
  if (stmt == nullptr) return Error{"form.missing-type", "a statement is missing"};
  if (nesting_ >= kMaxNesting) return Error{"form.depth", "a function of TensorIR is nested too deeply"};
  ++nesting_;
  Fault fault;
  // A block's expressions may use what the block defines: `block` looks at them itself.
  if (tir::as<tir::SBlockRealize>(stmt) == nullptr) {
    tir::for_each_expr(stmt, [&](const Expr& one) {
      if (!fault) fault = expr(one);
    });
  }
  const std::size_t mark = scope_.size();
  const bool defines = tir::as<tir::Bind>(stmt) || tir::as<tir::AllocBuffer>(stmt) || tir::as<tir::DeclBuffer>(stmt);
  const bool is_sequence = tir::as<tir::Seq>(stmt) != nullptr;
  if (!fault) fault = own_rules(stmt);
  if (!defines && !is_sequence) scope_.resize(mark);
  --nesting_;
  return fault;
}

Fault PrimFuncChecker::stmt_in_scope(const Stmt& stmt) {
  const std::size_t mark = scope_.size();
  Fault fault = this->stmt(stmt);
  scope_.resize(mark);
  return fault;
}

Fault PrimFuncChecker::params(const tir::PrimFunc& function) {
  const auto bind = [&](const Expr& value) {
    const Var* var = value == nullptr ? nullptr : tir::as<Var>(value);
    if (var != nullptr) define(static_cast<const void*>(var->get()));
  };
  for (const tir::Param& param : function.params) {
    if (const Var* var = std::get_if<Var>(&param)) define(static_cast<const void*>(var->get()));
  }
  for (const tir::Param& param : function.params) {
    const Buffer* buffer = std::get_if<Buffer>(&param);
    if (buffer == nullptr) continue;
    for (const Expr& size : (*buffer)->shape) bind(size);
    for (const Expr& stride : (*buffer)->strides) bind(stride);
    bind((*buffer)->elem_offset);
  }
  for (const tir::Param& param : function.params) {
    if (const Buffer* buffer = std::get_if<Buffer>(&param)) TRY_VOID(define(*buffer));
  }
  return std::nullopt;
}

Fault PrimFuncChecker::check(const tir::PrimFunc& function) {
  TRY_VOID(params(function));
  return stmt_in_scope(function.body);
}

}  // namespace

std::optional<Error> well_formed(const tir::PrimFunc& function) {
  return PrimFuncChecker().check(function);
}

}  // namespace passdiff
