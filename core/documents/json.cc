#include "core/documents/json.h"

#include <nlohmann/json.hpp>

namespace passdiff {
namespace {

using nlohmann::json;

// Checks the depth of a text and its number of items, by its brackets and commas outside of strings. Whether it is JSON is for the
// library to say.
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
    if (depth > static_cast<int>(kMaxDocumentDepth)) return Error{"json.depth", "document: nested more than 512 deep"};
  }
  if (items > kMaxDocumentItems) return Error{"json.size", "document: too many items"};
  return std::nullopt;
}

// Hands the bytes over as chars: nlohmann 3.11.2 asks for std::char_traits of what it reads, which libc++ has for character types only.
json from_cbor(std::span<const std::uint8_t> bytes) {
  const char* chars = reinterpret_cast<const char*>(bytes.data());
  return json::from_cbor(chars, chars + bytes.size());
}

// The document that we have written; the library never sees CBOR from outside.
json from_own_cbor(const std::vector<std::uint8_t>& bytes) {
  return from_cbor(bytes);
}

}  // namespace

json to_json(const Module& module) {
  return from_own_cbor(module_to_cbor(module));
}

Result<Module> module_from_json(const json& document) {
  return module_from_cbor(to_cbor(document));
}

json to_json(const Type& type) {
  return from_own_cbor(type_to_cbor(type));
}

json value_to_json(const Value& value) {
  return from_own_cbor(value_to_cbor(value));
}

Result<Value> value_from_json(const json& document) {
  return value_from_cbor(to_cbor(document));
}

Result<json> parse_json(std::string_view text) {
  TRY_VOID(guard_text(text));
  try {
    return json::parse(text);
  } catch (const json::exception& error) {
    return Error{"json.syntax", std::string("document: ") + error.what()};
  }
}

Result<json> parse_cbor(std::span<const std::uint8_t> bytes) {
  TRY_VOID(check_cbor(bytes));
  try {
    return from_cbor(bytes);
  } catch (const json::exception& error) {
    return Error{"json.syntax", std::string("document: ") + error.what()};
  }
}

std::vector<std::uint8_t> to_cbor(const json& document) {
  return json::to_cbor(document);
}

}  // namespace passdiff
