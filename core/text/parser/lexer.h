// Lexer: the tokens of the subset of Python that TVMScript is written in, one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace passdiff {

inline constexpr int kMaxNesting = 200;  // of brackets, blocks and expression trees: readers recurse as deep

struct Position {
  int line = 1;
  int column = 1;
};

enum class TokenKind : std::uint8_t {
  name,
  integer,
  floating,
  string,
  symbol,
  newline,
  indent,
  dedent,
  end,
  error
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // of a string: with prefix and quotes; of an error: the message
  Position at;
};

// Copyable: a copy goes on from where the original stood. Newlines inside of brackets, blank lines and
// comments are left out, as in Python. After an error or the end, every token is that again.
class Lexer {
 public:
  explicit Lexer(std::string_view source, Position start = {}) : source_(source), at_(start) {}
  // For an expression alone, such as the text of a string: line ends and indentation mean nothing.
  static Lexer fragment(std::string_view source, Position start) {
    Lexer lexer(source, start);
    lexer.at_line_start_ = false;
    lexer.brackets_ = 1;
    return lexer;
  }
  Token next();

 private:
  Token begin_line();
  Token string_token();
  Token number_token();
  Token symbol_token();
  Token make(TokenKind kind, std::size_t length);
  Token fail(std::string_view message);
  void advance(std::size_t length);
  void skip_blank();
  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < source_.size() ? source_[position_ + ahead] : '\0';
  }

  std::string_view source_;
  std::size_t position_ = 0;
  Position at_;
  std::vector<int> indents_ = {0};
  int pending_dedents_ = 0;
  int brackets_ = 0;
  bool at_line_start_ = true;
  bool line_has_tokens_ = false;
  std::string_view error_;
};

// The value of a string token; nothing if an escape is malformed.
std::optional<std::string> decode_string(std::string_view token);

}  // namespace passdiff
