#include "core/text/parser/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/form/builder.h"
#include "core/form/signature.h"
#include "core/text/parser/bindings.h"

namespace passdiff {

Result<FunctionPtr> BodyParser::function(const Signature& signature) {
  Sequence sequence;
  const Position at = reader_.token().at;
  TRY_VOID(block(sequence));
  if (sequence.result == nullptr) {
    return error_at(at, "parse.return", fmt::format("{} does not return", signature.name));
  }
  SeqExpr body{.blocks = std::move(sequence.blocks), .result = std::move(sequence.result)};
  Type result = result_type_of(signature.params, body);
  // That the body may return something else is for well_formed to say: TVM's tests hold such functions.
  if (signature.result) result = *signature.result;
  return std::make_shared<const Function>(Function{signature.params, std::move(body), std::move(result),
                                                   signature.pure, std::move(sequence.attrs)});
}

// An indented block, from the colon before it.
std::optional<Error> BodyParser::block(Sequence& sequence) {
  TRY_VOID(reader_.expect(":"));
  if (reader_.token().kind != TokenKind::newline) {
    return reader_.error("parse.statement", "a block starts on a new line");
  }
  reader_.advance();
  if (reader_.token().kind != TokenKind::indent) {
    return reader_.error("parse.statement", "an indented block is expected");
  }
  reader_.advance();
  if (++depth_ > kMaxNesting) {
    return error_at(reader_.token().at, "parse.nesting", "blocks are nested too deeply");
  }
  while (reader_.token().kind != TokenKind::dedent) TRY_VOID(statement(sequence));
  --depth_;
  reader_.advance();
  return std::nullopt;
}

std::optional<Error> BodyParser::statement(Sequence& sequence) {
  context_.nodes.clear();
  if (reader_.token().kind == TokenKind::end) return reader_.error("parse.statement", "the block does not end");
  if (sequence.ended) return reader_.error("parse.statement", "nothing may follow here");
  if (reader_.is("if") || reader_.is("with") || reader_.is("@") || reader_.is("def")) {
    return compound_statement(sequence);
  }
  TRY_VOID(simple_statement(sequence));
  return reader_.end_statement();
}

std::optional<Error> BodyParser::simple_statement(Sequence& sequence) {
  if (reader_.accept("pass")) return std::nullopt;
  BindingParser bindings(context_, sequence);
  if (reader_.accept("return")) return bindings.return_value(TRY(reader_.expression_list()));
  const NodeIndex target = TRY(reader_.expression_list());
  NodeIndex annotation = kNoNode;
  if (reader_.accept(":")) annotation = TRY(reader_.expression());
  if (reader_.accept("=")) return bindings.assignment(target, annotation, TRY(reader_.expression_list()));
  const TokenKind rest = reader_.token().kind;
  const bool ends = rest == TokenKind::newline || rest == TokenKind::end;
  // s: R.Shape([3, 3]), which TVM prints for a variable that occurs in types alone.
  if (annotation != kNoNode && ends && context_.nodes[target].kind == NodeKind::name) return std::nullopt;
  if (annotation != kNoNode) return reader_.error("parse.statement", "`=` is expected");
  if (ends) return bindings.expression(target);
  return reader_.error("parse.statement", "this statement is not known");
}

std::optional<Error> BodyParser::compound_statement(Sequence& sequence) {
  if (sequence.in_dataflow && !reader_.is("@") && !reader_.is("if")) {
    return reader_.error("parse.statement", "a dataflow block holds plain bindings only");
  }
  if (reader_.is("if")) return if_statement(sequence);
  if (reader_.is("with")) return dataflow_block(sequence);
  return local_function(sequence);
}

std::optional<Error> BodyParser::dataflow_block(Sequence& sequence) {
  reader_.advance();
  const NodeIndex node = TRY(reader_.expression());
  if (context_.nodes.call_path(node, "R") != "dataflow") {
    return context_.nodes.error(node, "parse.statement", "only R.dataflow() can be entered");
  }
  Sequence inner;
  inner.in_dataflow = true;
  {
    const NameScope scope(context_.names);
    TRY_VOID(block(inner));
  }
  for (const auto& var : inner.dataflow_vars) {
    if (var->dataflow) {
      context_.escaped.insert_or_assign(var->name, var);
    } else {
      context_.names.set(var->name, var);
    }
  }
  std::move(inner.blocks.begin(), inner.blocks.end(), std::back_inserter(sequence.blocks));
  return std::nullopt;
}

// TVM's convention: the last binding of a branch is its value, and names the variable that the if is bound to.
Result<BodyParser::Branch> BodyParser::branch(std::string_view suffix) {
  const NameScope scope(context_.names);
  const Position at = reader_.token().at;
  Sequence sequence;
  TRY_VOID(block(sequence));
  if (sequence.ended) return error_at(at, "parse.if-value", "a branch cannot return");
  if (sequence.blocks.empty()) return error_at(at, "parse.if-value", "a branch must end with a binding");
  Block& last = sequence.blocks.back();
  const Binding binding = last.bindings.back();
  if (binding.var->dataflow) {
    return error_at(at, "parse.if-value", "a branch must end with a variable that is visible outside");
  }
  Branch branch{.body = {}, .name = binding.var->name, .annotation = std::nullopt};
  if (is_leaf(binding.value) && !binding.match_cast && !last.dataflow) {
    branch.annotation = binding.var->type;
    branch.body.result = binding.value;
    last.bindings.pop_back();
    if (last.bindings.empty()) sequence.blocks.pop_back();
  } else {
    // The name is left to the variable of the if, to which all later uses of the name refer.
    last.bindings.back().var = make_var(branch.name + std::string(suffix), binding.var->type);
    branch.body.result = var_expr(last.bindings.back().var);
  }
  branch.body.blocks = std::move(sequence.blocks);
  return branch;
}

std::optional<Error> BodyParser::if_statement(Sequence& sequence) {
  const Position at = reader_.token().at;
  reader_.advance();
  const NodeIndex node = TRY(reader_.expression());
  const ExprPtr condition = TRY(ExprParser(context_, sequence).leaf(node));
  Branch yes = TRY(branch("_then"));
  TRY_VOID(reader_.expect("else", "parse.statement"));
  Branch no = TRY(branch("_else"));
  if (yes.name != no.name) {
    return error_at(at, "parse.if-value",
                    fmt::format("one branch ends with `{}`, the other with `{}`", yes.name, no.name));
  }
  Result<ExprPtr> result = make_if(condition, std::move(yes.body), std::move(no.body));
  if (!result) return error_at(at, result.error().code, result.error().message);
  Type declared = (*result)->type;
  if (yes.annotation && no.annotation && equal(*yes.annotation, *no.annotation) &&
      is_subtype(declared, *yes.annotation)) {
    declared = *yes.annotation;
  }
  context_.names.set(yes.name, sequence.emit(yes.name, std::move(declared), *std::move(result)));
  return std::nullopt;
}

std::optional<Error> BodyParser::local_function(Sequence& sequence) {
  Signature header = TRY(parse_decorators(context_, reader_));
  if (header.is_prim) return reader_.error("parse.statement", "a function of TensorIR cannot stand in another");
  if (!reader_.is("def")) return reader_.error("parse.statement", "a function is expected");
  std::shared_ptr<VarNode> var;
  FunctionPtr made;
  {
    const NameScope scope(context_.names);
    TRY_VOID(parse_signature(context_, reader_, header));
    // It may call itself if its result type is declared.
    if (header.result) {
      var = sequence.new_var(header.name, header.type());
      context_.names.set(header.name, var);
    }
    made = TRY(function(header));
  }
  if (var == nullptr) var = sequence.new_var(header.name, type_of(*made));
  sequence.bind(var, make_expr(made, type_of(*made)));
  context_.names.set(header.name, var);
  return std::nullopt;
}

}  // namespace passdiff
