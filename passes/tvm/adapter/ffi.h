// Calls into the compiler, and reads fields of its objects, through tvm-ffi's C ABI alone.
#pragma once

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>

#include <initializer_list>
#include <string_view>

namespace passdiff {

namespace ffi = tvm::ffi;
using ffi::Any;
using ffi::AnyView;
using ffi::ObjectRef;

inline TVMFFIObjectHandle handle_of(const ObjectRef& object) {
  return const_cast<ffi::Object*>(object.get());
}

// Calls through the C ABI, so that every exception of the compiler, std::bad_alloc too, arrives as an
// ffi::Error.
template <class... Args>
Any call(const ffi::Function& function, Args&&... args) {
  AnyView packed[sizeof...(Args) + 1];
  ffi::PackedArgs::Fill(packed, std::forward<Args>(args)...);
  Any result;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionCall(handle_of(function), reinterpret_cast<TVMFFIAny*>(packed),
                                             static_cast<int32_t>(sizeof...(Args)),
                                             reinterpret_cast<TVMFFIAny*>(&result)));
  return result;
}

// The type's index, or -1 if the compiler at hand does not have it.
int32_t type_index_of(std::string_view type_key);
std::string_view type_key_of(int32_t type_index);

// A field of the compiler's objects, found once by the first of several names that exists: names move between
// versions.
class Field {
 public:
  struct Name {
    std::string_view type_key;
    std::string_view field;
  };
  Field(std::initializer_list<Name> names);  // NOLINT: a field is its names
  explicit Field(const TVMFFIFieldInfo* info) : info_(info) {}

  explicit operator bool() const { return info_ != nullptr; }
  Any operator()(const ffi::Object* object) const;
  Any operator()(const Any& object) const { return (*this)(object.cast<const ffi::Object*>()); }
  // The object in the field, or null.
  ObjectRef object(const ffi::Object* of) const;

 private:
  const TVMFFIFieldInfo* info_ = nullptr;
};

// The function registered under the first of several names that exists; null if none does.
ffi::Function find_function(std::initializer_list<std::string_view> names);
// The same, where the adapter cannot do without: throws an ffi::Error that names the first.
ffi::Function require_function(std::initializer_list<std::string_view> names);

}  // namespace passdiff
