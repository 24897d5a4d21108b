// Lines of functions of TensorIR that reach over a block: attributes, threads, blocks and what these declare.
#include <fmt/format.h>

#include <algorithm>

#include "core/text/parser/literals.h"
#include "core/text/parser/tir_access.h"
#include "core/text/parser/tir_body.h"

namespace passdiff {

using tir::make_stmt;
using tir::Stmt;

Result<tir::AttrStmt> TirBodyParser::attr(NodeIndex call) {
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(call, {"node", "attr_key", "value"}));
  if (std::ranges::count(values, kNoNode) != 0 || nodes_[values[1]].kind != NodeKind::string)
    return nodes_.error(call, "parse.argument", "T.attr takes a node, a key and a value");
  tir::AttrStmt made;
  made.key = nodes_[values[1]].text;
  made.value = TRY(exprs_.expr(values[2]));
  const NodeIndex node = values[0];
  if (nodes_[node].kind == NodeKind::string) {
    made.node = std::string(nodes_[node].text);
  } else if (const std::optional<std::int64_t> number = TRY(parse_int(nodes_, node))) {
    made.node = *number;
  } else if (nodes_.is_name(node, "None")) {
    made.node = std::monostate();
  } else if (const tir::Buffer buffer =
                 exprs_.buffer(nodes_[node].kind == NodeKind::attribute ? nodes_[node].first : node)) {
    made.node = buffer;
  } else {
    const tir::Expr value = TRY(exprs_.expr(node));
    const tir::Var* var = tir::as<tir::Var>(value);
    if (var == nullptr)
      return nodes_.error(node, "parse.unsupported", "T.attr of such a node is not supported");
    made.node = *var;
  }
  return made;
}

Result<tir::AttrStmt> TirBodyParser::launch_thread(NodeIndex call, std::string_view as) {
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(call, {"thread", "extent"}));
  if (values[0] == kNoNode || values[1] == kNoNode)
    return nodes_.error(call, "parse.argument", "T.launch_thread takes a thread and an extent");
  tir::AttrStmt made;
  made.value = TRY(exprs_.expr(values[1]));
  if (nodes_[values[0]].kind == NodeKind::string) {
    made.thread_tag = nodes_[values[0]].text;
    const tir::Var var = tir::make_var(std::string(as.empty() ? made.thread_tag : as), made.value->type);
    made.node = var;
    if (!as.empty()) context_.names.set(as, var);
  } else {
    const tir::Expr value = TRY(exprs_.expr(values[0]));
    const tir::Var* var = tir::as<tir::Var>(value);
    const auto tag = var == nullptr ? thread_tags_.end() : thread_tags_.find(var->get());
    if (tag == thread_tags_.end())
      return nodes_.error(values[0], "parse.argument", "a variable of T.env_thread is expected");
    made.node = *var;
    made.thread_tag = tag->second;
  }
  made.key = made.thread_tag.starts_with("vthread") ? "virtual_thread" : "thread_extent";
  return made;
}

// Around the indented block, or around what is left of the block that the statement stands in.
std::optional<Error> TirBodyParser::wrap(std::vector<tir::AttrStmt> frames, bool indented, Stmts& into) {
  if (!indented) TRY_VOID(reader_.end_statement());
  if (depth_ + static_cast<int>(frames.size()) > kMaxNesting)
    return reader_.error("parse.nesting", "blocks are nested too deeply");
  depth_ += static_cast<int>(frames.size());
  Stmt body = indented ? TRY(block()) : TRY(rest());
  depth_ -= static_cast<int>(frames.size());
  for (std::size_t i = frames.size(); i-- > 0;) {
    frames[i].body = std::move(body);
    body = make_stmt(std::move(frames[i]));
  }
  into.push_back(std::move(body));
  return std::nullopt;
}

// T.attr, T.launch_thread and others, with a block of their own or without. False for other calls.
Result<bool> TirBodyParser::frame_statement(NodeIndex node, std::string_view name, std::string_view as,
                                            bool indented, Stmts& into) {
  std::vector<tir::AttrStmt> frames;
  const NodeIndex dict = nodes_.child(node, 1);
  if (name == "attr" && dict != kNoNode && nodes_[dict].kind == NodeKind::dict) {
    for (NodeIndex key = nodes_[dict].first; key != kNoNode; key = nodes_[nodes_[key].sibling].sibling) {
      tir::Expr value = TRY(exprs_.expr(nodes_[key].sibling));
      frames.push_back(
          {.node = std::int64_t{0}, .key = std::string(nodes_[key].text), .value = std::move(value)});
    }
  } else if (name == "attr") {
    frames.push_back(TRY(attr(node)));
  } else if (name == "launch_thread") {
    frames.push_back(TRY(launch_thread(node, as)));
  } else {
    return false;
  }
  TRY_VOID(wrap(std::move(frames), indented, into));
  return true;
}

std::optional<Error> TirBodyParser::with(Stmts& into) {
  reader_.advance();
  const NodeIndex node = TRY(reader_.expression());
  std::string as;
  if (reader_.accept("as")) {
    as = reader_.token().text;
    reader_.advance();
  }
  const NameScope scope(context_.names);
  const std::string name = nodes_.call_path(node, "T");
  if (name == "sblock" || name == "block") return sblock(node, into);
  if (name == "init") {
    if (frame_ == nullptr || frame_->block.init)
      return nodes_.error(node, "parse.statement", "T.init stands in blocks, once");
    Frame* const frame = frame_;
    frame->block.init = TRY(block());
    return std::nullopt;
  }
  if (TRY(frame_statement(node, name, as, true, into))) return std::nullopt;
  if (name == "LetStmt" && nodes_.child_count(node) >= 2) {  // TVM 0.25
    tir::Expr value = TRY(exprs_.expr(nodes_.child(node, 1)));
    const tir::Var var = tir::make_var(as.empty() ? "v" : as, value->type);
    context_.names.set(as, var);
    into.push_back(make_stmt(tir::Bind{var, std::move(value)}));
    into.push_back(TRY(block()));
    return std::nullopt;
  }
  if (!as.empty() && TRY(buffer_assignment(as, node, into))) {
    into.push_back(TRY(block()));
    return std::nullopt;
  }
  return nodes_.error(node, "parse.statement", fmt::format("T.{} cannot be entered here", name));
}

// ---- blocks

std::optional<Error> TirBodyParser::sblock(NodeIndex call, Stmts& into) {
  Frame frame;
  const NodeIndex name = nodes_.child(call, 1);
  if (name != kNoNode && nodes_[name].kind == NodeKind::string) frame.block.name = nodes_[name].text;
  Frame* const outer = std::exchange(frame_, &frame);
  Result<Stmt> body = block();
  frame_ = outer;
  if (!body) return body.error();
  frame.block.body = *std::move(body);
  if (!frame.predicate) frame.predicate = tir::int_imm(1, DType::boolean);
  detect_accesses(frame.block, !frame.has_reads, !frame.has_writes);
  into.push_back(make_stmt(
      tir::SBlockRealize{std::move(frame.iter_values), std::move(frame.predicate), std::move(frame.block)}));
  return std::nullopt;
}

std::optional<Error> TirBodyParser::add_axis(NodeIndex name, tir::IterKind kind, tir::Range domain,
                                             tir::Expr value) {
  if (nodes_[name].kind != NodeKind::name) return nodes_.error(name, "parse.statement", "a name is expected");
  const tir::Var var = tir::make_var(std::string(nodes_[name].text), domain.extent->type);
  context_.names.set(nodes_[name].text, var);
  frame_->block.iter_vars.push_back({var, std::move(domain), kind});
  frame_->iter_values.push_back(std::move(value));
  return std::nullopt;
}

std::optional<Error> TirBodyParser::remap(NodeIndex target, NodeIndex call) {
  const NodeIndex kinds = nodes_.child(call, 1);
  const NodeIndex values = nodes_.child(call, 2);
  const std::vector<NodeIndex> names = nodes_.one_or_several(target);
  if (values == kNoNode || nodes_[kinds].kind != NodeKind::string ||
      nodes_[kinds].text.size() != names.size() || nodes_.one_or_several(values).size() != names.size())
    return nodes_.error(call, "parse.argument", "T.axis.remap takes a letter and a loop for each name");
  const std::string letters(nodes_[kinds].text);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const NodeIndex at = nodes_.one_or_several(values)[i];
    tir::Expr value = TRY(exprs_.expr(at));
    const tir::Var* var = tir::as<tir::Var>(value);
    const auto domain = var == nullptr ? domains_.end() : domains_.find(var->get());
    if (domain == domains_.end())
      return nodes_.error(at, "parse.argument", "a variable of a loop is expected");
    if (letters[i] != 'S' && letters[i] != 'R')
      return nodes_.error(kinds, "parse.argument", "an axis is of kind S or R");
    const tir::IterKind kind = letters[i] == 'S' ? tir::IterKind::spatial : tir::IterKind::reduction;
    TRY_VOID(add_axis(names[i], kind, domain->second, std::move(value)));
  }
  return std::nullopt;
}

std::optional<Error> TirBodyParser::axis(NodeIndex target, NodeIndex call, std::string_view kind_name) {
  if (frame_ == nullptr) return nodes_.error(call, "parse.statement", "axes stand in blocks only");
  if (kind_name == "remap") return remap(target, call);
  if (kind_name == "S") kind_name = "spatial";
  if (kind_name == "R" || kind_name == "reduce") kind_name = "reduction";
  const std::optional<tir::IterKind> kind = tir::iter_kind_from_name(kind_name);
  const NodeIndex domain = nodes_.child(call, 1);
  const NodeIndex bound = nodes_.child(call, 2);
  if (!kind || bound == kNoNode)
    return nodes_.error(call, "parse.argument", "an axis takes a domain and a value");
  tir::Range range;
  if (nodes_.is_sequence(domain) && nodes_.child_count(domain) == 2) {
    range = TRY(exprs_.range(nodes_.child(domain, 0), nodes_.child(domain, 1)));
  } else {
    range.extent = TRY(exprs_.expr(domain));
    range.min = tir::int_imm(0, range.extent->type.dtype);
  }
  return add_axis(target, *kind, std::move(range), TRY(exprs_.expr(bound)));
}

// T.where, T.reads and others, which describe the innermost block. False for other calls.
Result<bool> TirBodyParser::block_statement(NodeIndex node, std::string_view name) {
  if (name != "where" && name != "reads" && name != "writes" && name != "sblock_attr" && name != "block_attr")
    return false;
  if (frame_ == nullptr)
    return nodes_.error(node, "parse.statement", fmt::format("T.{} stands in blocks only", name));
  const NodeIndex first = nodes_.child(node, 1);
  if (name == "where") {
    if (first == kNoNode) return nodes_.error(node, "parse.argument", "T.where takes a condition");
    frame_->predicate = TRY(exprs_.expr(first));
    return true;
  }
  if (name == "sblock_attr" || name == "block_attr") {
    for (auto& [key, value] : TRY(parse_tir_attrs(nodes_, first)))
      frame_->block.annotations[key] = std::move(value);
    return true;
  }
  std::vector<tir::BufferRegion> regions;
  const bool listed = first != kNoNode && nodes_.is_sequence(first);
  for (const NodeIndex one : listed ? nodes_.children(first) : nodes_.siblings(first))
    regions.push_back(TRY(exprs_.region(one)));
  (name == "reads" ? frame_->has_reads : frame_->has_writes) = true;
  (name == "reads" ? frame_->block.reads : frame_->block.writes) = std::move(regions);
  return true;
}

}  // namespace passdiff
