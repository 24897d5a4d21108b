// Writes types and dims of passdiff's IR as documents.
#pragma once

#include <vector>

#include "core/documents/wire/document_writer.h"
#include "core/ir/type.h"

namespace passdiff {

// Writes types. Symbols are numbered as they are met and listed when the function is written; in types for people they are written by
// name.
class TypeWriter {
 public:
  enum class Symbols { numbered, named };
  TypeWriter(DocumentWriter& out, Symbols symbols) : out_(out), symbols_(symbols) {}

  void type(const Type& type);
  void types(const std::vector<Type>& types);
  void dim(const Dim& dim);
  void dims(const Shape& shape);
  void symbol_table();  // writes the names of the symbols so far, and forgets them

 private:
  void extent(const std::optional<Shape>& shape, int rank);
  void node(const ObjectType& type);
  void node(const TensorType& type);
  void node(const TupleType& type);
  void node(const ShapeType& type);
  void node(const PrimType& type);
  void node(const FuncType& type);

  DocumentWriter& out_;
  Symbols symbols_;
  Numbering<SymVar> numbers_;
};

}  // namespace passdiff
