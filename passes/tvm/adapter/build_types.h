// The compiler's types, dimensions and attributes from their documents.
#pragma once

#include <string_view>
#include <vector>

#include "passes/tvm/adapter/compiler.h"
#include "passes/tvm/adapter/document.h"

namespace passdiff {

using Objects = ffi::Array<ObjectRef>;

ffi::Tensor empty_tensor(const std::vector<std::int64_t>& shape, DLDataType dtype);
ffi::Tensor tensor_from(std::string_view dtype, const std::vector<std::int64_t>& shape,
                        std::string_view base64);
std::vector<std::int64_t> integers_at(Cursor& at);
ObjectRef int_imm(DLDataType dtype, std::int64_t value);
ObjectRef make_vdevice(std::string_view target, std::int64_t id, std::string_view scope);
// The compiler's attributes object, with the defaults of those not given.
ObjectRef make_attrs(std::string_view type_key, const std::vector<Any>& names_and_values);

// Symbols are those of one function.
class TypeBuilder {
 public:
  TypeBuilder(const Objects& vdevices, std::vector<std::string_view> symbol_names)
      : vdevices_(vdevices), names_(std::move(symbol_names)), symbols_(names_.size(), ObjectRef(nullptr)) {}

  ObjectRef type(Cursor& at);
  ObjectRef dim(Cursor& at, DLDataType dtype);
  Objects dims(Cursor& at);
  Objects types(Cursor& at);
  Any attr(Cursor& at);
  ObjectRef vdevice(std::int64_t index) const;
  // In the order of the document; a null for those not used so far.
  const std::vector<ObjectRef>& symbols() const { return symbols_; }

 private:
  ObjectRef symbol(std::int64_t index);
  ObjectRef tensor(Cursor& at, bool has_vdevice);
  ObjectRef func(Cursor& at);
  Any tagged_attr(Cursor& at);

  const Objects& vdevices_;
  std::vector<std::string_view> names_;
  std::vector<ObjectRef> symbols_;
};

}  // namespace passdiff
