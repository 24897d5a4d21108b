#include "core/ir/tir/structural.h"

#include "core/match.h"

namespace passdiff::tir {
namespace {

class Encoder {
 public:
  explicit Encoder(Words& out) : out_(out) {}
  void function(const PrimFunc& function, bool with_attrs);

 private:
  void flag(bool value) { out_.word(value ? 1 : 0); }
  void type(const ScalarType& type);
  void expr(const Expr& expr);
  void exprs(const std::vector<Expr>& exprs);
  void leaf(const Expr& expr);
  void definition(const Var& var);
  void definition(const Buffer& buffer);
  void stmt(const Stmt& stmt);
  void own_parts(const Stmt& stmt);
  void attr_node(const AttrStmt& attr);
  void range(const Range& range);
  void region(const BufferRegion& region);
  void regions(const std::vector<BufferRegion>& regions);
  void block(const SBlock& block);

  Words& out_;
};

void Encoder::type(const ScalarType& type) {
  out_.word(static_cast<std::uint64_t>(type.kind));
  if (!type.is_number()) return;
  out_.word(static_cast<std::uint64_t>(type.dtype));
  out_.integer(type.lanes);
}

void Encoder::definition(const Var& var) {
  out_.identity(var.get());
  type(var->type);
}

void Encoder::definition(const Buffer& buffer) {
  out_.identity(buffer.get());
  type(buffer->dtype);
  exprs(buffer->shape);
  exprs(buffer->strides);
  expr(buffer->elem_offset);
  out_.text(buffer->scope);
}

// What an expression is beside its operands.
void Encoder::leaf(const Expr& expr) {
  match(
      expr->node, [&](const IntImm& imm) { out_.integer(imm.value); }, [&](const FloatImm& imm) { out_.number(imm.value); },
      [&](const StringImm& imm) { out_.text(imm.value); }, [&](const Var& var) { out_.identity(var.get()); },
      [&](const Binary& binary) { out_.word(static_cast<std::uint64_t>(binary.op)); },
      [&](const BufferLoad& load) {
        out_.identity(load.buffer.get());
        out_.size(load.indices.size());
        flag(load.predicate != nullptr);
      },
      [&](const Shuffle& shuffle) { out_.size(shuffle.vectors.size()); }, [&](const Let& let) { definition(let.var); },
      [&](const Call& call) {
        out_.text(call.intrinsic);
        out_.size(call.args.size());
      },
      [&](const FunctionCall& call) {
        out_.text(call.function);
        out_.size(call.args.size());
      },
      [&](const OneOf<BufferData, BufferArg> auto& node) { out_.identity(node.buffer.get()); },
      [](const OneOf<Not, Select, Cast, Ramp, Broadcast> auto&) {});
}

void Encoder::expr(const Expr& expr) {
  flag(expr != nullptr);
  if (expr == nullptr) return;
  out_.word(expr->node.index());
  type(expr->type);
  leaf(expr);
  for_each_operand(expr, [&](const Expr& operand) { this->expr(operand); });
}

void Encoder::exprs(const std::vector<Expr>& exprs) {
  out_.size(exprs.size());
  for (const Expr& one : exprs) expr(one);
}

void Encoder::range(const Range& range) {
  expr(range.min);
  expr(range.extent);
}

void Encoder::region(const BufferRegion& region) {
  out_.identity(region.buffer.get());
  out_.size(region.region.size());
  for (const Range& one : region.region) range(one);
}

void Encoder::regions(const std::vector<BufferRegion>& regions) {
  out_.size(regions.size());
  for (const BufferRegion& one : regions) region(one);
}

void Encoder::block(const SBlock& block) {
  out_.size(block.iter_vars.size());
  for (const IterVar& iter : block.iter_vars) {
    definition(iter.var);
    out_.word(static_cast<std::uint64_t>(iter.kind));
    range(iter.domain);
  }
  out_.size(block.alloc_buffers.size());
  for (const Buffer& buffer : block.alloc_buffers) definition(buffer);
  regions(block.reads);
  regions(block.writes);
  out_.size(block.match_buffers.size());
  for (const MatchBuffer& match : block.match_buffers) {
    definition(match.buffer);
    region(match.source);
  }
  out_.attrs(block.annotations);
  flag(block.init != nullptr);
}

void Encoder::attr_node(const AttrStmt& attr) {
  out_.word(attr.node.index());
  match(
      attr.node, [](std::monostate) {}, [&](const std::string& text) { out_.text(text); },
      [&](const Var& var) { definition(var); }, [&](const Buffer& buffer) { out_.identity(buffer.get()); },
      [&](std::int64_t number) { out_.integer(number); });
}

// What a statement is beside the statements in it.
void Encoder::own_parts(const Stmt& stmt) {
  match(
      stmt->node,
      [&](const For& loop) {
        range({loop.min, loop.extent});
        expr(loop.step);
        definition(loop.var);
        out_.word(static_cast<std::uint64_t>(loop.kind));
        out_.text(loop.thread_tag);
        out_.attrs(loop.annotations);
      },
      [&](const OneOf<While, IfThenElse> auto& node) { expr(node.condition); },
      [&](const Seq& seq) { out_.size(seq.stmts.size()); },
      [&](const OneOf<Evaluate, Return> auto& node) { expr(node.value); },
      [&](const Bind& bind) {
        expr(bind.value);
        definition(bind.var);
      },
      [&](const BufferStore& store) {
        out_.identity(store.buffer.get());
        exprs(store.indices);
        expr(store.value);
        expr(store.predicate);
      },
      [&](const AllocBuffer& alloc) {
        definition(alloc.buffer);
        out_.attrs(alloc.annotations);
      },
      [&](const DeclBuffer& declared) {
        expr(declared.data);
        definition(declared.buffer);
      },
      [&](const AttrStmt& attr) {
        attr_node(attr);
        out_.text(attr.thread_tag);
        out_.text(attr.key);
        expr(attr.value);
      },
      [&](const AssertStmt& assertion) {
        expr(assertion.condition);
        out_.text(assertion.kind);
        out_.size(assertion.message_parts.size());
        for (const std::string& part : assertion.message_parts) out_.text(part);
      },
      [&](const SBlockRealize& realize) {
        exprs(realize.iter_values);
        expr(realize.predicate);
        block(realize.block);
      },
      [](const OneOf<Break, Continue> auto&) {});
}

void Encoder::stmt(const Stmt& stmt) {
  flag(stmt != nullptr);
  if (stmt == nullptr) return;
  out_.word(stmt->node.index());
  own_parts(stmt);
  if (const auto* branches = as<IfThenElse>(stmt)) flag(branches->else_case != nullptr);
  for_each_child(stmt, [&](const Stmt& child) { this->stmt(child); });
}

void Encoder::function(const PrimFunc& function, bool with_attrs) {
  out_.size(function.params.size());
  for (const Param& param : function.params) {
    out_.word(param.index());
    std::visit([&](const auto& node) { definition(node); }, param);
  }
  type(function.result);
  if (with_attrs) out_.attrs(function.attrs);
  stmt(function.body);
}

}  // namespace

void encode(const PrimFunc& function, Words& out) {
  Encoder(out).function(function, true);
}

void encode_behaviour(const PrimFunc& function, Words& out) {
  Encoder(out).function(function, false);
}

bool structural_equal(const PrimFunc& a, const PrimFunc& b) {
  Words left;
  Words right;
  encode(a, left);
  encode(b, right);
  return left.words() == right.words();
}

std::uint64_t structural_hash(const PrimFunc& function) {
  Words words;
  encode(function, words);
  return words.hash();
}

}  // namespace passdiff::tir
