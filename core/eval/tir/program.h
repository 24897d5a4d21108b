// The compact form in which functions of TensorIR run: nodes in arrays, variables and buffers as numbers, dtypes settled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/eval/tir/scalar_functions.h"
#include "core/ir/tir/prim_func.h"
#include "core/result.h"

namespace passdiff::tir {

// What a node of an expression does. Integers and floats have operations of their own; bools are integers.
enum class Code : std::uint8_t {
  constant_int,
  constant_float,
  variable_int,
  variable_float,
  add_int,
  subtract_int,
  multiply_int,
  divide_int,
  modulo_int,
  floor_divide_int,
  floor_mod_int,
  minimum_int,
  maximum_int,
  add_float,
  subtract_float,
  multiply_float,
  divide_float,
  modulo_float,
  floor_divide_float,
  floor_mod_float,
  minimum_float,
  maximum_float,
  compare_int,    // `detail` is the BinaryOp
  compare_float,  // likewise
  logical_and,
  logical_or,
  logical_not,
  select,
  if_then_else,
  int_to_int,
  int_to_float,
  float_to_int,
  float_to_bool,
  float_to_float,
  reinterpret,
  load,  // a: of `loads`
  ramp,
  broadcast,
  shuffle,  // a: first of `lists`, b: vectors, c: indices
  let,      // a: slot, b: value, c: body
  unary_float,
  binary_float,
  ternary_float,
  test_float,
  intrinsic_int,
  shift_left,
  shift_right,
  assume,        // a: condition
  is_null,       // a: of the pointers
  tensor_field,  // a: of the pointers, `detail`: a TensorField
  no_value,      // of a call that does nothing here
  packed_call,   // a: of `packed_calls`
};

// What T.tvm_struct_get reads of a tensor of the caller (TVMStructFieldKind in include/tvm/tirx/builtin.h).
enum class TensorField : std::uint8_t { address, data, shape, strides, rank, type_code, type_bits, type_lanes, byte_offset, device_id, device_type };
inline constexpr std::int64_t kTensorFields = static_cast<std::int64_t>(TensorField::device_type) + 1;
constexpr bool is_pointer(TensorField field) {
  return field <= TensorField::strides;
}

using Index = std::int32_t;
inline constexpr Index kNone = -1;

struct Node {
  Code code;
  DType dtype = DType::int64;  // of an element of the result
  std::uint8_t detail = 0;
  int lanes = 1;
  Index a = kNone;  // operands
  Index b = kNone;
  Index c = kNone;
  union {
    std::int64_t integer = 0;
    double real;
  };
  const ScalarFunction* function = nullptr;
};

// The element that a load or a store is about.
struct Place {
  Index buffer = kNone;
  std::vector<Index> indices;
  Index predicate = kNone;
  int lanes = 1;  // of the value
};

// A buffer: how its view is made where it is declared.
struct BufferCode {
  Buffer buffer;
  std::vector<Index> shape;
  std::vector<Index> strides;
  Index elem_offset = kNone;
  bool is_local = false;  // introduced by a statement: no region can speak of it
  bool is_of_loop = false;  // allocated by a loop (ForCode), in place of the block that declares it
};

// An argument of a call of a function of the host.
struct PackedArg {
  enum class Kind : std::uint8_t { buffer, number, text, none };
  Kind kind = Kind::none;
  Index index = kNone;  // of the buffer or the number
  std::string text = {};
  // Of a buffer: the sizes under which the function sees its memory, row-major; nothing: its own.
  std::optional<std::vector<Index>> shape = std::nullopt;
};
struct PackedCall {
  std::string function;
  std::vector<PackedArg> args;
};

struct RegionCode {
  Index buffer = kNone;
  std::vector<Index> min;
  std::vector<Index> extent;
};

// In which order the iterations of a loop run.
enum class Concurrency : std::uint8_t {
  none,        // one after the other
  iterations,  // in no order, on the same memory: parallel and vectorised loops
  blocks,      // the blocks of a grid of threads: in no order; only global memory is common to them
  threads      // of one such block: they meet at barriers, which ThreadSync puts around accesses of other memory than global one
};
struct ForCode {
  Index slot, min, extent, step;
  Concurrency concurrency;
  DType dtype;
  Index guard;  // of the body, which lasts (guard.h); kNone: there is none
  Index body;
  // What a block around a concurrent loop allocates, and nothing outside of the loop uses: each iteration has its own, since TVM will allocate it
  // there (plan_update_buffer_allocation_location.cc).
  std::vector<Index> allocs = {};
};
struct WhileCode {
  Index condition, body;
};
struct SeqCode {
  std::vector<Index> stmts;
};
struct IfCode {
  Index condition, then_case, else_case;
};
struct EvaluateCode {
  Index value;
};
struct BindCode {
  Index slot, value;
};
struct StoreCode {
  Place place;
  Index value;
};
struct AllocCode {
  Index buffer;
};
// A view of `source`'s memory, whose first element `source` may displace.
struct DeclCode {
  Index buffer;
  Index source;                    // a buffer
  std::vector<Index> source_index = {};  // of the element that is pointed to; empty: the start of the memory
  Index pointer = kNone;                 // in place of a source: what it points to
};
// A pointer to a part of a tensor of the caller.
struct PointerCode {
  Index slot, source;  // of the pointers
  TensorField field;
};
struct AssertCode {
  Index condition;
  std::string message;
};
struct ReturnCode {
  Index value;
};
struct BreakCode {};
struct ContinueCode {};
struct MatchCode {
  Index buffer;
  RegionCode source;
};
struct IterCode {
  Index slot, value, min, extent;
  bool reduction;
};
struct BlockCode {
  std::string name;
  Index number;  // among the function's blocks
  std::vector<IterCode> iters;
  Index predicate;
  bool reduces;   // over one of its variables
  bool declares;  // says what it reads and writes: blocks without variables and regions, as those around whole bodies, say nothing
  std::vector<RegionCode> reads, writes;
  std::vector<Index> allocs;
  std::vector<MatchCode> matches;
  Index init, body;
};
// The extent of a thread's variable, which takes all values below it.
struct ThreadCode {
  Index slot, extent, body;
  Concurrency concurrency;
  DType dtype;
};

using StmtCode = std::variant<ForCode, WhileCode, SeqCode, IfCode, EvaluateCode, BindCode, StoreCode, AllocCode, DeclCode,
                              AssertCode, ReturnCode, BreakCode, ContinueCode, BlockCode, ThreadCode, PointerCode>;

// A parameter: a buffer, the slot of a scalar, or a pointer to a tensor as the caller holds it.
struct ParamCode {
  enum class Kind : std::uint8_t { buffer, scalar, pointer };
  std::string name;
  Kind kind = Kind::buffer;
  Index index = kNone;
  ScalarType type;
};

struct Program {
  std::vector<Node> nodes;
  std::vector<Index> lists;
  std::vector<Place> loads;
  std::vector<BufferCode> buffers;
  std::vector<PackedCall> packed_calls;
  std::vector<StmtCode> stmts;
  std::vector<int> statements;  // by statement here: the function's that it comes from, as UndefinedRecord counts them
  std::vector<ParamCode> params;
  // Symbolic sizes: slots that parameters' shapes bind where they stand alone.
  std::vector<bool> bound_by_params;  // by slot
  std::vector<std::string> slot_names;
  std::vector<int> slot_offsets;  // of each slot in a frame, since vectors take several places
  int frame_size = 0;
  Index blocks = 0;
  Index pointers = 0;
  Index body = kNone;
  ScalarType result = kNoValue;
};

// Fails with form.* codes for what is ill-formed or ill-typed (variables that nothing defines, operands of different dtypes), with
// unsupported.* for what has no meaning here (intrinsics of other devices).
Result<Program> compile(const PrimFunc& function);

}  // namespace passdiff::tir
