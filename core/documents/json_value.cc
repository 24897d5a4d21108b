// The value document: written and read.
#include <limits>

#include "core/documents/json.h"
#include "core/documents/json_read.h"
#include "core/documents/json_write.h"
#include "core/documents/json_write_types.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

struct ValueWriter {
  CborWriter& out;

  void operator()(std::monostate) const { out.null(); }
  void operator()(const TensorPtr& tensor) const {
    out.map(3);
    out.text("tensor");
    out.text(dtype_name(tensor->dtype));
    out.text("shape");
    integers(tensor->shape());
    out.text("data");
    out.text(base64_encode(to_bytes(*tensor)));
  }
  void operator()(const TupleValue& tuple) const {
    out.map(1);
    out.text("tuple");
    out.array(tuple.fields.size());
    for (const Value& field : tuple.fields) write_value(out, field);
  }
  void operator()(const ShapeValue& shape) const {
    out.map(1);
    out.text("shape_value");
    integers(shape.dims);
  }
  void operator()(const ScalarValue& scalar) const {
    out.map(2);
    out.text("prim");
    out.text(dtype_name(scalar.dtype));
    out.text("value");
    if (const auto* integer = std::get_if<std::int64_t>(&scalar.value)) return out.integer(*integer);
    TypeWriter(out, TypeWriter::Symbols::named).number(std::get<double>(scalar.value));
  }
  void operator()(const std::string& text) const { single("string", text); }
  void operator()(DType dtype) const { single("dtype", dtype_name(dtype)); }
  void operator()(const std::shared_ptr<const Callable>&) const {
    CHECK(false) << "a callable has no document";
  }

 private:
  void integers(const std::vector<std::int64_t>& values) const {
    out.array(values.size());
    for (const std::int64_t value : values) out.integer(value);
  }
  void single(std::string_view key, std::string_view text) const {
    out.map(1);
    out.text(key);
    out.text(text);
  }
};

class ValueReader : DocumentReader {
 public:
  explicit ValueReader(const Document& document) : DocumentReader(document) {}
  Result<Value> read() {
    Value result = value(0);
    if (failed()) return error();
    return result;
  }

 private:
  Value value(ItemIndex at);
  Value tuple(ItemIndex at);
  Value scalar(ItemIndex at, ItemIndex dtype_at);
};

Value ValueReader::tuple(ItemIndex at) {
  TupleValue tuple;
  for_each(at, [&](ItemIndex field) { tuple.fields.push_back(value(field)); });
  return tuple;
}

Value ValueReader::scalar(ItemIndex at, ItemIndex dtype_at) {
  const DType type = dtype(dtype_at);
  const ItemIndex number_at = field(at, "value");
  if (failed()) return {};
  if (is_float(type)) return ScalarValue{type, number(number_at)};
  const std::int64_t integer = this->integer(number_at, int_min(type), int_max(type));
  return ScalarValue{type, integer};
}

Value ValueReader::value(ItemIndex at) {
  const Item& item = document()[at];
  if (item.kind == ItemKind::null) return {};
  if (item.kind != ItemKind::map || item.count == 0) {
    fail(at, "json.type", "expected a value");
    return {};
  }
  if (const ItemIndex dtype_at = find(at, "tensor")) {
    only_fields(at, {"tensor", "shape", "data"});
    TensorPtr result = tensor(dtype_at, field(at, "shape"), field(at, "data"));
    return result ? Value(std::move(result)) : Value();
  }
  if (const ItemIndex dtype_at = find(at, "prim")) {
    only_fields(at, {"prim", "value"});
    return scalar(at, dtype_at);
  }
  if (item.count != 1) {
    fail(at, "json.field", "expected one field");
    return {};
  }
  if (const ItemIndex fields = find(at, "tuple")) return tuple(fields);
  if (const ItemIndex dims = find(at, "shape_value")) return ShapeValue{integers(dims)};
  if (const ItemIndex text_at = find(at, "string")) return std::string(text(text_at));
  if (const ItemIndex dtype_at = find(at, "dtype")) return dtype(dtype_at);
  fail(at, "json.field", "no value has these fields");
  return {};
}

}  // namespace

void write_value(CborWriter& out, const Value& value) {
  std::visit(ValueWriter{out}, value.node);
}
Result<Value> read_value(const Document& document) {
  return ValueReader(document).read();
}

}  // namespace passdiff
