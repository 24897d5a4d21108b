#include "core/documents/json.h"

#include <nlohmann/json.hpp>

#include "core/documents/cbor.h"
#include "core/documents/json_read.h"
#include "core/documents/json_write.h"

namespace passdiff {
namespace {

using nlohmann::json;

// The library sees only what a guard has passed or what we wrote.
json library_document(CborWriter& out) {
  return json::from_cbor(out.take());
}

// Depth and number of items of a text, brackets and commas within strings aside. What is no JSON is the
// library's to say.
std::optional<Error> guard_text(std::string_view text) {
  if (text.size() > kMaxDocumentBytes) return Error{"json.size", "document: larger than 64 MiB"};
  int depth = 0;
  std::size_t items = 1;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (c == ',' || c == ':' || c == '[' || c == '{') ++items;
    if (depth > kMaxDocumentDepth) return Error{"json.depth", "document: nested more than 512 deep"};
  }
  if (items > kMaxDocumentItems) return Error{"json.size", "document: too many items"};
  return std::nullopt;
}

// The library's tree as our list of items. Strings stay in the tree, which must outlive the document.
class Flattener {
 public:
  Result<Document> flatten(const json& root) {
    visit(root, 0);
    if (error_) return *error_;
    return std::move(document_);
  }

 private:
  void add(Item item) {
    item.next = static_cast<ItemIndex>(document_.items.size()) + 1;
    document_.items.push_back(item);
  }
  void children(const json& value, ItemKind kind, int depth) {
    const std::size_t at = document_.items.size();
    add({.kind = kind, .count = static_cast<std::uint32_t>(value.size())});
    for (auto child = value.begin(); child != value.end() && !error_; ++child) {
      if (kind == ItemKind::map) add({.kind = ItemKind::string, .text = child.key()});
      visit(*child, depth + 1);
    }
    document_.items[at].next = static_cast<ItemIndex>(document_.items.size());
  }
  void visit(const json& value, int depth);

  Document document_;
  std::optional<Error> error_;
};

void Flattener::visit(const json& value, int depth) {
  if (depth > kMaxDocumentDepth) error_ = Error{"json.depth", "document: nested more than 512 deep"};
  if (document_.items.size() >= kMaxDocumentItems) error_ = Error{"json.size", "document: too many items"};
  if (error_) return;
  switch (value.type()) {
    case json::value_t::null:
      return add({.kind = ItemKind::null});
    case json::value_t::boolean:
      return add({.kind = ItemKind::boolean, .integer = value.get<bool>()});
    case json::value_t::number_integer:
      return add({.kind = ItemKind::integer, .integer = value.get<std::int64_t>()});
    case json::value_t::number_unsigned:
      if (value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) break;
      return add({.kind = ItemKind::integer, .integer = value.get<std::int64_t>()});
    case json::value_t::number_float:
      return add({.kind = ItemKind::number, .number = value.get<double>()});
    case json::value_t::string:
      return add({.kind = ItemKind::string, .text = value.get_ref<const std::string&>()});
    case json::value_t::array:
      return children(value, ItemKind::array, depth);
    case json::value_t::object:
      return children(value, ItemKind::map, depth);
    case json::value_t::binary:
    case json::value_t::discarded:
      break;
  }
  error_ = Error{"json.syntax", "document: an integer beyond 64 bits or a byte string"};
}

}  // namespace

json to_json(const Module& module) {
  CborWriter out;
  write_module(out, module);
  return library_document(out);
}

Result<Module> module_from_json(const json& root) {
  const auto document = Flattener().flatten(root);
  if (!document) return document.error();
  return read_module(*document);
}

json to_json(const Type& type) {
  CborWriter out;
  write_type(out, type);
  return library_document(out);
}

json value_to_json(const Value& value) {
  CborWriter out;
  write_value(out, value);
  return library_document(out);
}

Result<Value> value_from_json(const json& root) {
  const auto document = Flattener().flatten(root);
  if (!document) return document.error();
  return read_value(*document);
}

Result<json> parse_json(std::string_view text) {
  if (const auto error = guard_text(text)) return *error;
  try {
    return json::parse(text);
  } catch (const json::exception& error) {
    return Error{"json.syntax", std::string("document: ") + error.what()};
  }
}

Result<json> parse_cbor(std::span<const std::uint8_t> bytes) {
  const auto guarded = read_cbor(bytes);
  if (!guarded) return guarded.error();
  try {
    return json::from_cbor(bytes);
  } catch (const json::exception& error) {
    return Error{"json.syntax", std::string("document: ") + error.what()};
  }
}

std::vector<std::uint8_t> to_cbor(const json& document) {
  return json::to_cbor(document);
}

}  // namespace passdiff
