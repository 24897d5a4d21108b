#include "core/documents/json_write_types.h"

#include <cmath>

namespace passdiff {
namespace {

std::string_view non_finite_name(double value) {
  if (std::isnan(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

std::string_view dim_op_name(DimOp op) {
  switch (op) {
    case DimOp::add:
      return "+";
    case DimOp::subtract:
      return "-";
    case DimOp::multiply:
      return "*";
    case DimOp::floor_divide:
      return "//";
    case DimOp::floor_mod:
      return "%";
    case DimOp::minimum:
      return "min";
    case DimOp::maximum:
      return "max";
  }
  CHECK(false) << "unknown dim op";
  return {};
}

struct AttrWriter {
  CborWriter& out;

  void operator()(std::monostate) const { out.null(); }
  void operator()(bool value) const { out.boolean(value); }
  void operator()(std::int64_t value) const { out.integer(value); }
  void operator()(double value) const {
    if (std::isfinite(value)) return out.number(value);
    tagged("$float", non_finite_name(value));
  }
  void operator()(const std::string& value) const { out.text(value); }
  void operator()(DType value) const { tagged("$dtype", dtype_name(value)); }
  void operator()(VDeviceRef value) const {
    out.map(1);
    out.text("$vdevice");
    out.integer(value.index);
  }
  void operator()(const std::vector<std::int64_t>& values) const {
    out.array(values.size());
    for (const std::int64_t value : values) out.integer(value);
  }

 private:
  void tagged(std::string_view tag, std::string_view value) const {
    out.map(1);
    out.text(tag);
    out.text(value);
  }
};

}  // namespace

void TypeWriter::dim(const Dim& dim) {
  if (dim.is_static()) return out_.integer(dim.value());
  if (const SymVar* var = dim.as_var()) {
    out_.array(2);
    out_.text("s");
    if (symbols_ == Symbols::named) return out_.text((*var)->name);
    const auto [entry, is_new] = index_.try_emplace(var->get(), static_cast<std::int64_t>(order_.size()));
    if (is_new) order_.push_back(var->get());
    return out_.integer(entry->second);
  }
  const auto& binary = std::get<DimBinary>(dim.node()->node);
  out_.array(3);
  out_.text(dim_op_name(binary.op));
  this->dim(binary.lhs);
  this->dim(binary.rhs);
}

void TypeWriter::dims(const Shape& shape) {
  out_.array(shape.size());
  for (const Dim& d : shape) dim(d);
}

void TypeWriter::shape(const std::optional<Shape>& shape, int rank) {
  if (shape) return dims(*shape);
  rank == kUnknownRank ? out_.null() : out_.integer(rank);
}

void TypeWriter::types(const std::vector<Type>& types) {
  out_.array(types.size());
  for (const Type& t : types) type(t);
}

void TypeWriter::type_node(const ObjectType&) {
  out_.array(1);
  out_.text("any");
}

void TypeWriter::type_node(const TensorType& type) {
  out_.array(type.vdevice ? 4 : 3);
  out_.text("t");
  shape(type.shape, type.rank);
  type.dtype ? out_.text(dtype_name(*type.dtype)) : out_.null();
  if (type.vdevice) out_.integer(*type.vdevice);
}

void TypeWriter::type_node(const TupleType& type) {
  out_.array(2);
  out_.text("tuple");
  types(type.fields);
}

void TypeWriter::type_node(const ShapeType& type) {
  out_.array(2);
  out_.text("shape");
  shape(type.values, type.rank);
}

void TypeWriter::type_node(const PrimType& type) {
  out_.array(2);
  out_.text("prim");
  out_.text(dtype_name(type.dtype));
}

void TypeWriter::type_node(const FuncType& func) {
  out_.array(4);
  out_.text("func");
  func.params ? types(*func.params) : out_.null();
  type(func.result);
  out_.boolean(func.pure);
}

void TypeWriter::type(const Type& type) {
  type.visit([this](const auto& node) { type_node(node); });
}

void TypeWriter::attr(const AttrValue& value) {
  std::visit(AttrWriter{out_}, value);
}

void TypeWriter::attrs(const NamedAttrs& attrs) {
  out_.map(attrs.size());
  for (const auto& [name, value] : attrs) {
    out_.text(name);
    attr(value);
  }
}

void TypeWriter::number(double value) {
  std::isfinite(value) ? out_.number(value) : out_.text(non_finite_name(value));
}

void TypeWriter::symbol_table() {
  out_.array(order_.size());
  for (const SymVarNode* symbol : order_) out_.text(symbol->name);
  order_.clear();
  index_.clear();
}

}  // namespace passdiff
