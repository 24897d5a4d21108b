// Expressions of TVMScript as trees of plain Python syntax, without meaning.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/lexer.h"

namespace passdiff {

enum class NodeKind : std::uint8_t {
  name,       // text
  integer,    // text
  floating,   // text
  string,     // text: decoded
  attribute,  // child . text
  call,       // callee, then arguments; keyword arguments are keyword nodes
  keyword,    // text = child
  subscript,  // child [ child ]
  tuple,
  list,
  dict,    // key, value, key, value, ...
  unary,   // text child
  binary,  // child text child
};

using NodeIndex = std::uint32_t;
inline constexpr NodeIndex kNoNode = 0;

struct Node {
  NodeKind kind = NodeKind::name;
  std::uint8_t depth = 0;  // of the tree; at most kMaxNesting, which bounds every walk over it
  NodeIndex first = kNoNode;
  NodeIndex sibling = kNoNode;
  std::string_view text;
  Position at;
};

// Error codes: parse.character, parse.nesting, parse.expression.
Error error_at(Position at, std::string code, std::string_view message);

// The nodes of one statement.
class Nodes {
 public:
  Nodes() { clear(); }
  void clear() {
    nodes_.assign(1, Node{});
    strings_.clear();
  }
  const Node& operator[](NodeIndex at) const { return nodes_[at]; }
  NodeIndex child(NodeIndex at, int number) const;  // kNoNode if there are fewer
  int children(NodeIndex at) const;
  NodeIndex add(NodeKind kind, std::string_view text, Position at);
  // False if the tree grows too deep.
  bool append(NodeIndex parent, NodeIndex& last, NodeIndex child);
  std::string_view keep(std::string text) { return strings_.emplace_back(std::move(text)); }

 private:
  std::vector<Node> nodes_;
  std::deque<std::string> strings_;
};

// Reads expressions from tokens, and hands the tokens around them to whoever reads statements.
class ExpressionReader {
 public:
  ExpressionReader(Lexer lexer, Nodes& nodes) : lexer_(std::move(lexer)), nodes_(&nodes) { advance(); }

  const Token& token() const { return token_; }
  void advance() { token_ = lexer_.next(); }
  bool is(std::string_view symbol_or_name) const {
    return (token_.kind == TokenKind::symbol || token_.kind == TokenKind::name) &&
           token_.text == symbol_or_name;
  }
  bool accept(std::string_view symbol_or_name);
  bool expect(std::string_view symbol);  // sets the error
  // kNoNode with error() set if it is malformed.
  NodeIndex expression();       // without a bare tuple
  NodeIndex expression_list();  // `a, b` is a tuple
  const std::optional<Error>& error() const { return error_; }
  NodeIndex fail(std::string code, std::string_view message);

 private:
  NodeIndex sum();
  NodeIndex product();
  NodeIndex unary();
  NodeIndex postfix();
  NodeIndex atom();
  NodeIndex binary_chain(NodeIndex (ExpressionReader::*operand)(),
                         std::initializer_list<std::string_view> symbols);
  NodeIndex call(NodeIndex callee);
  NodeIndex bracketed(NodeKind kind, std::string_view closing);
  NodeIndex dict();
  NodeIndex string();
  bool append(NodeIndex parent, NodeIndex& last, NodeIndex child);

  Lexer lexer_;
  Nodes* nodes_;
  Token token_;
  std::optional<Error> error_;
  int depth_ = 0;
};

}  // namespace passdiff
