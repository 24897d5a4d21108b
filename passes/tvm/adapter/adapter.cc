// The functions through which host.py uses the adapter: global functions of tvm-ffi.
#include <tvm/ffi/reflection/registry.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/documents/wire/base64.h"
#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/compiler.h"
#include "passes/tvm/adapter/constants.h"
#include "passes/tvm/adapter/encode.h"
#include "passes/tvm/adapter/report.h"
#include "passes/tvm/adapter/serve.h"
#include "passes/tvm/adapter/tensors.h"
#include "passes/tvm/adapter/transform.h"
#include "passes/tvm/adapter/worker.h"

namespace passdiff {
namespace {

std::span<const std::uint8_t> view(const ffi::Bytes& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}
std::string_view view(const ffi::String& text) {
  return {text.data(), text.size()};
}

ffi::Bytes copy_of(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw ffi::Error("ValueError", result.error().message, "");
  return *std::move(result);
}

// Calls a function without arguments. Returns [value], or [null, the text of an ERROR] if it throws.
ffi::Array<Any> attempt_call(const ffi::Function& work) {
  Any value;
  const auto error = attempt([&] { value = call(work); });
  if (!error) return {value};
  return {nullptr, ffi::String(to_text(*error))};
}

void transform_and_reply(std::int64_t id, const ffi::Bytes& document, const ffi::Optional<ObjectRef>& module, const ffi::Array<Any>& pipelines,
                         bool snapshots, bool well_formed, bool again, std::int64_t together, bool interprets_constants, bool trusts_types) {
  worker().send(transform({id, view(document), module.value_or(ObjectRef(nullptr)), pipelines, snapshots, well_formed, again,
                           static_cast<std::size_t>(std::max<std::int64_t>(together, 0)), interprets_constants, trusts_types}));
}

ffi::Tensor tensor_of_bytes(const ffi::String& dtype, const ffi::Array<std::int64_t>& shape, std::vector<std::uint8_t> bytes) {
  const std::optional<DType> known = dtype_from_name(view(dtype));
  if (!known) TVM_FFI_THROW(ValueError) << "no dtype is called " << std::string(dtype);
  return value_or_throw(tensor_of({*known, {shape.begin(), shape.end()}, std::move(bytes)}));
}

ffi::Tensor make_tensor(const ffi::String& dtype, const ffi::Array<std::int64_t>& shape, const ffi::String& base64) {
  return tensor_of_bytes(dtype, shape, value_or_throw(base64_decode(view(base64))));
}

ffi::Tensor make_tensor_of_bytes(const ffi::String& dtype, const ffi::Array<std::int64_t>& shape,
                                 const ffi::Bytes& bytes) {
  const auto held = view(bytes);
  return tensor_of_bytes(dtype, shape, {held.begin(), held.end()});
}

// The dtype and shape of a tensor, and its bytes: in base64, as the value document has them, or bare if there are more.
ffi::Array<Any> tensor_parts(const ffi::Tensor& tensor, std::int64_t max_inline_bytes) {
  const std::optional<DType> dtype = dtype_of(tensor.dtype());
  if (!dtype) TVM_FFI_THROW(TypeError) << "a tensor of dtype " << ffi::DLDataTypeToString(tensor.dtype());
  const ffi::Shape shape(tensor.shape().begin(), tensor.shape().end());
  const ffi::String name{std::string(dtype_name(*dtype))};
  const std::span<const std::uint8_t> bytes = value_or_throw(bytes_of(tensor));
  if (static_cast<std::int64_t>(bytes.size()) > max_inline_bytes) return {name, shape, copy_of(bytes)};
  return {name, shape, ffi::String(base64_encode(bytes))};
}

ffi::Tensor copy_tensor(const ffi::Tensor& tensor) {
  const std::span<const std::uint8_t> bytes = value_or_throw(bytes_of(tensor));
  const DLTensor* data = tensor.GetDLTensorPtr();
  ffi::Tensor copy = empty_tensor({data->shape, static_cast<std::size_t>(data->ndim)}, data->dtype);
  if (!bytes.empty()) std::memcpy(copy.data_ptr(), bytes.data(), bytes.size());
  return copy;
}

ObjectRef build_with(const ffi::Bytes& document, BuiltTypes types) {
  ObjectRef module{nullptr};
  const auto error = attempt([&] { module = build_module(view(document), types); });
  if (error)
    throw ffi::Error((*error)["kind"].get<std::string>(), (*error)["message"].get<std::string>(), "");
  return module;
}

ObjectRef build_or_throw(const ffi::Bytes& document) {
  return build_with(document, BuiltTypes::declared);
}

ffi::Bytes encode_or_throw(const ObjectRef& module) {
  try {
    return copy_of(encode_module(module));
  } catch (const Unreadable& unreadable) {
    throw ffi::Error("Unreadable", unreadable.what(), "");
  }
}

// The document of the module with the types that the compiler infers in place of the declared ones.
ffi::Bytes infer_or_throw(const ffi::Bytes& document) {
  return encode_or_throw(build_with(document, BuiltTypes::inferred));
}

// The parts of the next request that needs Python; none after so many that did not.
ffi::Array<ffi::Bytes> serve_for_python(std::int64_t most) {
  ffi::Array<ffi::Bytes> parts;
  if (const std::optional<Worker::Frame> frame = serve(most)) {
    for (const std::vector<std::uint8_t>& part : *frame) parts.push_back(copy_of(part));
  }
  return parts;
}

ObjectRef remembered(const ffi::String& name, const ffi::String& options) {
  return remembered_pass(view(name), view(options));
}

void remember(const ffi::String& name, const ffi::String& options, const ObjectRef& pass) {
  remember_pass(view(name), view(options), pass);
}

void connect(int socket, std::int64_t page) {
  static_cast<void>(compiler());
  worker().connect(socket, reinterpret_cast<Progress*>(page));
  take_over_builds();
}

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::GlobalDef()
      .def("passdiff.transform", transform_and_reply)
      .def("passdiff.build", build_or_throw)
      .def("passdiff.encode", encode_or_throw)
      .def("passdiff.infer", infer_or_throw)
      .def("passdiff.attempt", attempt_call)
      .def("passdiff.connect", connect)
      .def("passdiff.serve", serve_for_python)
      .def("passdiff.remember", remember)
      .def("passdiff.remembered", remembered)
      .def("passdiff.tensor", make_tensor)
      .def("passdiff.tensor_of_bytes", make_tensor_of_bytes)
      .def("passdiff.tensor_parts", tensor_parts)
      .def("passdiff.copy_tensor", copy_tensor)
      .def("passdiff.send", [](const ffi::Bytes& frame) { worker().send(view(frame)); });
}

}  // namespace
}  // namespace passdiff
