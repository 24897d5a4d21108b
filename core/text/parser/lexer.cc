#include "core/text/parser/lexer.h"

#include <algorithm>
#include <array>

namespace passdiff {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// A character up to U+00FF: what \xhh says in Python.
void append_utf8(int character, std::string& out) {
  if (character < 0x80) {
    out += static_cast<char>(character);
    return;
  }
  out += static_cast<char>(0xC0 | character >> 6);
  out += static_cast<char>(0x80 | (character & 0x3F));
}

constexpr std::array<std::string_view, 9> kLongSymbols = {"//", "**", "->", "==", "!=", "<=", ">=", "<<", ">>"};
constexpr std::string_view kSymbols = "()[]{},:.=+-*/%@<>&|^~";

}  // namespace

void Lexer::advance(std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) {
    if (source_[position_ + i] == '\n') {
      ++at_.line;
      at_.column = 1;
    } else {
      ++at_.column;
    }
  }
  position_ += length;
}

Token Lexer::make(TokenKind kind, std::size_t length) {
  const Token token{kind, source_.substr(position_, length), at_};
  advance(length);
  line_has_tokens_ = true;
  return token;
}

Token Lexer::fail(std::string_view message) {
  error_ = message;
  return {TokenKind::error, error_, at_};
}

void Lexer::skip_blank() {
  while (position_ < source_.size()) {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\r' || (c == '\n' && brackets_ > 0)) {
      advance(1);
    } else if (c == '\\' && peek(1) == '\n') {
      advance(2);
    } else if (c == '#') {
      std::size_t length = 0;
      while (position_ + length < source_.size() && peek(length) != '\n') ++length;
      advance(length);
    } else {
      return;
    }
  }
}

// At the start of a logical line: the indentation decides on indent and dedent.
Token Lexer::begin_line() {
  for (;;) {
    skip_blank();
    if (position_ >= source_.size() || peek() != '\n') break;
    advance(1);
  }
  at_line_start_ = false;
  line_has_tokens_ = false;
  const int column = position_ >= source_.size() ? 0 : at_.column - 1;
  if (column > indents_.back()) {
    if (indents_.size() > kMaxNesting) return fail("blocks are nested too deeply");
    indents_.push_back(column);
    return {TokenKind::indent, {}, at_};
  }
  while (column < indents_.back()) {
    indents_.pop_back();
    ++pending_dedents_;
  }
  if (column != indents_.back()) return fail("the indentation matches no block");
  return next();
}

Token Lexer::next() {
  if (!error_.empty()) return {TokenKind::error, error_, at_};
  if (pending_dedents_ > 0) {
    --pending_dedents_;
    return {TokenKind::dedent, {}, at_};
  }
  if (at_line_start_ && brackets_ == 0) return begin_line();
  skip_blank();
  if (position_ >= source_.size()) {
    if (!line_has_tokens_ && indents_.size() == 1) return {TokenKind::end, {}, at_};
    at_line_start_ = true;
    const bool ends_line = line_has_tokens_;
    line_has_tokens_ = false;
    return ends_line ? Token{TokenKind::newline, {}, at_} : begin_line();
  }
  const char c = peek();
  if (c == '\n') {
    const Token token{TokenKind::newline, {}, at_};
    advance(1);
    at_line_start_ = true;
    return token;
  }
  if (c == '"' || c == '\'') return string_token();
  if (is_name_start(c)) {
    std::size_t length = 1;
    while (is_name_part(peek(length))) ++length;
    if (length <= 2 && (peek(length) == '"' || peek(length) == '\'')) return string_token();
    return make(TokenKind::name, length);
  }
  if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number_token();
  return symbol_token();
}

Token Lexer::string_token() {
  std::size_t length = 0;
  while (is_name_part(peek(length))) ++length;
  const char quote = peek(length);
  const bool triple = peek(length + 1) == quote && peek(length + 2) == quote;
  const std::size_t closing = triple ? 3 : 1;
  length += closing;
  for (;; ++length) {
    if (position_ + length >= source_.size()) return fail("a string is not closed");
    const char c = peek(length);
    if (c == '\\') {
      ++length;
    } else if (c == '\n' && !triple) {
      return fail("a string is not closed on its line");
    } else if (c == quote && (!triple || (peek(length + 1) == quote && peek(length + 2) == quote))) {
      return make(TokenKind::string, length + closing);
    }
  }
}

Token Lexer::number_token() {
  std::size_t length = 0;
  bool floating = false;
  const bool hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
  if (hex) {
    length = 2;
    while (hex_digit(peek(length)) >= 0) ++length;
  } else {
    while (is_digit(peek(length)) || peek(length) == '.' || peek(length) == '_') {
      floating = floating || peek(length) == '.';
      ++length;
    }
    const std::size_t sign = peek(length + 1) == '+' || peek(length + 1) == '-' ? 1 : 0;
    if ((peek(length) == 'e' || peek(length) == 'E') && is_digit(peek(length + 1 + sign))) {
      floating = true;
      length += 2 + sign;
      while (is_digit(peek(length))) ++length;
    }
  }
  if (is_name_part(peek(length))) return fail("a number is malformed");
  return make(floating ? TokenKind::floating : TokenKind::integer, length);
}

Token Lexer::symbol_token() {
  const char c = peek();
  for (const std::string_view symbol : kLongSymbols) {
    if (source_.substr(position_, 2) == symbol) return make(TokenKind::symbol, 2);
  }
  if (kSymbols.find(c) == std::string_view::npos) return fail("an unexpected character");
  if (c == '(' || c == '[' || c == '{') ++brackets_;
  if (c == ')' || c == ']' || c == '}') brackets_ = std::max(0, brackets_ - 1);
  if (brackets_ > kMaxNesting) return fail("brackets are nested too deeply");
  return make(TokenKind::symbol, 1);
}

std::optional<std::string> decode_string(std::string_view token) {
  bool raw = false;
  while (!token.empty() && token.front() != '"' && token.front() != '\'') {
    raw = raw || token.front() == 'r' || token.front() == 'R';
    token.remove_prefix(1);
  }
  const std::size_t quotes = token.size() >= 6 && token[1] == token[0] && token[2] == token[0] ? 3 : 1;
  token = token.substr(quotes, token.size() - 2 * quotes);
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (raw || token[i] != '\\') {
      out += token[i];
      continue;
    }
    if (++i == token.size()) return std::nullopt;
    constexpr std::string_view kEscapes = "\\'\"nrtabfv0\n";
    constexpr std::string_view kValues("\\'\"\n\r\t\a\b\f\v\0", 11);
    const std::size_t escape = kEscapes.find(token[i]);
    if (escape != std::string_view::npos) {
      if (escape < kValues.size()) out += kValues[escape];  // an escaped line end is left out
    } else if (token[i] == 'x' && i + 2 < token.size() && hex_digit(token[i + 1]) >= 0 &&
               hex_digit(token[i + 2]) >= 0) {
      append_utf8(hex_digit(token[i + 1]) * 16 + hex_digit(token[i + 2]), out);
      i += 2;
    } else {
      out += '\\';
      out += token[i];
    }
  }
  return out;
}

}  // namespace passdiff
