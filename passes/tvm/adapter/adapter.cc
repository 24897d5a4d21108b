// What host.py sees of the adapter: global functions of tvm-ffi.
#include <tvm/ffi/reflection/registry.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/build_types.h"
#include "passes/tvm/adapter/compiler.h"
#include "passes/tvm/adapter/encode.h"
#include "passes/tvm/adapter/report.h"
#include "passes/tvm/adapter/transform.h"
#include "passes/tvm/adapter/worker.h"

namespace passdiff {
namespace {

std::string_view view(const ffi::Bytes& bytes) {
  return {bytes.data(), bytes.size()};
}

// Calls a function of no arguments: [value], or [null, the text of an ERROR].
ffi::Array<Any> attempt_call(const ffi::Function& work) {
  Any value;
  const auto error = attempt([&] { value = call(work); });
  if (!error) return {value};
  return {nullptr, ffi::String(to_text(*error))};
}

void transform_and_reply(std::int64_t id, const ffi::Bytes& document, const ffi::Optional<ObjectRef>& module,
                         const ffi::Array<Any>& pipelines, bool snapshots, bool well_formed,
                         bool sequential) {
  worker().send(transform({id, view(document), module.value_or(ObjectRef(nullptr)), pipelines, snapshots,
                           well_formed, sequential}));
}

ffi::Tensor make_tensor(const ffi::String& dtype, const ffi::Array<std::int64_t>& shape,
                        const ffi::String& base64) {
  return tensor_from({dtype.data(), dtype.size()}, {shape.begin(), shape.end()},
                     {base64.data(), base64.size()});
}

// Dtype, shape and bytes as the value document has them.
ffi::Array<Any> tensor_parts(const ffi::Tensor& tensor) {
  const std::string_view dtype = dtype_name(tensor.dtype());
  if (dtype.empty())
    TVM_FFI_THROW(TypeError) << "a tensor of dtype " << ffi::DLDataTypeToString(tensor.dtype());
  if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << "a tensor that is not contiguous";
  const DLTensor* data = tensor.GetDLTensorPtr();
  const ffi::Shape shape(tensor.shape().begin(), tensor.shape().end());
  const std::string text =
      base64_encoded(static_cast<const char*>(data->data) + data->byte_offset, ffi::GetDataSize(*data));
  return {ffi::String(std::string(dtype)), shape, ffi::String(text)};
}

ffi::Tensor copy_tensor(const ffi::Tensor& tensor) {
  if (!tensor.IsContiguous()) TVM_FFI_THROW(ValueError) << "a tensor that is not contiguous";
  const DLTensor* data = tensor.GetDLTensorPtr();
  ffi::Tensor copy = empty_tensor({data->shape, data->shape + data->ndim}, data->dtype);
  const std::size_t size = ffi::GetDataSize(*data);
  if (size > 0) std::memcpy(copy.data_ptr(), static_cast<const char*>(data->data) + data->byte_offset, size);
  return copy;
}

ObjectRef build_or_throw(const ffi::Bytes& document) {
  ObjectRef module{nullptr};
  const auto error = attempt([&] { module = build_module(view(document)); });
  if (error)
    throw ffi::Error((*error)["kind"].get<std::string>(), (*error)["message"].get<std::string>(), "");
  return module;
}

ffi::Bytes encode_or_throw(const ObjectRef& module) {
  try {
    return ffi::Bytes(encode_module(module));
  } catch (const Unreadable& unreadable) {
    throw ffi::Error("Unreadable", unreadable.what(), "");
  }
}

void connect(int socket, std::int64_t page) {
  static_cast<void>(compiler());
  worker().connect(socket, reinterpret_cast<Progress*>(page));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::GlobalDef()
      .def("passdiff.transform", transform_and_reply)
      .def("passdiff.build", build_or_throw)
      .def("passdiff.encode", encode_or_throw)
      .def("passdiff.attempt", attempt_call)
      .def("passdiff.connect", connect)
      .def("passdiff.tensor", make_tensor)
      .def("passdiff.tensor_parts", tensor_parts)
      .def("passdiff.copy_tensor", copy_tensor)
      .def("passdiff.send", [](const ffi::Bytes& frame) { worker().send(view(frame)); });
}

}  // namespace
}  // namespace passdiff
