// Modules and values as JSON documents, and the same documents as CBOR. The format is described in json.md
// beside this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/module.h"
#include "core/result.h"
#include "core/tensor/value.h"

namespace passdiff {

nlohmann::json to_json(const Module& module);
Result<Module> module_from_json(const nlohmann::json& document);  // json.* codes with the path of the fault
nlohmann::json to_json(const Type& type);                         // symbolic dims by name
nlohmann::json value_to_json(const Value& value);                 // callables are not representable: CHECK
Result<Value> value_from_json(const nlohmann::json& document);

// The same documents straight to and from CBOR: what the wire uses.
std::vector<std::uint8_t> module_to_cbor(const Module& module);
Result<Module> module_from_cbor(std::span<const std::uint8_t> bytes);

// Guarded decoding: depth and size are checked before the library sees the bytes (json.depth, json.size,
// json.syntax).
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMaxDocumentItems = std::size_t{1} << 22;  // about 200 MB decoded
inline constexpr int kMaxDocumentDepth = 512;
Result<nlohmann::json> parse_json(std::string_view text);
Result<nlohmann::json> parse_cbor(std::span<const std::uint8_t> bytes);
std::vector<std::uint8_t> to_cbor(const nlohmann::json& document);

std::string base64_encode(std::span<const std::uint8_t> bytes);
Result<std::vector<std::uint8_t>> base64_decode(std::string_view text);

}  // namespace passdiff
