// Types, dimensions and attributes as documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/documents/wire/document_writer.h"
#include "passes/tvm/adapter/global_infos.h"

namespace passdiff {

// The last part of a class's name: "PrimFunc".
std::string class_name(const ffi::Object* object);

// Writes types. Symbols are numbered as they are met, in each function anew. Throws Unreadable for what documents lack.
class TypeEncoder {
 public:
  TypeEncoder(DocumentWriter& out, const GlobalInfoObjects& infos) : out_(out), infos_(infos) {}

  void type(const ObjectRef& type);
  void types(const Objects& list);
  void dim(const ObjectRef& dim);
  void dims(const Objects& dims);
  void dtype(DLDataType dtype) { dtype_to(out_, dtype); }
  static void dtype_to(DocumentWriter& out, DLDataType dtype);
  void attr(const Any& value, std::string_view name) { out_.attr(attr_value(value, name)); }
  // Writes the names of the symbols so far, and forgets them.
  void symbol_table();
  bool is_symbol(const ObjectRef& var) const { return symbols_.contains(var); }
  // Gives symbols their numbers in advance; the numbers of missing ones stay free.
  void number_symbols(const std::vector<std::optional<ObjectRef>>& symbols);
  std::int64_t vdevice_index(const ObjectRef& vdevice);
  // How a tensor of this type is spread over a mesh; nothing if it is not.
  std::optional<Sharding> sharding_of(const ObjectRef& type) const;
  // The index of the module's vdevice for the device of this type and number, in this memory scope.
  std::int64_t device_index(std::int64_t device_type, std::int64_t id, std::string_view scope);

  AttrValue attr_value(const Any& value, std::string_view name);

 private:
  void tensor(const ffi::Object* type, const std::optional<Sharding>& sharding = std::nullopt);
  void func(const ffi::Object* type);
  void shape(const Any& values, const Field& ndim, const ffi::Object* type);
  AttrValue object_attr(const Any& value, std::string_view name);

  DocumentWriter& out_;
  const GlobalInfoObjects& infos_;
  Numbering<ObjectRef> symbols_;
};

// The operands of arithmetic: of dimensions, or any other of TensorIR on two operands.
std::pair<ObjectRef, ObjectRef> operands_of(const ffi::Object* arithmetic);

// The value of an IntImm, of a uint64 from 2^63 on as in two's complement.
std::int64_t integer_value(const ffi::Object* imm);

// The dtype of a number: from TVM 0.26 on it is in the number's type, before in the number itself.
DLDataType dtype_of_number(const ffi::Object* number);

}  // namespace passdiff
