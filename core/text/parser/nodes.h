// Expressions of TVMScript as trees of plain Python syntax, without meaning.
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/parser/lexer.h"

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
  lambda,  // names of the parameters, then the body
  slice,   // start, stop, step; None for those that are left out
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

// An error whose message starts with the place in the text.
Error error_at(Position at, std::string code, std::string_view message);

// The nodes of one statement. References to nodes do not outlive an add.
class Nodes {
 public:
  Nodes() { clear(); }
  void clear() {
    nodes_.assign(1, Node{});
    strings_.clear();
  }
  NodeIndex add(NodeKind kind, std::string_view text, Position at);
  // False if the tree grows too deep.
  bool append(NodeIndex parent, NodeIndex& last, NodeIndex child);
  // Puts another tree in the place of a node among its siblings.
  void replace(NodeIndex node, NodeIndex by);
  std::size_t size() const { return nodes_.size(); }
  std::string_view keep(std::string text) { return strings_.emplace_back(std::move(text)); }

  const Node& operator[](NodeIndex at) const { return nodes_[at]; }
  // A node and those after it among the children of one node. Nodes may be added during a loop over them.
  class Siblings;
  Siblings siblings(NodeIndex first) const;
  Siblings children(NodeIndex parent) const;
  Siblings arguments(NodeIndex call) const;
  NodeIndex child(NodeIndex at, int number) const;  // kNoNode if there are fewer
  int child_count(NodeIndex at) const;

  bool is_name(NodeIndex node, std::string_view text) const {
    return nodes_[node].kind == NodeKind::name && nodes_[node].text == text;
  }
  bool is_sequence(NodeIndex node) const {
    return nodes_[node].kind == NodeKind::tuple || nodes_[node].kind == NodeKind::list;
  }
  // Is an argument left out, or None?
  bool is_absent(NodeIndex node) const { return node == kNoNode || is_name(node, "None"); }
  // Are the trees spelled alike?
  bool same(NodeIndex a, NodeIndex b) const;
  // The fields of a tuple or list; anything else by itself.
  std::vector<NodeIndex> one_or_several(NodeIndex node) const;
  // "nn.relu" for R.nn.relu with the root R; empty for anything else.
  std::string path(NodeIndex node, std::string_view root) const;
  // The same for the function that a call calls; empty if the node is no call.
  std::string call_path(NodeIndex node, std::string_view root) const;
  // The arguments of a call, given by position or by name, in the order of `names`; kNoNode for one that is left out.
  // Fails with parse.argument if there are others; the message says whose they are not if `callee` is given.
  Result<std::vector<NodeIndex>> match_arguments(NodeIndex call, std::span<const std::string_view> names,
                                                 std::string_view callee = {}) const;
  Result<std::vector<NodeIndex>> match_arguments(NodeIndex call,
                                                 std::initializer_list<std::string_view> names) const {
    return match_arguments(call, std::span(names.begin(), names.end()));
  }

  Error error(NodeIndex at, std::string code, std::string_view message) const {
    return error_at(nodes_[at].at, std::move(code), message);
  }
  // The result; an error gets the node's place in the text.
  template <class T>
  Result<T> locate(NodeIndex at, Result<T> result) const {
    if (result) return result;
    return error(at, result.error().code, result.error().message);
  }

 private:
  std::vector<Node> nodes_;
  std::deque<std::string> strings_;
};

class Nodes::Siblings {
 public:
  class Iterator {
   public:
    Iterator(const Nodes& nodes, NodeIndex at) : nodes_(&nodes), at_(at) {}
    NodeIndex operator*() const { return at_; }
    Iterator& operator++() {
      at_ = (*nodes_)[at_].sibling;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Nodes* nodes_;
    NodeIndex at_;
  };

  Siblings(const Nodes& nodes, NodeIndex first) : nodes_(&nodes), first_(first) {}
  Iterator begin() const { return {*nodes_, first_}; }
  Iterator end() const { return {*nodes_, kNoNode}; }

 private:
  const Nodes* nodes_;
  NodeIndex first_;
};

inline Nodes::Siblings Nodes::siblings(NodeIndex first) const {
  return {*this, first};
}
inline Nodes::Siblings Nodes::children(NodeIndex parent) const {
  return {*this, nodes_[parent].first};
}
inline Nodes::Siblings Nodes::arguments(NodeIndex call) const {
  return {*this, child(call, 1)};
}

}  // namespace passdiff
