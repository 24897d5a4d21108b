// Reads the functions of a module document (../json.md). Only this knows their layout; what is made of their parts is up to two derived
// classes: IrFunction (../module_reader.cc) makes passdiff's IR, RelaxFunction (passes/tvm/adapter) the compiler's objects.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/documents/wire/type_reader.h"

namespace passdiff {

// One attribute of an op call.
struct AttrDocument {
  Cursor at;
  std::string_view name;
  AttrValue value;
};

// An op call, without its operands.
struct OpCallDocument {
  Cursor at;
  std::string_view name;
  std::vector<AttrDocument> attrs;
  std::string_view attrs_class;  // the compiler's, for an op that does not tell it; else empty
  std::optional<std::size_t> bound;  // the row of the variable that the call is bound to; nothing if it is part of another expression
};

// Kinds has the types that are made: those of TypeReader and Expr, Variable, Binding, Block, Seq and Function; BeforeBranches, which is
// kept while the branches of an If are read; and Types, the class derived from TypeReader.
//
// Makers that return a Result may refuse what they are given, with an error at `at`, the item that it was read from.
template <class Kinds>
class FunctionReader {
 public:
  using Dim = typename Kinds::Dim;
  using Type = typename Kinds::Type;
  using Expr = typename Kinds::Expr;
  using Variable = typename Kinds::Variable;
  using Binding = typename Kinds::Binding;
  using Block = typename Kinds::Block;
  using Seq = typename Kinds::Seq;
  using Function = typename Kinds::Function;
  using BeforeBranches = typename Kinds::BeforeBranches;
  template <class T>
  using List = typename Kinds::template List<T>;

  // The document must outlive the reader.
  FunctionReader(const FunctionDocument& document, typename Kinds::Types types)
      : types_(std::move(types)), document_(document), made_(document.vars.size()) {}
  virtual ~FunctionReader() = default;

  const FunctionDocument& document() const { return document_; }
  Result<Function> read();

 protected:
  typename Kinds::Types& types() { return types_; }
  // The variable of this row of the table, which is made as it is declared there unless it was made before.
  Result<Variable> variable(std::size_t row);
  const VariableDocument& declared(std::size_t row) const { return document_.vars[row]; }
  bool is_made(std::size_t row) const { return made_[row].has_value(); }
  Variable& set_variable(std::size_t row, Variable variable) { return made_[row].emplace(std::move(variable)); }
  // Reads the row of a variable, and returns the variable.
  Result<Variable> next_variable(Cursor& in);

  virtual Variable make_variable(const VariableDocument& declared, Type type) = 0;
  virtual Expr use(const Variable& variable) = 0;
  virtual Result<Expr> make_op_call(OpCallDocument document, List<Expr> args, List<Type> type_args) = 0;
  virtual Result<Expr> make_constant(const Cursor& at, TensorDocument tensor, const std::optional<Sharding>& sharding) = 0;
  virtual Expr make_get(Expr tuple, int index) = 0;
  virtual Expr make_tuple(List<Expr> fields) = 0;
  virtual Expr make_shape(List<Dim> dims) = 0;
  virtual Expr make_prim(DType dtype, Dim value) = 0;
  virtual Expr make_prim(DType dtype, double value) = 0;
  virtual Expr make_call(Expr callee, List<Expr> args) = 0;
  virtual Expr make_extern_call(std::string_view name, List<Expr> args, List<Type> type_args) = 0;
  virtual BeforeBranches before_branches() = 0;
  virtual Expr make_branch(BeforeBranches before, Expr condition, Seq then_branch, Seq else_branch) = 0;
  virtual Expr make_string(std::string_view value) = 0;
  virtual Expr make_dtype(DType value) = 0;
  virtual Result<Expr> make_global(const Cursor& at, std::string_view name) = 0;
  virtual Expr make_extern_function(std::string_view name) = 0;
  virtual Expr make_local_function(Function function) = 0;

  // A binding of the variable of this row; with a cast it is a match_cast.
  virtual Result<Binding> make_binding(std::size_t row, Expr value, std::optional<Type> cast) = 0;
  virtual Block make_block(bool dataflow, List<Binding> bindings) = 0;
  virtual Seq make_seq(List<Block> blocks, Expr result) = 0;
  // Called before a body is read.
  virtual void begin_body(const List<Variable>& params) = 0;
  // The declared type of the result is in the document, for makers that need it.
  virtual Result<Function> make_function(const BodyDocument& document, List<Variable> params, NamedAttrs attrs,
                                         Seq body) = 0;

 private:
  Result<Function> function(const BodyDocument& document);
  Result<Seq> seq(Cursor& in);
  Result<Block> block(Cursor& in);
  Result<Binding> binding(Cursor& in);
  // `bound` is the row of the variable that the expression is bound to; nothing if it is part of another one.
  Result<Expr> expr(Cursor& in, std::optional<std::size_t> bound = std::nullopt);
  Result<Expr> form(FormHead<ExprForm> head, const Cursor& start, Cursor& in, std::optional<std::size_t> bound);
  Result<List<Expr>> exprs(Cursor& in);
  Result<Expr> op_call(const Cursor& start, std::size_t size, Cursor& in, std::optional<std::size_t> bound);
  Result<Expr> constant(std::size_t size, const Cursor& start, Cursor& in);
  Result<Expr> prim(Cursor& in);
  Result<Expr> branch(Cursor& in);

  typename Kinds::Types types_;
  const FunctionDocument& document_;
  std::vector<std::optional<Variable>> made_;
};

template <class Kinds>
auto FunctionReader<Kinds>::variable(std::size_t row) -> Result<Variable> {
  std::optional<Variable>& made = made_[row];
  if (!made) {
    Cursor type = declared(row).type;
    made = make_variable(declared(row), TRY(types_.type(type)));
  }
  return *made;
}

// Reads the function. Rows of the table that nothing uses must be readable, too.
template <class Kinds>
auto FunctionReader<Kinds>::read() -> Result<Function> {
  Function result = TRY(function(document_.body));
  for (std::size_t row = 0; row < made_.size(); ++row) {
    Cursor type = declared(row).type;
    if (!made_[row]) static_cast<void>(TRY(types_.type(type)));
  }
  return result;
}

template <class Kinds>
auto FunctionReader<Kinds>::next_variable(Cursor& in) -> Result<Variable> {
  return variable(TRY(in.index(made_.size())));
}

template <class Kinds>
auto FunctionReader<Kinds>::exprs(Cursor& in) -> Result<List<Expr>> {
  List<Expr> result;
  const std::size_t count = TRY(in.array());
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) result.push_back(TRY(expr(in)));
  return result;
}

template <class Kinds>
auto FunctionReader<Kinds>::op_call(const Cursor& start, std::size_t size, Cursor& in, std::optional<std::size_t> bound) -> Result<Expr> {
  OpCallDocument document{.at = start, .name = TRY(in.text()), .attrs = {}, .attrs_class = {}, .bound = bound};
  List<Expr> args = TRY(exprs(in));
  const std::size_t count = TRY(in.array());
  document.attrs.reserve(std::min<std::size_t>(count, 8));
  while (document.attrs.size() < count) {
    AttrDocument& attr = document.attrs.emplace_back();
    attr.at = in;
    TRY_VOID(expect_size(in, 2));
    attr.name = TRY(in.text());
    attr.value = TRY(read_attr(in, types_.infos()));
  }
  if (size > 4) document.attrs_class = TRY(in.text());
  List<Type> type_args;
  if (size > 5) type_args = TRY(types_.types(in));
  return make_op_call(std::move(document), std::move(args), std::move(type_args));
}

template <class Kinds>
auto FunctionReader<Kinds>::constant(std::size_t size, const Cursor& start, Cursor& in) -> Result<Expr> {
  TensorDocument tensor = TRY(read_tensor(in));
  std::optional<Sharding> sharding;
  if (size > 4) sharding = TRY(read_sharding(in, types_.infos().meshes));
  return make_constant(start, std::move(tensor), sharding);
}

template <class Kinds>
auto FunctionReader<Kinds>::prim(Cursor& in) -> Result<Expr> {
  const DType dtype = TRY(in.dtype());
  if (is_float(dtype)) return make_prim(dtype, TRY(in.number()));
  Cursor value = in;
  if (value.kind() == ItemKind::integer)
    static_cast<void>(TRY(value.integer(int_min(dtype), scalar_max(dtype))));
  return make_prim(dtype, TRY(types_.dim(in, dtype)));
}

template <class Kinds>
auto FunctionReader<Kinds>::branch(Cursor& in) -> Result<Expr> {
  Expr condition = TRY(expr(in));
  BeforeBranches before = before_branches();
  Seq then_branch = TRY(seq(in));
  Seq else_branch = TRY(seq(in));
  return make_branch(std::move(before), std::move(condition), std::move(then_branch), std::move(else_branch));
}

template <class Kinds>
auto FunctionReader<Kinds>::form(FormHead<ExprForm> head, const Cursor& start, Cursor& in, std::optional<std::size_t> bound) -> Result<Expr> {
  switch (head.form) {
    case ExprForm::op:
      return op_call(start, head.size, in, bound);
    case ExprForm::constant:
      return constant(head.size, start, in);
    case ExprForm::get: {
      Expr tuple = TRY(expr(in));
      const std::int64_t index = TRY(in.integer(0, std::numeric_limits<int>::max()));
      return make_get(std::move(tuple), static_cast<int>(index));
    }
    case ExprForm::tuple:
      return make_tuple(TRY(exprs(in)));
    case ExprForm::shape:
      return make_shape(TRY(types_.dims(in)));
    case ExprForm::prim:
      return prim(in);
    case ExprForm::call: {
      Expr callee = TRY(expr(in));
      List<Expr> args = TRY(exprs(in));
      return make_call(std::move(callee), std::move(args));
    }
    case ExprForm::extern_call: {
      const std::string_view name = TRY(in.text());
      List<Expr> args = TRY(exprs(in));
      List<Type> type_args = TRY(types_.types(in));
      return make_extern_call(name, std::move(args), std::move(type_args));
    }
    case ExprForm::branch:
      return branch(in);
    case ExprForm::string:
      return make_string(TRY(in.text()));
    case ExprForm::dtype:
      return make_dtype(TRY(in.dtype()));
    case ExprForm::global:
      return make_global(start, TRY(in.text()));
    case ExprForm::extern_function:
      return make_extern_function(TRY(in.text()));
    case ExprForm::function:
      break;
  }
  const BodyDocument body = TRY(read_body_outline(in));
  return make_local_function(TRY(function(body)));
}

template <class Kinds>
auto FunctionReader<Kinds>::expr(Cursor& in, std::optional<std::size_t> bound) -> Result<Expr> {
  if (in.kind() == ItemKind::integer) return use(TRY(next_variable(in)));
  const Cursor start = in;
  const FormHead<ExprForm> head = TRY(read_form<ExprForm>(in, "an expression"));
  return form(head, start, in, bound);
}

template <class Kinds>
auto FunctionReader<Kinds>::binding(Cursor& in) -> Result<Binding> {
  const Cursor start = in;
  const std::size_t size = TRY(in.array("a binding"));
  if (size != 2 && size != 3) return start.error("json.type", "a binding of " + std::to_string(size) + " elements");
  const std::size_t row = TRY(in.index(made_.size()));
  Expr value = TRY(expr(in, row));
  std::optional<Type> cast;
  if (size == 3) cast = TRY(types_.type(in));
  return make_binding(row, std::move(value), std::move(cast));
}

template <class Kinds>
auto FunctionReader<Kinds>::block(Cursor& in) -> Result<Block> {
  TRY_VOID(expect_size(in, 2));
  const bool dataflow = TRY(in.bit());
  List<Binding> bindings;
  const std::size_t count = TRY(in.array());
  bindings.reserve(count);
  for (std::size_t i = 0; i < count; ++i) bindings.push_back(TRY(binding(in)));
  return make_block(dataflow, std::move(bindings));
}

template <class Kinds>
auto FunctionReader<Kinds>::seq(Cursor& in) -> Result<Seq> {
  TRY_VOID(expect_size(in, 2));
  List<Block> blocks;
  for (std::size_t left = TRY(in.array()); left > 0; --left) blocks.push_back(TRY(block(in)));
  Expr result = TRY(expr(in));
  return make_seq(std::move(blocks), std::move(result));
}

template <class Kinds>
auto FunctionReader<Kinds>::function(const BodyDocument& document) -> Result<Function> {
  List<Variable> params;
  Cursor params_at = document.params;
  for (std::size_t left = TRY(params_at.array()); left > 0; --left)
    params.push_back(TRY(next_variable(params_at)));
  begin_body(params);
  Cursor attrs_at = document.attrs;
  NamedAttrs attrs = TRY(read_attrs(attrs_at, types_.infos()));
  Cursor body_at = document.body;
  Seq body = TRY(seq(body_at));
  return make_function(document, std::move(params), std::move(attrs), std::move(body));
}

}  // namespace passdiff
