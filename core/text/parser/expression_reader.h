// From tokens to trees: reads expressions, and hands the tokens around them to whoever reads statements.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/text/parser/lexer.h"
#include "core/text/parser/nodes.h"

namespace passdiff {

// Copyable: a copy goes on from where the original stood, and adds to the same nodes. After an error it must not be
// used any more. Errors: parse.expression; parse.nesting; parse.character where a token is malformed.
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
  std::optional<Error> expect(std::string_view symbol, const char* code = "parse.expression");
  // The end of a line, or of the text. Fails with parse.statement.
  std::optional<Error> end_statement();

  Result<NodeIndex> expression();       // without a bare tuple
  Result<NodeIndex> expression_list();  // `a, b` is a tuple

  // An error at the token; if the token is malformed, the error that says so.
  Error error(const char* code, std::string_view message) const;

 private:
  Result<NodeIndex> operation(int precedence);
  Result<NodeIndex> unary();
  Result<NodeIndex> postfix();
  Result<NodeIndex> atom();
  Result<NodeIndex> call(NodeIndex callee);
  Result<NodeIndex> subscript_items();
  Result<NodeIndex> subscript_item();
  Result<NodeIndex> bracketed(NodeKind kind, std::string_view closing);
  Result<NodeIndex> dict();
  Result<NodeIndex> lambda();
  Result<NodeIndex> string();
  Result<NodeIndex> leaf(NodeKind kind);
  std::optional<Error> append(NodeIndex parent, NodeIndex& last, NodeIndex child);
  Error too_deep() const { return error("parse.nesting", "an expression is nested too deeply"); }

  Lexer lexer_;
  Nodes* nodes_;
  Token token_;
  int depth_ = 0;
};

}  // namespace passdiff
