// Statements of TensorIR.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ir/attr.h"
#include "core/ir/tir/expr.h"

namespace passdiff::tir {

struct StmtNode;
using Stmt = std::shared_ptr<const StmtNode>;

// Attributes of loops, blocks and allocations, which change no meaning.
using Annotations = NamedAttrs;

enum class ForKind : std::uint8_t { serial, parallel, vectorized, unrolled, thread_binding };
std::string_view for_kind_name(ForKind kind);  // "thread_binding"
std::optional<ForKind> for_kind_from_name(std::string_view name);

// The variable takes min, min + step, ... as long as it is less than min + extent.
struct For {
  Var var;
  Expr min;
  Expr extent;
  Expr step;  // null: 1
  ForKind kind = ForKind::serial;
  std::string thread_tag;  // of a thread binding: "threadIdx.x"
  Annotations annotations;
  Stmt body;
};
struct While {
  Expr condition;
  Stmt body;
};
struct Seq {
  std::vector<Stmt> stmts;
};
struct IfThenElse {
  Expr condition;
  Stmt then_case;
  Stmt else_case;  // or null
};
struct Evaluate {
  Expr value;
};
// Binds the variable for all that follows in the sequence in which the statement stands, and in its enclosing body's rest.
struct Bind {
  Var var;
  Expr value;
};
struct BufferStore {
  Buffer buffer;
  Expr value;
  std::vector<Expr> indices;
  Expr predicate;  // as BufferLoad's
};
// Memory of its own, uninitialised, for what follows in the sequence.
struct AllocBuffer {
  Buffer buffer;
  Annotations annotations;
};
// A view of the memory that `data` points to.
struct DeclBuffer {
  Buffer buffer;
  Expr data;
};
// Says something of the body to passes. `node` is a variable, a buffer, a string, or a thread: IterVar's tag and extent.
struct AttrStmt {
  std::variant<std::monostate, std::string, Var, Buffer, std::int64_t> node;
  std::string thread_tag;  // where the node is a thread's variable
  std::string key;
  Expr value;
  Stmt body;
};
struct AssertStmt {
  Expr condition;
  std::string kind = "RuntimeError";
  std::vector<std::string> message_parts;
};
struct Return {
  Expr value;
};
struct Break {};
struct Continue {};

// One axis of a region: begin, begin + 1, ... begin + extent - 1.
struct Range {
  Expr min;
  Expr extent;
};
struct BufferRegion {
  Buffer buffer;
  std::vector<Range> region;
};
// A view of a region of another buffer.
struct MatchBuffer {
  Buffer buffer;
  BufferRegion source;
};
enum class IterKind : std::uint8_t { spatial, reduction, scan, opaque };
std::string_view iter_kind_name(IterKind kind);  // "spatial"
std::optional<IterKind> iter_kind_from_name(std::string_view name);
struct IterVar {
  Var var;
  Range domain;
  IterKind kind = IterKind::spatial;
};
// A unit of computation over values of its iteration variables. `init` runs before the body where all reduction variables are at
// the start of their domains.
struct SBlock {
  std::string name;
  std::vector<IterVar> iter_vars;
  std::vector<BufferRegion> reads;
  std::vector<BufferRegion> writes;
  std::vector<Buffer> alloc_buffers;
  std::vector<MatchBuffer> match_buffers;
  Annotations annotations;
  Stmt init;  // or null
  Stmt body;
};
// Runs the block with these values of its iteration variables, where the predicate holds.
struct SBlockRealize {
  std::vector<Expr> iter_values;
  Expr predicate;
  SBlock block;
};

using StmtAlternatives = std::variant<For, While, Seq, IfThenElse, Evaluate, Bind, BufferStore, AllocBuffer, DeclBuffer, AttrStmt,
                                      AssertStmt, Return, Break, Continue, SBlockRealize>;
struct StmtNode {
  StmtAlternatives node;
};

Stmt make_stmt(StmtAlternatives node);
// The node as T, or null: as<For>(stmt).
template <class T>
const T* as(const Stmt& stmt) {
  return std::get_if<T>(&stmt->node);
}

// Calls `visit(const Stmt&)` on each statement directly inside.
void for_each_child(const Stmt& stmt, const std::function<void(const Stmt&)>& visit);
// Calls `visit(const Expr&)` on each expression that belongs to the statement itself, in the order in which they stand.
void for_each_expr(const Stmt& stmt, const std::function<void(const Expr&)>& visit);

}  // namespace passdiff::tir
