// Intrinsics of TensorIR in TVMScript: the result that T.exp(x) has, and where the text says it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/ir/tir/expr.h"

namespace passdiff::tir {

// What the type of a call is.
enum class ResultRule : std::uint8_t {
  as_first,   // as the first argument's
  as_second,  // as the second argument's
  boolean,
  int32,
  uint32,
  handle,
  none,
  written_first,  // the text names it before the arguments: T.reinterpret("int32", x)
  written_last,   // or behind them: T.tvm_struct_get(h, 0, 1, "int32")
};

struct IntrinsicRow {
  std::string_view name;
  ResultRule result;
};

// Null for those that are not known.
const IntrinsicRow* find_intrinsic(std::string_view name);
// The type of a call with these arguments; nothing if the text has to name it.
std::optional<ScalarType> implied_type(const IntrinsicRow& row, std::span<const Expr> args);
// By TVM's name, "tirx.exp" or "prim.ceil", as T.Call has it: the name of an intrinsic here.
std::string intrinsic_of_op(std::string_view op);
std::string op_of_intrinsic(std::string_view intrinsic);

// Intrinsics that Python has operators for: T.shift_left(a, b) is a << b.
struct OperatorRow {
  std::string_view intrinsic;
  std::string_view symbol;
  std::string_view node;  // the name of TVM's node, whose constructor folds nothing: T.LShift(a, b)
};
std::span<const OperatorRow> operator_rows();
// Of two operands; `~` is apart.
const OperatorRow* find_operator(std::string_view intrinsic);

}  // namespace passdiff::tir
