#include <memory>
#include <vector>

#include "core/documents/prim_func_document.h"
#include "core/documents/wire/prim_func_parts.h"
#include "core/documents/wire/prim_func_reader.h"

namespace passdiff {
namespace {

struct IrTirKinds {
  template <class T>
  using List = std::vector<T>;
  using Expr = tir::Expr;
  using Stmt = tir::Stmt;
  using Variable = tir::Var;
  using Buffer = tir::Buffer;
  using Function = tir::PrimFuncPtr;
};

// Makes the IR. The document leaves out types that follow from those of operands.
class IrPrimFunc final : public PrimFuncReader<IrTirKinds> {
 public:
  using PrimFuncReader::PrimFuncReader;

 protected:
  tir::Var make_variable(const ScalarVariableDocument& declared) override {
    return tir::make_var(std::string(declared.name), declared.type);
  }
  Result<tir::Buffer> make_buffer(BufferParts parts) override;

  tir::Expr use(const tir::Var& variable) override { return tir::var_expr(variable); }
  tir::Expr make_integer(DType dtype, std::int64_t value) override { return tir::int_imm(value, dtype); }
  tir::Expr make_float(DType dtype, double value) override {
    return tir::make_expr(tir::FloatImm{value}, tir::number_type(dtype));
  }
  tir::Expr make_string(std::string_view value) override {
    return tir::make_expr(tir::StringImm{std::string(value)}, tir::kHandle);
  }
  tir::Expr make_binary(tir::BinaryOp op, tir::Expr lhs, tir::Expr rhs) override {
    return tir::binary_expr(op, std::move(lhs), std::move(rhs));
  }
  tir::Expr make_not(tir::Expr operand) override {
    const tir::ScalarType type = tir::number_type(DType::boolean, operand->type.lanes);
    return tir::make_expr(tir::Not{std::move(operand)}, type);
  }
  tir::Expr make_select(tir::Expr condition, tir::Expr on_true, tir::Expr on_false) override {
    const tir::ScalarType type = on_true->type;
    return tir::make_expr(tir::Select{std::move(condition), std::move(on_true), std::move(on_false)}, type);
  }
  tir::Expr make_cast(const tir::ScalarType& type, tir::Expr operand) override {
    return tir::make_expr(tir::Cast{std::move(operand)}, type);
  }
  Result<tir::Expr> make_load(const Cursor& at, tir::Buffer buffer, List<tir::Expr> indices,
                              tir::Expr predicate) override;
  tir::Expr make_ramp(tir::Expr base, tir::Expr stride, int lanes) override {
    const tir::ScalarType type = with_lanes(base->type, lanes);
    return tir::make_expr(tir::Ramp{std::move(base), std::move(stride)}, type);
  }
  tir::Expr make_broadcast(tir::Expr value, int lanes) override {
    const tir::ScalarType type = with_lanes(value->type, lanes);
    return tir::make_expr(tir::Broadcast{std::move(value)}, type);
  }
  tir::Expr make_shuffle(List<tir::Expr> vectors, List<tir::Expr> indices) override {
    const tir::ScalarType type = with_lanes(vectors.front()->type, static_cast<int>(indices.size()));
    return tir::make_expr(tir::Shuffle{std::move(vectors), std::move(indices)}, type);
  }
  tir::Expr make_let(tir::Var variable, tir::Expr value, tir::Expr body) override {
    const tir::ScalarType type = body->type;
    return tir::make_expr(tir::Let{std::move(variable), std::move(value), std::move(body)}, type);
  }
  Result<tir::Expr> make_intrinsic(const Cursor&, std::string_view name, const tir::ScalarType& type,
                                   List<tir::Expr> args) override {
    return tir::make_expr(tir::Call{std::string(name), std::move(args)}, type);
  }
  Result<tir::Expr> make_function_call(const Cursor&, std::string_view name, const tir::ScalarType& type,
                                       List<tir::Expr> args) override {
    return tir::make_expr(tir::FunctionCall{std::string(name), std::move(args)}, type);
  }
  tir::Expr make_buffer_data(tir::Buffer buffer) override {
    return tir::make_expr(tir::BufferData{std::move(buffer)}, tir::kHandle);
  }
  tir::Expr make_buffer_arg(tir::Buffer buffer) override {
    return tir::make_expr(tir::BufferArg{std::move(buffer)}, tir::kHandle);
  }

  tir::Stmt make_loop(LoopParts parts) override {
    return tir::make_stmt(tir::For{std::move(parts.var), std::move(parts.range.min), std::move(parts.range.extent),
                                   std::move(parts.step), parts.kind, std::string(parts.thread_tag),
                                   std::move(parts.annotations), std::move(parts.body)});
  }
  tir::Stmt make_while(tir::Expr condition, tir::Stmt body) override {
    return tir::make_stmt(tir::While{std::move(condition), std::move(body)});
  }
  tir::Stmt make_seq(List<tir::Stmt> stmts) override { return tir::make_stmt(tir::Seq{std::move(stmts)}); }
  tir::Stmt make_branch(tir::Expr condition, tir::Stmt then_case, tir::Stmt else_case) override {
    return tir::make_stmt(tir::IfThenElse{std::move(condition), std::move(then_case), std::move(else_case)});
  }
  tir::Stmt make_evaluate(tir::Expr value) override { return tir::make_stmt(tir::Evaluate{std::move(value)}); }
  tir::Stmt make_bind(tir::Var variable, tir::Expr value) override {
    return tir::make_stmt(tir::Bind{std::move(variable), std::move(value)});
  }
  Result<tir::Stmt> make_store(const Cursor&, tir::Buffer buffer, List<tir::Expr> indices, tir::Expr value,
                               tir::Expr predicate) override {
    return tir::make_stmt(
        tir::BufferStore{std::move(buffer), std::move(value), std::move(indices), std::move(predicate)});
  }
  tir::Stmt make_alloc_buffer(tir::Buffer buffer, NamedAttrs annotations) override {
    return tir::make_stmt(tir::AllocBuffer{std::move(buffer), std::move(annotations)});
  }
  tir::Stmt make_decl_buffer(tir::Buffer buffer, tir::Expr data) override {
    return tir::make_stmt(tir::DeclBuffer{std::move(buffer), std::move(data)});
  }
  tir::Stmt make_attr(AttrParts parts) override;
  tir::Stmt make_assert(tir::Expr condition, std::string_view kind,
                        std::vector<std::string_view> message_parts) override {
    return tir::make_stmt(
        tir::AssertStmt{std::move(condition), std::string(kind), {message_parts.begin(), message_parts.end()}});
  }
  tir::Stmt make_return(tir::Expr value) override { return tir::make_stmt(tir::Return{std::move(value)}); }
  tir::Stmt make_break() override { return tir::make_stmt(tir::Break{}); }
  tir::Stmt make_continue() override { return tir::make_stmt(tir::Continue{}); }
  tir::Stmt make_block(BlockParts parts) override;
  Result<tir::PrimFuncPtr> make_function(std::vector<Param> params, NamedAttrs attrs, tir::Stmt body) override;
};

Result<tir::Buffer> IrPrimFunc::make_buffer(BufferParts parts) {
  auto buffer = std::make_shared<tir::BufferNode>();
  buffer->name = parts.name;
  buffer->dtype = parts.dtype;
  buffer->shape = std::move(parts.shape);
  buffer->strides = std::move(parts.strides);
  buffer->elem_offset = std::move(parts.elem_offset);
  buffer->scope = parts.scope;
  buffer->data_alignment = parts.data_alignment;
  buffer->offset_factor = parts.offset_factor;
  buffer->axis_separators = std::move(parts.axis_separators);
  return tir::Buffer(std::move(buffer));
}

Result<tir::Expr> IrPrimFunc::make_load(const Cursor& at, tir::Buffer buffer, List<tir::Expr> indices,
                                        tir::Expr predicate) {
  const int index_lanes = indices.empty() ? 1 : indices.back()->type.lanes;
  const int lanes = buffer->dtype.lanes * index_lanes;  // both are at most kMaxLanes
  if (lanes > tir::kMaxLanes) return at.error("json.number", "too many lanes");
  const tir::ScalarType type = tir::with_lanes(buffer->dtype, lanes);
  return tir::make_expr(tir::BufferLoad{std::move(buffer), std::move(indices), std::move(predicate)}, type);
}

tir::Stmt IrPrimFunc::make_attr(AttrParts parts) {
  tir::AttrStmt attr{.node = {},
                     .thread_tag = std::string(parts.thread_tag),
                     .key = std::string(parts.key),
                     .value = std::move(parts.value),
                     .body = std::move(parts.body)};
  match(
      parts.node, [](const std::monostate&) {}, [&](const std::string_view& text) { attr.node = std::string(text); },
      [&](const std::int64_t& number) { attr.node = number; },
      [&](const Param& node) {
        if (node.var) attr.node = *node.var;
        if (node.buffer) attr.node = *node.buffer;
      });
  return tir::make_stmt(std::move(attr));
}

tir::Stmt IrPrimFunc::make_block(BlockParts parts) {
  const auto range = [](const Range& one) { return tir::Range{one.min, one.extent}; };
  const auto region = [&](const Region& one) {
    tir::BufferRegion result{one.buffer, {}};
    for (const Range& axis : one.ranges) result.region.push_back(range(axis));
    return result;
  };
  tir::SBlock block;
  block.name = parts.name;
  for (const Axis& axis : parts.axes) block.iter_vars.push_back({axis.var, range(axis.domain), axis.kind});
  for (const Region& read : parts.reads) block.reads.push_back(region(read));
  for (const Region& write : parts.writes) block.writes.push_back(region(write));
  block.alloc_buffers = std::move(parts.alloc_buffers);
  for (const Match& one : parts.match_buffers) block.match_buffers.push_back({one.buffer, region(one.source)});
  block.annotations = std::move(parts.annotations);
  block.init = std::move(parts.init);
  block.body = std::move(parts.body);
  return tir::make_stmt(
      tir::SBlockRealize{std::move(parts.values), std::move(parts.predicate), std::move(block)});
}

Result<tir::PrimFuncPtr> IrPrimFunc::make_function(std::vector<Param> params, NamedAttrs attrs, tir::Stmt body) {
  auto function = std::make_shared<tir::PrimFunc>();
  for (Param& param : params)
    function->params.push_back(param.var ? tir::Param(*std::move(param.var)) : tir::Param(*std::move(param.buffer)));
  function->body = std::move(body);
  function->result = document().result;
  function->attrs = std::move(attrs);
  return tir::PrimFuncPtr(std::move(function));
}

}  // namespace

Result<tir::PrimFuncPtr> read_prim_func(const PrimFuncDocument& document, GlobalInfos infos) {
  return IrPrimFunc(document, infos).read();
}

}  // namespace passdiff
