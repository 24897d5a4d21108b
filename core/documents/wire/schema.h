// The words of the module document (../json.md): tags, keys and lengths, once for all who write documents and read them.
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

// EXPR, but for variables, which are numbers. The most frequent come first: that is the order in which readers compare.
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

// By value of the enum.
template <class E>
inline constexpr std::array<Form, 0> kForms{};
template <>
inline constexpr auto kForms<ExprForm> = std::to_array<Form>({
    form("op", 4),        // name, operands, attributes
    form("const", 4),     // dtype, shape, bytes
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
    {"t", 3, 4},        // shape, dtype, vdevice if it has one
    form("shape", 2),   // shape
    form("tuple", 2),   // fields
    form("prim", 2),    // dtype
    form("func", 4),    // parameters, result, pure
    form("any", 1),
});
static_assert(kForms<ExprForm>.size() == static_cast<std::size_t>(ExprForm::function) + 1);
static_assert(kForms<TypeForm>.size() == static_cast<std::size_t>(TypeForm::object) + 1);

enum class ModuleKey : std::uint8_t { version, functions, vdevices, attrs };
// A local function has those from `params` on; it shares the tables of symbols and variables with the function around it.
enum class FunctionKey : std::uint8_t { name, is_public, symbols, vars, params, pure, attrs, result, body };

// By value of the enum.
template <class E>
inline constexpr std::array<std::string_view, 0> kKeys{};
template <>
inline constexpr auto kKeys<ModuleKey> =
    std::to_array<std::string_view>({"passdiff", "functions", "vdevices", "attrs"});
template <>
inline constexpr auto kKeys<FunctionKey> = std::to_array<std::string_view>(
    {"name", "public", "symbols", "vars", "params", "pure", "attrs", "result", "body"});
static_assert(kKeys<ModuleKey>.size() == static_cast<std::size_t>(ModuleKey::attrs) + 1);
static_assert(kKeys<FunctionKey>.size() == static_cast<std::size_t>(FunctionKey::body) + 1);

// DIM: a symbol; operators are named as kDimOpNames has them (core/ir/dim_op.h).
inline constexpr std::string_view kSymbolTag = "s";
// ATTR: what JSON has no item for is a map of one of these keys.
inline constexpr std::string_view kFloatTag = "$float";  // that is not finite
inline constexpr std::string_view kDTypeTag = "$dtype";
inline constexpr std::string_view kVDeviceTag = "$vdevice";

}  // namespace passdiff
