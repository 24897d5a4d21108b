#include "core/text/parse_nodes.h"

#include <fmt/format.h>

#include <algorithm>

namespace passdiff {

Error error_at(Position at, std::string code, std::string_view message) {
  return {std::move(code), fmt::format("line {}, column {}: {}", at.line, at.column, message)};
}

NodeIndex Nodes::child(NodeIndex at, int number) const {
  NodeIndex child = nodes_[at].first;
  for (; child != kNoNode && number > 0; --number) child = nodes_[child].sibling;
  return child;
}

int Nodes::children(NodeIndex at) const {
  int count = 0;
  for (NodeIndex child = nodes_[at].first; child != kNoNode; child = nodes_[child].sibling) ++count;
  return count;
}

NodeIndex Nodes::add(NodeKind kind, std::string_view text, Position at) {
  nodes_.push_back({.kind = kind, .text = text, .at = at});
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

bool Nodes::append(NodeIndex parent, NodeIndex& last, NodeIndex child) {
  if (nodes_[child].depth + 1 > kMaxNesting) return false;
  nodes_[parent].depth = std::max(nodes_[parent].depth, static_cast<std::uint8_t>(nodes_[child].depth + 1));
  (last == kNoNode ? nodes_[parent].first : nodes_[last].sibling) = child;
  last = child;
  return true;
}

NodeIndex ExpressionReader::fail(std::string code, std::string_view message) {
  if (error_) return kNoNode;
  if (token_.kind == TokenKind::error) {
    const bool nesting = token_.text.find("nested") != std::string_view::npos;
    error_ = error_at(token_.at, nesting ? "parse.nesting" : "parse.character", token_.text);
  } else {
    error_ = error_at(token_.at, std::move(code), message);
  }
  return kNoNode;
}

bool ExpressionReader::accept(std::string_view symbol_or_name) {
  if (!is(symbol_or_name)) return false;
  advance();
  return true;
}

bool ExpressionReader::expect(std::string_view symbol) {
  if (accept(symbol)) return true;
  fail("parse.expression", fmt::format("`{}` is expected", symbol));
  return false;
}

bool ExpressionReader::append(NodeIndex parent, NodeIndex& last, NodeIndex child) {
  if (child == kNoNode) return false;
  if (nodes_->append(parent, last, child)) return true;
  fail("parse.nesting", "an expression is nested too deeply");
  return false;
}

NodeIndex ExpressionReader::expression() {
  if (++depth_ > kMaxNesting) return fail("parse.nesting", "an expression is nested too deeply");
  const NodeIndex result = sum();
  --depth_;
  return result;
}

NodeIndex ExpressionReader::expression_list() {
  const Position at = token_.at;
  const NodeIndex first = expression();
  if (first == kNoNode || !is(",")) return first;
  const NodeIndex tuple = nodes_->add(NodeKind::tuple, {}, at);
  NodeIndex last = kNoNode;
  if (!append(tuple, last, first)) return kNoNode;
  while (accept(",")) {
    if (token_.kind == TokenKind::newline || is("=")) break;
    if (!append(tuple, last, expression())) return kNoNode;
  }
  return tuple;
}

NodeIndex ExpressionReader::binary_chain(NodeIndex (ExpressionReader::*operand)(),
                                         std::initializer_list<std::string_view> symbols) {
  NodeIndex left = (this->*operand)();
  while (left != kNoNode && token_.kind == TokenKind::symbol &&
         std::find(symbols.begin(), symbols.end(), token_.text) != symbols.end()) {
    const NodeIndex both = nodes_->add(NodeKind::binary, token_.text, token_.at);
    advance();
    NodeIndex last = kNoNode;
    if (!append(both, last, left) || !append(both, last, (this->*operand)())) return kNoNode;
    left = both;
  }
  return left;
}

NodeIndex ExpressionReader::sum() {
  return binary_chain(&ExpressionReader::product, {"+", "-"});
}
NodeIndex ExpressionReader::product() {
  return binary_chain(&ExpressionReader::unary, {"*", "/", "//", "%"});
}

NodeIndex ExpressionReader::unary() {
  if (!is("-") && !is("+")) return postfix();
  const NodeIndex node = nodes_->add(NodeKind::unary, token_.text, token_.at);
  advance();
  if (++depth_ > kMaxNesting) return fail("parse.nesting", "an expression is nested too deeply");
  NodeIndex last = kNoNode;
  const bool good = append(node, last, unary());
  --depth_;
  return good ? node : kNoNode;
}

NodeIndex ExpressionReader::postfix() {
  NodeIndex node = atom();
  while (node != kNoNode) {
    const Position at = token_.at;
    NodeIndex last = kNoNode;
    if (accept(".")) {
      if (token_.kind != TokenKind::name) return fail("parse.expression", "a name is expected after `.`");
      const NodeIndex attribute = nodes_->add(NodeKind::attribute, token_.text, at);
      advance();
      if (!append(attribute, last, node)) return kNoNode;
      node = attribute;
    } else if (is("(")) {
      node = call(node);
    } else if (accept("[")) {
      const NodeIndex subscript = nodes_->add(NodeKind::subscript, {}, at);
      if (!append(subscript, last, node) || !append(subscript, last, expression()) || !expect("]"))
        return kNoNode;
      node = subscript;
    } else {
      return node;
    }
  }
  return kNoNode;
}

NodeIndex ExpressionReader::call(NodeIndex callee) {
  const NodeIndex node = nodes_->add(NodeKind::call, {}, (*nodes_)[callee].at);
  NodeIndex last = kNoNode;
  if (!append(node, last, callee) || !expect("(")) return kNoNode;
  while (!is(")")) {
    NodeIndex argument = expression();
    if (argument == kNoNode) return kNoNode;
    const Node& name = (*nodes_)[argument];
    if (name.kind == NodeKind::name && is("=")) {
      const NodeIndex keyword = nodes_->add(NodeKind::keyword, name.text, name.at);
      advance();
      NodeIndex value = kNoNode;
      if (!append(keyword, value, expression())) return kNoNode;
      argument = keyword;
    }
    if (!append(node, last, argument)) return kNoNode;
    if (!accept(",")) break;
  }
  return expect(")") ? node : kNoNode;
}

NodeIndex ExpressionReader::bracketed(NodeKind kind, std::string_view closing) {
  const NodeIndex node = nodes_->add(kind, {}, token_.at);
  advance();
  NodeIndex last = kNoNode;
  bool comma = false;
  while (!is(closing)) {
    if (!append(node, last, expression())) return kNoNode;
    comma = accept(",");
    if (!comma) break;
  }
  if (!expect(closing)) return kNoNode;
  // (x) is x.
  const bool grouping = kind == NodeKind::tuple && !comma && (*nodes_)[node].first != kNoNode;
  return grouping && nodes_->children(node) == 1 ? (*nodes_)[node].first : node;
}

NodeIndex ExpressionReader::dict() {
  const NodeIndex node = nodes_->add(NodeKind::dict, {}, token_.at);
  advance();
  NodeIndex last = kNoNode;
  while (!is("}")) {
    if (!append(node, last, expression()) || !expect(":") || !append(node, last, expression()))
      return kNoNode;
    if (!accept(",")) break;
  }
  return expect("}") ? node : kNoNode;
}

NodeIndex ExpressionReader::string() {
  const Position at = token_.at;
  std::string whole;
  std::string part;
  while (token_.kind == TokenKind::string) {
    if (!decode_string(token_.text, part)) return fail("parse.expression", "a string is malformed");
    whole += part;
    advance();
  }
  return nodes_->add(NodeKind::string, nodes_->keep(std::move(whole)), at);
}

NodeIndex ExpressionReader::atom() {
  const Token token = token_;
  switch (token.kind) {
    case TokenKind::name:
      advance();
      return nodes_->add(NodeKind::name, token.text, token.at);
    case TokenKind::integer:
      advance();
      return nodes_->add(NodeKind::integer, token.text, token.at);
    case TokenKind::floating:
      advance();
      return nodes_->add(NodeKind::floating, token.text, token.at);
    case TokenKind::string:
      return string();
    default:
      break;
  }
  if (is("(")) return bracketed(NodeKind::tuple, ")");
  if (is("[")) return bracketed(NodeKind::list, "]");
  if (is("{")) return dict();
  return fail("parse.expression", token.kind == TokenKind::newline || token.kind == TokenKind::end
                                      ? "an expression is expected before the line ends"
                                      : "an expression is expected");
}

}  // namespace passdiff
