#include "core/text/parser/metadata.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/documents/wire/base64.h"
#include "core/tensor/dlpack.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

using Json = nlohmann::json;

Error unreadable(const std::string& what) {
  return Error{"parse.metadata", "the metadata hold " + what};
}

// The numbers of a serialized tensor, little-endian, one after the other.
class Bytes {
 public:
  explicit Bytes(std::vector<std::uint8_t> bytes) : bytes_(std::move(bytes)) {}
  // Zero beyond the end.
  template <class Int>
  Int next() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Int); ++i, ++at_)
      value |= at_ < bytes_.size() ? std::uint64_t{bytes_[at_]} << (8 * i) : 0;
    return static_cast<Int>(value);
  }
  std::span<const std::uint8_t> rest() const {
    return std::span(bytes_).subspan(std::min(at_, bytes_.size()));
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

// SaveDLTensor of TVM's runtime: magic, reserved, device, rank, dtype, shape, number of bytes, bytes. Of elements of less than a
// byte it writes as many bytes as there are elements: the packed elements, and what follows them in memory.
Result<TensorPtr> read_tensor(const Json& data) {
  constexpr std::uint64_t kMagic = 0xDD5E40F096B4A13F;
  if (!data.is_string()) return unreadable("a tensor without data");
  Bytes in(TRY(base64_decode(data.get_ref<const std::string&>())));
  if (in.next<std::uint64_t>() != kMagic) return unreadable("a tensor of an unknown form");
  for (int i = 0; i < 2; ++i) static_cast<void>(in.next<std::uint64_t>());  // reserved, the device
  const auto rank = in.next<std::int32_t>();
  const auto code = in.next<std::uint8_t>();
  const auto bits = in.next<std::uint8_t>();
  const std::optional<DType> dtype = dtype_from_dlpack(code, bits, in.next<std::uint16_t>());
  if (!dtype) return unreadable(fmt::format("a tensor of dtype code {} with {} bits", code, bits));
  if (rank < 0 || rank > 64) return unreadable("a tensor of impossible rank");
  std::vector<std::int64_t> shape(static_cast<std::size_t>(rank));
  for (std::int64_t& size : shape) size = in.next<std::int64_t>();
  const auto size = in.next<std::uint64_t>();
  std::span<const std::uint8_t> bytes = in.rest();
  if (is_packed(*dtype) && size == bytes.size())
    bytes = bytes.first(static_cast<std::size_t>(data_bytes(*dtype, static_cast<std::int64_t>(size))));
  return make_tensor(TRY(from_bytes(*dtype, shape, bytes, kMostTensorElements)));
}

// A graph: `nodes` refer to each other by index.
class Graph {
 public:
  explicit Graph(const Json& document) : nodes_(document.at("nodes")) {}

  const Json& at(const Json& index) const { return nodes_.at(index.get<std::size_t>()); }
  static std::string type(const Json& node) { return node.at("type").get<std::string>(); }
  // The tensor that the object holds, if it is a constant: TVM's GenericConst from 0.27 on, before relax.Constant.
  Result<TensorPtr> constant(const Json& node) const {
    for (const char* field : {"value", "data"}) {
      const Json& fields = node.at("data");
      if (!fields.is_object() || !fields.contains(field)) continue;
      const Json& held = at(fields.at(field));
      if (type(held) == "ffi.Tensor") return read_tensor(held.at("data"));
    }
    return unreadable("an object of class " + type(node));
  }

  // The string that the object holds, if it is a StringImm.
  std::optional<std::string> string(const Json& node) const {
    const Json& fields = node.at("data");
    if (!fields.is_object() || !fields.contains("value")) return std::nullopt;
    const Json& held = at(fields.at("value"));
    if (type(held) != "ffi.String") return std::nullopt;
    return held.at("data").get<std::string>();
  }

 private:
  const Json& nodes_;
};

}  // namespace

// The JSON's accessors throw where it is of another form.
Result<Metadata> Metadata::read(const std::string& json) {
  try {
    const Json document = Json::parse(json);
    const Graph graph(document);
    const Json& root = graph.at(document.at("root_index")).at("data");
    Metadata metadata;
    for (std::size_t i = 0; i + 1 < root.size(); i += 2) {  // keys and values in turn
      auto& objects = metadata.objects_[graph.at(root.at(i)).at("data").get<std::string>()];
      for (const Json& item : graph.at(root.at(i + 1)).at("data"))
        objects.push_back({graph.constant(graph.at(item)), graph.string(graph.at(item))});
    }
    return metadata;
  } catch (const Json::exception& error) {
    return unreadable(std::string("JSON of another form: ") + error.what());
  }
}

const Metadata::Object* Metadata::find(std::string_view kind, std::int64_t index) const {
  const auto found = objects_.find(kind);
  const bool known = found != objects_.end() && index >= 0 && static_cast<std::size_t>(index) < found->second.size();
  return known ? &found->second[static_cast<std::size_t>(index)] : nullptr;
}

static Error missing(std::string_view kind, std::int64_t index) {
  return unreadable(fmt::format("no {} {}: print the module with show_meta=True", kind, index));
}

Result<TensorPtr> Metadata::constant(std::string_view kind, std::int64_t index) const {
  if (const Object* object = find(kind, index)) return object->constant;
  return missing(kind, index);
}

Result<std::string> Metadata::string(std::string_view kind, std::int64_t index) const {
  const Object* object = find(kind, index);
  if (object == nullptr) return missing(kind, index);
  if (!object->string) return unreadable(fmt::format("no string in {} {}", kind, index));
  return *object->string;
}

}  // namespace passdiff
