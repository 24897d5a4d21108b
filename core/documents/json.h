// Modules and values as documents, in two forms: CBOR, which is read and written directly, and JSON, which is for people. json.md
// describes the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/documents/wire/cbor.h"
#include "core/ir/module.h"
#include "core/result.h"
#include "core/tensor/value.h"

namespace passdiff {

// What was read of documents, by their bytes and by how many virtual devices and meshes the modules have that they are parts of.
struct ReadDocuments {
  struct Key {
    GlobalInfos infos;
    std::string bytes;
  };
  struct KeyView {
    GlobalInfos infos;
    std::string_view bytes;

    KeyView(GlobalInfos of, std::string_view document) : infos(of), bytes(document) {}
    KeyView(const Key& key) : infos(key.infos), bytes(key.bytes) {}  // NOLINT(google-explicit-constructor): a view of it
  };
  struct Less {
    using is_transparent = void;
    bool operator()(const KeyView& a, const KeyView& b) const {
      if (a.bytes.size() != b.bytes.size()) return a.bytes.size() < b.bytes.size();
      return a.infos != b.infos ? a.infos < b.infos : a.bytes < b.bytes;
    }
  };
  std::map<Key, std::vector<GlobalFunction>, Less> functions;  // all of Relax that a module has: the types of calls depend on each other
  std::map<Key, GlobalPrimFunc, Less> prim_funcs;
};

std::vector<std::uint8_t> module_to_cbor(const Module& module);
// The bytes may be anything: fails with json.* or tensor.* and the path of the fault.
// Modules that are read with the same `known` share their equal functions of TensorIR, and those of Relax where all of these are equal.
Result<Module> module_from_cbor(std::span<const std::uint8_t> bytes, ReadDocuments* known = nullptr);
std::vector<std::uint8_t> type_to_cbor(const Type& type);      // symbolic dims by name
std::vector<std::uint8_t> value_to_cbor(const Value& value);  // callables are not representable: CHECK
Result<Value> value_from_cbor(std::span<const std::uint8_t> bytes);

// The same documents as JSON.
nlohmann::json to_json(const Module& module);
Result<Module> module_from_json(const nlohmann::json& document);
nlohmann::json to_json(const Type& type);
nlohmann::json value_to_json(const Value& value);
Result<Value> value_from_json(const nlohmann::json& document);

// Any JSON document, as text or as CBOR. Depth and size are checked before the library sees the bytes. Fails with json.depth,
// json.size, json.syntax.
Result<nlohmann::json> parse_json(std::string_view text);
Result<nlohmann::json> parse_cbor(std::span<const std::uint8_t> bytes);
std::vector<std::uint8_t> to_cbor(const nlohmann::json& document);

}  // namespace passdiff
