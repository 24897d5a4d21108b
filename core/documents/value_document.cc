// Writing and reading value documents.
#include "core/documents/json.h"
#include "core/documents/wire/cursor.h"
#include "core/documents/wire/document_writer.h"
#include "core/documents/wire/module_document.h"
#include "core/match.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::array<std::string_view, 3> kTensorKeys = {"tensor", "shape", "data"};
constexpr std::array<std::string_view, 2> kScalarKeys = {"prim", "value"};

struct ValueWriter {
  DocumentWriter& out;

  void operator()(std::monostate) const { out.null(); }
  void operator()(const TensorPtr& tensor) const {
    out.map(kTensorKeys.size());
    out.text(kTensorKeys[0]);
    out.dtype(tensor->dtype);
    out.text(kTensorKeys[1]);
    out.integers(tensor->shape());
    out.text(kTensorKeys[2]);
    out.base64(to_bytes(*tensor));
  }
  void operator()(const TupleValue& tuple) const {
    key("tuple");
    out.array(tuple.fields.size());
    for (const Value& field : tuple.fields) match(field.node, *this);
  }
  void operator()(const ShapeValue& shape) const {
    key("shape_value");
    out.integers(shape.dims);
  }
  void operator()(const ScalarValue& scalar) const {
    out.map(kScalarKeys.size());
    out.text(kScalarKeys[0]);
    out.dtype(scalar.dtype);
    out.text(kScalarKeys[1]);
    match(
        scalar.value, [&](std::int64_t integer) { out.integer(integer); },
        [&](double number) { out.number_or_name(number); });
  }
  void operator()(const std::string& text) const {
    key("string");
    out.text(text);
  }
  void operator()(DType dtype) const {
    key("dtype");
    out.dtype(dtype);
  }
  void operator()(const std::shared_ptr<const Callable>&) const {
    CHECK(false) << "a callable has no document";
  }

 private:
  void key(std::string_view name) const {
    out.map(1);
    out.text(name);
  }
};

Result<Value> read_value(Cursor& in);

Result<Value> read_tensor_value(Cursor& in) {
  const Cursor start = in;
  std::array<Cursor, kTensorKeys.size()> fields;
  TRY_VOID(read_fields(in, kTensorKeys, fields));
  const TensorDocument document = TRY(read_tensor(fields[0], fields[1], fields[2]));
  auto tensor = from_bytes(document.dtype, document.shape, document.bytes, kMostTensorElements);
  if (!tensor) return start.error(tensor.error().code.c_str(), tensor.error().message);
  return Value(make_tensor(*std::move(tensor)));
}

Result<Value> read_scalar(Cursor& in) {
  std::array<Cursor, kScalarKeys.size()> fields;
  TRY_VOID(read_fields(in, kScalarKeys, fields));
  const DType dtype = TRY(fields[0].dtype());
  if (is_float(dtype)) return Value(ScalarValue{dtype, TRY(fields[1].number())});
  return Value(ScalarValue{dtype, TRY(fields[1].integer(int_min(dtype), scalar_max(dtype)))});
}

Result<Value> read_tuple(Cursor& in) {
  TupleValue tuple;
  for (std::size_t left = TRY(in.array()); left > 0; --left) tuple.fields.push_back(TRY(read_value(in)));
  return Value(std::move(tuple));
}

// Whether the map has this key, by which the kind of a value is told.
bool has_key(Cursor map, std::string_view wanted) {
  for (std::size_t left = map.map().value(); left > 0; --left) {
    if (map.text().value() == wanted) return true;
    map.skip();
  }
  return false;
}

Result<Value> read_value(Cursor& in) {
  if (in.take_null()) return Value();
  const Cursor start = in;
  if (in.kind() != ItemKind::map) return start.error("json.type", "expected a value");
  if (has_key(in, kTensorKeys[0])) return read_tensor_value(in);
  if (has_key(in, kScalarKeys[0])) return read_scalar(in);
  if (TRY(in.map()) != 1) return start.error("json.field", "expected one field");
  const std::string_view key = TRY(in.text());
  if (key == "tuple") return read_tuple(in);
  if (key == "shape_value") return Value(ShapeValue{TRY(in.integers())});
  if (key == "string") return Value(std::string(TRY(in.text())));
  if (key == "dtype") return Value(TRY(in.dtype()));
  return start.error("json.field", "no value has these fields");
}

}  // namespace

std::vector<std::uint8_t> value_to_cbor(const Value& value) {
  DocumentWriter out;
  match(value.node, ValueWriter{out});
  return out.take();
}

Result<Value> value_from_cbor(std::span<const std::uint8_t> bytes) {
  Cursor in = TRY(Cursor::open(bytes));
  return read_value(in);
}

}  // namespace passdiff
