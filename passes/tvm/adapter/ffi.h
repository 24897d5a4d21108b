// Calls of the compiler's functions, and access to fields of its objects, through tvm-ffi's C ABI alone.
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

inline std::string text_of(const Any& value) {
  return value.cast<ffi::String>();
}
inline ffi::String string_of(std::string_view text) {
  return ffi::String(std::string(text));
}

inline TVMFFIObjectHandle handle_of(const ObjectRef& object) {
  return const_cast<ffi::Object*>(object.get());
}

// Calls a function through the C ABI, so that every exception of the compiler, even std::bad_alloc, arrives as an ffi::Error.
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

// The index of the type, or -1 if this version of the compiler does not have it.
int32_t type_index_of(std::string_view type_key);
std::string_view type_key_of(int32_t type_index);

// A field of the compiler's objects. Its name may differ between versions: it is found, once, by the first of several that exists.
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
  std::string_view name() const;  // the first that exists; throws where operator() does
  // The object in the field, or null.
  ObjectRef object(const ffi::Object* of) const;

 private:
  const TVMFFIFieldInfo* existing() const;
  const TVMFFIFieldInfo* info_ = nullptr;
};

// The function registered under the first of several names that exists; null if none does.
ffi::Function find_function(std::initializer_list<std::string_view> names);
// The function that find_function() finds; throws an ffi::Error that names the first one if there is none.
ffi::Function require_function(std::initializer_list<std::string_view> names);

}  // namespace passdiff
