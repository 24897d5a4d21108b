#include <utility>

#include "core/documents/prim_func_document.h"
#include "core/match.h"

namespace passdiff::tir {
namespace {

// Writes functions of TensorIR. Variables and buffers are numbered as they are met, so that their tables follow the body that uses them.
class PrimFuncWriter {
 public:
  explicit PrimFuncWriter(DocumentWriter& out) : out_(&out) {}
  void function(const GlobalPrimFunc& global);

 private:
  void variable(const Var& var) { out_->integer(vars_.of(var)); }
  void buffer(const Buffer& buffer);
  void buffer_row(const BufferNode& buffer);
  void buffers(const std::vector<Buffer>& list);
  void tables();

  void expr(const Expr& expr);
  void exprs(const std::vector<Expr>& list);
  void nullable(const Expr& expr) { expr ? this->expr(expr) : out_->null(); }
  void vector(const ExprNode& expr);
  void load(const BufferLoad& load);
  void call(ScalarForm form, std::string_view name, const ExprNode& call, const std::vector<Expr>& args);
  void buffer_expr(ScalarForm form, const Buffer& of) {
    out_->form(form);
    buffer(of);
  }

  void stmt(const Stmt& stmt);
  void store(const BufferStore& store);
  void loop(const For& loop);
  void attr(const AttrStmt& attr);
  void branch(const IfThenElse& branch);
  void block(const SBlockRealize& realize);
  void range(const Range& range);
  void region(const BufferRegion& region);
  void regions(const std::vector<BufferRegion>& list);

  DocumentWriter* out_;
  Numbering<Var> vars_;
  Numbering<Buffer> buffers_;
  DocumentWriter buffer_rows_;
};

void PrimFuncWriter::buffer(const Buffer& buffer) {
  if (!buffers_.contains(buffer)) {
    // The row is written first, so that the buffers in it get lower numbers.
    DocumentWriter row;
    DocumentWriter* const outer = std::exchange(out_, &row);
    buffer_row(*buffer);
    out_ = outer;
    buffer_rows_.items(row.bytes());
  }
  out_->integer(buffers_.of(buffer));
}

void PrimFuncWriter::buffer_row(const BufferNode& buffer) {
  out_->array(9);
  out_->text(buffer.name);
  out_->scalar_type(buffer.dtype);
  exprs(buffer.shape);
  exprs(buffer.strides);
  nullable(buffer.elem_offset);
  out_->text(buffer.scope);
  out_->integer(buffer.data_alignment);
  out_->integer(buffer.offset_factor);
  out_->integers(buffer.axis_separators);
}

void PrimFuncWriter::buffers(const std::vector<Buffer>& list) {
  out_->array(list.size());
  for (const Buffer& one : list) buffer(one);
}

void PrimFuncWriter::exprs(const std::vector<Expr>& list) {
  out_->array(list.size());
  for (const Expr& one : list) expr(one);
}

void PrimFuncWriter::load(const BufferLoad& load) {
  out_->form(ScalarForm::load, load.predicate ? 4 : 3);
  buffer(load.buffer);
  exprs(load.indices);
  if (load.predicate) expr(load.predicate);
}

void PrimFuncWriter::call(ScalarForm form, std::string_view name, const ExprNode& call,
                          const std::vector<Expr>& args) {
  out_->form(form);
  out_->text(name);
  out_->scalar_type(call.type);
  exprs(args);
}

void PrimFuncWriter::expr(const Expr& expr) {
  match(
      expr->node, [&](const Var& var) { variable(var); },
      [&](const IntImm& imm) {
        out_->form(ScalarForm::integer);
        out_->dtype(expr->type.dtype);
        out_->integer(imm.value);
      },
      [&](const FloatImm& imm) {
        out_->form(ScalarForm::floating);
        out_->dtype(expr->type.dtype);
        out_->number_or_name(imm.value);
      },
      [&](const StringImm& imm) {
        out_->form(ScalarForm::string);
        out_->text(imm.value);
      },
      [&](const Binary& binary) {
        out_->binary_op(binary.op);
        this->expr(binary.lhs);
        this->expr(binary.rhs);
      },
      [&](const Not& negation) {
        out_->form(ScalarForm::negation);
        this->expr(negation.operand);
      },
      [&](const Select& select) {
        out_->form(ScalarForm::select);
        this->expr(select.condition);
        this->expr(select.on_true);
        this->expr(select.on_false);
      },
      [&](const Cast& cast) {
        out_->form(ScalarForm::cast);
        out_->scalar_type(expr->type);
        this->expr(cast.operand);
      },
      [&](const BufferLoad& one) { load(one); },
      [&](const Let& let) {
        out_->form(ScalarForm::let);
        variable(let.var);
        this->expr(let.value);
        this->expr(let.body);
      },
      [&](const OneOf<Ramp, Broadcast, Shuffle> auto&) { vector(*expr); },
      [&](const Call& one) { call(ScalarForm::intrinsic, one.intrinsic, *expr, one.args); },
      [&](const FunctionCall& one) { call(ScalarForm::function_call, one.function, *expr, one.args); },
      [&](const BufferData& data) { buffer_expr(ScalarForm::buffer_data, data.buffer); },
      [&](const BufferArg& arg) { buffer_expr(ScalarForm::buffer_arg, arg.buffer); });
}

void PrimFuncWriter::vector(const ExprNode& expr) {
  if (const auto* shuffle = std::get_if<Shuffle>(&expr.node)) {
    out_->form(ScalarForm::shuffle);
    exprs(shuffle->vectors);
    return exprs(shuffle->indices);
  }
  if (const auto* broadcast = std::get_if<Broadcast>(&expr.node)) {
    out_->form(ScalarForm::broadcast);
    this->expr(broadcast->value);
  } else {
    const auto& ramp = std::get<Ramp>(expr.node);
    out_->form(ScalarForm::ramp);
    this->expr(ramp.base);
    this->expr(ramp.stride);
  }
  out_->integer(expr.type.lanes);
}

void PrimFuncWriter::store(const BufferStore& store) {
  out_->form(StmtForm::store, store.predicate ? 5 : 4);
  buffer(store.buffer);
  exprs(store.indices);
  expr(store.value);
  if (store.predicate) expr(store.predicate);
}

void PrimFuncWriter::range(const Range& range) {
  expr(range.min);
  expr(range.extent);
}

void PrimFuncWriter::region(const BufferRegion& region) {
  out_->array(2);
  buffer(region.buffer);
  out_->array(region.region.size());
  for (const Range& one : region.region) {
    out_->array(2);
    range(one);
  }
}

void PrimFuncWriter::regions(const std::vector<BufferRegion>& list) {
  out_->array(list.size());
  for (const BufferRegion& one : list) region(one);
}

void PrimFuncWriter::loop(const For& loop) {
  out_->form(StmtForm::loop);
  variable(loop.var);
  range({loop.min, loop.extent});
  nullable(loop.step);
  out_->text(for_kind_name(loop.kind));
  out_->text(loop.thread_tag);
  out_->attrs(loop.annotations);
  stmt(loop.body);
}

void PrimFuncWriter::attr(const AttrStmt& attr) {
  out_->form(StmtForm::attr);
  match(
      attr.node, [&](const std::monostate&) { out_->null(); }, [&](const std::string& text) { out_->text(text); },
      [&](const std::int64_t& number) { out_->integer(number); },
      [&](const Var& var) {
        out_->form(NodeForm::variable);
        variable(var);
      },
      [&](const Buffer& node) {
        out_->form(NodeForm::buffer);
        buffer(node);
      });
  out_->text(attr.thread_tag);
  out_->text(attr.key);
  expr(attr.value);
  stmt(attr.body);
}

void PrimFuncWriter::branch(const IfThenElse& branch) {
  out_->form(StmtForm::branch, branch.else_case ? 4 : 3);
  expr(branch.condition);
  stmt(branch.then_case);
  if (branch.else_case) stmt(branch.else_case);
}

void PrimFuncWriter::block(const SBlockRealize& realize) {
  const SBlock& block = realize.block;
  out_->form(StmtForm::block);
  exprs(realize.iter_values);
  expr(realize.predicate);
  out_->text(block.name);
  out_->array(block.iter_vars.size());
  for (const IterVar& axis : block.iter_vars) {
    out_->array(4);
    variable(axis.var);
    range(axis.domain);
    out_->text(iter_kind_name(axis.kind));
  }
  regions(block.reads);
  regions(block.writes);
  buffers(block.alloc_buffers);
  out_->array(block.match_buffers.size());
  for (const MatchBuffer& match : block.match_buffers) {
    out_->array(2);
    buffer(match.buffer);
    region(match.source);
  }
  out_->attrs(block.annotations);
  block.init ? stmt(block.init) : out_->null();
  stmt(block.body);
}

void PrimFuncWriter::stmt(const Stmt& stmt) {
  match(
      stmt->node, [&](const BufferStore& node) { store(node); }, [&](const For& node) { loop(node); },
      [&](const SBlockRealize& node) { block(node); }, [&](const IfThenElse& node) { branch(node); },
      [&](const AttrStmt& node) { attr(node); },
      [&](const Seq& seq) {
        out_->form(StmtForm::seq);
        out_->array(seq.stmts.size());
        for (const Stmt& one : seq.stmts) this->stmt(one);
      },
      [&](const While& loop) {
        out_->form(StmtForm::while_loop);
        expr(loop.condition);
        this->stmt(loop.body);
      },
      [&](const Evaluate& evaluate) {
        out_->form(StmtForm::evaluate);
        expr(evaluate.value);
      },
      [&](const Bind& bind) {
        out_->form(StmtForm::bind);
        variable(bind.var);
        expr(bind.value);
      },
      [&](const AllocBuffer& alloc) {
        out_->form(StmtForm::alloc_buffer);
        buffer(alloc.buffer);
        out_->attrs(alloc.annotations);
      },
      [&](const DeclBuffer& decl) {
        out_->form(StmtForm::decl_buffer);
        buffer(decl.buffer);
        expr(decl.data);
      },
      [&](const AssertStmt& assertion) {
        out_->form(StmtForm::assertion);
        expr(assertion.condition);
        out_->text(assertion.kind);
        out_->texts(assertion.message_parts);
      },
      [&](const Return& node) {
        out_->form(StmtForm::return_value);
        expr(node.value);
      },
      [&](const Break&) { out_->form(StmtForm::break_loop); }, [&](const Continue&) { out_->form(StmtForm::continue_loop); });
}

void PrimFuncWriter::tables() {
  out_->key(PrimFuncKey::buffers);
  out_->array(buffers_.table().size());
  out_->items(buffer_rows_.bytes());
  out_->key(PrimFuncKey::vars);
  out_->array(vars_.table().size());
  for (const Var& var : vars_.table()) {
    out_->array(2);
    out_->text(var->name);
    out_->scalar_type(var->type);
  }
}

void PrimFuncWriter::function(const GlobalPrimFunc& global) {
  const PrimFunc& function = *global.function;
  out_->begin_prim_func(global.name, global.is_public);
  out_->key(PrimFuncKey::params);
  out_->array(function.params.size());
  for (const Param& param : function.params) {
    match(
        param,
        [&](const Buffer& of) {
          out_->form(NodeForm::buffer);
          buffer(of);
        },
        [&](const Var& var) {
          out_->form(NodeForm::variable);
          variable(var);
        });
  }
  out_->key(PrimFuncKey::attrs);
  out_->attrs(function.attrs);
  out_->key(PrimFuncKey::result);
  out_->scalar_type(function.result);
  out_->key(PrimFuncKey::body);
  stmt(function.body);
  tables();
}

}  // namespace
}  // namespace passdiff::tir

namespace passdiff {

void write_prim_func(DocumentWriter& out, const GlobalPrimFunc& global) {
  tir::PrimFuncWriter(out).function(global);
}

}  // namespace passdiff
