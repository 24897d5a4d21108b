#include "passes/tvm/adapter/ffi.h"

#include <string>
#include <utility>

namespace passdiff {

int32_t type_index_of(std::string_view type_key) {
  const TVMFFIByteArray key{type_key.data(), type_key.size()};
  int32_t index = -1;
  if (TVMFFITypeKeyToIndex(&key, &index) == 0) return index;
  TVMFFIObjectHandle ignored = nullptr;
  TVMFFIErrorMoveFromRaised(&ignored);
  if (ignored != nullptr) TVMFFIObjectDecRef(ignored);
  return -1;
}

std::string_view type_key_of(int32_t type_index) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  return info == nullptr ? "?" : std::string_view(info->type_key.data, info->type_key.size);
}

Field::Field(std::initializer_list<Name> names) {
  for (const Name& name : names) {
    const int32_t index = type_index_of(name.type_key);
    if (index < 0) continue;
    ffi::reflection::ForEachFieldInfo(TVMFFIGetTypeInfo(index), [&](const TVMFFIFieldInfo* info) {
      if (std::string_view(info->name.data, info->name.size) == name.field) info_ = info;
    });
    if (info_ != nullptr) return;
  }
}

const TVMFFIFieldInfo* Field::existing() const {
  if (info_ == nullptr) TVM_FFI_THROW(RuntimeError) << "a field that this version of the compiler lacks";
  return info_;
}

std::string_view Field::name() const {
  return {existing()->name.data, existing()->name.size};
}

Any Field::operator()(const ffi::Object* object) const {
  return ffi::reflection::FieldGetter(existing())(object);
}

ObjectRef Field::object(const ffi::Object* of) const {
  Any value = (*this)(of);
  return value == nullptr ? ObjectRef(nullptr) : std::move(value).cast<ObjectRef>();
}

ffi::Function find_function(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (auto found = ffi::Function::GetGlobal(name)) return *found;
  }
  return ffi::Function(nullptr);
}

ffi::Function require_function(std::initializer_list<std::string_view> names) {
  ffi::Function found = find_function(names);
  if (found == nullptr)
    TVM_FFI_THROW(RuntimeError) << "the compiler has no function " << std::string(*names.begin());
  return found;
}

}  // namespace passdiff
