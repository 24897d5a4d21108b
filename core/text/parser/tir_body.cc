#include "core/text/parser/tir_body.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/parser/literals.h"
#include "core/text/parser/tir_access.h"
#include "core/text/tir_printer.h"

namespace passdiff {

using tir::make_expr;
using tir::make_stmt;
using tir::ScalarType;
using tir::Stmt;

Stmt make_sequence(std::vector<Stmt> stmts) {
  std::vector<Stmt> flat;
  for (Stmt& one : stmts) {
    if (const tir::Seq* seq = tir::as<tir::Seq>(one)) {
      flat.insert(flat.end(), seq->stmts.begin(), seq->stmts.end());
    } else {
      flat.push_back(std::move(one));
    }
  }
  if (flat.empty()) return make_stmt(tir::Evaluate{tir::int_imm(0, DType::int32)});
  return flat.size() == 1 ? flat.front() : make_stmt(tir::Seq{std::move(flat)});
}

Result<Stmt> TirBodyParser::block() {
  TRY_VOID(reader_.expect(":", "parse.statement"));
  if (reader_.token().kind != TokenKind::newline)
    return reader_.error("parse.statement", "a block starts on a new line");
  reader_.advance();
  if (reader_.token().kind != TokenKind::indent)
    return reader_.error("parse.statement", "an indented block is expected");
  reader_.advance();
  const NameScope scope(context_.names);
  Stmt body = TRY(rest());
  reader_.advance();
  return body;
}

Result<Stmt> TirBodyParser::rest() {
  if (++depth_ > kMaxNesting) return reader_.error("parse.nesting", "blocks are nested too deeply");
  Stmts stmts;
  while (reader_.token().kind != TokenKind::dedent) {
    if (reader_.token().kind == TokenKind::end)
      return reader_.error("parse.statement", "the block does not end");
    TRY_VOID(statement(stmts));
  }
  --depth_;
  return make_sequence(std::move(stmts));
}

std::optional<Error> TirBodyParser::statement(Stmts& into) {
  nodes_.clear();
  for (const std::string_view keyword : {"for", "while", "if", "with", "def", "@"}) {
    if (reader_.is(keyword)) return compound_statement(into);
  }
  TRY_VOID(simple_statement(into));
  // T.attr(...) and others end with the block that they reach into.
  return reader_.token().kind == TokenKind::dedent ? std::nullopt : reader_.end_statement();
}

std::optional<Error> TirBodyParser::compound_statement(Stmts& into) {
  if (reader_.is("for")) return for_loop(into);
  if (reader_.is("while")) return while_loop(into);
  if (reader_.is("if")) return branches(into);
  if (reader_.is("with")) return with(into);
  return reader_.error("parse.unsupported", "functions inside of functions of TensorIR are not supported");
}

std::optional<Error> TirBodyParser::simple_statement(Stmts& into) {
  if (reader_.accept("pass")) return std::nullopt;
  if (reader_.is("assert")) return assertion(into);
  if (reader_.accept("break")) {
    into.push_back(make_stmt(tir::Break{}));
    return std::nullopt;
  }
  if (reader_.accept("continue")) {
    into.push_back(make_stmt(tir::Continue{}));
    return std::nullopt;
  }
  if (reader_.accept("return")) {
    const NodeIndex value = TRY(reader_.expression_list());
    into.push_back(make_stmt(tir::Return{TRY(exprs_.expr(value))}));
    return std::nullopt;
  }
  const NodeIndex target = TRY(reader_.expression_list());
  if (reader_.accept(":")) {
    const NodeIndex annotation = TRY(reader_.expression());
    const NodeIndex value = reader_.accept("=") ? TRY(reader_.expression_list()) : kNoNode;
    return annotated(target, annotation, value, into);
  }
  if (reader_.accept("=")) return assignment(target, kNoNode, TRY(reader_.expression_list()), into);
  return expression(target, into);
}

// ---- loops and branches

std::optional<Error> TirBodyParser::loop_keyword(NodeIndex argument, tir::For& loop) {
  const std::string_view name = nodes_[argument].text;
  const NodeIndex value = nodes_[argument].first;
  if (name == "annotations") {
    loop.annotations = TRY(parse_tir_attrs(nodes_, value));
  } else if (name == "thread" && nodes_[value].kind == NodeKind::string) {
    loop.thread_tag = nodes_[value].text;
  } else if (name == "step") {
    if (!nodes_.is_absent(value)) loop.step = TRY(exprs_.expr(value));
  } else if (name == "unroll") {
    const std::optional<bool> flag = parse_bool(nodes_, value);
    if (!flag) return nodes_.error(argument, "parse.argument", "True or False is expected");
    loop.annotations[*flag ? "pragma_unroll" : "disable_unroll"] = true;
  } else {
    return nodes_.error(argument, "parse.argument", fmt::format("loops have no {}", name));
  }
  return std::nullopt;
}

Result<tir::For> TirBodyParser::loop(NodeIndex call, tir::ForKind kind) {
  tir::For loop;
  loop.kind = kind;
  std::vector<NodeIndex> bounds;
  for (const NodeIndex argument : nodes_.arguments(call)) {
    if (nodes_[argument].kind == NodeKind::keyword) {
      TRY_VOID(loop_keyword(argument, loop));
    } else {
      bounds.push_back(argument);
    }
  }
  const bool tagged = kind == tir::ForKind::thread_binding && bounds.size() > 1;
  if (tagged && nodes_[bounds.back()].kind == NodeKind::string) {
    loop.thread_tag = nodes_[bounds.back()].text;
    bounds.pop_back();
  }
  if (bounds.empty() || bounds.size() > 3)
    return nodes_.error(call, "parse.argument", "a loop takes one to three bounds");
  tir::Range range;
  if (bounds.size() == 1) {
    range.extent = TRY(exprs_.expr(bounds[0]));
    range.min = tir::int_imm(0, range.extent->type.dtype);
  } else {
    range = TRY(exprs_.range(bounds[0], bounds[1]));
  }
  if (!range.extent->type.is_number() || !range.min->type.is_number())
    return nodes_.error(call, "parse.argument", "the bounds of a loop are numbers");
  const bool wider = row_of(range.min->type.dtype).bits > row_of(range.extent->type.dtype).bits;
  const ScalarType type = wider ? range.min->type : range.extent->type;
  loop.min = TirExprParser::cast(range.min, type);
  loop.extent = TirExprParser::cast(range.extent, type);
  if (bounds.size() == 3) loop.step = TRY(exprs_.expr_of(bounds[2], type));
  if (loop.step) loop.step = TirExprParser::cast(loop.step, type);
  if (loop.step && tir::is_int(loop.step, 1)) loop.step = nullptr;
  return loop;
}

Result<std::vector<tir::For>> TirBodyParser::loops(NodeIndex iterable) {
  if (nodes_[iterable].kind == NodeKind::call && nodes_.is_name(nodes_[iterable].first, "range"))
    return std::vector{TRY(loop(iterable, tir::ForKind::serial))};
  const std::string name = nodes_.call_path(iterable, "T");
  if (name == "grid") {
    std::vector<tir::For> all;
    for (const NodeIndex one : nodes_.arguments(iterable)) {
      tir::For loop;
      if (nodes_[one].kind == NodeKind::tuple && nodes_.child_count(one) == 2) {
        const tir::Range range = TRY(exprs_.range(nodes_.child(one, 0), nodes_.child(one, 1)));
        loop.min = range.min;
        loop.extent = range.extent;
      } else {
        loop.extent = TRY(exprs_.expr(one));
        loop.min = tir::int_imm(0, loop.extent->type.dtype);
      }
      all.push_back(std::move(loop));
    }
    if (!all.empty()) return all;
  }
  const std::optional<tir::ForKind> kind = tir::for_kind_from_name(name == "unroll" ? "unrolled" : name);
  if (kind) return std::vector{TRY(loop(iterable, *kind))};
  return nodes_.error(iterable, "parse.statement",
                      "a loop over range, T.grid, T.serial or another of T's is expected");
}

std::optional<Error> TirBodyParser::for_loop(Stmts& into) {
  reader_.advance();
  const NodeIndex target = TRY(reader_.expression_list());
  TRY_VOID(reader_.expect("in", "parse.statement"));
  const NodeIndex iterable = TRY(reader_.expression());
  std::vector<tir::For> nest = TRY(loops(iterable));
  const std::vector<NodeIndex> names = nodes_.one_or_several(target);
  if (names.size() != nest.size())
    return nodes_.error(target, "parse.statement", "one name for each loop is expected");
  if (depth_ + static_cast<int>(nest.size()) > kMaxNesting)
    return nodes_.error(target, "parse.nesting", "loops are nested too deeply");
  const NameScope scope(context_.names);
  for (std::size_t i = 0; i < nest.size(); ++i) {
    if (nodes_[names[i]].kind != NodeKind::name)
      return nodes_.error(names[i], "parse.statement", "a name is expected");
    nest[i].var = tir::make_var(std::string(nodes_[names[i]].text), nest[i].extent->type);
    context_.names.set(nodes_[names[i]].text, nest[i].var);
    domains_[nest[i].var.get()] = {nest[i].min, nest[i].extent};
  }
  depth_ += static_cast<int>(nest.size());
  Stmt body = TRY(block());
  depth_ -= static_cast<int>(nest.size());
  for (std::size_t i = nest.size(); i-- > 0;) {
    domains_.erase(nest[i].var.get());
    nest[i].body = std::move(body);
    body = make_stmt(std::move(nest[i]));
  }
  into.push_back(std::move(body));
  return std::nullopt;
}

std::optional<Error> TirBodyParser::while_loop(Stmts& into) {
  reader_.advance();
  const NodeIndex node = TRY(reader_.expression());
  tir::Expr condition = TRY(exprs_.expr(node));
  Stmt body = TRY(block());
  into.push_back(make_stmt(tir::While{std::move(condition), std::move(body)}));
  return std::nullopt;
}

std::optional<Error> TirBodyParser::branches(Stmts& into) {
  if (depth_ > kMaxNesting) return reader_.error("parse.nesting", "branches are nested too deeply");
  reader_.advance();
  tir::IfThenElse made;
  const NodeIndex condition = TRY(reader_.expression());
  made.condition = TRY(exprs_.expr(condition));
  made.then_case = TRY(block());
  if (reader_.is("elif")) {
    nodes_.clear();
    Stmts other;
    ++depth_;
    TRY_VOID(branches(other));
    --depth_;
    made.else_case = std::move(other.front());
  } else if (reader_.accept("else")) {
    made.else_case = TRY(block());
  }
  into.push_back(make_stmt(std::move(made)));
  return std::nullopt;
}

std::optional<Error> TirBodyParser::assertion(Stmts& into) {
  reader_.advance();
  tir::AssertStmt made;
  const NodeIndex condition = TRY(reader_.expression());
  made.condition = TRY(exprs_.expr(condition));
  if (reader_.accept(",")) {
    const NodeIndex message = TRY(reader_.expression());
    NodeIndex parts = message;
    if (nodes_[message].kind == NodeKind::tuple && nodes_.child_count(message) == 2) {
      made.kind = nodes_[nodes_.child(message, 0)].text;
      parts = nodes_.child(message, 1);
    }
    for (const NodeIndex part : nodes_.one_or_several(parts)) {
      const tir::Expr text = TRY(exprs_.expr(part));
      const tir::StringImm* string = tir::as<tir::StringImm>(text);
      if (string == nullptr) return nodes_.error(part, "parse.statement", "a message is a string");
      made.message_parts.push_back(string->value);
    }
  }
  into.push_back(make_stmt(std::move(made)));
  return std::nullopt;
}

// ---- lines

Result<Stmt> TirBodyParser::vstore(NodeIndex call) {
  const tir::Buffer buffer = exprs_.buffer(nodes_[nodes_[call].first].first);
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(call, {"begin", "value", "predicate"}));
  if (buffer == nullptr || values[0] == kNoNode || values[1] == kNoNode)
    return nodes_.error(call, "parse.statement", "vstore needs a buffer, indices and a value");
  tir::BufferStore made{buffer, TRY(exprs_.expr(values[1])), TRY(exprs_.exprs(values[0])), nullptr};
  if (!nodes_.is_absent(values[2])) made.predicate = TRY(exprs_.expr(values[2]));
  return make_stmt(std::move(made));
}

std::optional<Error> TirBodyParser::expression(NodeIndex node, Stmts& into) {
  if (nodes_[node].kind == NodeKind::string) return std::nullopt;  // a docstring
  const std::string name = nodes_.call_path(node, "T");
  if (name == "func_attr") {
    for (auto& [key, value] : TRY(parse_tir_attrs(nodes_, nodes_.child(node, 1)))) {
      if (key != "global_symbol") attrs.insert_or_assign(key, std::move(value));
    }
    return std::nullopt;
  }
  if (TRY(block_statement(node, name))) return std::nullopt;
  if (TRY(frame_statement(node, name, {}, false, into))) return std::nullopt;
  const NodeIndex callee = nodes_[node].first;
  if (nodes_[node].kind == NodeKind::call && nodes_[callee].kind == NodeKind::attribute &&
      nodes_[callee].text == "vstore") {
    into.push_back(TRY(vstore(node)));
    return std::nullopt;
  }
  if (name == "break_loop") return into.push_back(make_stmt(tir::Break{})), std::nullopt;
  if (name == "continue_loop") return into.push_back(make_stmt(tir::Continue{})), std::nullopt;
  const bool wrapped = name == "evaluate" || name == "ret";
  if (wrapped && nodes_.child_count(node) != 2)
    return nodes_.error(node, "parse.argument", "one value is expected");
  const NodeIndex inner = wrapped ? nodes_.child(node, 1) : node;
  if (name == "evaluate" && nodes_.call_path(inner, "T") == "ret") return expression(inner, into);
  tir::Expr value = TRY(exprs_.expr(inner));
  into.push_back(name == "ret" ? make_stmt(tir::Return{std::move(value)})
                               : make_stmt(tir::Evaluate{std::move(value)}));
  return std::nullopt;
}

std::optional<Error> TirBodyParser::store(NodeIndex target, NodeIndex value, Stmts& into) {
  const tir::Buffer buffer = exprs_.buffer(nodes_[target].first);
  if (buffer == nullptr) return nodes_.error(target, "parse.statement", "only buffers have elements here");
  std::vector<tir::Expr> indices = TRY(exprs_.indices(target));
  ScalarType type = buffer->dtype;
  if (!indices.empty()) type.lanes *= indices.back()->type.lanes;
  tir::Expr stored = TRY(exprs_.expr_of(value, type));
  into.push_back(make_stmt(tir::BufferStore{buffer, std::move(stored), std::move(indices), nullptr}));
  return std::nullopt;
}

std::optional<Error> TirBodyParser::bind(NodeIndex target, const std::optional<ScalarType>& type,
                                         NodeIndex value, Stmts& into) {
  const std::string_view name = nodes_[target].text;
  tir::Expr bound = type && type->is_number() ? TRY(exprs_.expr_of(value, *type)) : TRY(exprs_.expr(value));
  const tir::Var var = tir::make_var(std::string(name), type.value_or(bound->type));
  context_.names.set(name, var);
  into.push_back(make_stmt(tir::Bind{var, std::move(bound)}));
  return std::nullopt;
}

// v: T.let[T.int32] = value binds, and so does TVM 0.25's v: T.int32 = value; v: T.int32 allocates one element.
std::optional<Error> TirBodyParser::annotated(NodeIndex target, NodeIndex annotation, NodeIndex value,
                                              Stmts& into) {
  if (nodes_[target].kind != NodeKind::name)
    return nodes_.error(target, "parse.statement", "a name is expected");
  const bool typed = nodes_[annotation].kind == NodeKind::subscript;
  if (nodes_.path(typed ? nodes_[annotation].first : annotation, "T") == "let") {
    if (value == kNoNode) return nodes_.error(target, "parse.statement", "T.let needs a value");
    std::optional<ScalarType> type;
    if (typed) type = TRY(exprs_.type(nodes_.child(annotation, 1)));
    return bind(target, type, value, into);
  }
  const ScalarType type = TRY(exprs_.type(annotation));
  if (value != kNoNode) return bind(target, type, value, into);
  if (!type.is_number())
    return nodes_.error(annotation, "parse.dtype", "one element of a buffer is a number");
  tir::BufferNode node{.name = std::string(nodes_[target].text),
                       .dtype = type,
                       .shape = {tir::int_imm(1, DType::int32)},
                       .scope = "local"};
  const tir::Buffer buffer = std::make_shared<const tir::BufferNode>(std::move(node));
  define(buffer);
  into.push_back(make_stmt(tir::AllocBuffer{buffer, {}}));
  return std::nullopt;
}

// n = T.int64(), also for several at once: a variable that something later binds. One that the signature names is kept.
Result<bool> TirBodyParser::declaration(NodeIndex target, NodeIndex value) {
  if (nodes_[target].kind == NodeKind::tuple && nodes_[value].kind == NodeKind::tuple &&
      nodes_.child_count(target) == nodes_.child_count(value)) {
    NodeIndex name = nodes_[target].first;
    for (const NodeIndex one : nodes_.children(value)) {
      if (!TRY(declaration(name, one)))
        return nodes_.error(one, "parse.statement", "several variables cannot be bound at once");
      name = nodes_[name].sibling;
    }
    return true;
  }
  const std::string path = nodes_.call_path(value, "T");
  if (nodes_[target].kind != NodeKind::name || path.empty()) return false;
  const std::string_view name = nodes_[target].text;
  if (path == "env_thread") {
    const NodeIndex tag = nodes_.child(value, 1);
    if (tag == kNoNode || nodes_[tag].kind != NodeKind::string)
      return nodes_.error(value, "parse.argument", "a thread's name is expected");
    const tir::Var var = tir::make_var(std::string(name), tir::number_type(DType::int32));
    thread_tags_[var.get()] = nodes_[tag].text;
    context_.names.set(name, var);
    return true;
  }
  std::optional<ScalarType> type = tir::scalar_type_from_name(path);
  const NodeIndex first = nodes_.child(value, 1);
  if (path == "var" && first != kNoNode) {
    type = TRY(exprs_.type(first));
  } else if (!type || (type->is_number() && first != kNoNode && nodes_[first].kind != NodeKind::keyword)) {
    return false;
  }
  const NameMeaning* known = context_.names.find(name);
  if (known == nullptr || known->symbol == nullptr || known->symbol->type != *type)
    context_.names.set(name, tir::make_var(std::string(name), *type));
  return true;
}

std::optional<Error> TirBodyParser::match_buffer(std::string_view name, NodeIndex call) {
  const NodeIndex source = nodes_.child(call, 1);
  if (source == kNoNode)
    return nodes_.error(call, "parse.argument", "T.match_buffer needs a parameter or a region");
  const NameMeaning* meaning =
      nodes_[source].kind == NodeKind::name ? context_.names.find(nodes_[source].text) : nullptr;
  const auto param = std::ranges::find_if(params, [&](const tir::Param& one) {
    const tir::Var* var = std::get_if<tir::Var>(&one);
    return var != nullptr && meaning != nullptr && meaning->symbol == *var;
  });
  if (param != params.end()) {
    const std::string handle(nodes_[source].text);
    const BufferDeclaration made = TRY(buffers_.declaration(call, name, 1));
    *param = made.buffer;
    context_.names.set(handle, make_expr(tir::BufferData{made.buffer}, tir::kHandle));
    define(made.buffer);
    return std::nullopt;
  }
  if (frame_ == nullptr)
    return nodes_.error(call, "parse.statement", "T.match_buffer of a region stands in blocks only");
  tir::BufferRegion region = TRY(exprs_.region(source));
  const BufferDeclaration made = TRY(buffers_.match(call, name, region));
  define(made.buffer);
  frame_->block.match_buffers.push_back({made.buffer, std::move(region)});
  return std::nullopt;
}

// A = T.alloc_buffer(...) and others. False for calls that make no buffer.
bool TirBodyParser::are_slices(NodeIndex items) const {
  const std::vector<NodeIndex> all = nodes_.one_or_several(items);
  return !all.empty() && std::ranges::all_of(all, [&](NodeIndex item) { return nodes_[item].kind == NodeKind::slice; });
}

Result<bool> TirBodyParser::buffer_assignment(std::string_view name, NodeIndex call, Stmts& into) {
  const std::string path = nodes_.call_path(call, "T");
  if (path == "match_buffer") {
    TRY_VOID(match_buffer(name, call));
    return true;
  }
  const bool in_block = path == "sblock_alloc_buffer" || (path == "alloc_buffer" && context_.legacy_tir);
  const bool local = path == "alloc_local";
  const bool shared = path == "alloc_shared";
  const bool allocates = path == "alloc_buffer" || local || shared;
  const bool declares = path == "decl_buffer" || path == "Buffer" || path == "buffer_decl";
  const NodeIndex callee = nodes_[call].kind == NodeKind::call ? nodes_[call].first : kNoNode;
  const bool view = path.empty() && callee != kNoNode && nodes_[callee].kind == NodeKind::attribute &&
                    nodes_[callee].text == "view" && exprs_.buffer(nodes_[callee].first) != nullptr;
  if (path == "allocate") {
    BufferDeclaration made = TRY(buffers_.allocation(call, name));
    context_.names.set(name, make_expr(tir::BufferData{made.buffer}, tir::kHandle));
    into.push_back(make_stmt(tir::AllocBuffer{made.buffer, std::move(made.annotations)}));
    return true;
  }
  const bool part = nodes_[call].kind == NodeKind::subscript && exprs_.buffer(nodes_[call].first) != nullptr && are_slices(nodes_.child(call, 1));
  if (!in_block && !allocates && !declares && !view && !part) return false;
  BufferDeclaration made = part   ? TRY(buffers_.beginning(call, name))
                           : view ? TRY(buffers_.view(call, name))
                                  : TRY(buffers_.declaration(call, name));
  if (local || shared) {
    tir::BufferNode scoped = *made.buffer;
    scoped.scope = local ? "local" : "shared";
    made.buffer = std::make_shared<const tir::BufferNode>(std::move(scoped));
  }
  define(made.buffer);
  if (in_block) {
    (frame_ != nullptr ? frame_->block.alloc_buffers : root_allocations).push_back(made.buffer);
  } else if (made.data) {
    into.push_back(make_stmt(tir::DeclBuffer{made.buffer, std::move(made.data)}));
  } else if (path != "Buffer") {
    into.push_back(make_stmt(tir::AllocBuffer{made.buffer, std::move(made.annotations)}));
  }
  return true;
}

std::optional<Error> TirBodyParser::assignment(NodeIndex target, NodeIndex, NodeIndex value, Stmts& into) {
  if (nodes_[target].kind == NodeKind::subscript) return store(target, value, into);
  if (TRY(declaration(target, value))) return std::nullopt;
  const std::string path = nodes_.call_path(value, "T");
  constexpr std::string_view kAxis = "axis.";
  if (path.starts_with(kAxis)) return axis(target, value, std::string_view(path).substr(kAxis.size()));
  if (nodes_[target].kind != NodeKind::name)
    return nodes_.error(target, "parse.statement", "only a name can be bound");
  if (!context_.class_name.empty() && nodes_.is_name(value, context_.class_name))
    return std::nullopt;  // cls = Module
  const std::string name(nodes_[target].text);
  if (TRY(frame_statement(value, path, name, false, into))) return std::nullopt;
  if (const tir::Buffer scalar = exprs_.buffer(target); scalar != nullptr && exprs_.is_scalar(scalar)) {
    into.push_back(make_stmt(
        tir::BufferStore{scalar, TRY(exprs_.expr_of(value, scalar->dtype)), {tir::int_imm(0, DType::int32)}, nullptr}));
    return std::nullopt;
  }
  if (TRY(buffer_assignment(name, value, into))) return std::nullopt;
  return bind(target, std::nullopt, value, into);
}

}  // namespace passdiff
