// Prints a dictionary for a target that reads documents: the words of many generated modules in its format, so that no list of them has
// to be kept. Usage: target_dictionary text|json|cbor
#include <cctype>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/gen/generate.h"
#include "core/ops/op.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

using Words = std::set<std::string>;

constexpr std::uint64_t kModules = 400;
// Words of fewer modules are names that one module gives to its own variables and functions.
constexpr int kLeastModules = 8;

bool is_of_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

Words words_of_text(std::string_view text) {
  Words words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_a_name(text[end])) ++end;
    if (end > at + 1 && std::isalpha(static_cast<unsigned char>(text[at])) != 0)
      words.emplace(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// Names of fields, and strings that stand for something: those that are longer are data.
void collect(const nlohmann::json& document, Words& words) {
  constexpr std::size_t kLongestWord = 24;
  if (document.is_string()) {
    const auto& word = document.get_ref<const std::string&>();
    if (!word.empty() && word.size() <= kLongestWord) words.insert(word);
  }
  if (!document.is_structured()) return;
  for (const auto& [key, value] : document.items()) {
    if (document.is_object()) words.insert(key);
    collect(value, words);
  }
}

Words words_of_document(const Module& module) {
  Words words;
  collect(to_json(module), words);
  return words;
}

Words common_words(Words (*words_of)(const Module&)) {
  std::map<std::string, int> modules_with;
  for (std::uint64_t i = 0; i < kModules; ++i) {
    const auto bytes = campaign_bytes(1, i, kCaseBytes);
    Choices choices(bytes);
    for (const std::string& word : words_of(generate_test_case(choices).module)) ++modules_with[word];
  }
  Words common;
  for (const auto& [word, modules] : modules_with) {
    if (modules >= kLeastModules) common.insert(word);
  }
  return common;
}

void print_entry(std::string_view bytes) {
  std::string entry;
  for (const char c : bytes) {
    const bool plain = std::isprint(static_cast<unsigned char>(c)) != 0 && c != '"' && c != '\\';
    entry += plain ? std::string(1, c) : fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
  }
  fmt::print("\"{}\"\n", entry);
}

int run(std::string_view kind) {
  if (kind == "text") {
    Words words = common_words([](const Module& module) { return words_of_text(print(module)); });
    for (const OpDef& op : all_ops()) words.insert("R." + std::string(script_name(op)));
    for (const std::string& word : words) print_entry(word);
    return 0;
  }
  if (kind != "json" && kind != "cbor") {
    fmt::print(stderr, "usage: target_dictionary text|json|cbor\n");
    return 2;
  }
  Words words = common_words(words_of_document);
  for (const OpDef& op : all_ops()) words.insert(std::string(op.name));
  for (const std::string& word : words) {
    if (kind == "json") {
      print_entry(nlohmann::json(word).dump());
    } else {
      const auto bytes = to_cbor(word);  // with the head that says that it is text, and how long
      print_entry({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
  }
  return 0;
}

}  // namespace
}  // namespace passdiff

int main(int argc, char** argv) {
  return passdiff::run(argc == 2 ? argv[1] : "");
}
