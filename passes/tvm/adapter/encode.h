// Writes any module of the compiler as a document (core/documents/json.md), ill-formed ones too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "passes/tvm/adapter/ffi.h"

namespace passdiff {

// The module holds what documents lack; what() names it: "type DTensorType", "function ExternFunc".
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The documents of functions of TensorIR that were encoded before. Passes leave most functions of a module as they are, or copy a function and leave its
// parts, so that documents are kept by the parts. What is changed in place is not noticed: a document that must show that is made without this.
class KnownPrimFuncs {
 public:
  struct Key {
    std::string name;
    std::array<ObjectRef, 6> parts;  // kept, so that no other object takes an address

    bool operator<(const Key& other) const { return std::tuple(name, addresses()) < std::tuple(other.name, other.addresses()); }

   private:
    std::array<const ffi::Object*, 6> addresses() const {
      std::array<const ffi::Object*, 6> all{};
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = parts[i].get();
      return all;
    }
  };

  // The document of the function, empty if it is not known yet: the caller then fills it.
  std::vector<std::uint8_t>& document_of(Key key) { return documents_[std::move(key)]; }

 private:
  std::map<Key, std::vector<std::uint8_t>> documents_;
};

// Functions of TensorIR that are in `known` are not walked through again, and others are added to it; null: all are walked through.
std::vector<std::uint8_t> encode_module(const ObjectRef& module, KnownPrimFuncs* known = nullptr);

}  // namespace passdiff
