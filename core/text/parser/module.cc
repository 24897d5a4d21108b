// Modules: imports, the class, its functions.
#include <fmt/format.h>

#include <utility>

#include "core/form/builder.h"
#include "core/text/parser/body.h"
#include "core/text/parser/context.h"
#include "core/text/parser/expression_reader.h"
#include "core/text/parser/literals.h"
#include "core/text/parser/meshes.h"
#include "core/text/parser/signature.h"
#include "core/text/parser/tir_function.h"
#include "core/text/parser/vdevices.h"
#include "core/text/text.h"
#include "core/utf8.h"

namespace passdiff {
namespace {

// Metadata hold weights: 10^8 elements of float32 are half as much again in base64.
constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : nodes_(context_.nodes), reader_(Lexer(text), nodes_) {
    context_.legacy_tir = text.find("from tvm.script import tir as T") != std::string_view::npos;
  }

  Result<Module> parse() {
    while (reader_.token().kind != TokenKind::end) TRY_VOID(top_level());
    for (std::size_t i = 0; i < declared_prims_.size(); ++i) TRY_VOID(define_prim_func(i));
    for (std::size_t i = 0; i < declared_.size(); ++i) TRY_VOID(define_function(i));
    if (context_.class_name.empty() && declared_.empty() && declared_prims_.empty()) {
      return Error{"parse.empty", "the text holds no module class and no function"};
    }
    return std::move(context_.module);
  }

 private:
  struct Declared {
    Signature signature;
    ExpressionReader body;  // stands before the colon
  };

  std::optional<Error> top_level();
  std::optional<Error> import();
  std::optional<Error> read_metadata(NodeIndex call);
  std::optional<Error> class_definition();
  std::optional<Error> class_statement();
  std::optional<Error> declare_function(Signature signature);
  std::optional<Error> declare_prim_func(Signature signature);
  std::optional<Error> define_prim_func(std::size_t index);
  std::optional<Error> skip_block();
  std::optional<Error> define_function(std::size_t index);
  bool is_declared(std::string_view name) const {
    return context_.module.find(name) != nullptr || context_.module.find_prim_func(name) != nullptr;
  }
  Error unexpected(std::string_view message) const { return reader_.error("parse.statement", message); }

  ParseContext context_;
  Nodes& nodes_;
  ExpressionReader reader_;
  std::vector<Declared> declared_;        // in the order of the module's functions
  std::vector<Declared> declared_prims_;  // in that of its functions of TensorIR; the bodies start before the parameters
};

std::optional<Error> ModuleParser::import() {
  while (reader_.token().kind != TokenKind::newline && reader_.token().kind != TokenKind::end) {
    if (reader_.token().kind == TokenKind::error) return unexpected({});
    reader_.advance();
  }
  return reader_.end_statement();
}

std::optional<Error> ModuleParser::top_level() {
  nodes_.clear();
  if (reader_.is("import") || reader_.is("from")) return import();
  if (reader_.is("@") || reader_.is("class") || reader_.is("def")) {
    Signature signature = TRY(parse_decorators(context_, reader_));
    return reader_.is("class") ? class_definition() : declare_function(std::move(signature));
  }
  const NodeIndex target = TRY(reader_.expression());
  if (nodes_[target].kind == NodeKind::string) return reader_.end_statement();
  if (!reader_.accept("=")) return unexpected("a module class or a function is expected");
  const bool is_metadata = nodes_.is_name(target, "metadata");
  const NodeIndex value = TRY(reader_.expression());
  if (is_metadata) {
    TRY_VOID(read_metadata(value));
    return reader_.end_statement();
  }
  if (nodes_[value].kind != NodeKind::call || !nodes_.is_name(nodes_[value].first, "TypeVar")) {
    return nodes_.error(value, "parse.statement", "only TypeVar(...) can be bound outside of the module");
  }
  if (nodes_[target].kind == NodeKind::name) context_.type_vars.emplace(nodes_[target].text);
  return reader_.end_statement();
}

// tvm.ir.load_json("""{...}""").
std::optional<Error> ModuleParser::read_metadata(NodeIndex call) {
  const NodeIndex text = nodes_.child(call, 1);
  if (nodes_.call_path(call, "tvm") != "ir.load_json" || text == kNoNode ||
      nodes_[text].kind != NodeKind::string)
    return nodes_.error(call, "parse.metadata", "metadata are read by tvm.ir.load_json(\"\"\"{...}\"\"\")");
  context_.metadata = TRY(nodes_.locate(call, Metadata::read(std::string(nodes_[text].text))));
  return std::nullopt;
}

std::optional<Error> ModuleParser::class_definition() {
  reader_.advance();
  if (!context_.class_name.empty()) return unexpected("there is more than one class");
  if (reader_.token().kind != TokenKind::name) return unexpected("the name of a class is expected");
  context_.class_name = reader_.token().text;
  reader_.advance();
  if (reader_.accept("(")) TRY_VOID(reader_.expect(")"));
  TRY_VOID(reader_.expect(":"));
  TRY_VOID(reader_.end_statement());
  if (reader_.token().kind != TokenKind::indent) return unexpected("an indented block is expected");
  reader_.advance();
  while (reader_.token().kind != TokenKind::dedent) {
    if (reader_.token().kind == TokenKind::end) return unexpected("the class does not end");
    TRY_VOID(class_statement());
  }
  reader_.advance();
  return std::nullopt;
}

std::optional<Error> ModuleParser::class_statement() {
  nodes_.clear();
  if (reader_.accept("pass")) return reader_.end_statement();
  if (reader_.is("@") || reader_.is("def")) {
    Signature signature = TRY(parse_decorators(context_, reader_));
    if (reader_.is("class")) return unexpected("a class cannot stand in the module");
    return declare_function(std::move(signature));
  }
  const NodeIndex node = TRY(reader_.expression());
  const std::string name = nodes_.call_path(node, "I");
  const bool docstring = nodes_[node].kind == NodeKind::string;
  if (name == "module_attrs") {
    context_.module.attrs = TRY(parse_named_attrs(nodes_, node));
  } else if (name == "module_global_infos") {
    for (VDevice& device : TRY(parse_vdevices(nodes_, node))) {
      context_.module.vdevices.push_back(std::move(device));
    }
    for (DeviceMesh& mesh : TRY(parse_meshes(nodes_, node))) context_.module.meshes.push_back(std::move(mesh));
  } else if (!docstring) {
    return nodes_.error(node, "parse.statement",
                        "only functions, I.module_attrs and I.module_global_infos are known here");
  }
  return reader_.end_statement();
}

std::optional<Error> ModuleParser::skip_block() {
  TRY_VOID(reader_.expect(":", "parse.statement"));
  TRY_VOID(reader_.end_statement());
  int depth = 0;
  do {
    const TokenKind kind = reader_.token().kind;
    if (kind == TokenKind::indent) ++depth;
    if (kind == TokenKind::dedent) --depth;
    const bool ends = kind == TokenKind::error || kind == TokenKind::end;
    if (ends || (depth == 0 && kind != TokenKind::dedent)) return unexpected("an indented block is expected");
    reader_.advance();
  } while (depth > 0);
  return std::nullopt;
}

// Functions may call those that follow: all are declared before any body is read.
std::optional<Error> ModuleParser::declare_function(Signature signature) {
  if (signature.is_prim) return declare_prim_func(std::move(signature));
  {
    const NameScope scope(context_.names);
    TRY_VOID(parse_signature(context_, reader_, signature));
  }
  if (is_declared(signature.name)) {
    return error_at(signature.at, "parse.duplicate-function", "a function of that name is there");
  }
  context_.signatures.push_back(signature.type());
  context_.module.functions.push_back(
      {.name = signature.name, .function = nullptr, .is_public = signature.is_public});
  declared_.push_back({std::move(signature), reader_});
  return skip_block();
}

std::optional<Error> ModuleParser::declare_prim_func(Signature signature) {
  TRY_VOID(parse_tir_name(reader_, signature));
  if (is_declared(signature.name)) {
    return error_at(signature.at, "parse.duplicate-function", "a function of that name is there");
  }
  ExpressionReader params = reader_;
  context_.prim_results[signature.name] = TRY(parse_tir_result(context_, reader_));
  context_.module.prim_funcs.push_back({.name = signature.name, .function = nullptr, .is_public = signature.is_public});
  declared_prims_.push_back({std::move(signature), std::move(params)});
  return skip_block();
}

std::optional<Error> ModuleParser::define_prim_func(std::size_t index) {
  Declared& declared = declared_prims_[index];
  context_.module.prim_funcs[index].function = TRY(parse_prim_func(context_, declared.body, declared.signature));
  return std::nullopt;
}

std::optional<Error> ModuleParser::define_function(std::size_t index) {
  const Signature& signature = declared_[index].signature;
  context_.escaped.clear();
  NameTable& names = context_.names;
  const NameScope scope(names);
  const auto define = [&names](const SymVar& symbol) {
    if (names.find(symbol->name) == nullptr) names.set(symbol->name, symbol);
  };
  for (const Var& param : signature.params) for_each_sym_var(param->type, define);
  if (signature.result) for_each_sym_var(*signature.result, define);
  for (const Var& param : signature.params) names.set(param->name, param);
  FunctionPtr function = TRY(BodyParser(context_, declared_[index].body).function(signature));
  context_.signatures[index] = type_of(*function);
  context_.module.functions[index].function = std::move(function);
  return std::nullopt;
}

}  // namespace

Result<Module> parse_text(std::string_view text) {
  if (text.size() > kMaxTextBytes) {
    return Error{"parse.size",
                 fmt::format("the text has {} bytes, more than {}", text.size(), kMaxTextBytes)};
  }
  if (!is_utf8(text)) return Error{"parse.encoding", "the text is not UTF-8"};
  return ModuleParser(text).parse();
}

}  // namespace passdiff
