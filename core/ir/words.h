// The canonical encoding of modules behind structural equality and hash: a sequence of words in which variables are numbers in the
// order of their first occurrence, so that alpha-equivalent modules, and only these, have equal encodings.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ir/attr.h"
#include "core/ir/pointer_map.h"

namespace passdiff {

// Every part of variable length is preceded by its length, so that no two different modules have the same words.
class Words {
 public:
  Words() {
    words_.reserve(1024);  // a module of ten bindings has a few hundred words
  }

  void word(std::uint64_t value) { words_.push_back(value); }
  void size(std::size_t value) { word(value); }
  void integer(std::int64_t value) { word(static_cast<std::uint64_t>(value)); }
  void number(double value);  // every NaN is the same
  void text(std::string_view value);
  // A variable, or whatever else is known by its address.
  void identity(const void* node);
  void attr(const AttrValue& value);
  void attrs(const NamedAttrs& values);

  const std::vector<std::uint64_t>& words() const { return words_; }
  std::uint64_t hash() const;  // the same on every machine

 private:
  void index(const IndexMap& map, const Dim& value);

  std::vector<std::uint64_t> words_;
  PointerMap<std::uint64_t> numbers_;
};

}  // namespace passdiff
