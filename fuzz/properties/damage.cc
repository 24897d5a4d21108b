#include "fuzz/properties/damage.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace passdiff {
namespace {

using nlohmann::json;

constexpr const char* kWords[] = {"0",
                                  "-1",
                                  "1e999",
                                  "9223372036854775807",
                                  "(",
                                  "[",
                                  "{",
                                  "}",
                                  ")",
                                  "]",
                                  "\"",
                                  ",",
                                  ":",
                                  "\n",
                                  "    ",
                                  "None",
                                  "null",
                                  "R.const",
                                  "R.Tensor((n,))",
                                  "R.tuple()",
                                  "\x00",
                                  "\xff",
                                  "x",
                                  "float16",
                                  "n * 0",
                                  "R.Shape",
                                  "T.int64()",
                                  "-9223372036854775808"};

struct Range {
  std::size_t begin;
  std::size_t length;
};
Range draw_range(Choices& choices, std::size_t size) {
  const std::size_t begin = choices.index(size + 1);
  constexpr std::size_t kLongest = 40;
  return {begin, std::min(choices.index(kLongest), size - begin)};
}

// One edit of a sequence of characters or bytes.
template <class Sequence>
void edit(Sequence& sequence, Choices& choices) {
  const auto [begin, length] = draw_range(choices, sequence.size());
  const auto at = sequence.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto end = at + static_cast<std::ptrdiff_t>(length);
  switch (choices.index(4)) {
    case 0:
      sequence.erase(at, sequence.end());
      break;
    case 1:
      sequence.erase(at, end);
      break;
    case 2: {
      const Sequence copy(at, end);
      sequence.insert(at, copy.begin(), copy.end());
      break;
    }
    default:
      if (begin < sequence.size()) *at = static_cast<typename Sequence::value_type>(choices.index(256));
  }
}

// Replaces a number by another one, which the grammar cannot refuse.
void edit_number(std::string& text, Choices& choices) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t begin = text.find_first_of(kDigits, choices.index(text.size() + 1));
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(text.find_first_not_of(kDigits, begin), text.size());
  constexpr const char* kNumbers[] = {
      "0", "1", "2", "-1", "3", "7", "70000", "2147483648", "99999999999999999999"};
  text.replace(begin, end - begin, choices.pick(kNumbers));
}

// Replaces an identifier by another one of the same text.
void edit_word(std::string& text, Choices& choices) {
  const auto word_at = [&](std::size_t from) -> Range {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    while (from < text.size() && !is_word(text[from])) ++from;
    std::size_t end = from;
    while (end < text.size() && is_word(text[end])) ++end;
    return {from, end - from};
  };
  const Range to = word_at(choices.index(text.size() + 1));
  const Range from = word_at(choices.index(text.size() + 1));
  const std::string word = text.substr(from.begin, from.length);
  text.replace(to.begin, to.length, word);
}

std::vector<json::json_pointer> places_of(const json& document) {
  std::vector<json::json_pointer> places;
  const json flat = document.flatten();
  for (const auto& [path, value] : flat.items()) {
    // Either the leaf or the value that holds it is replaced.
    json::json_pointer place(path);
    places.push_back(place);
    if (!place.empty()) places.push_back(place.parent_pointer());
  }
  return places;
}

json draw_value(const json& document, const std::vector<json::json_pointer>& places, Choices& choices) {
  switch (choices.index(8)) {
    case 0:
      return nullptr;
    case 1:
      return choices.integer(-3, 12);
    case 2:
      return std::int64_t{1} << choices.index(63);
    case 3:
      return "x";
    case 4:
      return json::array();
    case 5:
      return json::object();
    default:
      return document.at(places[choices.index(places.size())]);
  }
}

}  // namespace

std::string damaged_text(std::string text, Choices& choices) {
  for (std::size_t edits = 1 + choices.index(4); edits > 0; --edits) {
    switch (choices.index(4)) {
      case 0:
        edit(text, choices);
        break;
      case 1:
        edit_number(text, choices);
        break;
      case 2:
        edit_word(text, choices);
        break;
      default:
        text.insert(choices.index(text.size() + 1), choices.pick(kWords));
    }
  }
  return text;
}

Bytes damaged_bytes(Bytes bytes, Choices& choices) {
  for (std::size_t edits = 1 + choices.index(4); edits > 0; --edits) edit(bytes, choices);
  return bytes;
}

json damaged_document(json document, Choices& choices) {
  for (std::size_t edits = 1 + choices.index(4); edits > 0; --edits) {
    const std::vector<json::json_pointer> places = places_of(document);
    if (places.empty()) return document;
    const json::json_pointer& place = places[choices.index(places.size())];
    json value = draw_value(document, places, choices);
    if (!place.empty() && choices.one_in(4)) {
      json& parent = document.at(place.parent_pointer());
      if (parent.is_object()) parent.erase(place.back());
      continue;
    }
    document.at(place) = std::move(value);
  }
  return document;
}

}  // namespace passdiff
