#include "core/text/parser/tir_function.h"

#include <fmt/format.h>

#include <map>

#include "core/text/parser/tir_body.h"
#include "core/text/tir_printer.h"

namespace passdiff {
namespace {

struct WrittenParam {
  std::string name;
  NodeIndex annotation = kNoNode;
};

struct WrittenSignature {
  std::vector<WrittenParam> params;
  NodeIndex result = kNoNode;
};

Result<WrittenSignature> written_signature(ExpressionReader& reader) {
  WrittenSignature written;
  TRY_VOID(reader.expect("(", "parse.statement"));
  while (!reader.is(")")) {
    if (reader.token().kind != TokenKind::name)
      return reader.error("parse.statement", "a parameter is expected");
    WrittenParam param{std::string(reader.token().text)};
    reader.advance();
    if (!reader.accept(":")) return reader.error("parse.statement", "a parameter needs a type");
    param.annotation = TRY(reader.expression());
    written.params.push_back(std::move(param));
    if (!reader.accept(",")) break;
  }
  TRY_VOID(reader.expect(")", "parse.statement"));
  if (reader.accept("->")) written.result = TRY(reader.expression());
  return written;
}

using ScalarTypes = std::map<std::string, tir::ScalarType, std::less<>>;

// The types of the variables that the body declares first: n, m = T.int32(), T.int32(). The reader stands before the colon.
ScalarTypes declared_first(ExpressionReader reader) {
  ScalarTypes declared;
  const auto is_gap = [&] { return reader.token().kind == TokenKind::newline || reader.token().kind == TokenKind::indent; };
  reader.accept(":");
  while (true) {
    while (is_gap()) reader.advance();
    std::vector<std::string> names;
    do {
      if (reader.token().kind != TokenKind::name) return declared;
      names.emplace_back(reader.token().text);
      reader.advance();
    } while (reader.accept(","));
    if (!reader.accept("=")) return declared;
    for (const std::string& name : names) {
      if (!reader.accept("T") || !reader.accept(".")) return declared;
      const std::optional<tir::ScalarType> type = tir::scalar_type_from_name(reader.token().text);
      reader.advance();
      if (!type || !reader.accept("(") || !reader.accept(")")) return declared;
      declared.emplace(name, *type);
      reader.accept(",");
    }
  }
}

// Parameters are read from left to right. A shape in quotes binds the names in it; others must be known.
class ParamParser {
 public:
  ParamParser(ParseContext& context, TirBodyParser& body, ScalarTypes declared)
      : context_(context), nodes_(context.nodes), body_(body), declared_(std::move(declared)) {}
  std::optional<Error> params(const std::vector<WrittenParam>& written);

 private:
  bool is_buffer(NodeIndex annotation) const {
    const std::string path = nodes_.call_path(annotation, "T");
    return path == "Buffer" || path == "buffer_decl";
  }
  std::optional<Error> buffer(const WrittenParam& param);
  std::optional<Error> bind_names(NodeIndex node, bool quoted);
  // The expression in quotes, in place of the string.
  Result<NodeIndex> unquoted(NodeIndex node);
  std::optional<Error> unquote_shape(NodeIndex shape);

  ParseContext& context_;
  Nodes& nodes_;
  TirBodyParser& body_;
  const ScalarTypes declared_;  // by the body
  ScalarTypes scalars_;         // parameters
};

Result<NodeIndex> ParamParser::unquoted(NodeIndex node) {
  ExpressionReader inner(Lexer::fragment(nodes_[node].text, nodes_[node].at), nodes_);
  const NodeIndex tree = TRY(inner.expression());
  const TokenKind rest = inner.token().kind;
  if (rest != TokenKind::newline && rest != TokenKind::end)
    return nodes_.error(node, "parse.dim", "a string is no dimension");
  return tree;
}

std::optional<Error> ParamParser::bind_names(NodeIndex node, bool quoted) {
  if (nodes_[node].kind == NodeKind::attribute) return std::nullopt;
  if (nodes_[node].kind == NodeKind::string && !quoted) return std::nullopt;
  if (nodes_[node].kind == NodeKind::name) {
    const std::string name(nodes_[node].text);
    const NameMeaning* known = context_.names.find(name);
    if (known != nullptr || name == "T" || name == "None" || name == "True" || name == "False")
      return std::nullopt;
    const auto scalar = scalars_.find(name);
    const bool type_var = context_.type_vars.contains(name);
    const auto own = declared_.find(name);  // which hides a TypeVar of the name
    if (scalar != scalars_.end()) {
      context_.names.set(name, tir::make_var(name, scalar->second));
    } else if (quoted && own != declared_.end()) {
      context_.names.set(name, tir::make_var(name, own->second));
    } else if (type_var || quoted) {
      context_.names.set(name, tir::make_var(name, tir::number_type(type_var ? DType::int64 : DType::int32)));
    }
    return std::nullopt;
  }
  for (const NodeIndex child : nodes_.children(node)) TRY_VOID(bind_names(child, quoted));
  return std::nullopt;
}

std::optional<Error> ParamParser::unquote_shape(NodeIndex shape) {
  for (const NodeIndex size : nodes_.one_or_several(shape)) {
    if (nodes_[size].kind == NodeKind::string) {
      const NodeIndex tree = TRY(unquoted(size));
      TRY_VOID(bind_names(tree, true));
      nodes_.replace(size, tree);
    } else {
      TRY_VOID(bind_names(size, false));
    }
  }
  return std::nullopt;
}

std::optional<Error> ParamParser::buffer(const WrittenParam& param) {
  bool first = true;
  for (const NodeIndex argument : nodes_.arguments(param.annotation)) {
    const bool keyword = nodes_[argument].kind == NodeKind::keyword;
    if (first || (keyword && nodes_[argument].text == "shape")) {
      TRY_VOID(unquote_shape(keyword ? nodes_[argument].first : argument));
    } else if (keyword) {
      TRY_VOID(bind_names(nodes_[argument].first, false));
    }
    first = false;
  }
  const BufferDeclaration made = TRY(body_.buffers().declaration(param.annotation, param.name));
  context_.names.set(param.name, made.buffer);
  body_.params.emplace_back(made.buffer);
  return std::nullopt;
}

std::optional<Error> ParamParser::params(const std::vector<WrittenParam>& written) {
  for (const WrittenParam& param : written) {
    if (!is_buffer(param.annotation)) scalars_[param.name] = TRY(body_.exprs().type(param.annotation));
  }
  for (const WrittenParam& param : written) {
    if (is_buffer(param.annotation)) {
      TRY_VOID(buffer(param));
      continue;
    }
    const NameMeaning* bound = context_.names.find(param.name);
    const tir::Var var = bound != nullptr && bound->symbol != nullptr
                             ? bound->symbol
                             : tir::make_var(param.name, scalars_[param.name]);
    context_.names.set(param.name, var);
    body_.params.emplace_back(var);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> parse_tir_name(ExpressionReader& reader, Signature& signature) {
  reader.advance();
  signature.at = reader.token().at;
  if (reader.token().kind != TokenKind::name)
    return reader.error("parse.statement", "the name of a function is expected");
  signature.name = reader.token().text;
  reader.advance();
  return std::nullopt;
}

Result<tir::ScalarType> parse_tir_result(ParseContext& context, ExpressionReader& reader) {
  context.nodes.clear();
  const WrittenSignature written = TRY(written_signature(reader));
  if (written.result == kNoNode) return tir::kNoValue;
  return TirExprParser(context, true).type(written.result);
}

Result<tir::PrimFuncPtr> parse_prim_func(ParseContext& context, ExpressionReader& reader,
                                         const Signature& signature) {
  const NameScope scope(context.names);
  const bool s_tir = signature.s_tir || context.legacy_tir;
  TirBodyParser parser(context, reader, s_tir);
  context.nodes.clear();
  const WrittenSignature written = TRY(written_signature(reader));
  TRY_VOID(ParamParser(context, parser, declared_first(reader)).params(written.params));
  tir::PrimFunc function;
  if (written.result != kNoNode) function.result = TRY(parser.exprs().type(written.result));
  tir::Stmt body = TRY(parser.block());
  if (s_tir && tir::needs_root(body, !parser.root_allocations.empty())) {
    tir::SBlock root{.name = "root"};
    root.alloc_buffers = std::move(parser.root_allocations);
    root.body = std::move(body);
    body = tir::make_stmt(tir::SBlockRealize{
        {}, tir::make_expr(tir::IntImm{1}, tir::number_type(DType::boolean)), std::move(root)});
  }
  function.params = std::move(parser.params);
  function.body = std::move(body);
  function.attrs = std::move(parser.attrs);
  if (s_tir) function.attrs["s_tir"] = true;
  return std::make_shared<const tir::PrimFunc>(std::move(function));
}

}  // namespace passdiff
