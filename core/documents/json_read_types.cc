#include <algorithm>
#include <cmath>

#include "core/documents/json.h"
#include "core/documents/json_read.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::int64_t kMaxRank =
    64;  // far above what any op makes; a rank is no size, but it is looped over

std::optional<double> non_finite(std::string_view name) {
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "-inf") return -std::numeric_limits<double>::infinity();
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

std::optional<DimOp> dim_op(std::string_view name) {
  if (name == "+") return DimOp::add;
  if (name == "-") return DimOp::subtract;
  if (name == "*") return DimOp::multiply;
  if (name == "//") return DimOp::floor_divide;
  if (name == "%") return DimOp::floor_mod;
  if (name == "min") return DimOp::minimum;
  if (name == "max") return DimOp::maximum;
  return std::nullopt;
}

}  // namespace

void DocumentReader::fail(ItemIndex at, const char* code, const std::string& message) {
  if (!error_) error_ = Error{code, document_.path(at) + ": " + message};
}

bool DocumentReader::expect(ItemIndex at, ItemKind kind, const char* what) {
  if (is(at, kind)) return true;
  fail(at, "json.type", std::string("expected ") + what);
  return false;
}

std::string_view DocumentReader::text(ItemIndex at) {
  return expect(at, ItemKind::string, "a string") ? document_[at].text : std::string_view();
}

bool DocumentReader::boolean(ItemIndex at) {
  return expect(at, ItemKind::boolean, "true or false") && document_[at].integer == 1;
}

std::int64_t DocumentReader::integer(ItemIndex at, std::int64_t low, std::int64_t high) {
  if (!expect(at, ItemKind::integer, "an integer")) return low;
  const std::int64_t value = document_[at].integer;
  if (value >= low && value <= high) return value;
  fail(at, "json.number", std::to_string(value) + " is out of range");
  return low;
}

std::size_t DocumentReader::index(ItemIndex at, std::size_t count) {
  if (!expect(at, ItemKind::integer, "an index")) return 0;
  const std::int64_t value = document_[at].integer;
  if (value >= 0 && static_cast<std::uint64_t>(value) < count) return static_cast<std::size_t>(value);
  fail(at, "json.index", "index " + std::to_string(value) + " into a table of " + std::to_string(count));
  return 0;
}

double DocumentReader::number(ItemIndex at) {
  const Item& item = document_[at];
  if (item.kind == ItemKind::number) return item.number;
  if (item.kind == ItemKind::integer) return static_cast<double>(item.integer);
  const auto named = item.kind == ItemKind::string ? non_finite(item.text) : std::nullopt;
  if (!named) fail(at, "json.type", "expected a number");
  return named.value_or(0);
}

DType DocumentReader::dtype(ItemIndex at) {
  const std::string_view name = text(at);
  const auto result = dtype_from_name(name);
  if (!result) fail(at, "json.name", "no dtype is called \"" + std::string(name) + "\"");
  return result.value_or(DType::float32);
}

std::vector<std::int64_t> DocumentReader::integers(ItemIndex at) {
  std::vector<std::int64_t> result;
  for_each(at, [&](ItemIndex element) { result.push_back(integer(element)); });
  return result;
}

TensorPtr DocumentReader::tensor(ItemIndex dtype_at, ItemIndex shape_at, ItemIndex data_at) {
  const DType element = dtype(dtype_at);
  const std::vector<std::int64_t> shape = integers(shape_at);
  if (!failed() && shape.size() > kMaxRank) fail(shape_at, "tensor.shape", "more than 64 dims");
  const auto bytes = base64_decode(text(data_at));
  if (!bytes) fail(data_at, "json.base64", bytes.error().message);
  if (failed()) return nullptr;
  auto result = from_bytes(element, shape, *bytes);
  if (result) return make_tensor(std::move(*result));
  fail(data_at, result.error().code.c_str(), result.error().message);
  return nullptr;
}

ItemIndex DocumentReader::field(ItemIndex map, std::string_view key) {
  const ItemIndex at = find(map, key);
  if (at == 0) fail(map, "json.field", "no field \"" + std::string(key) + "\"");
  return at;
}

void DocumentReader::only_fields(ItemIndex map, std::initializer_list<std::string_view> keys) {
  if (!expect(map, ItemKind::map, "an object")) return;
  std::uint64_t seen = 0;
  ItemIndex at = map + 1;
  for (std::uint32_t i = 0; i < document_[map].count; ++i, at = document_.after(at + 1)) {
    const auto found = std::find(keys.begin(), keys.end(), document_[at].text);
    const auto flag = std::uint64_t{1} << (found - keys.begin());
    if (found != keys.end() && (seen & flag) == 0) {
      seen |= flag;
      continue;
    }
    const char* what = found == keys.end() ? "unknown field \"" : "a second field \"";
    return fail(map, "json.field", what + std::string(document_[at].text) + "\"");
  }
}

void TypeReader::begin_symbols(ItemIndex table) {
  symbols_.clear();
  for_each(table, [&](ItemIndex name) { symbols_.emplace_back(make_sym_var(std::string(text(name)))); });
}

Dim TypeReader::dim_operation(ItemIndex at, std::string_view op_name) {
  const auto op = dim_op(op_name);
  if (!op) {
    fail(at, "json.name", "no dim operation is called \"" + std::string(op_name) + "\"");
    return 0;
  }
  const auto [name, lhs_at, rhs_at] = elements<3>(at);
  if (failed()) return 0;
  const Dim lhs = dim(lhs_at);
  const Dim rhs = dim(rhs_at);
  return Dim::binary(*op, lhs, rhs);
}

Dim TypeReader::dim(ItemIndex at) {
  const Item& item = document()[at];
  if (item.kind == ItemKind::integer) return item.integer;
  if (!expect(at, ItemKind::array, "a dim") || item.count == 0) {
    fail(at, "json.type", "expected a dim");
    return 0;
  }
  const std::string_view tag = text(at + 1);
  if (tag != "s") return dim_operation(at, tag);
  const auto [name, symbol] = elements<2>(at);
  if (failed()) return 0;
  const std::size_t i = index(symbol, symbols_.size());
  return failed() ? Dim(0) : symbols_[i];
}

Shape TypeReader::dims(ItemIndex at) {
  Shape shape;
  shape.reserve(is(at, ItemKind::array) ? document()[at].count : 0);
  for_each(at, [&](ItemIndex element) { shape.push_back(dim(element)); });
  return shape;
}

void TypeReader::shape_or_rank(ItemIndex at, std::optional<Shape>& shape, int& rank) {
  rank = kUnknownRank;
  if (is(at, ItemKind::null)) return;
  if (is(at, ItemKind::integer)) {
    rank = static_cast<int>(integer(at, 0, kMaxRank));
    return;
  }
  shape = dims(at);
  if (shape->size() > kMaxRank) fail(at, "json.number", "more than 64 dims");
  rank = static_cast<int>(shape->size());
}

Type TypeReader::tensor_type_at(ItemIndex at) {
  const auto [tag, shape, dtype_at, vdevice] = elements<4>(at, 3);
  if (failed()) return {};
  TensorType result;
  shape_or_rank(shape, result.shape, result.rank);
  if (!is(dtype_at, ItemKind::null)) result.dtype = dtype(dtype_at);
  if (vdevice != 0) result.vdevice = static_cast<int>(index(vdevice, vdevices_));
  return result;
}

Type TypeReader::func_type_at(ItemIndex at) {
  const auto [tag, params, result, pure] = elements<4>(at);
  if (failed()) return {};
  FuncType func;
  if (!is(params, ItemKind::null)) func.params = types(params);
  func.result = type(result);
  func.pure = boolean(pure);
  return func;
}

std::vector<Type> TypeReader::types(ItemIndex at) {
  std::vector<Type> result;
  for_each(at, [&](ItemIndex element) { result.push_back(type(element)); });
  return result;
}

Type TypeReader::type(ItemIndex at) {
  if (!expect(at, ItemKind::array, "a type") || document()[at].count == 0) {
    fail(at, "json.type", "expected a type");
    return {};
  }
  const std::string_view tag = text(at + 1);
  if (tag == "t") return tensor_type_at(at);
  if (tag == "func") return func_type_at(at);
  if (tag == "any") return object_type();
  const auto [name, operand] = elements<2>(at);
  if (failed()) return {};
  if (tag == "tuple") return tuple_type(types(operand));
  if (tag == "prim") return prim_type(dtype(operand));
  if (tag == "shape") {
    ShapeType shape;
    shape_or_rank(operand, shape.values, shape.rank);
    return shape;
  }
  fail(at, "json.name", "no type is called \"" + std::string(tag) + "\"");
  return {};
}

AttrValue TypeReader::tagged_attr(ItemIndex at) {
  if (document()[at].count == 1) {
    if (const ItemIndex name = find(at, "$dtype")) return dtype(name);
    if (const ItemIndex device = find(at, "$vdevice"))
      return VDeviceRef{static_cast<int>(index(device, vdevices_))};
    const ItemIndex value = find(at, "$float");
    const auto named = value != 0 && is(value, ItemKind::string) ? non_finite(text(value)) : std::nullopt;
    if (named) return *named;
  }
  fail(at, "json.type", "expected an attribute");
  return std::monostate{};
}

AttrValue TypeReader::attr(ItemIndex at) {
  const Item& item = document()[at];
  switch (item.kind) {
    case ItemKind::null:
      return std::monostate{};
    case ItemKind::boolean:
      return item.integer == 1;
    case ItemKind::integer:
      return item.integer;
    case ItemKind::number:
      return item.number;
    case ItemKind::string:
      return std::string(item.text);
    case ItemKind::array:
      return integers(at);
    case ItemKind::map:
      return tagged_attr(at);
    case ItemKind::bytes:
      break;
  }
  fail(at, "json.type", "expected an attribute");
  return std::monostate{};
}

NamedAttrs TypeReader::attrs(ItemIndex at) {
  NamedAttrs result;
  if (!expect(at, ItemKind::map, "an object")) return result;
  ItemIndex key = at + 1;
  for (std::uint32_t i = 0; i < document()[at].count && !failed(); ++i, key = document().after(key + 1)) {
    const bool is_new = result.emplace(document()[key].text, attr(key + 1)).second;
    if (!is_new) fail(at, "json.field", "a second field \"" + std::string(document()[key].text) + "\"");
  }
  return result;
}

}  // namespace passdiff
