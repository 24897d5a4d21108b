// Reads the functions of TensorIR of a module document (../json.md). Only this knows their layout; what is made of their parts is up to
// two derived classes: IrPrimFunc (../prim_func_reader.cc) makes passdiff's IR, TirFunction (passes/tvm/adapter) the compiler's objects.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/documents/wire/module_document.h"
#include "core/documents/wire/prim_func_parts.h"
#include "core/ir/tir/stmt.h"

namespace passdiff {

// Kinds has the types that are made: Expr and Stmt, which may be null, Variable, Buffer, Function, and the template List.
//
// Makers that return a Result may refuse what they are given, with an error at `at`, the item that it was read from.
template <class Kinds>
class PrimFuncReader {
 public:
  using Expr = typename Kinds::Expr;
  using Stmt = typename Kinds::Stmt;
  using Variable = typename Kinds::Variable;
  using Buffer = typename Kinds::Buffer;
  using Function = typename Kinds::Function;
  template <class T>
  using List = typename Kinds::template List<T>;
  using Parts = PrimFuncParts<Kinds>;
  using BufferParts = typename Parts::BufferParts;
  using Range = typename Parts::Range;
  using Region = typename Parts::Region;
  using Match = typename Parts::Match;
  using Axis = typename Parts::Axis;
  using LoopParts = typename Parts::LoopParts;
  using BlockParts = typename Parts::BlockParts;
  using Param = typename Parts::Param;
  using AttrParts = typename Parts::AttrParts;

  // The document must outlive the reader.
  PrimFuncReader(const PrimFuncDocument& document, GlobalInfos infos) : document_(document), infos_(infos) {}
  virtual ~PrimFuncReader() = default;

  const PrimFuncDocument& document() const { return document_; }
  Result<Function> read();

 protected:
  virtual Variable make_variable(const ScalarVariableDocument& declared) = 0;
  virtual Result<Buffer> make_buffer(BufferParts parts) = 0;
  // The buffer that stands for `buffer` once it is declared on this data.
  virtual Result<Buffer> make_view(const Cursor& /*at*/, Buffer buffer, const Expr& /*data*/) { return buffer; }

  virtual Expr use(const Variable& variable) = 0;
  virtual Expr make_integer(DType dtype, std::int64_t value) = 0;
  virtual Expr make_float(DType dtype, double value) = 0;
  virtual Expr make_string(std::string_view value) = 0;
  virtual Expr make_binary(tir::BinaryOp op, Expr lhs, Expr rhs) = 0;
  virtual Expr make_not(Expr operand) = 0;
  virtual Expr make_select(Expr condition, Expr on_true, Expr on_false) = 0;
  virtual Expr make_cast(const tir::ScalarType& type, Expr operand) = 0;
  virtual Result<Expr> make_load(const Cursor& at, Buffer buffer, List<Expr> indices, Expr predicate) = 0;
  virtual Expr make_ramp(Expr base, Expr stride, int lanes) = 0;
  virtual Expr make_broadcast(Expr value, int lanes) = 0;
  virtual Expr make_shuffle(List<Expr> vectors, List<Expr> indices) = 0;  // there is at least one of each
  virtual Expr make_let(Variable variable, Expr value, Expr body) = 0;
  virtual Result<Expr> make_intrinsic(const Cursor& at, std::string_view name, const tir::ScalarType& type,
                                      List<Expr> args) = 0;
  virtual Result<Expr> make_function_call(const Cursor& at, std::string_view name, const tir::ScalarType& type,
                                          List<Expr> args) = 0;
  virtual Expr make_buffer_data(Buffer buffer) = 0;
  virtual Expr make_buffer_arg(Buffer buffer) = 0;

  virtual Stmt make_loop(LoopParts parts) = 0;
  virtual Stmt make_while(Expr condition, Stmt body) = 0;
  virtual Stmt make_seq(List<Stmt> stmts) = 0;
  virtual Stmt make_branch(Expr condition, Stmt then_case, Stmt else_case) = 0;
  virtual Stmt make_evaluate(Expr value) = 0;
  virtual Stmt make_bind(Variable variable, Expr value) = 0;
  virtual Result<Stmt> make_store(const Cursor& at, Buffer buffer, List<Expr> indices, Expr value, Expr predicate) = 0;
  virtual Stmt make_alloc_buffer(Buffer buffer, NamedAttrs annotations) = 0;
  virtual Stmt make_decl_buffer(Buffer buffer, Expr data) = 0;
  virtual Stmt make_attr(AttrParts parts) = 0;
  virtual Stmt make_assert(Expr condition, std::string_view kind, std::vector<std::string_view> message_parts) = 0;
  virtual Stmt make_return(Expr value) = 0;
  virtual Stmt make_break() = 0;
  virtual Stmt make_continue() = 0;
  virtual Stmt make_block(BlockParts parts) = 0;
  virtual Result<Function> make_function(std::vector<Param> params, NamedAttrs attrs, Stmt body) = 0;

 private:
  static constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();

  // A list of what `read_one(in)` reads.
  template <class T, class ReadOne>
  Result<T> list(Cursor& in, const ReadOne& read_one) {
    T result;
    for (std::size_t left = TRY(in.array()); left > 0; --left) result.push_back(TRY(read_one(in)));
    return result;
  }
  // Nothing, for a null; else what `read_one(in)` reads.
  template <class T, class ReadOne>
  Result<T> nullable(Cursor& in, const ReadOne& read_one) {
    if (in.take_null()) return T(nullptr);
    return read_one(in);
  }
  Result<NamedAttrs> attrs(Cursor& in) { return read_attrs(in, infos_); }
  Result<Variable> variable(Cursor& in) { return vars_[TRY(in.index(vars_.size()))]; }
  Result<Buffer> buffer(Cursor& in) { return buffers_[TRY(in.index(buffers_.size()))]; }
  Result<Buffer> buffer_row(Cursor& in);
  Result<Param> param(Cursor& in);

  Result<Expr> expr(Cursor& in);
  Result<Expr> form(FormHead<ScalarForm> head, const Cursor& start, Cursor& in);
  Result<Expr> literal(ScalarForm form, Cursor& in);
  Result<Expr> vector(ScalarForm form, const Cursor& start, Cursor& in);
  Result<Expr> call_form(ScalarForm form, const Cursor& start, Cursor& in);
  Result<List<Expr>> exprs(Cursor& in) {
    return list<List<Expr>>(in, [this](Cursor& at) { return expr(at); });
  }
  Result<int> lanes(Cursor& in) { return static_cast<int>(TRY(in.integer(2, tir::kMaxLanes))); }

  Result<Range> range(Cursor& in) {
    Expr min = TRY(expr(in));
    Expr extent = TRY(expr(in));
    return Range{std::move(min), std::move(extent)};
  }
  Result<Region> region(Cursor& in);
  Result<std::vector<Region>> regions(Cursor& in) {
    return list<std::vector<Region>>(in, [this](Cursor& at) { return region(at); });
  }
  Result<Match> match_buffer(Cursor& in);
  Result<Axis> axis(Cursor& in);
  Result<Stmt> stmt(Cursor& in);
  Result<Stmt> form(FormHead<StmtForm> head, const Cursor& start, Cursor& in);
  Result<Stmt> loop(const Cursor& start, Cursor& in);
  Result<Stmt> block(Cursor& in);
  Result<Stmt> store(const Cursor& start, std::size_t size, Cursor& in);
  Result<Stmt> attr(Cursor& in);
  Result<Stmt> assertion(Cursor& in);

  const PrimFuncDocument& document_;
  GlobalInfos infos_;
  std::vector<Variable> vars_;
  std::vector<Buffer> buffers_;  // the rows that are read so far: a row uses earlier ones only
};

template <class Kinds>
auto PrimFuncReader<Kinds>::read() -> Result<Function> {
  vars_.reserve(document_.vars.size());
  for (const ScalarVariableDocument& declared : document_.vars) vars_.push_back(make_variable(declared));
  Cursor buffers = document_.buffers;
  for (std::size_t left = TRY(buffers.array()); left > 0; --left) buffers_.push_back(TRY(buffer_row(buffers)));
  Cursor params_at = document_.params;
  std::vector<Param> params = TRY(list<std::vector<Param>>(params_at, [this](Cursor& at) { return param(at); }));
  Cursor attrs_at = document_.attrs;
  NamedAttrs attributes = TRY(attrs(attrs_at));
  Cursor body_at = document_.body;
  Stmt body = TRY(stmt(body_at));
  return make_function(std::move(params), std::move(attributes), std::move(body));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::buffer_row(Cursor& in) -> Result<Buffer> {
  BufferParts parts;
  parts.at = in;
  TRY_VOID(expect_size(in, 9));
  parts.name = TRY(in.text());
  parts.dtype = TRY(read_scalar_type(in));
  const Cursor shape_at = in;
  parts.shape = TRY(exprs(in));
  if (static_cast<std::int64_t>(parts.shape.size()) > kMaxRank) return shape_at.error("json.number", "more than 64 dims");
  parts.strides = TRY(exprs(in));
  parts.elem_offset = TRY(nullable<Expr>(in, [this](Cursor& at) { return expr(at); }));
  parts.scope = TRY(in.text());
  parts.data_alignment = static_cast<int>(TRY(in.integer(0, kMaxInt)));
  parts.offset_factor = static_cast<int>(TRY(in.integer(0, kMaxInt)));
  parts.axis_separators = TRY(in.integers());
  return make_buffer(std::move(parts));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::param(Cursor& in) -> Result<Param> {
  const FormHead<NodeForm> head = TRY(read_form<NodeForm>(in, "a parameter"));
  Param result;
  if (head.form == NodeForm::buffer) {
    result.buffer = TRY(buffer(in));
  } else {
    result.var = TRY(variable(in));
  }
  return result;
}

template <class Kinds>
auto PrimFuncReader<Kinds>::expr(Cursor& in) -> Result<Expr> {
  if (in.kind() == ItemKind::integer) return use(TRY(variable(in)));
  const Cursor start = in;
  const std::size_t size = TRY(begin_form(in, "a scalar expression"));
  const std::optional<tir::BinaryOp> op = tir::binary_op_from_name(TRY(in.text()));
  if (op && size == 3) {
    Expr lhs = TRY(expr(in));
    Expr rhs = TRY(expr(in));
    return make_binary(*op, std::move(lhs), std::move(rhs));
  }
  in = start;
  const FormHead<ScalarForm> head = TRY(read_form<ScalarForm>(in, "a scalar expression"));
  return form(head, start, in);
}

template <class Kinds>
auto PrimFuncReader<Kinds>::literal(ScalarForm form, Cursor& in) -> Result<Expr> {
  if (form == ScalarForm::string) return make_string(TRY(in.text()));
  const Cursor dtype_at = in;
  const DType dtype = TRY(in.dtype());
  if (is_float(dtype) != (form == ScalarForm::floating))
    return dtype_at.error("json.type", "a number of another kind than its dtype");
  if (form == ScalarForm::floating) return make_float(dtype, TRY(in.number()));
  return make_integer(dtype, TRY(in.integer()));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::vector(ScalarForm form, const Cursor& start, Cursor& in) -> Result<Expr> {
  if (form == ScalarForm::shuffle) {
    List<Expr> vectors = TRY(exprs(in));
    List<Expr> indices = TRY(exprs(in));
    if (vectors.empty() || indices.empty()) return start.error("json.type", "a shuffle of nothing");
    if (indices.size() > static_cast<std::size_t>(tir::kMaxLanes)) return start.error("json.number", "too many lanes");
    return make_shuffle(std::move(vectors), std::move(indices));
  }
  Expr first = TRY(expr(in));
  if (form == ScalarForm::broadcast) return make_broadcast(std::move(first), TRY(lanes(in)));
  Expr stride = TRY(expr(in));
  return make_ramp(std::move(first), std::move(stride), TRY(lanes(in)));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::call_form(ScalarForm form, const Cursor& start, Cursor& in) -> Result<Expr> {
  const std::string_view name = TRY(in.text());
  const tir::ScalarType type = TRY(read_scalar_type(in));
  List<Expr> args = TRY(exprs(in));
  return form == ScalarForm::intrinsic ? make_intrinsic(start, name, type, std::move(args))
                                       : make_function_call(start, name, type, std::move(args));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::form(FormHead<ScalarForm> head, const Cursor& start, Cursor& in) -> Result<Expr> {
  switch (head.form) {
    case ScalarForm::load: {
      Buffer source = TRY(buffer(in));
      List<Expr> indices = TRY(exprs(in));
      Expr predicate(nullptr);
      if (head.size == 4) predicate = TRY(expr(in));
      return make_load(start, std::move(source), std::move(indices), std::move(predicate));
    }
    case ScalarForm::integer:
    case ScalarForm::floating:
    case ScalarForm::string:
      return literal(head.form, in);
    case ScalarForm::cast: {
      const tir::ScalarType type = TRY(read_scalar_type(in));
      return make_cast(type, TRY(expr(in)));
    }
    case ScalarForm::intrinsic:
    case ScalarForm::function_call:
      return call_form(head.form, start, in);
    case ScalarForm::select: {
      Expr condition = TRY(expr(in));
      Expr on_true = TRY(expr(in));
      Expr on_false = TRY(expr(in));
      return make_select(std::move(condition), std::move(on_true), std::move(on_false));
    }
    case ScalarForm::negation:
      return make_not(TRY(expr(in)));
    case ScalarForm::let: {
      Variable bound = TRY(variable(in));
      Expr value = TRY(expr(in));
      Expr body = TRY(expr(in));
      return make_let(std::move(bound), std::move(value), std::move(body));
    }
    case ScalarForm::ramp:
    case ScalarForm::broadcast:
    case ScalarForm::shuffle:
      return vector(head.form, start, in);
    case ScalarForm::buffer_data:
      return make_buffer_data(TRY(buffer(in)));
    case ScalarForm::buffer_arg:
      break;
  }
  return make_buffer_arg(TRY(buffer(in)));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::region(Cursor& in) -> Result<Region> {
  TRY_VOID(expect_size(in, 2));
  Buffer source = TRY(buffer(in));
  const auto one_range = [this](Cursor& at) -> Result<Range> {
    TRY_VOID(expect_size(at, 2));
    return range(at);
  };
  return Region{std::move(source), TRY(list<std::vector<Range>>(in, one_range))};
}

template <class Kinds>
auto PrimFuncReader<Kinds>::match_buffer(Cursor& in) -> Result<Match> {
  TRY_VOID(expect_size(in, 2));
  Buffer view = TRY(buffer(in));
  return Match{std::move(view), TRY(region(in))};
}

template <class Kinds>
auto PrimFuncReader<Kinds>::axis(Cursor& in) -> Result<Axis> {
  TRY_VOID(expect_size(in, 4));
  Axis result;
  result.var = TRY(variable(in));
  result.domain = TRY(range(in));
  const Cursor kind_at = in;
  const auto kind = tir::iter_kind_from_name(TRY(in.text()));
  if (!kind) return kind_at.error("json.name", "no such kind of axis");
  result.kind = *kind;
  return result;
}

template <class Kinds>
auto PrimFuncReader<Kinds>::loop(const Cursor& start, Cursor& in) -> Result<Stmt> {
  LoopParts parts;
  parts.at = start;
  parts.var = TRY(variable(in));
  parts.range = TRY(range(in));
  parts.step = TRY(nullable<Expr>(in, [this](Cursor& at) { return expr(at); }));
  const Cursor kind_at = in;
  const auto kind = tir::for_kind_from_name(TRY(in.text()));
  if (!kind) return kind_at.error("json.name", "no such kind of loop");
  parts.kind = *kind;
  parts.thread_tag = TRY(in.text());
  parts.annotations = TRY(attrs(in));
  parts.body = TRY(stmt(in));
  return make_loop(std::move(parts));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::block(Cursor& in) -> Result<Stmt> {
  BlockParts parts;
  parts.values = TRY(exprs(in));
  parts.predicate = TRY(expr(in));
  parts.name = TRY(in.text());
  parts.axes = TRY(list<std::vector<Axis>>(in, [this](Cursor& at) { return axis(at); }));
  parts.reads = TRY(regions(in));
  parts.writes = TRY(regions(in));
  parts.alloc_buffers = TRY(list<List<Buffer>>(in, [this](Cursor& at) { return buffer(at); }));
  parts.match_buffers = TRY(list<std::vector<Match>>(in, [this](Cursor& at) { return match_buffer(at); }));
  parts.annotations = TRY(attrs(in));
  parts.init = TRY(nullable<Stmt>(in, [this](Cursor& at) { return stmt(at); }));
  parts.body = TRY(stmt(in));
  return make_block(std::move(parts));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::store(const Cursor& start, std::size_t size, Cursor& in) -> Result<Stmt> {
  Buffer target = TRY(buffer(in));
  List<Expr> indices = TRY(exprs(in));
  Expr value = TRY(expr(in));
  Expr predicate(nullptr);
  if (size == 5) predicate = TRY(expr(in));
  return make_store(start, std::move(target), std::move(indices), std::move(value), std::move(predicate));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::attr(Cursor& in) -> Result<Stmt> {
  AttrParts parts;
  if (in.kind() == ItemKind::text) {
    parts.node = TRY(in.text());
  } else if (in.kind() == ItemKind::integer) {
    parts.node = TRY(in.integer());
  } else if (!in.take_null()) {
    parts.node = TRY(param(in));
  }
  parts.thread_tag = TRY(in.text());
  parts.key = TRY(in.text());
  parts.value = TRY(expr(in));
  parts.body = TRY(stmt(in));
  return make_attr(std::move(parts));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::assertion(Cursor& in) -> Result<Stmt> {
  Expr condition = TRY(expr(in));
  const std::string_view kind = TRY(in.text());
  std::vector<std::string_view> message =
      TRY(list<std::vector<std::string_view>>(in, [](Cursor& at) { return at.text(); }));
  return make_assert(std::move(condition), kind, std::move(message));
}

template <class Kinds>
auto PrimFuncReader<Kinds>::form(FormHead<StmtForm> head, const Cursor& start, Cursor& in) -> Result<Stmt> {
  switch (head.form) {
    case StmtForm::store:
      return store(start, head.size, in);
    case StmtForm::loop:
      return loop(start, in);
    case StmtForm::block:
      return block(in);
    case StmtForm::seq:
      return make_seq(TRY(list<List<Stmt>>(in, [this](Cursor& at) { return stmt(at); })));
    case StmtForm::branch: {
      Expr condition = TRY(expr(in));
      Stmt then_case = TRY(stmt(in));
      Stmt else_case(nullptr);
      if (head.size == 4) else_case = TRY(stmt(in));
      return make_branch(std::move(condition), std::move(then_case), std::move(else_case));
    }
    case StmtForm::evaluate:
      return make_evaluate(TRY(expr(in)));
    case StmtForm::bind: {
      Variable bound = TRY(variable(in));
      return make_bind(std::move(bound), TRY(expr(in)));
    }
    case StmtForm::alloc_buffer: {
      Buffer allocated = TRY(buffer(in));
      return make_alloc_buffer(std::move(allocated), TRY(attrs(in)));
    }
    case StmtForm::decl_buffer: {
      const std::size_t index = TRY(in.index(buffers_.size()));
      Expr data = TRY(expr(in));
      buffers_[index] = TRY(make_view(start, buffers_[index], data));
      return make_decl_buffer(buffers_[index], std::move(data));
    }
    case StmtForm::attr:
      return attr(in);
    case StmtForm::assertion:
      return assertion(in);
    case StmtForm::while_loop: {
      Expr condition = TRY(expr(in));
      return make_while(std::move(condition), TRY(stmt(in)));
    }
    case StmtForm::return_value:
      return make_return(TRY(expr(in)));
    case StmtForm::break_loop:
      return make_break();
    case StmtForm::continue_loop:
      break;
  }
  return make_continue();
}

template <class Kinds>
auto PrimFuncReader<Kinds>::stmt(Cursor& in) -> Result<Stmt> {
  const Cursor start = in;
  const FormHead<StmtForm> head = TRY(read_form<StmtForm>(in, "a statement"));
  return form(head, start, in);
}

}  // namespace passdiff
