// The outline of a module document, and those of its functions: their tables, and the positions of their types, attributes and bodies.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/documents/wire/cursor.h"
#include "core/documents/wire/schema.h"
#include "core/ir/attr.h"
#include "core/ir/sharding.h"
#include "core/ir/tir/scalar_type.h"

namespace passdiff {

// The parts that all functions have, local ones too.
struct BodyDocument {
  Cursor params, attrs, result, body;
  bool pure = true;
};

struct VariableDocument {
  std::string_view name;
  Cursor type;
  bool dataflow = false;
};

struct FunctionDocument {
  std::string_view name;
  bool is_public = false;
  std::vector<std::string_view> symbols;
  std::vector<VariableDocument> vars;
  BodyDocument body;
};

struct ScalarVariableDocument {
  std::string_view name;
  tir::ScalarType type;
};

// A function of TensorIR.
struct PrimFuncDocument {
  std::string_view name;
  bool is_public = false;
  std::vector<ScalarVariableDocument> vars;
  tir::ScalarType result;
  Cursor buffers, params, attrs, body;
};

inline constexpr std::int64_t kMaxRank = 64;  // far above what any op makes; a rank from outside could be any number

struct VDeviceDocument {
  std::string_view target;
  int id = 0;
  std::string_view memory_scope;
};

struct ModuleDocument {
  Cursor functions;  // a list of them
  std::vector<VDeviceDocument> vdevices;
  NamedAttrs attrs;
  Cursor prim_funcs;  // a list of them; not set where there are none
  std::vector<DeviceMesh> meshes;

  GlobalInfos infos() const { return {vdevices.size(), meshes.size()}; }
};

// The outline, whose parts are views into the bytes. Fails as check_cbor does, as Cursor does where the outline has another form, and
// with json.version.
Result<ModuleDocument> read_outline(std::span<const std::uint8_t> document);
// The outlines of the functions in the list here, and of a function of TensorIR; they step over them.
Result<std::vector<FunctionDocument>> read_functions(Cursor& in);
Result<PrimFuncDocument> read_prim_func_outline(Cursor& in);

// The outline of the body that is the map here; steps over it.
Result<BodyDocument> read_body_outline(Cursor& in);

// The values of the map here, by key; steps over it. A key that is missing, unknown or there twice is json.field. The last `optional`
// keys may be missing: their cursors stay as they are.
std::optional<Error> read_fields(Cursor& in, std::span<const std::string_view> keys, std::span<Cursor> values,
                                 std::size_t optional = 0);

// Steps over the head of the array here; json.type if it has another size.
std::optional<Error> expect_size(Cursor& in, std::size_t size);

struct TensorDocument {
  DType dtype = DType::float32;
  std::vector<std::int64_t> shape;  // kMaxRank dims at most; they are not compared with the number of bytes
  std::vector<std::uint8_t> bytes;
};
// Reads three items: dtype, shape, bytes in base64 (json.base64).
Result<TensorDocument> read_tensor(Cursor& in);
Result<TensorDocument> read_tensor(Cursor dtype, Cursor shape, Cursor data);

// Reads the name of a scalar type of TensorIR; json.name.
Result<tir::ScalarType> read_scalar_type(Cursor& in);

// Reads how a tensor is spread over one of so many meshes.
Result<Sharding> read_sharding(Cursor& in, std::size_t meshes);

// Reads an attribute in a module with such tables.
Result<AttrValue> read_attr(Cursor& in, GlobalInfos infos);
Result<NamedAttrs> read_attrs(Cursor& in, GlobalInfos infos);

// Reads the size of the form here, whose tag comes next. Fails with json.type if it is empty or no array.
Result<std::size_t> begin_form(Cursor& in, const char* what);

// Reads the size and the tag of the form here, and says which form it is.
template <class E>
struct FormHead {
  E form;
  std::size_t size;
};
template <class E>
Result<FormHead<E>> read_form(Cursor& in, const char* what) {
  const Cursor start = in;
  const std::size_t size = TRY(begin_form(in, what));
  const std::string_view tag = TRY(in.text());
  for (std::size_t i = 0; i < kForms<E>.size(); ++i) {
    const Form& form = kForms<E>[i];
    if (form.tag != tag) continue;
    if (size >= form.least && size <= form.most) return FormHead<E>{static_cast<E>(i), size};
    return start.error("json.type", "an array of " + std::to_string(size) + " elements, expected " +
                                        std::to_string(form.most));
  }
  return start.error("json.name", std::string(what) + " is never called \"" + std::string(tag) + "\"");
}

}  // namespace passdiff
