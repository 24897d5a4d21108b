#include "core/text/parser/nodes.h"

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

int Nodes::child_count(NodeIndex at) const {
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

void Nodes::replace(NodeIndex node, NodeIndex by) {
  const NodeIndex sibling = nodes_[node].sibling;
  nodes_[node] = nodes_[by];
  nodes_[node].sibling = sibling;
}

bool Nodes::same(NodeIndex a, NodeIndex b) const {
  if (nodes_[a].kind != nodes_[b].kind || nodes_[a].text != nodes_[b].text) return false;
  NodeIndex left = nodes_[a].first;
  NodeIndex right = nodes_[b].first;
  for (; left != kNoNode && right != kNoNode; left = nodes_[left].sibling, right = nodes_[right].sibling) {
    if (!same(left, right)) return false;
  }
  return left == right;
}

std::vector<NodeIndex> Nodes::one_or_several(NodeIndex node) const {
  if (!is_sequence(node)) return {node};
  std::vector<NodeIndex> fields;
  for (const NodeIndex field : children(node)) fields.push_back(field);
  return fields;
}

std::string Nodes::path(NodeIndex node, std::string_view root) const {
  std::string path;
  for (; nodes_[node].kind == NodeKind::attribute; node = nodes_[node].first) {
    path.insert(0, nodes_[node].text);
    if (is_name(nodes_[node].first, root)) return path;
    path.insert(0, ".");
  }
  return {};
}

std::string Nodes::call_path(NodeIndex node, std::string_view root) const {
  return nodes_[node].kind == NodeKind::call ? path(nodes_[node].first, root) : std::string();
}

Result<std::vector<NodeIndex>> Nodes::match_arguments(NodeIndex call, std::span<const std::string_view> names,
                                                      std::string_view callee) const {
  std::vector<NodeIndex> values(names.size(), kNoNode);
  std::size_t position = 0;
  for (const NodeIndex argument : arguments(call)) {
    std::size_t index = position++;
    NodeIndex value = argument;
    if (nodes_[argument].kind == NodeKind::keyword) {
      value = nodes_[argument].first;
      const auto named = std::find(names.begin(), names.end(), nodes_[argument].text);
      index = static_cast<std::size_t>(named - names.begin());
    }
    if (index >= values.size() || values[index] != kNoNode) {
      return error(argument, "parse.argument",
                   callee.empty() ? "there is no such argument" : fmt::format("{} has no such argument", callee));
    }
    values[index] = value;
  }
  return values;
}

}  // namespace passdiff
