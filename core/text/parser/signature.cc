#include "core/text/parser/signature.h"

#include "core/text/parser/literals.h"

namespace passdiff {
namespace {

std::optional<Error> decorator_options(const Nodes& nodes, NodeIndex call, Signature& signature) {
  for (const NodeIndex option : nodes.arguments(call)) {
    const bool keyword = nodes[option].kind == NodeKind::keyword;
    const std::optional<bool> value = keyword ? parse_bool(nodes, nodes[option].first) : std::nullopt;
    if (!value) return nodes.error(option, "parse.argument", "True or False is expected");
    if (nodes[option].text == "pure") signature.pure = *value;
    if (nodes[option].text == "private") signature.is_public = !*value;
    if (nodes[option].text == "s_tir") signature.s_tir = *value;
  }
  return std::nullopt;
}

Result<Var> parameter(ParseContext& context, ExpressionReader& reader) {
  const Token name = reader.token();
  if (name.kind != TokenKind::name) return reader.error("parse.statement", "a parameter is expected");
  reader.advance();
  if (!reader.accept(":")) return reader.error("parse.statement", "a parameter needs a type");
  const NodeIndex annotation = TRY(reader.expression());
  return make_var(std::string(name.text), TRY(context.types(UnknownSymbol::definition).type(annotation)));
}

}  // namespace

Type Signature::type() const {
  std::vector<Type> types;
  for (const Var& param : params) types.push_back(param->type);
  return func_type(std::move(types), result.value_or(object_type()), pure);
}

Result<Signature> parse_decorators(ParseContext& context, ExpressionReader& reader) {
  const Nodes& nodes = context.nodes;
  Signature signature;
  bool is_function = false;
  while (reader.accept("@")) {
    const NodeIndex node = TRY(reader.expression());
    const bool called = nodes[node].kind == NodeKind::call;
    const NodeIndex callee = called ? nodes[node].first : node;
    if (nodes.path(callee, "T") == "prim_func") {
      signature.is_prim = true;
      if (called) TRY_VOID(decorator_options(nodes, node, signature));
    }
    if (nodes.path(callee, "R") == "function") {
      is_function = true;
      if (called) TRY_VOID(decorator_options(nodes, node, signature));
    }
    TRY_VOID(reader.end_statement());
  }
  if (is_function || signature.is_prim || reader.is("class")) return signature;
  return reader.error("parse.statement", "a function needs the decorator @R.function or @T.prim_func");
}

std::optional<Error> parse_signature(ParseContext& context, ExpressionReader& reader, Signature& signature) {
  context.nodes.clear();
  reader.advance();
  signature.at = reader.token().at;
  if (reader.token().kind != TokenKind::name) {
    return reader.error("parse.statement", "the name of a function is expected");
  }
  signature.name = reader.token().text;
  reader.advance();
  TRY_VOID(reader.expect("(", "parse.statement"));
  while (!reader.is(")")) {
    signature.params.push_back(TRY(parameter(context, reader)));
    if (!reader.accept(",")) break;
  }
  TRY_VOID(reader.expect(")", "parse.statement"));
  if (reader.accept("->")) {
    const NodeIndex annotation = TRY(reader.expression());
    signature.result = TRY(context.types(UnknownSymbol::definition).type(annotation));
  }
  for (const Var& param : signature.params) context.names.set(param->name, param);
  return std::nullopt;
}

}  // namespace passdiff
