// The expressions of functions of TensorIR, compiled.
#include <utility>

#include "core/eval/tir/compiler.h"
#include "core/match.h"

namespace passdiff::tir {

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

namespace {

// Hints, whose value is that of their operand.
bool is_transparent(std::string_view intrinsic) {
  return intrinsic == "likely" || intrinsic == "tvm_thread_invariant" || intrinsic == "ignore_loop_partition";
}

}  // namespace

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
  if (name == "call_packed" || name == "call_cpacked") return packed_call(call);
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

}  // namespace passdiff::tir
