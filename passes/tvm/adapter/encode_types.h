// Types, dimensions and attributes as documents.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "passes/tvm/adapter/compiler.h"
#include "passes/tvm/adapter/document.h"

namespace passdiff {

using Objects = ffi::Array<ObjectRef>;

// The last part of a class's name: "PrimFunc".
std::string class_name(const ffi::Object* object);

// Symbols are numbered as they are met, in each function anew.
class TypeEncoder {
 public:
  TypeEncoder(Writer& out, const Objects& vdevices) : out_(out), vdevices_(vdevices) {}

  void type(const ObjectRef& type);
  void dim(const ObjectRef& dim);
  void dims(const Objects& dims);
  void dtype(DLDataType dtype);
  void attr(const Any& value, std::string_view name);
  // The names of the symbols; forgets them.
  void symbol_table();
  bool is_symbol(const ffi::Object* var) const { return symbols_.contains(var); }
  // Gives symbols their numbers beforehand; nulls keep a number free.
  void number_symbols(const std::vector<ObjectRef>& symbols);
  std::int64_t vdevice_index(const ObjectRef& vdevice);
  // The device of the module with this kind and number.
  std::int64_t device_index(std::int64_t device_type, std::int64_t id, std::string_view scope);

 private:
  void types(const Objects& list);
  void tensor(const ffi::Object* type);
  void func(const ffi::Object* type);
  void shape(const Any& values, const Field& ndim, const ffi::Object* type);
  std::int64_t symbol_index(const ffi::Object* symbol);

  Writer& out_;
  const Objects& vdevices_;
  std::unordered_map<const ffi::Object*, std::int64_t> symbols_;
  std::vector<const ffi::Object*> order_;
};

// The dtype of a number: of its type, or its own before TVM 0.26.
DLDataType dtype_of_number(const ffi::Object* number);

}  // namespace passdiff
