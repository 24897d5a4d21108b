#include "fuzz/views/html_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "fuzz/views/line_diff.h"

namespace passdiff {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD in UTF-8

// The length of the UTF-8 sequence that the text begins with, and its code point; nothing if it is none (RFC 3629, section 4).
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 0;
};
std::optional<CodePoint> first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return CodePoint{lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return std::nullopt;
  std::uint32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return std::nullopt;
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800,
                                         0x10000};  // by length: longer forms of the same are no UTF-8
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || surrogate) return std::nullopt;
  return CodePoint{value, length};
}

bool is_shown(std::uint32_t c) {
  if (c < 0x20) return c == '\n' || c == '\t';
  if (c >= 0x7F && c < 0xA0) return false;
  // Marks, embeddings, overrides and isolates of direction (Unicode Annex 9, section 2).
  const bool directs = c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                       (c >= 0x2066 && c <= 0x2069);
  return !directs && c != 0xFFFE && c != 0xFFFF;
}

enum class TokenKind : std::uint8_t { plain, space, comment, string, number, keyword, decorator, op };

struct Token {
  TokenKind kind = TokenKind::plain;
  std::string_view text;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_keyword(std::string_view word) {
  static const std::set<std::string_view> kKeywords = {
      "and",    "as", "class", "def",    "elif", "else", "False", "for",    "from", "global", "if",
      "import", "in", "is",    "lambda", "not",  "None", "or",    "return", "True", "while",  "with"};
  return kKeywords.contains(word);
}

std::size_t length_while(std::string_view text, bool (*holds)(char)) {
  std::size_t length = 0;
  while (length < text.size() && holds(text[length])) ++length;
  return length;
}

// The length of the string in quotes that the line begins with; the rest of the line if it does not end there.
std::size_t string_length(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[0]) {
      return i + 1;
    }
  }
  return text.size();
}

// Words with dots between them, as "R.nn.attention".
std::size_t dotted_length(std::string_view text) {
  std::size_t length = length_while(text, is_word);
  while (length + 1 < text.size() && text[length] == '.' && is_word(text[length + 1]))
    length += 1 + length_while(text.substr(length + 1), is_word);
  return length;
}

// Digits with a point and an exponent, as "1e-05".
std::size_t number_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const bool sign = (text[length] == '-' || text[length] == '+') && length > 0 &&
                      (text[length - 1] == 'e' || text[length - 1] == 'E');
    if (!is_word(text[length]) && text[length] != '.' && !sign) break;
    ++length;
  }
  return length;
}

// The first token of a line of TVMScript, which is not empty.
Token first_token(std::string_view line) {
  const char c = line[0];
  if (c == ' ')
    return {TokenKind::space, line.substr(0, length_while(line, [](char d) { return d == ' '; }))};
  if (c == '#') return {TokenKind::comment, line};
  if (c == '"' || c == '\'') return {TokenKind::string, line.substr(0, string_length(line))};
  if (is_digit(c)) return {TokenKind::number, line.substr(0, number_length(line))};
  if (c == '@' && line.size() > 1 && is_word(line[1]))
    return {TokenKind::decorator, line.substr(0, 1 + dotted_length(line.substr(1)))};
  if (!is_word(c)) return {TokenKind::plain, line.substr(0, 1)};
  const std::string_view word = line.substr(0, dotted_length(line));
  const bool dialect = word.size() > 2 && word[1] == '.' && (c == 'R' || c == 'T' || c == 'I');
  return {dialect ? TokenKind::op : is_keyword(word) ? TokenKind::keyword : TokenKind::plain, word};
}

std::vector<Token> tokens_of(std::string_view line) {
  std::vector<Token> tokens;
  while (!line.empty()) {
    tokens.push_back(first_token(line));
    line.remove_prefix(tokens.back().text.size());
  }
  return tokens;
}

const char* class_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::plain:
    case TokenKind::space:
      return "";
    case TokenKind::comment:
      return "tc";
    case TokenKind::string:
      return "ts";
    case TokenKind::number:
      return "tn";
    case TokenKind::keyword:
      return "tk";
    case TokenKind::decorator:
      return "td";
    case TokenKind::op:
      return "to";
  }
  return "";
}

std::string html_token(const Token& token) {
  const std::string_view name = class_of(token.kind);
  if (name.empty()) return html_escape(token.text);
  return fmt::format("<span class=\"{}\">{}</span>", name, html_escape(token.text));
}

// The tokens of a line, runs of marked ones in <mark>.
std::string html_line(const std::vector<Token>& tokens, const std::vector<bool>& marked) {
  std::string html;
  bool inside = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (marked[i] != inside) html += marked[i] ? "<mark>" : "</mark>";
    inside = marked[i];
    html += html_token(tokens[i]);
  }
  return inside ? html + "</mark>" : html;
}

std::string html_line(std::string_view line) {
  const std::vector<Token> tokens = tokens_of(line);
  return html_line(tokens, std::vector<bool>(tokens.size(), false));
}

struct MarkedPair {
  std::string before;
  std::string after;
};

std::vector<std::string_view> texts_of(const std::vector<Token>& tokens) {
  std::vector<std::string_view> texts;
  for (const Token& token : tokens) texts.push_back(token.text);
  return texts;
}

// A run of marks goes over the space between two marked tokens. Lines that share less than a third of their tokens are other lines:
// there marks would tell nothing.
MarkedPair html_pair(std::string_view before, std::string_view after) {
  const std::vector<Token> a = tokens_of(before);
  const std::vector<Token> b = tokens_of(after);
  std::vector<bool> removed(a.size());
  std::vector<bool> added(b.size());
  std::size_t kept = 0;
  for (const DiffStep& step : difference(texts_of(a), texts_of(b))) {
    if (step.kind == DiffKind::removed) removed[step.before] = true;
    if (step.kind == DiffKind::added) added[step.after] = true;
    if (step.kind == DiffKind::kept && a[step.before].kind != TokenKind::space) ++kept;
  }
  if (kept * 3 < std::max(a.size(), b.size())) return {html_line(before), html_line(after)};
  const auto bridge = [](const std::vector<Token>& tokens, std::vector<bool>& marked) {
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
      if (tokens[i].kind == TokenKind::space && marked[i - 1] && marked[i + 1]) marked[i] = true;
    }
  };
  bridge(a, removed);
  bridge(b, added);
  return {html_line(a, removed), html_line(b, added)};
}

// The two cells of one side of a row: a line number, which is not copied with the text, and the line.
std::string cells(const char* side, std::size_t index, const std::string& line) {
  return fmt::format("<td class=\"n {0}\" data-n=\"{1}\"></td><td class=\"l {0}\">{2}</td>", side, index + 1,
                     line);
}
constexpr std::string_view kNoLine = "<td class=\"n no\"></td><td class=\"l no\"></td>";

// The rows of a run of removed and added lines, paired from the top.
std::string changed_rows(const std::vector<std::string_view>& before, std::size_t a, std::size_t a_end,
                         const std::vector<std::string_view>& after, std::size_t b, std::size_t b_end) {
  std::string rows;
  while (a < a_end || b < b_end) {
    std::string left(kNoLine);
    std::string right(kNoLine);
    if (a < a_end && b < b_end) {
      const MarkedPair pair = html_pair(before[a], after[b]);
      left = cells("del", a++, pair.before);
      right = cells("add", b++, pair.after);
    } else if (a < a_end) {
      left = cells("del", a, html_line(before[a]));
      ++a;
    } else {
      right = cells("add", b, html_line(after[b]));
      ++b;
    }
    rows += "<tr>" + left + right + "</tr>\n";
  }
  return rows;
}

// How a message holds two values against each other: what stands before the first, between them, and behind the second.
struct Opposition {
  std::string_view opening;
  std::string_view middle;
  std::string_view closing;
};
constexpr Opposition kOppositions[] = {
    {": ", " against ", " ("},
    {" is declared ", " and bound to ", ";"},
    {"expected ", ", given ", ";"},
    {"expected ", ", but got ", ";"},
    {"(", " vs. ", ")"},
};

// Places of the values in the text.
struct Place {
  std::size_t start = 0;
  std::size_t end = 0;
};
struct Opposed {
  Place first;
  Place second;
};

std::optional<Opposed> find_opposed(std::string_view text, const Opposition& words) {
  const std::size_t middle = text.find(words.middle);
  if (middle == std::string_view::npos || middle == 0) return std::nullopt;
  const std::size_t opening = text.rfind(words.opening, middle - 1);
  if (opening == std::string_view::npos || opening + words.opening.size() > middle) return std::nullopt;
  const std::size_t second = middle + words.middle.size();
  const std::size_t end = std::min({text.find(words.closing, second), text.find('\n', second), text.size()});
  return Opposed{{opening + words.opening.size(), middle}, {second, end}};
}

// The value in an element of the class, the part that the other one has not in bold.
std::string html_value(std::string_view value, std::string_view other, const char* name) {
  const std::size_t shorter = std::min(value.size(), other.size());
  std::size_t head = 0;
  while (head < shorter && value[head] == other[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && value[value.size() - 1 - tail] == other[other.size() - 1 - tail]) ++tail;
  // Not in the middle of a character of several bytes.
  const auto continues = [&](std::size_t i) {
    return i < value.size() && (static_cast<unsigned char>(value[i]) & 0xC0U) == 0x80;
  };
  while (head > 0 && continues(head)) --head;
  while (tail > 0 && continues(value.size() - tail)) --tail;
  return fmt::format("<span class=\"{}\">{}<b>{}</b>{}</span>", name, html_escape(value.substr(0, head)),
                     html_escape(value.substr(head, value.size() - head - tail)),
                     html_escape(value.substr(value.size() - tail)));
}

}  // namespace

std::string html_escape(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const std::optional<CodePoint> c = first_code_point(text);
    const std::size_t length = c ? c->length : 1;
    if (!c || !is_shown(c->value)) {
      html += kReplacement;
    } else if (c->value == '&') {
      html += "&amp;";
    } else if (c->value == '<') {
      html += "&lt;";
    } else if (c->value == '>') {
      html += "&gt;";
    } else if (c->value == '"') {
      html += "&quot;";
    } else if (c->value == '\'') {
      html += "&#39;";
    } else {
      html += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return html;
}

std::string html_listing(std::string_view script) {
  std::string rows;
  std::size_t index = 0;
  for (const std::string_view line : lines_of(script))
    rows += "<tr>" + cells("same", index++, html_line(line)) + "</tr>\n";
  return "<table class=\"code one\"><colgroup><col class=\"cn\"><col></colgroup><tbody>\n" + rows +
         "</tbody></table>\n";
}

std::string html_side_by_side(std::string_view before, std::string_view after) {
  const auto a = lines_of(before);
  const auto b = lines_of(after);
  const std::vector<DiffStep> steps = difference(a, b);
  std::string rows;
  std::size_t a_next = 0;  // the lines before these are told already
  std::size_t b_next = 0;
  for (const DiffStep& step : steps) {
    if (step.kind != DiffKind::kept) continue;
    rows += changed_rows(a, a_next, step.before, b, b_next, step.after);
    const std::string line = html_line(a[step.before]);
    rows += "<tr class=\"same\">" + cells("same", step.before, line) + cells("same", step.after, line) +
            "</tr>\n";
    a_next = step.before + 1;
    b_next = step.after + 1;
  }
  rows += changed_rows(a, a_next, a.size(), b, b_next, b.size());
  return "<table class=\"code two\"><colgroup><col class=\"cn\"><col><col "
         "class=\"cn\"><col></colgroup><tbody>\n" +
         rows + "</tbody></table>\n";
}

std::string html_detail(std::string_view detail) {
  for (const Opposition& words : kOppositions) {
    const std::optional<Opposed> found = find_opposed(detail, words);
    if (!found) continue;
    const std::string_view first = detail.substr(found->first.start, found->first.end - found->first.start);
    const std::string_view second =
        detail.substr(found->second.start, found->second.end - found->second.start);
    return html_escape(detail.substr(0, found->first.start)) + html_value(first, second, "want") +
           html_escape(detail.substr(found->first.end, found->second.start - found->first.end)) +
           html_value(second, first, "got") + html_escape(detail.substr(found->second.end));
  }
  return html_escape(detail);
}

}  // namespace passdiff
