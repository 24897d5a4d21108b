// Reads the types and dims of a module document (../json.md). Only this knows their layout; derived classes make passdiff's IR of them,
// or the objects of a compiler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/documents/wire/cursor.h"
#include "core/documents/wire/module_document.h"
#include "core/documents/wire/schema.h"
#include "core/ir/dim_op.h"

namespace passdiff {

// Reads with the table of symbols of one function. Kinds has the types that are made: Dim, Type and the template List.
template <class Kinds>
class TypeReader {
 public:
  using Dim = typename Kinds::Dim;
  using Type = typename Kinds::Type;
  template <class T>
  using List = typename Kinds::template List<T>;
  // What is known of a tensor's shape, or of a shape: its dims, or the rank alone, or nothing.
  struct Extent {
    std::optional<List<Dim>> dims;
    std::optional<int> rank;
  };

  TypeReader(GlobalInfos infos, std::vector<std::string_view> symbol_names)
      : infos_(infos), names_(std::move(symbol_names)), symbols_(names_.size()) {}
  virtual ~TypeReader() = default;

  Result<Type> type(Cursor& in);
  Result<List<Type>> types(Cursor& in);
  // Reads a dim; the integers in it get this dtype.
  Result<Dim> dim(Cursor& in, DType dtype = DType::int64);
  Result<List<Dim>> dims(Cursor& in);
  GlobalInfos infos() const { return infos_; }
  // The symbols, in the order of the document's table. One is made when it is first met.
  const std::vector<std::optional<Dim>>& symbols() const { return symbols_; }

 protected:
  TypeReader(TypeReader&&) = default;

  virtual Dim make_symbol(std::string_view name) = 0;
  virtual Dim make_integer(std::int64_t value, DType dtype) = 0;
  virtual Dim make_operation(DimOp op, const Dim& lhs, const Dim& rhs) = 0;
  virtual Type make_object_type() = 0;
  virtual Type make_tensor_type(Extent extent, std::optional<DType> dtype, std::optional<int> vdevice, const std::optional<Sharding>& sharding) = 0;
  virtual Type make_tuple_type(List<Type> fields) = 0;
  virtual Type make_shape_type(Extent extent) = 0;
  virtual Type make_prim_type(DType dtype) = 0;
  // Without `params` the function takes any.
  virtual Type make_func_type(std::optional<List<Type>> params, Type result, bool pure) = 0;

 private:
  Result<Extent> extent(Cursor& in);
  Result<Type> tensor_type(Cursor& in, std::size_t size);
  Result<Type> func_type(Cursor& in);

  GlobalInfos infos_;
  std::vector<std::string_view> names_;
  std::vector<std::optional<Dim>> symbols_;
};

template <class Kinds>
auto TypeReader<Kinds>::dim(Cursor& in, DType dtype) -> Result<Dim> {
  if (in.kind() == ItemKind::integer) return make_integer(TRY(in.integer()), dtype);
  const Cursor start = in;
  const std::size_t size = TRY(begin_form(in, "a dim"));
  const std::string_view tag = TRY(in.text());
  if (tag == kSymbolTag && size == 2) {
    const std::size_t index = TRY(in.index(symbols_.size()));
    std::optional<Dim>& symbol = symbols_[index];
    if (!symbol) symbol = make_symbol(names_[index]);
    return *symbol;
  }
  const std::optional<DimOp> op = dim_op_from_name(tag);
  if (!op) return start.error("json.name", "no dim operation is called \"" + std::string(tag) + "\"");
  if (size != 3) return start.error("json.type", "a dim operation takes two dims");
  const DType compared = is_comparison(*op) ? DType::int64 : dtype;  // the result of a comparison is a bool
  const Dim lhs = TRY(dim(in, compared));
  const Dim rhs = TRY(dim(in, compared));
  return make_operation(*op, lhs, rhs);
}

template <class Kinds>
auto TypeReader<Kinds>::dims(Cursor& in) -> Result<List<Dim>> {
  List<Dim> result;
  const std::size_t count = TRY(in.array());
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) result.push_back(TRY(dim(in)));
  return result;
}

template <class Kinds>
auto TypeReader<Kinds>::types(Cursor& in) -> Result<List<Type>> {
  List<Type> result;
  const std::size_t count = TRY(in.array());
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) result.push_back(TRY(type(in)));
  return result;
}

template <class Kinds>
auto TypeReader<Kinds>::extent(Cursor& in) -> Result<Extent> {
  if (in.take_null()) return Extent{};
  if (in.kind() == ItemKind::integer) return Extent{std::nullopt, static_cast<int>(TRY(in.integer(0, kMaxRank)))};
  const Cursor start = in;
  List<Dim> dims = TRY(this->dims(in));
  if (dims.size() > static_cast<std::size_t>(kMaxRank)) return start.error("json.number", "more than 64 dims");
  const int rank = static_cast<int>(dims.size());
  return Extent{std::move(dims), rank};
}

template <class Kinds>
auto TypeReader<Kinds>::tensor_type(Cursor& in, std::size_t size) -> Result<Type> {
  Extent extent = TRY(this->extent(in));
  std::optional<DType> dtype;
  if (!in.take_null()) dtype = TRY(in.dtype());
  std::optional<int> vdevice;
  if (size > 3 && !in.take_null()) vdevice = static_cast<int>(TRY(in.index(infos_.vdevices)));
  std::optional<Sharding> sharding;
  if (size > 4) sharding = TRY(read_sharding(in, infos_.meshes));
  return make_tensor_type(std::move(extent), dtype, vdevice, sharding);
}

template <class Kinds>
auto TypeReader<Kinds>::func_type(Cursor& in) -> Result<Type> {
  std::optional<List<Type>> params;
  if (!in.take_null()) params = TRY(types(in));
  Type result = TRY(type(in));
  const bool pure = TRY(in.boolean());
  return make_func_type(std::move(params), std::move(result), pure);
}

template <class Kinds>
auto TypeReader<Kinds>::type(Cursor& in) -> Result<Type> {
  const auto [form, size] = TRY(read_form<TypeForm>(in, "a type"));
  switch (form) {
    case TypeForm::tensor:
      return tensor_type(in, size);
    case TypeForm::shape:
      return make_shape_type(TRY(extent(in)));
    case TypeForm::tuple:
      return make_tuple_type(TRY(types(in)));
    case TypeForm::prim:
      return make_prim_type(TRY(in.dtype()));
    case TypeForm::func:
      return func_type(in);
    case TypeForm::object:
      break;
  }
  return make_object_type();
}

}  // namespace passdiff
