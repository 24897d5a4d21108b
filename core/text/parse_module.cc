#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/form/builder.h"
#include "core/text/parse.h"
#include "core/text/text.h"
#include "core/utf8.h"

namespace passdiff {

constexpr std::size_t kMaxTextBytes = std::size_t{4} << 20;

Result<Module> parse_text(std::string_view text) {
  if (text.size() > kMaxTextBytes) {
    return Error{"parse.size",
                 fmt::format("the text has {} bytes, more than {}", text.size(), kMaxTextBytes)};
  }
  if (!is_utf8(text)) return Error{"parse.encoding", "the text is not UTF-8"};
  return TextParser(text).parse();
}

const NameMeaning* NameTable::find(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &found->second;
}

void NameTable::set(std::string_view name, NameMeaning meaning) {
  const auto found = names_.find(name);
  if (found == names_.end()) {
    undo_.push_back({std::string(name), std::nullopt});
    names_.emplace(std::string(name), std::move(meaning));
  } else {
    undo_.push_back({std::string(name), std::exchange(found->second, std::move(meaning))});
  }
}

void NameTable::close(std::size_t mark) {
  for (; undo_.size() > mark; undo_.pop_back()) {
    Undo& last = undo_.back();
    const auto found = names_.find(last.name);
    if (last.before) {
      found->second = std::move(*last.before);
    } else {
      names_.erase(found);
    }
  }
}

bool TextParser::fail(Position at, std::string code, std::string_view message) {
  if (!error_) error_ = error_at(at, std::move(code), message);
  return false;
}

// The reader's own error, if it has one, says more.
bool TextParser::fail_here(std::string_view message) {
  if (!error_ && reader_.error()) error_ = reader_.error();
  if (!error_ && reader_.token().kind == TokenKind::error) {
    reader_.fail({}, {});
    error_ = reader_.error();
  }
  return fail(reader_.token().at, "parse.statement", message);
}

ExprPtr TextParser::typed(NodeIndex at, Result<ExprPtr> result) {
  if (result) return std::move(*result);
  fail(at, result.error().code, result.error().message);
  return nullptr;
}

bool TextParser::is_name(NodeIndex node, std::string_view text) const {
  return nodes_[node].kind == NodeKind::name && nodes_[node].text == text;
}

std::string TextParser::path(NodeIndex node, std::string_view root) const {
  std::string path;
  for (; nodes_[node].kind == NodeKind::attribute; node = nodes_[node].first) {
    path.insert(0, nodes_[node].text);
    if (is_name(nodes_[node].first, root)) return path;
    path.insert(0, ".");
  }
  return {};
}

std::string TextParser::call_path(NodeIndex node, std::string_view root) const {
  return nodes_[node].kind == NodeKind::call ? path(nodes_[node].first, root) : std::string();
}

bool TextParser::arguments(NodeIndex call, std::initializer_list<std::string_view> names,
                           std::vector<NodeIndex>& values) {
  values.assign(names.size(), kNoNode);
  std::size_t position = 0;
  for (NodeIndex at = nodes_.child(call, 1); at != kNoNode; at = nodes_[at].sibling) {
    std::size_t index = position++;
    NodeIndex value = at;
    if (nodes_[at].kind == NodeKind::keyword) {
      value = nodes_[at].first;
      index =
          static_cast<std::size_t>(std::find(names.begin(), names.end(), nodes_[at].text) - names.begin());
    }
    if (index >= values.size() || values[index] != kNoNode)
      return fail(at, "parse.argument", "there is no such argument");
    values[index] = value;
  }
  return true;
}

Result<Module> TextParser::parse() {
  while (reader_.token().kind != TokenKind::end) {
    if (!top_level()) return *error_;
  }
  if (!define_functions()) return *error_;
  if (class_name_.empty() && module_.functions.empty()) {
    return Error{"parse.empty", "the text holds no module class and no function"};
  }
  return std::move(module_);
}

bool TextParser::top_level() {
  nodes_.clear();
  if (reader_.is("import") || reader_.is("from")) {
    while (reader_.token().kind != TokenKind::newline && reader_.token().kind != TokenKind::end) {
      if (reader_.token().kind == TokenKind::error) return fail_here({});
      reader_.advance();
    }
    return end_of_statement();
  }
  if (reader_.is("@") || reader_.is("class") || reader_.is("def")) {
    Signature header;
    bool is_class = false;
    if (!decorators(header, is_class)) return false;
    return is_class ? class_definition() : declare_function(std::move(header));
  }
  const NodeIndex target = reader_.expression();
  if (target == kNoNode) return fail_here("a module class or a function is expected");
  if (nodes_[target].kind == NodeKind::string) return end_of_statement();
  if (!reader_.accept("=")) return fail_here("a module class or a function is expected");
  if (is_name(target, "metadata"))
    return fail(target, "parse.metadata", "constants in `metadata` cannot be read: print them inline");
  const NodeIndex value = reader_.expression();
  if (value == kNoNode) return fail_here("a value is expected");
  if (nodes_[value].kind != NodeKind::call || !is_name(nodes_[value].first, "TypeVar")) {
    return fail(value, "parse.statement", "only TypeVar(...) can be bound outside of the module");
  }
  return end_of_statement();
}

bool TextParser::class_definition() {
  reader_.advance();
  if (!class_name_.empty()) return fail_here("there is more than one class");
  if (reader_.token().kind != TokenKind::name) return fail_here("the name of a class is expected");
  class_name_ = reader_.token().text;
  reader_.advance();
  if (reader_.accept("(") && !reader_.expect(")")) return fail_here("`)` is expected");
  if (!reader_.expect(":")) return fail_here("`:` is expected");
  if (!end_of_statement()) return false;
  if (reader_.token().kind != TokenKind::indent) return fail_here("an indented block is expected");
  reader_.advance();
  while (reader_.token().kind != TokenKind::dedent) {
    if (reader_.token().kind == TokenKind::end || !class_statement())
      return fail_here("the class does not end");
  }
  reader_.advance();
  return true;
}

bool TextParser::class_statement() {
  nodes_.clear();
  if (reader_.accept("pass")) return end_of_statement();
  if (reader_.is("@") || reader_.is("def")) {
    Signature header;
    bool is_class = false;
    if (!decorators(header, is_class)) return false;
    return is_class ? fail_here("a class cannot stand in the module") : declare_function(std::move(header));
  }
  const NodeIndex node = reader_.expression();
  if (node == kNoNode) return fail_here("a function is expected");
  const std::string name = call_path(node, "I");
  const bool docstring = nodes_[node].kind == NodeKind::string;
  if (name == "module_attrs") {
    Sequence attrs;
    if (!function_attrs(attrs, node)) return false;
    module_.attrs = std::move(attrs.attrs);
  } else if (name == "module_global_infos") {
    if (!module_infos(node)) return false;
  } else if (!docstring) {
    return fail(node, "parse.statement",
                "only functions, I.module_attrs and I.module_global_infos are known here");
  }
  return end_of_statement();
}

std::optional<VDevice> TextParser::vdevice_literal(NodeIndex node) {
  std::vector<NodeIndex> values;
  if (!arguments(node, {"target", "vdevice_id", "memory_scope"}, values)) return std::nullopt;
  VDevice device;
  NodeIndex target = values[0];
  if (target != kNoNode && nodes_[target].kind == NodeKind::dict) {
    for (NodeIndex key = nodes_[target].first; key != kNoNode;) {
      const NodeIndex value = nodes_[key].sibling;
      if (nodes_[key].text == "kind") {
        target = value;
        break;
      }
      key = nodes_[value].sibling;
    }
  }
  if (target != kNoNode && nodes_[target].kind == NodeKind::string) {
    const std::string_view text = nodes_[target].text;
    device.target = text.substr(0, text.find(' '));
  }
  const std::int64_t id = values[1] == kNoNode ? 0 : int_value(values[1]).value_or(-1);
  constexpr std::int64_t kMaxDevices = 1 << 16;
  if (id < 0 || id > kMaxDevices) {
    fail(node, "parse.vdevice", "a vdevice needs an id");
    return std::nullopt;
  }
  device.id = static_cast<int>(id);
  if (values[2] != kNoNode) device.memory_scope = nodes_[values[2]].text;
  return device;
}

bool TextParser::module_infos(NodeIndex call) {
  const NodeIndex dict = nodes_.child(call, 1);
  if (dict == kNoNode || nodes_[dict].kind != NodeKind::dict)
    return fail(call, "parse.vdevice", "a dict is expected");
  for (NodeIndex key = nodes_[dict].first; key != kNoNode;) {
    const NodeIndex value = nodes_[key].sibling;
    if (nodes_[key].text == "vdevice") {
      for (NodeIndex at = nodes_[value].first; at != kNoNode; at = nodes_[at].sibling) {
        if (call_path(at, "I") != "vdevice") return fail(at, "parse.vdevice", "I.vdevice(...) is expected");
        const std::optional<VDevice> device = vdevice_literal(at);
        if (!device) return false;
        module_.vdevices.push_back(*device);
      }
    }
    key = nodes_[value].sibling;
  }
  return true;
}

// Leaves the reader before `def` or `class`.
bool TextParser::decorators(Signature& signature, bool& is_class) {
  bool decorated = false;
  while (reader_.accept("@")) {
    const NodeIndex node = reader_.expression();
    if (node == kNoNode) return fail_here("a decorator is expected");
    const bool called = nodes_[node].kind == NodeKind::call;
    const NodeIndex callee = called ? nodes_[node].first : node;
    if (path(callee, "T") == "prim_func")
      return fail(node, "parse.unsupported", "PrimFuncs cannot be read here");
    decorated = decorated || path(callee, "R") == "function";
    if (called && path(callee, "R") == "function" && !decorator_options(node, signature)) return false;
    if (!end_of_statement()) return false;
  }
  is_class = reader_.is("class");
  if (is_class || decorated) return true;
  return fail_here("a function needs the decorator @R.function");
}

bool TextParser::decorator_options(NodeIndex call, Signature& signature) {
  for (NodeIndex at = nodes_.child(call, 1); at != kNoNode; at = nodes_[at].sibling) {
    const std::optional<bool> value =
        nodes_[at].kind == NodeKind::keyword ? bool_value(nodes_[at].first) : std::nullopt;
    if (!value) return fail(at, "parse.argument", "True or False is expected");
    if (nodes_[at].text == "pure") signature.pure = *value;
    if (nodes_[at].text == "private") signature.is_public = !*value;
  }
  return true;
}

bool TextParser::parameter(Signature& signature) {
  const Token name = reader_.token();
  if (name.kind != TokenKind::name) return fail_here("a parameter is expected");
  reader_.advance();
  if (!reader_.accept(":")) return fail_here("a parameter needs a type");
  const NodeIndex annotation = reader_.expression();
  if (annotation == kNoNode) return fail_here("a type is expected");
  std::optional<Type> declared = type(annotation);
  if (!declared) return false;
  signature.params.push_back(make_var(std::string(name.text), std::move(*declared)));
  return true;
}

// From `def` to before the colon of the body. Defines the parameters.
bool TextParser::signature(Signature& signature) {
  nodes_.clear();
  reader_.advance();
  signature.at = reader_.token().at;
  if (reader_.token().kind != TokenKind::name) return fail_here("the name of a function is expected");
  signature.name = reader_.token().text;
  reader_.advance();
  if (!reader_.accept("(")) return fail_here("`(` is expected");
  may_define_symbols_ = true;
  while (!reader_.is(")")) {
    if (!parameter(signature)) return false;
    if (!reader_.accept(",")) break;
  }
  if (!reader_.accept(")")) return fail_here("`)` is expected");
  if (reader_.accept("->")) {
    const NodeIndex annotation = reader_.expression();
    if (annotation == kNoNode) return fail_here("a type is expected");
    signature.result = type(annotation);
    if (!signature.result) return false;
  }
  may_define_symbols_ = false;
  for (const Var& param : signature.params) names_.set(param->name, {.var = param, .symbol = nullptr});
  return true;
}

bool TextParser::skip_block() {
  if (!reader_.accept(":")) return fail_here("`:` is expected");
  if (!end_of_statement()) return false;
  int depth = 0;
  do {
    const TokenKind kind = reader_.token().kind;
    if (kind == TokenKind::indent) ++depth;
    if (kind == TokenKind::dedent) --depth;
    if (kind == TokenKind::error || kind == TokenKind::end || depth == 0) {
      if (kind != TokenKind::dedent) return fail_here("an indented block is expected");
    }
    reader_.advance();
  } while (depth > 0);
  return true;
}

// Functions may call those that follow: all are declared before any body is read.
bool TextParser::declare_function(Signature header) {
  const std::size_t mark = names_.mark();
  if (!signature(header)) return false;
  names_.close(mark);
  if (module_.find(header.name) != nullptr)
    return fail(header.at, "parse.duplicate-function", "a function of that name is there");
  std::vector<Type> params;
  for (const Var& param : header.params) params.push_back(param->type);
  signatures_.push_back(func_type(std::move(params), header.result.value_or(object_type()), header.pure));
  module_.functions.push_back({.name = header.name, .function = nullptr, .is_public = header.is_public});
  pending_.push_back({std::move(header), reader_});
  return skip_block();
}

bool TextParser::define_functions() {
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Signature& header = pending_[i].signature;
    reader_ = pending_[i].body;
    const std::size_t mark = names_.mark();
    const auto define = [this](const SymVar& symbol) {
      if (names_.find(symbol->name) == nullptr) names_.set(symbol->name, {.var = nullptr, .symbol = symbol});
    };
    for (const Var& param : header.params) for_each_sym_var(param->type, define);
    if (header.result) for_each_sym_var(*header.result, define);
    for (const Var& param : header.params) names_.set(param->name, {.var = param, .symbol = nullptr});
    FunctionPtr function = function_body(header);
    if (function == nullptr) return false;
    names_.close(mark);
    signatures_[i] = type_of(*function);
    module_.functions[i].function = std::move(function);
  }
  return true;
}

}  // namespace passdiff
