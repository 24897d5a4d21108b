#include "core/text/parser/expression_reader.h"

#include <fmt/format.h>

#include "core/ir/dim_op.h"

namespace passdiff {
namespace {

constexpr int kNot = 3;
constexpr int kComparison = 4;

// The precedence of an operator between two operands, as in Python; 0 for other tokens. All operators associate to the left.
int precedence_of(const Token& token) {
  if (token.kind == TokenKind::name) return token.text == "or" ? 1 : token.text == "and" ? 2 : 0;
  if (token.kind != TokenKind::symbol) return 0;
  if (token.text == "|") return 5;
  if (token.text == "^") return 6;
  if (token.text == "&") return 7;
  if (token.text == "<<" || token.text == ">>") return 8;
  if (token.text == "+" || token.text == "-") return 9;
  if (token.text == "*" || token.text == "/" || token.text == "//" || token.text == "%") return 10;
  const std::optional<DimOp> op = dim_op_from_name(token.text);
  return op && is_comparison(*op) ? kComparison : 0;
}

// Of one statement: texts may be large, but what is large in them is strings.
constexpr std::size_t kMaxNodes = std::size_t{1} << 21;

}  // namespace

Error ExpressionReader::error(const char* code, std::string_view message) const {
  if (token_.kind != TokenKind::error) return error_at(token_.at, code, message);
  const bool nesting = token_.text.find("nested") != std::string_view::npos;
  return error_at(token_.at, nesting ? "parse.nesting" : "parse.character", token_.text);
}

bool ExpressionReader::accept(std::string_view symbol_or_name) {
  if (!is(symbol_or_name)) return false;
  advance();
  return true;
}

std::optional<Error> ExpressionReader::expect(std::string_view symbol, const char* code) {
  if (accept(symbol)) return std::nullopt;
  return error(code, fmt::format("`{}` is expected", symbol));
}

std::optional<Error> ExpressionReader::end_statement() {
  if (token_.kind == TokenKind::end) return std::nullopt;
  if (token_.kind != TokenKind::newline) return error("parse.statement", "the line should end here");
  advance();
  return std::nullopt;
}

std::optional<Error> ExpressionReader::append(NodeIndex parent, NodeIndex& last, NodeIndex child) {
  if (nodes_->append(parent, last, child)) return std::nullopt;
  return too_deep();
}

Result<NodeIndex> ExpressionReader::expression() {
  if (++depth_ > kMaxNesting) return too_deep();
  if (nodes_->size() > kMaxNodes) return error("parse.size", "a statement is too long");
  const NodeIndex result = is("lambda") ? TRY(lambda()) : TRY(operation(0));
  --depth_;
  return result;
}

Result<NodeIndex> ExpressionReader::expression_list() {
  const Position at = token_.at;
  const NodeIndex first = TRY(expression());
  if (!is(",")) return first;
  const NodeIndex tuple = nodes_->add(NodeKind::tuple, {}, at);
  NodeIndex last = kNoNode;
  TRY_VOID(append(tuple, last, first));
  while (accept(",")) {
    if (token_.kind == TokenKind::newline || is("=")) break;
    TRY_VOID(append(tuple, last, TRY(expression())));
  }
  return tuple;
}

// An operand, or several with operators of a higher precedence than the given one between them.
Result<NodeIndex> ExpressionReader::operation(int precedence) {
  NodeIndex left = TRY(unary());
  for (int own = precedence_of(token_); own > precedence; own = precedence_of(token_)) {
    const NodeIndex both = nodes_->add(NodeKind::binary, token_.text, token_.at);
    advance();
    NodeIndex last = kNoNode;
    TRY_VOID(append(both, last, left));
    TRY_VOID(append(both, last, TRY(operation(own))));
    left = both;
  }
  return left;
}

Result<NodeIndex> ExpressionReader::unary() {
  if (!is("-") && !is("+") && !is("~") && !is("not")) return postfix();
  const bool negation = is("not");
  const NodeIndex node = nodes_->add(NodeKind::unary, token_.text, token_.at);
  advance();
  if (++depth_ > kMaxNesting) return too_deep();
  NodeIndex last = kNoNode;
  TRY_VOID(append(node, last, negation ? TRY(operation(kNot)) : TRY(unary())));
  --depth_;
  return node;
}

Result<NodeIndex> ExpressionReader::postfix() {
  NodeIndex node = TRY(atom());
  while (true) {
    const Position at = token_.at;
    NodeIndex last = kNoNode;
    if (accept(".")) {
      if (token_.kind != TokenKind::name) return error("parse.expression", "a name is expected after `.`");
      const NodeIndex attribute = nodes_->add(NodeKind::attribute, token_.text, at);
      advance();
      TRY_VOID(append(attribute, last, node));
      node = attribute;
    } else if (is("(")) {
      node = TRY(call(node));
    } else if (accept("[")) {
      const NodeIndex subscript = nodes_->add(NodeKind::subscript, {}, at);
      TRY_VOID(append(subscript, last, node));
      TRY_VOID(append(subscript, last, TRY(subscript_items())));
      TRY_VOID(expect("]"));
      node = subscript;
    } else {
      return node;
    }
  }
}

// An index, or start:stop:step.
Result<NodeIndex> ExpressionReader::subscript_item() {
  const Position at = token_.at;
  const auto part = [&]() -> Result<NodeIndex> {
    const bool absent = is(":") || is(",") || is("]");
    return absent ? nodes_->add(NodeKind::name, "None", at) : TRY(expression());
  };
  const NodeIndex start = TRY(part());
  if (!is(":")) return start;
  const NodeIndex slice = nodes_->add(NodeKind::slice, {}, at);
  NodeIndex last = kNoNode;
  TRY_VOID(append(slice, last, start));
  while (accept(":")) TRY_VOID(append(slice, last, TRY(part())));
  return slice;
}

Result<NodeIndex> ExpressionReader::subscript_items() {
  const Position at = token_.at;
  const NodeIndex first = TRY(subscript_item());
  if (!is(",")) return first;
  const NodeIndex tuple = nodes_->add(NodeKind::tuple, {}, at);
  NodeIndex last = kNoNode;
  TRY_VOID(append(tuple, last, first));
  while (accept(",")) {
    if (is("]")) break;
    TRY_VOID(append(tuple, last, TRY(subscript_item())));
  }
  return tuple;
}

Result<NodeIndex> ExpressionReader::call(NodeIndex callee) {
  const NodeIndex node = nodes_->add(NodeKind::call, {}, (*nodes_)[callee].at);
  NodeIndex last = kNoNode;
  TRY_VOID(append(node, last, callee));
  TRY_VOID(expect("("));
  while (!is(")")) {
    NodeIndex argument = TRY(expression());
    const Node name = (*nodes_)[argument];
    if (name.kind == NodeKind::name && accept("=")) {
      const NodeIndex keyword = nodes_->add(NodeKind::keyword, name.text, name.at);
      NodeIndex value = kNoNode;
      TRY_VOID(append(keyword, value, TRY(expression())));
      argument = keyword;
    }
    TRY_VOID(append(node, last, argument));
    if (!accept(",")) break;
  }
  TRY_VOID(expect(")"));
  return node;
}

Result<NodeIndex> ExpressionReader::bracketed(NodeKind kind, std::string_view closing) {
  const NodeIndex node = nodes_->add(kind, {}, token_.at);
  advance();
  NodeIndex last = kNoNode;
  bool comma = false;
  while (!is(closing)) {
    TRY_VOID(append(node, last, TRY(expression())));
    comma = accept(",");
    if (!comma) break;
  }
  TRY_VOID(expect(closing));
  const NodeIndex first = (*nodes_)[node].first;
  const bool grouping = kind == NodeKind::tuple && first != kNoNode && first == last && !comma;
  return grouping ? first : node;  // (x) is x
}

Result<NodeIndex> ExpressionReader::dict() {
  const NodeIndex node = nodes_->add(NodeKind::dict, {}, token_.at);
  advance();
  NodeIndex last = kNoNode;
  while (!is("}")) {
    TRY_VOID(append(node, last, TRY(expression())));
    TRY_VOID(expect(":"));
    TRY_VOID(append(node, last, TRY(expression())));
    if (!accept(",")) break;
  }
  TRY_VOID(expect("}"));
  return node;
}

Result<NodeIndex> ExpressionReader::lambda() {
  const NodeIndex node = nodes_->add(NodeKind::lambda, {}, token_.at);
  advance();
  NodeIndex last = kNoNode;
  while (!is(":")) {
    if (token_.kind != TokenKind::name) return error("parse.expression", "a parameter's name is expected");
    TRY_VOID(append(node, last, TRY(leaf(NodeKind::name))));
    if (!accept(",")) break;
  }
  TRY_VOID(expect(":"));
  TRY_VOID(append(node, last, TRY(expression())));
  return node;
}

Result<NodeIndex> ExpressionReader::string() {
  const Position at = token_.at;
  std::string whole;  // of strings in a row
  while (token_.kind == TokenKind::string) {
    const std::optional<std::string> part = decode_string(token_.text);
    if (!part) return error("parse.expression", "a string is malformed");
    whole += *part;
    advance();
  }
  return nodes_->add(NodeKind::string, nodes_->keep(std::move(whole)), at);
}

Result<NodeIndex> ExpressionReader::leaf(NodeKind kind) {
  const Token token = token_;
  advance();
  return nodes_->add(kind, token.text, token.at);
}

Result<NodeIndex> ExpressionReader::atom() {
  switch (token_.kind) {
    case TokenKind::name:
      return leaf(NodeKind::name);
    case TokenKind::integer:
      return leaf(NodeKind::integer);
    case TokenKind::floating:
      return leaf(NodeKind::floating);
    case TokenKind::string:
      return string();
    case TokenKind::newline:
    case TokenKind::end:
      return error("parse.expression", "an expression is expected before the line ends");
    case TokenKind::symbol:
    case TokenKind::indent:
    case TokenKind::dedent:
    case TokenKind::error:
      break;
  }
  if (is("(")) return bracketed(NodeKind::tuple, ")");
  if (is("[")) return bracketed(NodeKind::list, "]");
  if (is("{")) return dict();
  return error("parse.expression", "an expression is expected");
}

}  // namespace passdiff
