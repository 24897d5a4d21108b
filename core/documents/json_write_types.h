// The part of the module writer that types, dims and attributes share with the rest.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/ir/module.h"
#include "core/documents/cbor.h"

namespace passdiff {

// Symbols are numbered as they are met, and listed once the function is written.
class TypeWriter {
 public:
  enum class Symbols { numbered, named };
  TypeWriter(CborWriter& out, Symbols symbols) : out_(out), symbols_(symbols) {}

  void type(const Type& type);
  void types(const std::vector<Type>& types);
  void dim(const Dim& dim);
  void dims(const Shape& shape);
  void attr(const AttrValue& value);
  void attrs(const NamedAttrs& attrs);
  void number(double value);  // a float of EXPR or VALUE position: a number or its name
  void symbol_table();        // and forgets it

 private:
  void shape(const std::optional<Shape>& shape, int rank);
  void type_node(const ObjectType& type);
  void type_node(const TensorType& type);
  void type_node(const TupleType& type);
  void type_node(const ShapeType& type);
  void type_node(const PrimType& type);
  void type_node(const FuncType& type);

  CborWriter& out_;
  Symbols symbols_;
  std::unordered_map<const SymVarNode*, std::int64_t> index_;
  std::vector<const SymVarNode*> order_;
};

}  // namespace passdiff
