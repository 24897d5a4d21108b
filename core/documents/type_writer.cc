#include "core/documents/type_writer.h"

namespace passdiff {

void TypeWriter::dim(const Dim& dim) {
  if (dim.is_static()) return out_.integer(dim.value());
  if (const SymVar* var = dim.as_var())
    return symbols_ == Symbols::named ? out_.symbol((*var)->name) : out_.symbol(numbers_.of(*var));
  const auto& binary = std::get<DimBinary>(dim.node()->node);
  out_.dim_op(binary.op);
  this->dim(binary.lhs);
  this->dim(binary.rhs);
}

void TypeWriter::dims(const Shape& shape) {
  out_.array(shape.size());
  for (const Dim& d : shape) dim(d);
}

void TypeWriter::extent(const std::optional<Shape>& shape, int rank) {
  if (shape) return dims(*shape);
  rank == kUnknownRank ? out_.null() : out_.integer(rank);
}

void TypeWriter::types(const std::vector<Type>& types) {
  out_.array(types.size());
  for (const Type& t : types) type(t);
}

void TypeWriter::node(const ObjectType&) {
  out_.form(TypeForm::object);
}

void TypeWriter::node(const TensorType& type) {
  out_.form(TypeForm::tensor, type.sharding ? 5 : type.vdevice ? 4 : 3);
  extent(type.shape, type.rank);
  type.dtype ? out_.dtype(*type.dtype) : out_.null();
  if (type.vdevice) {
    out_.integer(*type.vdevice);
  } else if (type.sharding) {
    out_.null();
  }
  if (type.sharding) out_.sharding(*type.sharding);
}

void TypeWriter::node(const TupleType& type) {
  out_.form(TypeForm::tuple);
  types(type.fields);
}

void TypeWriter::node(const ShapeType& type) {
  out_.form(TypeForm::shape);
  extent(type.values, type.rank);
}

void TypeWriter::node(const PrimType& type) {
  out_.form(TypeForm::prim);
  out_.dtype(type.dtype);
}

void TypeWriter::node(const FuncType& func) {
  out_.form(TypeForm::func);
  func.params ? types(*func.params) : out_.null();
  type(func.result);
  out_.boolean(func.pure);
}

void TypeWriter::type(const Type& type) {
  type.visit([this](const auto& alternative) { node(alternative); });
}

void TypeWriter::symbol_table() {
  out_.array(numbers_.table().size());
  for (const SymVar& symbol : numbers_.table()) out_.text(symbol->name);
  numbers_ = {};
}

}  // namespace passdiff
