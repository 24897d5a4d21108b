#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/match.h"
#include "core/text/tir_intrinsics.h"
#include "core/text/tir_printer.h"

namespace passdiff::tir {
namespace {

struct BinaryText {
  std::string_view node;      // T.Add(a, b), which folds nothing
  std::string_view symbol;    // a + b, or nothing
  std::string_view function;  // T.min(a, b) where there is no symbol
  int precedence = kAnyPrecedence;
};

// By value of BinaryOp.
constexpr std::array<BinaryText, kBinaryOps> kBinaryTexts = {{
    {"Add", "+", {}, kSumPrecedence},
    {"Sub", "-", {}, kSumPrecedence},
    {"Mul", "*", {}, kProductPrecedence},
    {"Div", "/", {}, kProductPrecedence},
    {"Mod", {}, "truncmod"},
    {"FloorDiv", "//", {}, kProductPrecedence},
    {"FloorMod", "%", {}, kProductPrecedence},
    {"Min", {}, "min"},
    {"Max", {}, "max"},
    {"EQ", "==", {}, kComparisonPrecedence},
    {"NE", "!=", {}, kComparisonPrecedence},
    {"LT", "<", {}, kComparisonPrecedence},
    {"LE", "<=", {}, kComparisonPrecedence},
    {"GT", ">", {}, kComparisonPrecedence},
    {"GE", ">=", {}, kComparisonPrecedence},
    {"And", "and", {}, kAndPrecedence},
    {"Or", "or", {}, kOrPrecedence},
}};

std::optional<double> constant(const Expr& expr) {
  if (const IntImm* imm = as<IntImm>(expr)) return static_cast<double>(imm->value);
  if (const FloatImm* imm = as<FloatImm>(expr)) return imm->value;
  return std::nullopt;
}

// Whether the function by which TVMScript calls the intrinsic makes something else than the call (tvm/tirx/op.h): it folds constants, leaves
// integers as they are, or writes the definition out.
bool may_fold(const Call& call) {
  constexpr std::array kOfFloats = {"ceil", "fabs", "floor", "isnan", "nearbyint", "round", "trunc"};
  constexpr std::array kWrittenOut = {"isfinite", "isinf"};
  if (call.args.empty()) return false;
  const Expr& first = call.args.front();
  if (call.intrinsic == "if_then_else" || call.intrinsic == "likely") return constant(first).has_value();
  if (std::ranges::find(kWrittenOut, call.intrinsic) != kWrittenOut.end()) return true;
  return std::ranges::find(kOfFloats, call.intrinsic) != kOfFloats.end() && (constant(first) || !is_float(first->type.dtype));
}

bool same_var(const Expr& a, const Expr& b) {
  const Var* lhs = as<Var>(a);
  const Var* rhs = as<Var>(b);
  return lhs != nullptr && rhs != nullptr && *lhs == *rhs;
}

// Whether TVM's parser makes something else than the node of `lhs op rhs` (src/tirx/op/const_fold.h).
bool may_fold(BinaryOp op, const Expr& lhs, const Expr& rhs) {
  const std::optional<double> a = constant(lhs);
  const std::optional<double> b = constant(rhs);
  if (a && b) return true;
  switch (op) {
    case BinaryOp::add:
      return a == 0 || b == 0;
    case BinaryOp::subtract:
      return b == 0;
    case BinaryOp::multiply:
      return a == 0 || a == 1 || b == 0 || b == 1;
    case BinaryOp::divide:
    case BinaryOp::modulo:
    case BinaryOp::floor_divide:
    case BinaryOp::floor_mod:
      return a == 0 || b == 0 || b == 1;
    case BinaryOp::minimum:
    case BinaryOp::maximum:
      return same_var(lhs, rhs);
    case BinaryOp::logical_and:
    case BinaryOp::logical_or:
      return a || b;
    case BinaryOp::equal:
    case BinaryOp::not_equal:
    case BinaryOp::less:
    case BinaryOp::less_equal:
    case BinaryOp::greater:
    case BinaryOp::greater_equal:
      break;
  }
  return false;
}

// Whether Python's operator means the op for operands of the type: `/` of integers and `//` of floats are other ops.
bool symbol_means(BinaryOp op, const ScalarType& type) {
  const bool floating = type.is_number() && is_float(type.dtype);
  if (op == BinaryOp::divide) return floating;
  if (op == BinaryOp::floor_divide || op == BinaryOp::floor_mod) return !floating;
  return !is_logical(op) || type.lanes == 1;
}

int binding_strength(std::string_view symbol) {
  if (symbol == "|") return kBitOrPrecedence;
  if (symbol == "^") return kBitXorPrecedence;
  return symbol == "&" ? kBitAndPrecedence : kShiftPrecedence;
}

std::string int_literal(std::int64_t value, const ScalarType& type) {
  if (!type.is_number()) return std::to_string(value);
  if (type.dtype == DType::boolean) return value != 0 ? "T.bool(True)" : "T.bool(False)";
  if (type == number_type(DType::int32)) return std::to_string(value);
  if (type.dtype == DType::uint64) return fmt::format("T.uint64({})", static_cast<std::uint64_t>(value));
  return fmt::format("T.{}({})", to_string(type), value);
}

std::string float_text(double value, const ScalarType& type) {
  // TVM's constants hold a double, whatever their type.
  std::string digits = std::isnan(value)   ? "\"nan\""
                       : std::isinf(value) ? (value > 0 ? "\"inf\"" : "\"-inf\"")
                                           : float_literal(value, DType::float64);
  return fmt::format("T.{}({})", to_string(type), digits);
}

// The type where a value stands for it: the first argument of T.reinterpret.
std::string type_value(const ScalarType& type) {
  return type == kHandle ? "T.handle().ty" : quote(to_string(type));
}

std::vector<Expr> operands(const Expr& expr) {
  std::vector<Expr> all;
  for_each_operand(expr, [&](const Expr& operand) { all.push_back(operand); });
  return all;
}

// Whether they agree in what is not an operand.
bool same_leaf(const Expr& a, const Expr& b) {
  return match(
      a->node, [&](const IntImm& imm) { return imm.value == as<IntImm>(b)->value; },
      [&](const FloatImm& imm) { return imm.value == as<FloatImm>(b)->value; },
      [&](const StringImm& imm) { return imm.value == as<StringImm>(b)->value; },
      [&](const Var& var) { return var == *as<Var>(b); },
      [&](const Binary& binary) { return binary.op == as<Binary>(b)->op; },
      [&](const BufferLoad& load) { return load.buffer == as<BufferLoad>(b)->buffer; },
      [&](const BufferData& data) { return data.buffer == as<BufferData>(b)->buffer; },
      [&](const BufferArg& arg) { return arg.buffer == as<BufferArg>(b)->buffer; },
      [&](const Let& let) { return let.var == as<Let>(b)->var; },
      [&](const Call& call) { return call.intrinsic == as<Call>(b)->intrinsic; },
      [&](const FunctionCall& call) { return call.function == as<FunctionCall>(b)->function; },
      [](const OneOf<Not, Select, Cast, Ramp, Broadcast, Shuffle> auto&) { return true; });
}

}  // namespace

ScalarType index_type(const std::vector<Expr>& shape) {
  return shape.empty() ? number_type(DType::int32) : shape[0]->type;
}

bool same(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (a == nullptr || b == nullptr || a->node.index() != b->node.index() || a->type != b->type ||
      !same_leaf(a, b))
    return false;
  return std::ranges::equal(operands(a), operands(b), same);
}

bool is_int(const Expr& expr, std::int64_t value) {
  const IntImm* imm = as<IntImm>(expr);
  return imm != nullptr && imm->value == value;
}

std::string type_text(const ScalarType& type) {
  return type == kNoValue ? "None" : "T." + to_string(type);
}

std::string ExprPrinter::define(const Var& var) {
  return names_.of(var.get(), var->name);
}
std::string ExprPrinter::define(const Buffer& buffer) {
  return names_.of(buffer.get(), buffer->name);
}
std::string ExprPrinter::use(const Var& var) {
  if (!names_.known(var.get())) free_vars.push_back(var);
  return define(var);
}
std::string ExprPrinter::use(const Buffer& buffer) {
  if (!names_.known(buffer.get())) free_buffers.push_back(buffer);
  return define(buffer);
}

std::string ExprPrinter::list(const std::vector<Expr>& exprs) {
  std::string out;
  for (const Expr& one : exprs) {
    if (!out.empty()) out += ", ";
    out += expr(one);
  }
  return out;
}

std::string ExprPrinter::infix(std::string_view symbol, const Expr& lhs, const Expr& rhs, int own,
                               int precedence) {
  // Python chains comparisons: (a < b) < c needs its parentheses.
  const int left = own == kComparisonPrecedence ? own + 1 : own;
  std::string text = fmt::format("{} {} {}", expr(lhs, left), symbol, expr(rhs, own + 1));
  return own < precedence ? "(" + text + ")" : text;
}

std::string ExprPrinter::binary(const Binary& binary, int precedence) {
  const BinaryText& text = kBinaryTexts[static_cast<std::size_t>(binary.op)];
  const std::vector<Expr> args = {binary.lhs, binary.rhs};
  const bool plain = binary.lhs->type == binary.rhs->type && !may_fold(binary.op, binary.lhs, binary.rhs);
  if (!plain) return call_text(fmt::format("T.{}", text.node), args);
  if (text.symbol.empty()) return call_text(fmt::format("T.{}", text.function), args);
  if (!symbol_means(binary.op, binary.lhs->type)) return call_text(fmt::format("T.{}", text.node), args);
  return infix(text.symbol, binary.lhs, binary.rhs, text.precedence, precedence);
}

std::string ExprPrinter::load(const BufferLoad& load) {
  const std::string name = use(load.buffer);
  if (load.predicate)
    return fmt::format("{}.vload([{}], predicate={})", name, list(load.indices), expr(load.predicate));
  return fmt::format("{}[{}]", name, load.indices.empty() ? "()" : list(load.indices));
}

std::string ExprPrinter::call(const Call& call, const ScalarType& type, int precedence) {
  const bool folds =
      std::ranges::all_of(call.args, [](const Expr& arg) { return constant(arg).has_value(); });
  const IntrinsicRow* row = find_intrinsic(call.intrinsic);
  const bool implied = row != nullptr && implied_type(*row, call.args) == type;
  if (const OperatorRow* symbol = find_operator(call.intrinsic);
      symbol != nullptr && implied && call.args.size() == 2) {
    const Expr& rhs = call.args[1];
    if (folds || is_int(rhs, 0) || rhs->type != call.args[0]->type)
      return call_text(fmt::format("T.{}", symbol->node), call.args);
    return infix(symbol->symbol, call.args[0], rhs, binding_strength(symbol->symbol), precedence);
  }
  if (call.intrinsic == "bitwise_not" && implied && call.args.size() == 1) {
    if (folds) return call_text("T.BitwiseNot", call.args);
    return "~" + expr(call.args[0], kUnaryPrecedence);
  }
  const std::string callee = "T." + call.intrinsic;
  if (implied && !may_fold(call)) return call_text(callee, call.args);
  const std::string args = list(call.args);
  const std::string_view separator = args.empty() ? "" : ", ";
  if (row != nullptr && row->result == ResultRule::written_first)
    return fmt::format("{}({}{}{})", callee, type_value(type), separator, args);
  if (row != nullptr && row->result == ResultRule::written_last)
    return fmt::format("{}({}{}{})", callee, args, separator, type_value(type));
  return fmt::format("T.Call({}, [{}], ret_ty={})", quote(op_of_intrinsic(call.intrinsic)), args,
                     type_value(type));
}

std::string ExprPrinter::expr(const Expr& any, int precedence) {
  return match(
      any->node, [&](const IntImm& imm) { return int_literal(imm.value, any->type); },
      [&](const FloatImm& imm) { return float_text(imm.value, any->type); },
      [](const StringImm& imm) { return quote(imm.value); }, [&](const Var& var) { return use(var); },
      [&](const Binary& one) { return binary(one, precedence); },
      [&](const Not& negation) {
        if (constant(negation.operand)) return "T.Not(" + expr(negation.operand) + ")";
        const std::string text = "not " + expr(negation.operand, kNotPrecedence);
        return precedence > kNotPrecedence ? "(" + text + ")" : text;
      },
      [&](const Select& select) {
        return call_text("T.Select", {select.condition, select.on_true, select.on_false});
      },
      [&](const Cast& cast) {
        return fmt::format("T.Cast({}, {})", type_value(any->type), expr(cast.operand));
      },
      [&](const BufferLoad& one) { return load(one); },
      [&](const Ramp& ramp) {
        return fmt::format("T.Ramp({}, {}, {})", expr(ramp.base), expr(ramp.stride), any->type.lanes);
      },
      [&](const Broadcast& broadcast) {
        return fmt::format("T.Broadcast({}, {})", expr(broadcast.value), any->type.lanes);
      },
      [&](const Shuffle& shuffle) {
        return fmt::format("T.Shuffle([{}], [{}])", list(shuffle.vectors), list(shuffle.indices));
      },
      [&](const Let& let) {
        const std::string name = use(let.var);
        const std::string value = expr(let.value);
        return fmt::format("T.Let({}, where={{{}: {}}})", expr(let.body), name, value);
      },
      [&](const Call& one) { return call(one, any->type, precedence); },
      [&](const FunctionCall& one) { return call_text("Module." + one.function, one.args); },
      [&](const BufferData& data) { return use(data.buffer) + ".data"; },
      [&](const BufferArg& arg) { return use(arg.buffer); });
}

std::string ExprPrinter::end(const Range& range) {
  const IntImm* min = as<IntImm>(range.min);
  const IntImm* extent = as<IntImm>(range.extent);
  if (min != nullptr && extent != nullptr && range.min->type == range.extent->type)
    return int_literal(min->value + extent->value, range.min->type);
  if (min != nullptr && min->value == 0) return expr(range.extent);
  if (extent != nullptr && extent->value == 0) return expr(range.min);
  return infix("+", range.min, range.extent, kSumPrecedence, kAnyPrecedence);
}

std::string ExprPrinter::region(const BufferRegion& region) {
  std::string axes;
  for (const Range& range : region.region) {
    if (!axes.empty()) axes += ", ";
    axes += expr(range.min);
    if (is_int(range.extent, 1) && range.extent->type == range.min->type) continue;
    axes += ":" + end(range);
  }
  return fmt::format("{}[{}]", use(region.buffer), axes.empty() ? "()" : axes);
}

std::string ExprPrinter::shape(const Buffer& buffer) {
  return fmt::format("({}{})", list(buffer->shape), buffer->shape.size() == 1 ? "," : "");
}

std::vector<std::string> ExprPrinter::buffer_arguments(const Buffer& buffer, std::string_view shape,
                                                       bool dtype_always) {
  std::vector<std::string> args = {std::string(shape)};
  if (dtype_always || buffer->dtype != number_type(DType::float32))
    args.push_back(quote(to_string(buffer->dtype)));
  if (!buffer->strides.empty())
    args.push_back(
        fmt::format("strides=({}{})", list(buffer->strides), buffer->strides.size() == 1 ? "," : ""));
  if (buffer->elem_offset) {
    args.push_back("elem_offset=" + expr(buffer->elem_offset));
  } else if (buffer->offset_factor != 1) {  // without it parsers take an unknown offset
    args.push_back("elem_offset=" + int_literal(0, index_type(buffer->shape)));
  }
  if (buffer->scope != "global") args.push_back("scope=" + quote(buffer->scope));
  if (buffer->data_alignment != 64) args.push_back(fmt::format("align={}", buffer->data_alignment));
  if (buffer->offset_factor != 1) args.push_back(fmt::format("offset_factor={}", buffer->offset_factor));
  if (!buffer->axis_separators.empty())
    args.push_back(fmt::format("axis_separators=[{}]", fmt::join(buffer->axis_separators, ", ")));
  return args;
}

}  // namespace passdiff::tir
