#include <algorithm>
#include <optional>
#include <utility>

#include "core/eval/tir/program.h"
#include "core/ir/pointer_map.h"
#include "core/match.h"

namespace passdiff::tir {
namespace {

// How deep expressions and statements may be nested, so that the stack stays small with AddressSanitizer.
constexpr int kMaxNesting = 400;

class Compiler {
 public:
  Result<Program> compile(const PrimFunc& function);

 private:
  Error ill_formed(std::string message) const { return {"form.prim-func", std::move(message)}; }
  Error unsupported(std::string what) const { return {"unsupported.tir", std::move(what)}; }

  Index add(Node node) {
    program_.nodes.push_back(node);
    return static_cast<Index>(program_.nodes.size() - 1);
  }
  Index add(StmtCode stmt) {
    program_.stmts.push_back(std::move(stmt));
    program_.statements.push_back(statement_);
    return static_cast<Index>(program_.stmts.size() - 1);
  }
  const Node& node(Index index) const { return program_.nodes[static_cast<std::size_t>(index)]; }

  Index define(const Var& var);
  Result<Index> slot_of(const Var& var) const;
  Index define_pointer(const Var& var);
  Result<Index> pointer_of(const Expr& expr) const;
  Result<TensorField> field_of(const Call& call) const;
  Result<Index> pointer(const Bind& bind);
  Result<Index> pointer(const Call& call, Index slot);
  Result<Index> define(const Buffer& buffer);
  Result<Index> buffer_of(const Buffer& buffer) const;

  Result<Index> expr(const Expr& expr);
  Result<Index> optional_expr(const Expr& expr) { return expr == nullptr ? Result<Index>(kNone) : this->expr(expr); }
  Result<std::vector<Index>> exprs(const std::vector<Expr>& exprs);
  // An operand that must be an integer, a bool, or a float.
  Result<Index> integer(const Expr& expr, const char* what);
  Result<std::vector<Index>> integers(const std::vector<Expr>& exprs, const char* what);
  Result<Index> condition(const Expr& expr);

  Result<Index> compiled(const ExprNode& expr, const IntImm& imm);
  Result<Index> compiled(const ExprNode& expr, const FloatImm& imm);
  Result<Index> compiled(const ExprNode& expr, const StringImm& imm);
  Result<Index> compiled(const ExprNode& expr, const Var& var);
  Result<Index> compiled(const ExprNode& expr, const Binary& binary);
  Result<Index> compiled(const ExprNode& expr, const Not& negation);
  Result<Index> compiled(const ExprNode& expr, const Select& select);
  Result<Index> compiled(const ExprNode& expr, const Cast& cast);
  Result<Index> compiled(const ExprNode& expr, const BufferLoad& load);
  Result<Index> compiled(const ExprNode& expr, const Ramp& ramp);
  Result<Index> compiled(const ExprNode& expr, const Broadcast& broadcast);
  Result<Index> compiled(const ExprNode& expr, const Shuffle& shuffle);
  Result<Index> compiled(const ExprNode& expr, const Let& let);
  Result<Index> compiled(const ExprNode& expr, const Call& call);
  Result<Index> compiled(const ExprNode& expr, const FunctionCall& call);
  Result<Index> compiled(const ExprNode& expr, const BufferData& data);
  Result<Index> compiled(const ExprNode& expr, const BufferArg& arg);
  Result<Index> choice(Code code, const ExprNode& expr, const Expr& condition, const Expr& on_true, const Expr& on_false);
  Result<Index> intrinsic(const ScalarFunction& row, const ExprNode& expr, const Call& call);
  Result<Index> shift(const ExprNode& expr, const Call& call);
  Result<Index> packed_call(const Call& call);
  Result<PackedArg> packed_arg(const Expr& arg);

  Result<Place> place(const Buffer& buffer, const std::vector<Expr>& indices, const Expr& predicate, const ScalarType& type);

  Result<Index> stmt(const Stmt& stmt);
  Result<Index> optional_stmt(const Stmt& stmt) { return stmt == nullptr ? Result<Index>(kNone) : this->stmt(stmt); }
  Result<Index> compiled(const For& loop);
  Result<Index> compiled(const While& loop);
  Result<Index> compiled(const Seq& seq);
  Result<Index> compiled(const IfThenElse& branches);
  Result<Index> compiled(const Evaluate& evaluate);
  Result<Index> compiled(const Bind& bind);
  Result<Index> compiled(const BufferStore& store);
  Result<Index> compiled(const AllocBuffer& alloc);
  Result<Index> compiled(const DeclBuffer& declared);
  Result<Index> compiled(const AttrStmt& attr);
  Result<Index> compiled(const AssertStmt& assertion);
  Result<Index> compiled(const Return& result);
  Result<Index> compiled(const Break&) { return add(BreakCode{}); }
  Result<Index> compiled(const Continue&) { return add(ContinueCode{}); }
  Result<Index> compiled(const SBlockRealize& realize);
  Result<RegionCode> region(const BufferRegion& region);
  Result<std::vector<RegionCode>> regions(const std::vector<BufferRegion>& regions);
  Result<Index> params(const PrimFunc& function);

  Program program_;
  PointerMap<Index> slots_;
  PointerMap<Index> buffers_;
  int nesting_ = 0;
  int statement_ = -1;  // that is being compiled
  int met_ = 0;         // statements so far
};

Index Compiler::define(const Var& var) {
  const auto slot = static_cast<Index>(program_.slot_names.size());
  slots_.set(var.get(), slot);
  program_.slot_names.push_back(var->name);
  program_.slot_offsets.push_back(program_.frame_size);
  program_.bound_by_params.push_back(false);
  program_.frame_size += var->type.lanes;
  return slot;
}

Index Compiler::define_pointer(const Var& var) {
  slots_.set(var.get(), program_.pointers);
  return program_.pointers++;
}

Result<Index> Compiler::pointer_of(const Expr& expr) const {
  const Var* var = expr == nullptr ? nullptr : as<Var>(expr);
  if (var == nullptr || (*var)->type.kind != ScalarType::Kind::handle) return unsupported("a pointer that is no variable");
  return slot_of(*var);
}

// T.tvm_struct_get(tensor, 0, field).
Result<TensorField> Compiler::field_of(const Call& call) const {
  const IntImm* field = call.args.size() < 3 ? nullptr : as<IntImm>(call.args[2]);
  if (field == nullptr || field->value < 0 || field->value >= kTensorFields) return unsupported("T.tvm_struct_get of an unknown field");
  return static_cast<TensorField>(field->value);
}

Result<Index> Compiler::slot_of(const Var& var) const {
  const Index* slot = slots_.find(var.get());
  if (slot == nullptr) return ill_formed("variable " + var->name + " is not defined");
  return *slot;
}

Result<Index> Compiler::define(const Buffer& buffer) {
  if (!buffer->dtype.is_number()) return unsupported("a buffer of " + to_string(buffer->dtype));
  BufferCode code{.buffer = buffer, .shape = {}, .strides = {}};
  code.shape = TRY(integers(buffer->shape, "a size"));
  code.strides = TRY(integers(buffer->strides, "a stride"));
  if (!code.strides.empty() && code.strides.size() != code.shape.size())
    return ill_formed("buffer " + buffer->name + " has not one stride for each axis");
  if (buffer->elem_offset != nullptr) {
    // An offset that nothing binds is whatever the argument has: here, none.
    const Var* free = as<Var>(buffer->elem_offset);
    if (free == nullptr || slots_.find(free->get()) != nullptr)
      code.elem_offset = TRY(integer(buffer->elem_offset, "an offset"));
  }
  const auto index = static_cast<Index>(program_.buffers.size());
  program_.buffers.push_back(std::move(code));
  buffers_.set(buffer.get(), index);
  return index;
}

Result<Index> Compiler::buffer_of(const Buffer& buffer) const {
  const Index* index = buffers_.find(buffer.get());
  if (index == nullptr) return ill_formed("buffer " + buffer->name + " is not declared");
  return *index;
}

Result<Index> Compiler::expr(const Expr& expr) {
  if (expr == nullptr) return ill_formed("an expression is missing");
  if (++nesting_ > kMaxNesting) return unsupported("expressions nested too deeply");
  Result<Index> result = match(expr->node, [&](const OneOf<IntImm, FloatImm, StringImm, Var, Binary, Not, Select, Cast, BufferLoad,
                                                           Ramp, Broadcast, Shuffle, Let, Call, FunctionCall, BufferData,
                                                           BufferArg> auto& alternative) { return compiled(*expr, alternative); });
  --nesting_;
  return result;
}

Result<std::vector<Index>> Compiler::exprs(const std::vector<Expr>& exprs) {
  std::vector<Index> result;
  for (const Expr& one : exprs) result.push_back(TRY(expr(one)));
  return result;
}

Result<Index> Compiler::integer(const Expr& expr, const char* what) {
  if (expr == nullptr) return ill_formed(std::string(what) + " is missing");
  if (!expr->type.is_number() || is_float(expr->type.dtype)) return ill_formed(std::string(what) + " is no integer");
  return this->expr(expr);
}

Result<std::vector<Index>> Compiler::integers(const std::vector<Expr>& exprs, const char* what) {
  std::vector<Index> result;
  for (const Expr& one : exprs) result.push_back(TRY(integer(one, what)));
  return result;
}

Result<Index> Compiler::condition(const Expr& expr) {
  return integer(expr, "a condition");
}

Result<Index> Compiler::compiled(const ExprNode& expr, const IntImm& imm) {
  if (!expr.type.is_number()) return unsupported("a null pointer");
  if (is_float(expr.type.dtype)) return ill_formed("an integer literal of a float dtype");
  Node node{.code = Code::constant_int, .dtype = expr.type.dtype};
  node.integer = imm.value;
  return add(node);
}

Result<Index> Compiler::compiled(const ExprNode& expr, const FloatImm& imm) {
  if (!expr.type.is_number() || !is_float(expr.type.dtype)) return ill_formed("a float literal of another dtype");
  Node node{.code = Code::constant_float, .dtype = expr.type.dtype};
  node.real = imm.value;
  return add(node);
}

Result<Index> Compiler::compiled(const ExprNode&, const StringImm&) {
  return unsupported("a string as a value");
}

Result<Index> Compiler::compiled(const ExprNode& expr, const Var& var) {
  if (!var->type.is_number()) return unsupported("a pointer as a value");
  if (!(expr.type == var->type)) return ill_formed("variable " + var->name + " is used with another type");
  const Code code = is_float(var->type.dtype) ? Code::variable_float : Code::variable_int;
  const Index slot = TRY(slot_of(var));
  return add(Node{.code = code,
                  .dtype = var->type.dtype,
                  .lanes = var->type.lanes,
                  .a = program_.slot_offsets[static_cast<std::size_t>(slot)]});
}

// By the value of BinaryOp, up to its maximum.
constexpr Code kIntCodes[] = {Code::add_int,       Code::subtract_int,     Code::multiply_int,  Code::divide_int, Code::modulo_int,
                              Code::floor_divide_int, Code::floor_mod_int, Code::minimum_int,   Code::maximum_int};
constexpr Code kFloatCodes[] = {Code::add_float,          Code::subtract_float,  Code::multiply_float,
                                Code::divide_float,       Code::modulo_float,    Code::floor_divide_float,
                                Code::floor_mod_float,    Code::minimum_float,   Code::maximum_float};

Result<Index> Compiler::compiled(const ExprNode& expr, const Binary& binary) {
  const Index lhs = TRY(this->expr(binary.lhs));
  const Index rhs = TRY(this->expr(binary.rhs));
  const ScalarType& type = binary.lhs->type;
  if (!(type == binary.rhs->type))
    return ill_formed(std::string(binary_op_name(binary.op)) + " of " + to_string(type) + " and " +
                      to_string(binary.rhs->type));
  const bool floats = is_float(type.dtype);
  Node node{.code = Code::logical_and, .dtype = expr.type.dtype, .lanes = type.lanes, .a = lhs, .b = rhs};
  if (is_logical(binary.op)) {
    if (type.dtype != DType::boolean) return ill_formed("a logical operation of " + to_string(type));
    node.code = binary.op == BinaryOp::logical_and ? Code::logical_and : Code::logical_or;
  } else if (is_comparison(binary.op)) {
    node.code = floats ? Code::compare_float : Code::compare_int;
    node.detail = static_cast<std::uint8_t>(binary.op);
  } else {
    if (expr.type.dtype != type.dtype) return ill_formed("arithmetic whose result has another dtype than its operands");
    node.code = (floats ? kFloatCodes : kIntCodes)[static_cast<std::size_t>(binary.op)];
  }
  return add(node);
}

Result<Index> Compiler::compiled(const ExprNode& expr, const Not& negation) {
  const Index operand = TRY(condition(negation.operand));
  return add(Node{.code = Code::logical_not, .dtype = DType::boolean, .lanes = expr.type.lanes, .a = operand});
}

Result<Index> Compiler::choice(Code code, const ExprNode& expr, const Expr& condition, const Expr& on_true,
                               const Expr& on_false) {
  const Index chosen = TRY(this->condition(condition));
  const Index left = TRY(this->expr(on_true));
  const Index right = TRY(this->expr(on_false));
  if (on_true->type.dtype != expr.type.dtype || on_false->type.dtype != expr.type.dtype)
    return ill_formed("a choice between values of other dtypes than its own");
  return add(
      Node{.code = code, .dtype = expr.type.dtype, .lanes = expr.type.lanes, .a = chosen, .b = left, .c = right});
}

Result<Index> Compiler::compiled(const ExprNode& expr, const Select& select) {
  return choice(Code::select, expr, select.condition, select.on_true, select.on_false);
}

Result<Index> Compiler::compiled(const ExprNode& expr, const Cast& cast) {
  const Index operand = TRY(this->expr(cast.operand));
  const ScalarType& from = cast.operand->type;
  if (!expr.type.is_number() || !from.is_number()) return unsupported("a cast of a pointer");
  Node node{.code = Code::int_to_int, .dtype = expr.type.dtype, .lanes = expr.type.lanes, .a = operand};
  const bool to_float = is_float(expr.type.dtype);
  if (!is_float(from.dtype)) {
    node.code = to_float ? Code::int_to_float : Code::int_to_int;
  } else if (to_float) {
    node.code = Code::float_to_float;
  } else {
    node.code = expr.type.dtype == DType::boolean ? Code::float_to_bool : Code::float_to_int;
  }
  return add(node);
}

Result<Place> Compiler::place(const Buffer& buffer, const std::vector<Expr>& indices, const Expr& predicate,
                              const ScalarType& type) {
  Place place{.buffer = TRY(buffer_of(buffer)), .indices = TRY(integers(indices, "an index")), .lanes = type.lanes};
  if (indices.size() != buffer->shape.size())
    return ill_formed("buffer " + buffer->name + " of " + std::to_string(buffer->shape.size()) + " axes has " +
                      std::to_string(indices.size()) + " indices");
  if (type.dtype != buffer->dtype.dtype)
    return ill_formed("an element of buffer " + buffer->name + " as " + to_string(type));
  int lanes = buffer->dtype.lanes;
  for (const Expr& index : indices) lanes *= index->type.lanes;
  if (lanes != type.lanes) return ill_formed("buffer " + buffer->name + " has another number of lanes");
  if (predicate != nullptr) place.predicate = TRY(condition(predicate));
  return place;
}

Result<Index> Compiler::compiled(const ExprNode& expr, const BufferLoad& load) {
  Place place = TRY(this->place(load.buffer, load.indices, load.predicate, expr.type));
  const auto index = static_cast<Index>(program_.loads.size());
  program_.loads.push_back(std::move(place));
  return add(Node{.code = Code::load, .dtype = expr.type.dtype, .lanes = expr.type.lanes, .a = index});
}

Result<Index> Compiler::compiled(const ExprNode& expr, const Ramp& ramp) {
  const Index base = TRY(integer(ramp.base, "the base of a ramp"));
  const Index stride = TRY(integer(ramp.stride, "the stride of a ramp"));
  return add(Node{.code = Code::ramp, .dtype = expr.type.dtype, .lanes = expr.type.lanes, .a = base, .b = stride});
}

Result<Index> Compiler::compiled(const ExprNode& expr, const Broadcast& broadcast) {
  const Index value = TRY(this->expr(broadcast.value));
  return add(Node{.code = Code::broadcast, .dtype = expr.type.dtype, .lanes = expr.type.lanes, .a = value});
}

Result<Index> Compiler::compiled(const ExprNode& expr, const Shuffle& shuffle) {
  const std::vector<Index> vectors = TRY(exprs(shuffle.vectors));
  const std::vector<Index> indices = TRY(integers(shuffle.indices, "an index of a shuffle"));
  const auto first = static_cast<Index>(program_.lists.size());
  program_.lists.insert(program_.lists.end(), vectors.begin(), vectors.end());
  program_.lists.insert(program_.lists.end(), indices.begin(), indices.end());
  return add(Node{.code = Code::shuffle,
                  .dtype = expr.type.dtype,
                  .lanes = expr.type.lanes,
                  .a = first,
                  .b = static_cast<Index>(vectors.size()),
                  .c = static_cast<Index>(indices.size())});
}

Result<Index> Compiler::compiled(const ExprNode& expr, const Let& let) {
  const Index value = TRY(this->expr(let.value));
  if (!(let.value->type == let.var->type)) return ill_formed("variable " + let.var->name + " has another type than its value");
  const Index slot = define(let.var);
  const Index body = TRY(this->expr(let.body));
  return add(Node{.code = Code::let, .dtype = expr.type.dtype, .lanes = expr.type.lanes, .a = slot, .b = value, .c = body});
}

Result<Index> Compiler::intrinsic(const ScalarFunction& row, const ExprNode& expr, const Call& call) {
  if (static_cast<std::size_t>(row.arity) != call.args.size()) return ill_formed("T." + call.intrinsic + " of other arity");
  const std::vector<Index> args = TRY(exprs(call.args));
  const bool floats = is_float(call.args[0]->type.dtype);
  Node node{.code = Code::unary_float, .dtype = expr.type.dtype, .lanes = expr.type.lanes, .a = args[0]};
  if (args.size() > 1) node.b = args[1];
  if (args.size() > 2) node.c = args[2];
  node.function = &row;
  for (const Expr& arg : call.args) {
    if (!arg->type.is_number() || is_float(arg->type.dtype) != floats) return ill_formed("T." + call.intrinsic + " of mixed operands");
  }
  if (!floats) {
    if (row.ints == nullptr || is_float(expr.type.dtype)) return unsupported("T." + call.intrinsic + " of integers");
    node.code = Code::intrinsic_int;
    node.detail = static_cast<std::uint8_t>(row_of(call.args[0]->type.dtype).bits);
    return add(node);
  }
  if (row.test != nullptr) {
    node.code = Code::test_float;
    return add(node);
  }
  if (!is_float(expr.type.dtype)) return ill_formed("T." + call.intrinsic + " with a result that is no float");
  if (row.unary == nullptr && row.binary == nullptr && row.ternary == nullptr)
    return unsupported("T." + call.intrinsic + " of floats");
  if (row.binary != nullptr) node.code = Code::binary_float;
  if (row.ternary != nullptr) node.code = Code::ternary_float;
  return add(node);
}

Result<Index> Compiler::shift(const ExprNode& expr, const Call& call) {
  if (call.args.size() != 2) return ill_formed("T." + call.intrinsic + " of other arity");
  const std::vector<Index> args = TRY(integers(call.args, "an operand of a shift"));
  const Code code = call.intrinsic == "shift_left" ? Code::shift_left : Code::shift_right;
  return add(Node{.code = code, .dtype = expr.type.dtype, .lanes = expr.type.lanes, .a = args[0], .b = args[1]});
}

// A buffer as T.tvm_stack_make_array(data, shape, ...) hands it on, or `buffer.data` by itself.
Result<PackedArg> Compiler::packed_arg(const Expr& arg) {
  if (const auto* text = as<StringImm>(arg)) return PackedArg{.kind = PackedArg::Kind::text, .text = text->value};
  if (const auto* made = as<Call>(arg); made != nullptr && made->intrinsic == "tvm_stack_make_array" && !made->args.empty()) {
    PackedArg array = TRY(packed_arg(made->args[0]));
    const auto* shape = made->args.size() < 2 ? nullptr : as<Call>(made->args[1]);
    if (shape != nullptr && shape->intrinsic == "tvm_stack_make_shape") array.shape = TRY(integers(shape->args, "a size"));
    return array;
  }
  const Buffer* buffer = nullptr;
  if (const auto* data = as<BufferData>(arg)) buffer = &data->buffer;
  if (const auto* whole = as<BufferArg>(arg)) buffer = &whole->buffer;
  if (buffer != nullptr) return PackedArg{.kind = PackedArg::Kind::buffer, .index = TRY(buffer_of(*buffer))};
  if (!arg->type.is_number()) return unsupported("a pointer as an argument of a packed function");
  return PackedArg{.kind = PackedArg::Kind::number, .index = TRY(expr(arg))};
}

Result<Index> Compiler::packed_call(const Call& call) {
  const StringImm* name = call.args.empty() ? nullptr : as<StringImm>(call.args[0]);
  if (name == nullptr) return ill_formed("T.call_packed without a name");
  PackedCall packed{.function = name->value, .args = {}};
  for (std::size_t i = 1; i < call.args.size(); ++i) packed.args.push_back(TRY(packed_arg(call.args[i])));
  program_.packed_calls.push_back(std::move(packed));
  return add(Node{.code = Code::packed_call, .a = static_cast<Index>(program_.packed_calls.size() - 1)});
}

// Hints, whose value is that of their operand.
bool is_transparent(std::string_view intrinsic) {
  return intrinsic == "likely" || intrinsic == "tvm_thread_invariant" || intrinsic == "ignore_loop_partition";
}

Result<Index> Compiler::compiled(const ExprNode& expr, const Call& call) {
  const std::string& name = call.intrinsic;
  if (const ScalarFunction* row = find_scalar_function(name)) return intrinsic(*row, expr, call);
  if (name == "if_then_else" && call.args.size() == 3)
    return choice(Code::if_then_else, expr, call.args[0], call.args[1], call.args[2]);
  if (is_transparent(name) && call.args.size() == 1) return this->expr(call.args[0]);
  if (name == "shift_left" || name == "shift_right") return shift(expr, call);
  if (name == "assume" && call.args.size() == 1)
    return add(Node{.code = Code::assume, .a = TRY(condition(call.args[0]))});
  if (name == "large_uint_imm" && call.args.size() == 2) {
    const IntImm* low = as<IntImm>(call.args[0]);
    const IntImm* high = as<IntImm>(call.args[1]);
    if (low == nullptr || high == nullptr) return ill_formed("T.large_uint_imm of no literals");
    Node node{.code = Code::constant_int, .dtype = expr.type.dtype};
    node.integer = static_cast<std::int64_t>(static_cast<std::uint64_t>(high->value) << 32 |
                                             static_cast<std::uint64_t>(low->value));
    return add(node);
  }
  if (name == "reinterpret" && call.args.size() == 1) {
    const Index operand = TRY(this->expr(call.args[0]));
    const ScalarType& from = call.args[0]->type;
    if (!from.is_number() || row_of(from.dtype).bits != row_of(expr.type.dtype).bits || from.lanes != expr.type.lanes)
      return unsupported("T.reinterpret between dtypes of different sizes");
    return add(Node{.code = Code::reinterpret, .dtype = expr.type.dtype, .lanes = expr.type.lanes, .a = operand});
  }
  if (name == "tvm_call_packed" || name == "call_packed" || name == "tvm_call_cpacked") return packed_call(call);
  if (name == "isnullptr" && call.args.size() == 1)
    return add(Node{.code = Code::is_null, .dtype = DType::boolean, .a = TRY(pointer_of(call.args[0]))});
  if (name == "tvm_struct_get" && expr.type.is_number()) {
    const TensorField field = TRY(field_of(call));
    if (is_pointer(field) || is_float(expr.type.dtype)) return ill_formed("T.tvm_struct_get of a pointer as a number");
    const Index tensor = TRY(pointer_of(call.args[0]));
    return add(Node{.code = Code::tensor_field, .dtype = expr.type.dtype, .detail = static_cast<std::uint8_t>(field), .a = tensor});
  }
  if (name == "ret" && call.args.size() == 1) return unsupported("T.ret as a value");
  return unsupported("T." + name);
}

Result<Index> Compiler::compiled(const ExprNode&, const FunctionCall& call) {
  return unsupported("a call of " + call.function + " in a function of TensorIR");
}
Result<Index> Compiler::compiled(const ExprNode&, const BufferData&) {
  return unsupported("a pointer as a value");
}
Result<Index> Compiler::compiled(const ExprNode&, const BufferArg&) {
  return unsupported("a buffer as a value");
}

Result<Index> Compiler::stmt(const Stmt& stmt) {
  if (stmt == nullptr) return ill_formed("a statement is missing");
  if (++nesting_ > kMaxNesting) return unsupported("statements nested too deeply");
  const int outer = std::exchange(statement_, met_++);
  Result<Index> result =
      match(stmt->node, [&](const OneOf<For, While, Seq, IfThenElse, Evaluate, Bind, BufferStore, AllocBuffer, DeclBuffer, AttrStmt,
                                        AssertStmt, Return, Break, Continue, SBlockRealize> auto& node) { return compiled(node); });
  statement_ = outer;
  --nesting_;
  return result;
}

Result<Index> Compiler::compiled(const For& loop) {
  ForCode code{.slot = kNone,
               .min = TRY(integer(loop.min, "the start of a loop")),
               .extent = TRY(integer(loop.extent, "the extent of a loop")),
               .step = kNone,
               .kind = loop.kind,
               .dtype = loop.var->type.dtype,
               .body = kNone};
  if (loop.step != nullptr) code.step = TRY(integer(loop.step, "the step of a loop"));
  if (!loop.var->type.is_number() || is_float(loop.var->type.dtype)) return ill_formed("a loop variable that is no integer");
  code.slot = define(loop.var);
  code.body = TRY(stmt(loop.body));
  return add(code);
}

Result<Index> Compiler::compiled(const While& loop) {
  const Index condition = TRY(this->condition(loop.condition));
  const Index body = TRY(stmt(loop.body));
  return add(WhileCode{condition, body});
}

Result<Index> Compiler::compiled(const Seq& seq) {
  SeqCode code;
  for (const Stmt& one : seq.stmts) code.stmts.push_back(TRY(stmt(one)));
  return add(std::move(code));
}

Result<Index> Compiler::compiled(const IfThenElse& branches) {
  const Index condition = TRY(this->condition(branches.condition));
  const Index then_case = TRY(stmt(branches.then_case));
  const Index else_case = TRY(optional_stmt(branches.else_case));
  return add(IfCode{condition, then_case, else_case});
}

Result<Index> Compiler::compiled(const Evaluate& evaluate) {
  if (const Call* call = as<Call>(evaluate.value); call != nullptr && call->intrinsic == "ret" && call->args.size() == 1)
    return add(ReturnCode{TRY(expr(call->args[0]))});
  if (!evaluate.value->type.is_number() && as<IntImm>(evaluate.value) != nullptr) return add(SeqCode{});
  return add(EvaluateCode{TRY(expr(evaluate.value))});
}

Result<Index> Compiler::compiled(const Bind& bind) {
  if (!bind.value->type.is_number()) return pointer(bind);
  const Index value = TRY(expr(bind.value));
  if (!(bind.value->type == bind.var->type)) return ill_formed("variable " + bind.var->name + " has another type than its value");
  return add(BindCode{define(bind.var), value});
}

Result<Index> Compiler::pointer(const Bind& bind) {
  const Call* call = as<Call>(bind.value);
  if (call == nullptr || call->intrinsic != "tvm_struct_get") return unsupported("a variable that is a pointer");
  const Index got = TRY(pointer(*call, program_.pointers));
  define_pointer(bind.var);
  return got;
}

// Sets the pointer of this number to the field that the call gets.
Result<Index> Compiler::pointer(const Call& call, Index slot) {
  const TensorField field = TRY(field_of(call));
  const Index source = TRY(pointer_of(call.args[0]));
  return add(PointerCode{slot, source, field});
}

Result<Index> Compiler::compiled(const BufferStore& store) {
  Place place = TRY(this->place(store.buffer, store.indices, store.predicate, store.value->type));
  const Index value = TRY(expr(store.value));
  return add(StoreCode{std::move(place), value});
}

Result<Index> Compiler::compiled(const AllocBuffer& alloc) {
  const Index buffer = TRY(define(alloc.buffer));
  program_.buffers[static_cast<std::size_t>(buffer)].is_local = true;
  return add(AllocCode{buffer});
}

Result<Index> Compiler::compiled(const DeclBuffer& declared) {
  DeclCode code{.buffer = kNone, .source = kNone};
  if (const auto* data = as<BufferData>(declared.data)) {
    code.source = TRY(buffer_of(data->buffer));
  } else if (const auto* call = as<Call>(declared.data);
             call != nullptr && call->intrinsic == "address_of" && call->args.size() == 1 && as<BufferLoad>(call->args[0])) {
    const auto& load = *as<BufferLoad>(call->args[0]);
    code.source = TRY(buffer_of(load.buffer));
    code.source_index = TRY(integers(load.indices, "an index"));
  } else if (const auto* field = as<Call>(declared.data); field != nullptr && field->intrinsic == "tvm_struct_get") {
    const Index got = TRY(pointer(*field, program_.pointers));
    code.pointer = program_.pointers++;
    code.buffer = TRY(define(declared.buffer));
    program_.buffers[static_cast<std::size_t>(code.buffer)].is_local = true;
    return add(SeqCode{{got, add(std::move(code))}});
  } else {
    code.pointer = TRY(pointer_of(declared.data));
  }
  code.buffer = TRY(define(declared.buffer));
  program_.buffers[static_cast<std::size_t>(code.buffer)].is_local = true;
  return add(std::move(code));
}

Result<Index> Compiler::compiled(const AttrStmt& attr) {
  const Var* thread = std::get_if<Var>(&attr.node);
  const bool is_thread = attr.key == "thread_extent" || attr.key == "virtual_thread";
  if (!is_thread || thread == nullptr) return stmt(attr.body);
  ThreadCode code{.slot = kNone,
                  .extent = TRY(integer(attr.value, "the extent of a thread")),
                  .body = kNone,
                  .dtype = (*thread)->type.dtype};
  code.slot = define(*thread);
  code.body = TRY(stmt(attr.body));
  return add(code);
}

Result<Index> Compiler::compiled(const AssertStmt& assertion) {
  AssertCode code{.condition = TRY(condition(assertion.condition)), .message = {}};
  for (const std::string& part : assertion.message_parts) code.message += part;
  return add(std::move(code));
}

Result<Index> Compiler::compiled(const Return& result) {
  return add(ReturnCode{TRY(expr(result.value))});
}

Result<RegionCode> Compiler::region(const BufferRegion& region) {
  RegionCode code{.buffer = TRY(buffer_of(region.buffer)), .min = {}, .extent = {}};
  if (region.region.size() != region.buffer->shape.size())
    return ill_formed("a region of buffer " + region.buffer->name + " has another number of axes");
  for (const Range& range : region.region) {
    code.min.push_back(TRY(integer(range.min, "the start of a region")));
    code.extent.push_back(TRY(integer(range.extent, "the extent of a region")));
  }
  return code;
}

Result<std::vector<RegionCode>> Compiler::regions(const std::vector<BufferRegion>& regions) {
  std::vector<RegionCode> result;
  for (const BufferRegion& one : regions) result.push_back(TRY(region(one)));
  return result;
}

Result<Index> Compiler::compiled(const SBlockRealize& realize) {
  const SBlock& block = realize.block;
  if (realize.iter_values.size() != block.iter_vars.size())
    return ill_formed("block " + block.name + " has not one value for each variable");
  BlockCode code;
  code.name = block.name;
  code.number = program_.blocks++;
  code.declares = !block.iter_vars.empty() || !block.reads.empty() || !block.writes.empty();
  for (std::size_t i = 0; i < block.iter_vars.size(); ++i) {
    const IterVar& iter = block.iter_vars[i];
    code.iters.push_back({.slot = kNone,
                          .value = TRY(integer(realize.iter_values[i], "the value of a block's variable")),
                          .min = TRY(integer(iter.domain.min, "the start of a block's variable")),
                          .extent = TRY(integer(iter.domain.extent, "the extent of a block's variable")),
                          .reduction = iter.kind == IterKind::reduction});
  }
  code.predicate = TRY(condition(realize.predicate));
  for (std::size_t i = 0; i < block.iter_vars.size(); ++i) code.iters[i].slot = define(block.iter_vars[i].var);
  // Regions may speak of buffers that the block itself allocates: TVM's passes write such ones.
  for (const Buffer& buffer : block.alloc_buffers) code.allocs.push_back(TRY(define(buffer)));
  code.reads = TRY(regions(block.reads));
  code.writes = TRY(regions(block.writes));
  for (const MatchBuffer& matched : block.match_buffers) {
    RegionCode source = TRY(region(matched.source));
    // The strides and the offset of a matched buffer are variables that the match binds.
    for (const Expr& stride : matched.buffer->strides) {
      if (const Var* var = as<Var>(stride); var != nullptr && slots_.find(var->get()) == nullptr) define(*var);
    }
    code.matches.push_back({TRY(define(matched.buffer)), std::move(source)});
  }
  code.init = TRY(optional_stmt(block.init));
  code.body = TRY(stmt(block.body));
  return add(std::move(code));
}

// Variables that stand alone in the shape of a parameter are bound by its argument.
Result<Index> Compiler::params(const PrimFunc& function) {
  const auto bind = [&](const Expr& size) {
    const Var* var = as<Var>(size);
    if (var == nullptr || slots_.find(var->get()) != nullptr) return;
    program_.bound_by_params[static_cast<std::size_t>(define(*var))] = true;
  };
  for (const Param& param : function.params) {
    if (const Var* var = std::get_if<Var>(&param)) {
      if ((*var)->type.is_number()) {
        define(*var);
      } else {
        define_pointer(*var);
      }
    }
  }
  for (const Param& param : function.params) {
    const Buffer* buffer = std::get_if<Buffer>(&param);
    if (buffer == nullptr) continue;
    for (const Expr& size : (*buffer)->shape) bind(size);
    for (const Expr& stride : (*buffer)->strides) bind(stride);
    // Arguments begin where their memory does: an offset that is a variable is 0, as every variable is at first.
    const Var* offset = (*buffer)->elem_offset == nullptr ? nullptr : as<Var>((*buffer)->elem_offset);
    if (offset != nullptr && slots_.find(offset->get()) == nullptr) define(*offset);
  }
  for (const Param& param : function.params) {
    ParamCode code{.name = name_of(param)};
    if (const Var* var = std::get_if<Var>(&param)) {
      code.kind = (*var)->type.is_number() ? ParamCode::Kind::scalar : ParamCode::Kind::pointer;
      code.index = TRY(slot_of(*var));
      code.type = (*var)->type;
    } else {
      const Buffer& buffer = std::get<Buffer>(param);
      code.index = TRY(define(buffer));
      code.type = buffer->dtype;
    }
    program_.params.push_back(std::move(code));
  }
  return kNone;
}

Result<Program> Compiler::compile(const PrimFunc& function) {
  TRY(params(function));
  program_.result = function.result;
  program_.body = TRY(stmt(function.body));
  return std::move(program_);
}

}  // namespace

Result<Program> compile(const PrimFunc& function) {
  return Compiler().compile(function);
}

}  // namespace passdiff::tir
