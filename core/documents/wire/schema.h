// The tags, keys and lengths of the module document (../json.md), for all code that reads or writes documents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace passdiff {

inline constexpr int kDocumentVersion = 1;

// An array that begins with a tag. Its sizes count the tag.
struct Form {
  std::string_view tag;
  std::size_t least;
  std::size_t most;
};
constexpr Form form(std::string_view tag, std::size_t size) {
  return {tag, size, size};
}

// The forms of an EXPR that is no variable (those are numbers). Readers compare tags in this order: the most frequent come first.
enum class ExprForm : std::uint8_t {
  op,
  constant,
  get,
  tuple,
  shape,
  prim,
  call,
  extern_call,
  branch,
  string,
  dtype,
  global,
  extern_function,
  function,
};

enum class TypeForm : std::uint8_t { tensor, shape, tuple, prim, func, object };

// The forms of a scalar expression of TensorIR that is no variable (those are numbers) and no operation on two operands (those have the
// names of tir::BinaryOp as their tags).
enum class ScalarForm : std::uint8_t {
  load,
  integer,
  floating,
  cast,
  intrinsic,
  select,
  negation,
  string,
  let,
  ramp,
  broadcast,
  shuffle,
  function_call,
  buffer_data,
  buffer_arg,
};

// The forms of a statement of TensorIR.
enum class StmtForm : std::uint8_t {
  store,
  loop,
  block,
  seq,
  branch,
  evaluate,
  bind,
  alloc_buffer,
  decl_buffer,
  attr,
  assertion,
  while_loop,
  return_value,
  break_loop,
  continue_loop,
};

// What a parameter or the node of an attr statement is.
enum class NodeForm : std::uint8_t { buffer, variable };

// By value of the enum.
template <class E>
inline constexpr std::array<Form, 0> kForms{};
template <>
inline constexpr auto kForms<ExprForm> = std::to_array<Form>({
    // name, operands, attributes, the compiler's class of these if it does not tell, the types that the call declares
    {"op", 4, 6},
    {"const", 4, 5},      // dtype, shape, bytes, sharding if it has one
    form("get", 3),       // tuple, index
    form("tuple", 2),     // fields
    form("shape", 2),     // dims
    form("prim", 3),      // dtype, dim or number
    form("call", 3),      // callee, arguments
    form("extern", 4),    // name, arguments, type arguments
    form("if", 4),        // condition, then, else
    form("str", 2),       // text
    form("dtype", 2),     // dtype
    form("global", 2),    // name
    form("externfn", 2),  // name
    form("fn", 2),        // a map of the keys from FunctionKey::params on
});
template <>
inline constexpr auto kForms<TypeForm> = std::to_array<Form>({
    {"t", 3, 5},        // shape, dtype, vdevice if it has one, sharding if it has one
    form("shape", 2),   // shape
    form("tuple", 2),   // fields
    form("prim", 2),    // dtype
    form("func", 4),    // parameters, result, pure
    form("any", 1),
});
template <>
inline constexpr auto kForms<ScalarForm> = std::to_array<Form>({
    {"load", 3, 4},        // buffer, indices, predicate if it has one
    form("int", 3),        // dtype, value
    form("float", 3),      // dtype, value
    form("cast", 3),       // type, operand
    form("intrin", 4),     // name, type, arguments
    form("select", 4),     // condition, value if it holds, else
    form("not", 2),        // operand
    form("str", 2),        // text
    form("let", 4),        // variable, value, body
    form("ramp", 4),       // base, stride, lanes
    form("broadcast", 3),  // value, lanes
    form("shuffle", 3),    // vectors, indices
    form("call", 4),       // name, type, arguments
    form("data", 2),       // buffer
    form("buffer", 2),     // buffer
});
template <>
inline constexpr auto kForms<StmtForm> = std::to_array<Form>({
    {"store", 4, 5},     // buffer, indices, value, predicate if it has one
    form("for", 9),      // variable, minimum, extent, step or null, kind, thread, annotations, body
    form("block", 12),   // values, predicate, name, variables, reads, writes, allocations, matches, annotations, init or null, body
    form("seq", 2),      // statements
    {"if", 3, 4},        // condition, then, else if it has one
    form("eval", 2),     // expression
    form("bind", 3),     // variable, value
    form("alloc", 3),    // buffer, annotations
    form("decl", 3),     // buffer, pointer
    form("attr", 6),     // node, thread, key, value, body
    form("assert", 4),   // condition, kind, message parts
    form("while", 3),    // condition, body
    form("return", 2),   // value
    form("break", 1),
    form("continue", 1),
});
template <>
inline constexpr auto kForms<NodeForm> = std::to_array<Form>({form("buffer", 2), form("var", 2)});
static_assert(kForms<ScalarForm>.size() == static_cast<std::size_t>(ScalarForm::buffer_arg) + 1);
static_assert(kForms<StmtForm>.size() == static_cast<std::size_t>(StmtForm::continue_loop) + 1);
static_assert(kForms<ExprForm>.size() == static_cast<std::size_t>(ExprForm::function) + 1);
static_assert(kForms<TypeForm>.size() == static_cast<std::size_t>(TypeForm::object) + 1);

// Documents of modules without functions of TensorIR, or without meshes, lack the last keys.
enum class ModuleKey : std::uint8_t { version, functions, vdevices, attrs, prim_funcs, meshes };
inline constexpr std::size_t kOptionalModuleKeys = 2;
// The keys of a function. A local one has those from `params` on, and shares the tables of symbols and variables with the function
// around it.
enum class FunctionKey : std::uint8_t { name, is_public, symbols, vars, params, pure, attrs, result, body };
// The keys of a function of TensorIR.
enum class PrimFuncKey : std::uint8_t { name, is_public, vars, buffers, params, attrs, result, body };

// By value of the enum.
template <class E>
inline constexpr std::array<std::string_view, 0> kKeys{};
template <>
inline constexpr auto kKeys<ModuleKey> =
    std::to_array<std::string_view>({"passdiff", "functions", "vdevices", "attrs", "prim_funcs", "meshes"});
template <>
inline constexpr auto kKeys<FunctionKey> = std::to_array<std::string_view>(
    {"name", "public", "symbols", "vars", "params", "pure", "attrs", "result", "body"});
template <>
inline constexpr auto kKeys<PrimFuncKey> = std::to_array<std::string_view>(
    {"name", "public", "vars", "buffers", "params", "attrs", "result", "body"});
static_assert(kKeys<ModuleKey>.size() == static_cast<std::size_t>(ModuleKey::meshes) + 1);
static_assert(kKeys<PrimFuncKey>.size() == static_cast<std::size_t>(PrimFuncKey::body) + 1);
static_assert(kKeys<FunctionKey>.size() == static_cast<std::size_t>(FunctionKey::body) + 1);

// The tag of a DIM that is a symbol; operators have the names of kDimOpNames (core/ir/dim_op.h).
inline constexpr std::string_view kSymbolTag = "s";
// An ATTR for which JSON has no item is a map with one of these keys.
inline constexpr std::string_view kFloatTag = "$float";  // a float that is not finite
inline constexpr std::string_view kDTypeTag = "$dtype";
inline constexpr std::string_view kVDeviceTag = "$vdevice";
inline constexpr std::string_view kMeshTag = "$mesh";
inline constexpr std::string_view kMapTag = "$map";
inline constexpr std::string_view kIndexMapTag = "$index_map";

}  // namespace passdiff
