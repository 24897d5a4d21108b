#include "passes/tvm/adapter/build_types.h"

#include <cstring>
#include <map>

namespace passdiff {
namespace {

constexpr DLDataType kInt64{kDLInt, 64, 1};

// A tensor's memory. Aligned as the compiler's own allocator does.
struct HostMemory {
  void AllocData(DLTensor* tensor) {
    const std::size_t bytes = ffi::GetDataSize(*tensor);
    tensor->data = ::operator new(bytes == 0 ? 1 : bytes, std::align_val_t{64});
  }
  void FreeData(DLTensor* tensor) { ::operator delete(tensor->data, std::align_val_t{64}); }
};

Node arithmetic_of(std::string_view name) {
  for (int node = static_cast<int>(Node::add); node <= static_cast<int>(Node::maximum); ++node) {
    if (dim_op_name(static_cast<Node>(node)) == name) return static_cast<Node>(node);
  }
  throw DocumentError("no dim operation is called " + std::string(name));
}

}  // namespace

std::vector<std::int64_t> integers_at(Cursor& at) {
  std::vector<std::int64_t> values;
  for (std::uint64_t left = at.array(); left > 0; --left) values.push_back(at.integer());
  return values;
}

ffi::Tensor empty_tensor(const std::vector<std::int64_t>& shape, DLDataType dtype) {
  return ffi::Tensor::FromNDAlloc(HostMemory(), ffi::Shape(shape), dtype, DLDevice{kDLCPU, 0});
}

ffi::Tensor tensor_from(std::string_view dtype, const std::vector<std::int64_t>& shape,
                        std::string_view base64) {
  const std::string bytes = base64_decoded(base64);
  const DLDataType element = dtype_from_name(dtype);
  std::size_t elements = 1;
  for (const std::int64_t dim : shape) {
    if (dim < 0 || (dim > 0 && elements > (std::size_t{1} << 40) / static_cast<std::size_t>(dim))) {
      throw DocumentError("a constant with impossible dims");
    }
    elements *= static_cast<std::size_t>(dim);
  }
  if (elements * element.bits / 8 != bytes.size())
    throw DocumentError("a constant whose bytes do not fit its shape");
  ffi::Tensor tensor = empty_tensor(shape, element);
  if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
  return tensor;
}

ObjectRef int_imm(DLDataType dtype, std::int64_t value) {
  return call(compiler().functions.int_imm, dtype, value, nullptr).cast<ObjectRef>();
}

ObjectRef make_vdevice(std::string_view target, std::int64_t id, std::string_view scope) {
  static std::map<std::string, Any, std::less<>> targets;  // parsing one is slow
  auto known = targets.find(target);
  if (known == targets.end()) {
    const std::string name(target);
    known = targets.emplace(name, call(compiler().functions.target, ffi::String(name))).first;
  }
  return call(compiler().functions.vdevice, known->second, id, ffi::String(std::string(scope)))
      .cast<ObjectRef>();
}

ObjectRef make_attrs(std::string_view type_key, const std::vector<Any>& names_and_values) {
  const ffi::String key{std::string(type_key)};
  std::vector<AnyView> packed = {AnyView(key)};
  packed.insert(packed.end(), names_and_values.begin(), names_and_values.end());
  Any result;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionCall(
      handle_of(compiler().functions.make_object), reinterpret_cast<TVMFFIAny*>(packed.data()),
      static_cast<int32_t>(packed.size()), reinterpret_cast<TVMFFIAny*>(&result)));
  return result.cast<ObjectRef>();
}

ObjectRef TypeBuilder::vdevice(std::int64_t index) const {
  if (index < 0 || index >= static_cast<std::int64_t>(vdevices_.size()))
    throw DocumentError("a vdevice out of range");
  return vdevices_[index];
}

ObjectRef TypeBuilder::symbol(std::int64_t index) {
  if (index < 0 || static_cast<std::size_t>(index) >= symbols_.size())
    throw DocumentError("a symbol out of range");
  ObjectRef& symbol = symbols_[static_cast<std::size_t>(index)];
  if (symbol.defined()) return symbol;
  const Functions& f = compiler().functions;
  const ffi::String name{std::string(names_[static_cast<std::size_t>(index)])};
  if (f.symbol != nullptr) {
    symbol = call(f.symbol, name, kInt64, nullptr).cast<ObjectRef>();
  } else {
    symbol = call(f.var, name, call(f.prim_type, kInt64), nullptr).cast<ObjectRef>();
  }
  return symbol;
}

ObjectRef TypeBuilder::dim(Cursor& at, DLDataType dtype) {
  if (at.kind() == Cursor::Kind::integer) return int_imm(dtype, at.integer());
  const std::uint64_t size = at.array();
  const std::string_view tag = at.text();
  if (tag == "s" && size == 2) return symbol(at.integer());
  if (size != 3) throw DocumentError("a dim of another length");
  const ffi::Function& make = compiler().arithmetic(arithmetic_of(tag));
  const ObjectRef lhs = dim(at, dtype);
  const ObjectRef rhs = dim(at, dtype);
  return call(make, lhs, rhs, nullptr).cast<ObjectRef>();
}

Objects TypeBuilder::dims(Cursor& at) {
  Objects result;
  const std::uint64_t count = at.array();
  for (std::uint64_t i = 0; i < count; ++i) result.push_back(dim(at, kInt64));
  return result;
}

Objects TypeBuilder::types(Cursor& at) {
  Objects result;
  const std::uint64_t count = at.array();
  for (std::uint64_t i = 0; i < count; ++i) result.push_back(type(at));
  return result;
}

ObjectRef TypeBuilder::tensor(Cursor& at, bool has_vdevice) {
  const Functions& f = compiler().functions;
  Any shape;
  std::int64_t rank = -1;
  if (at.kind() == Cursor::Kind::array) {
    shape = call(f.shape, dims(at), nullptr);
  } else if (!at.null()) {
    rank = at.integer();
  }
  Any dtype;
  if (at.null()) {
    if (compiler().has_struct_info) dtype = DLDataType{kDLOpaqueHandle, 0, 0};
  } else {
    const DLDataType element = dtype_from_name(at.text());
    dtype = compiler().has_struct_info ? Any(element) : call(f.prim_type, element);
  }
  const ObjectRef device = has_vdevice ? vdevice(at.integer()) : ObjectRef(nullptr);
  return call(f.tensor_type, shape, dtype, rank, device, nullptr).cast<ObjectRef>();
}

ObjectRef TypeBuilder::func(Cursor& at) {
  const Functions& f = compiler().functions;
  const bool opaque = at.null();
  const Objects params = opaque ? Objects() : types(at);
  const ObjectRef result = type(at);
  const bool pure = at.boolean();
  if (opaque) return call(f.opaque_func_type, result, nullptr, pure, nullptr).cast<ObjectRef>();
  return call(f.func_type, params, result, pure, nullptr).cast<ObjectRef>();
}

ObjectRef TypeBuilder::type(Cursor& at) {
  const Functions& f = compiler().functions;
  const std::uint64_t size = at.array();
  const std::string_view tag = at.text();
  if (tag == "t" && (size == 3 || size == 4)) return tensor(at, size == 4);
  if (tag == "any" && size == 1) return call(f.any_type, nullptr).cast<ObjectRef>();
  if (tag == "func" && size == 4) return func(at);
  if (size != 2) throw DocumentError("a type of another length");
  if (tag == "tuple") return call(f.tuple_type, types(at), nullptr).cast<ObjectRef>();
  if (tag == "prim") {
    const DLDataType dtype = dtype_from_name(at.text());
    if (f.prim_struct_info != nullptr) return call(f.prim_struct_info, dtype, nullptr).cast<ObjectRef>();
    return call(f.prim_type, dtype).cast<ObjectRef>();
  }
  if (tag != "shape") throw DocumentError("no type is called " + std::string(tag));
  Any values;
  std::int64_t rank = -1;
  if (at.kind() == Cursor::Kind::array) {
    values = dims(at);
  } else if (!at.null()) {
    rank = at.integer();
  }
  return call(f.shape_type, values, rank, nullptr).cast<ObjectRef>();
}

Any TypeBuilder::tagged_attr(Cursor& at) {
  if (at.map() != 1) throw DocumentError("an attribute with several tags");
  const std::string_view tag = at.text();
  if (tag == "$dtype") return dtype_from_name(at.text());
  if (tag == "$vdevice") return vdevice(at.integer());
  if (tag == "$float") return number_of_name(at.text());
  throw DocumentError("no attribute is tagged " + std::string(tag));
}

Any TypeBuilder::attr(Cursor& at) {
  switch (at.kind()) {
    case Cursor::Kind::null:
      at.skip();
      return {};
    case Cursor::Kind::boolean:
      return at.boolean();
    case Cursor::Kind::integer:
      return at.integer();
    case Cursor::Kind::number:
      return at.number();
    case Cursor::Kind::text:
      return ffi::String(std::string(at.text()));
    case Cursor::Kind::map:
      return tagged_attr(at);
    case Cursor::Kind::array:
      break;
  }
  const std::vector<std::int64_t> values = integers_at(at);
  return ffi::Array<std::int64_t>(values.begin(), values.end());
}

}  // namespace passdiff
