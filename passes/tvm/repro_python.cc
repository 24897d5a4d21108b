#include "passes/tvm/repro_python.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace passdiff {
namespace {

constexpr std::string_view kIndent = "    ";

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string indented(std::string_view text) {
  std::string out(kIndent);
  for (const char c : text) {
    out += c;
    if (c == '\n') out += kIndent;
  }
  return out;
}

}  // namespace

bool fits_in_line(std::string_view text) {
  return text.size() <= kPythonColumns && text.find('\n') == std::string_view::npos;
}

std::string python_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string python_literal(const nlohmann::json& value) {
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_string()) return python_string(value.get<std::string>());
  std::vector<std::string> items;
  if (value.is_array()) {
    for (const auto& item : value) items.push_back(python_literal(item));
    return fmt::format("[{}]", fmt::join(items, ", "));
  }
  if (value.is_object()) {
    for (const auto& [key, item] : value.items())
      items.push_back(python_string(key) + ": " + python_literal(item));
    return fmt::format("{{{}}}", fmt::join(items, ", "));
  }
  return value.dump();
}

std::string python_tuple(const std::vector<std::string>& items) {
  return fmt::format("({}{})", fmt::join(items, ", "), items.size() == 1 ? "," : "");
}

std::string python_list(std::string_view open, const std::vector<std::string>& items,
                        std::string_view close) {
  std::string line = fmt::format("{}{}{}", open, fmt::join(items, ", "), close);
  if (items.empty() || fits_in_line(line)) return line;
  std::string out = fmt::format("{}\n", open);
  for (const std::string& item : items) out += indented(item) + ",\n";
  return out += close;
}

std::string filled_list(std::string_view open, const std::vector<std::string>& items,
                        std::string_view close) {
  std::string line = fmt::format("{}{}{}", open, fmt::join(items, ", "), close);
  if (items.empty() || fits_in_line(line)) return line;
  if (line.find('\n') != std::string::npos) return python_list(open, items, close);
  std::string out(open);
  line = kIndent;
  for (const std::string& item : items) {
    if (line.size() + item.size() + 2 > kPythonColumns && line.size() > kIndent.size()) {
      out += "\n" + line.substr(0, line.size() - 1);
      line = kIndent;
    }
    line += item + ", ";
  }
  return out += "\n" + line.substr(0, line.size() - 2) + "\n" + std::string(close);
}

bool uses_name(std::string_view source, std::string_view name) {
  for (std::size_t at = source.find(name); at != std::string_view::npos; at = source.find(name, at + 1)) {
    const char before = at == 0 ? '\n' : source[at - 1];
    const char after = at + name.size() < source.size() ? source[at + name.size()] : '\n';
    if (!in_name(before) && !in_name(after) && before != '.' && before != '"') return true;
  }
  return false;
}

std::string wrapped(std::string_view text) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    at = text.find_first_not_of(" \n\t", at);
    if (at == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \n\t", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end;
    if (column > 0 && column + 1 + word.size() > kPythonColumns) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

}  // namespace passdiff
