#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "core/match.h"
#include "core/tensor/tensor.h"
#include "core/text/metadata_key.h"
#include "core/text/printer.h"

namespace passdiff {
namespace {

std::string element(const Tensor& tensor, std::size_t i) {
  if (tensor.dtype == DType::boolean) return as_int(tensor, i) != 0 ? "True" : "False";
  if (is_float(tensor.dtype)) return float_literal(as_double(tensor, i), tensor.dtype);
  return integer_digits(tensor, i);
}

// Appends the elements from `next` on as nested lists for the axes from `axis` on.
void append_list(std::string& out, const Tensor& tensor, const std::vector<std::int64_t>& shape,
                 std::size_t axis, std::size_t& next) {
  if (axis == shape.size()) {
    out += element(tensor, next++);
    return;
  }
  out += "[";
  for (std::int64_t i = 0; i < shape[axis]; ++i) {
    if (i > 0) out += ", ";
    append_list(out, tensor, shape, axis + 1, next);
  }
  out += "]";
}

}  // namespace

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string tuple_literal(const std::vector<std::string>& fields) {
  return fmt::format("({}{})", fmt::join(fields, ", "), fields.size() == 1 ? "," : "");
}

std::string float_literal(double value, DType dtype) {
  if (std::isnan(value)) return "float(\"nan\")";
  if (std::isinf(value)) return value > 0 ? "float(\"inf\")" : "float(\"-inf\")";
  std::string text = fmt::format("{}", value);
  if (dtype == DType::float32) {
    // The digits of a float32 are fewer. Parsers read a double and round it: the result of rounding twice may differ.
    std::string shorter = fmt::format("{}", static_cast<float>(value));
    if (round_to_float32(std::strtod(shorter.c_str(), nullptr)) == value) text = std::move(shorter);
  }
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// The variables are renamed where their names are no identifiers or not different.
static std::string index_map_literal(const IndexMap& map) {
  PrintNames names;
  std::map<SymVar, SymVar> renamed;
  IndexMap printed;
  for (const SymVar& axis : map.axes)
    printed.axes.push_back(renamed[axis] = make_sym_var(names.of(axis.get(), axis->name)));
  for (const Dim& index : map.indices)
    printed.indices.push_back(
        substitute(index, [&](const SymVar& axis) { return std::optional<Dim>(renamed.at(axis)); }));
  return "T.index_map(" + to_string(printed) + ")";
}

// The object's place in the metadata; nothing for other maps.
std::optional<std::string> metadata_literal(const NamedAttrs& entries) {
  const auto found = entries.find(std::string(kMetadataKey));
  const auto* place = found == entries.end() ? nullptr : std::get_if<AttrList>(&found->second);
  if (place == nullptr || entries.size() != 1 || place->items.size() != 2) return std::nullopt;
  const auto* kind = std::get_if<std::string>(&place->items[0]);
  const auto* index = std::get_if<std::int64_t>(&place->items[1]);
  if (kind == nullptr || index == nullptr) return std::nullopt;
  return fmt::format("metadata[{}][{}]", quote(*kind), *index);
}

std::string dict_literal(const NamedAttrs& attrs) {
  if (std::optional<std::string> object = metadata_literal(attrs)) return *std::move(object);
  const auto target = attrs.find(std::string(kTargetKey));
  if (attrs.size() == 1 && target != attrs.end()) return "T.target(" + attr_literal(target->second) + ")";
  std::vector<std::string> entries;
  for (const auto& [key, value] : attrs) entries.push_back(quote(key) + ": " + attr_literal(value));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string attr_literal(const AttrValue& value) {
  return match(
      value, [](const std::monostate&) { return std::string("None"); },
      [](const std::same_as<bool> auto& flag) { return std::string(flag ? "True" : "False"); },
      [](const std::same_as<std::int64_t> auto& number) { return std::to_string(number); },
      [](const std::same_as<double> auto& number) { return float_literal(number, DType::float64); },
      [](const std::string& text) { return quote(text); },
      [](const std::same_as<DType> auto& dtype) { return "R.dtype(" + quote(dtype_name(dtype)) + ")"; },
      [](const VDeviceRef& ref) { return quote(fmt::format("vdevice:{}", ref.index)); },
      [](const MeshRef& ref) { return quote(mesh_name(ref.index)); },
      [](const std::vector<std::int64_t>& list) { return fmt::format("[{}]", fmt::join(list, ", ")); },
      [](const AttrList& list) {
        std::vector<std::string> items;
        for (const AttrValue& item : list.items) items.push_back(attr_literal(item));
        return fmt::format("[{}]", fmt::join(items, ", "));
      },
      [](const AttrMap& map) { return dict_literal(map.entries); },
      [](const IndexMap& map) { return index_map_literal(map); });
}

bool has_list_form(const Tensor& tensor) {
  const std::vector<std::int64_t> shape = tensor.shape();
  const auto zero = std::find(shape.begin(), shape.end(), 0);
  return zero == shape.end() || zero + 1 == shape.end();
}

std::string packed_tensor(const Tensor& tensor) {
  const std::vector<std::int64_t> shape = tensor.shape();
  return fmt::format("tvm.runtime.tensor(np.array([{}], \"uint8\"))._create_view(({}{}), {})", fmt::join(to_bytes(tensor), ", "),
                     fmt::join(shape, ", "), shape.size() == 1 ? "," : "", quote(dtype_name(tensor.dtype)));
}

std::string list_literal(const Tensor& tensor) {
  std::string list;
  std::size_t next = 0;
  append_list(list, tensor, tensor.shape(), 0, next);
  return list;
}

std::string constant_literal(const Tensor& tensor, bool plain_tvm) {
  const std::vector<std::int64_t> shape = tensor.shape();
  if (plain_tvm && is_packed(tensor.dtype)) return fmt::format("R.const({})", packed_tensor(tensor));
  const std::string dtype = quote(dtype_name(tensor.dtype));
  if (!has_list_form(tensor)) {
    if (plain_tvm) return fmt::format("R.const(np.zeros(({})), {})", fmt::join(shape, ", "), dtype);
    return fmt::format("R.const([], {}, ({}))", dtype, fmt::join(shape, ", "));
  }
  return fmt::format("R.const({}, {})", list_literal(tensor), dtype);
}

}  // namespace passdiff
