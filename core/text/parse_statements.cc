#include <fmt/format.h>

#include <utility>

#include "core/form/builder.h"
#include "core/text/parse.h"
#include "core/form/signature.h"

namespace passdiff {

bool TextParser::end_of_statement() {
  if (reader_.token().kind == TokenKind::end) return true;
  if (reader_.token().kind != TokenKind::newline) return fail_here("the line should end here");
  reader_.advance();
  return true;
}

// An indented block, after the colon.
bool TextParser::block(Sequence& sequence) {
  if (!reader_.expect(":")) return fail_here("`:` is expected");
  if (reader_.token().kind != TokenKind::newline) return fail_here("a block starts on a new line");
  reader_.advance();
  if (reader_.token().kind != TokenKind::indent) return fail_here("an indented block is expected");
  reader_.advance();
  if (++depth_ > kMaxNesting)
    return fail(reader_.token().at, "parse.nesting", "blocks are nested too deeply");
  Sequence* const outer = std::exchange(current_, &sequence);
  bool good = true;
  while (good && reader_.token().kind != TokenKind::dedent) good = statement(sequence);
  current_ = outer;
  --depth_;
  if (good) reader_.advance();
  return good;
}

bool TextParser::statement(Sequence& sequence) {
  nodes_.clear();
  if (reader_.token().kind == TokenKind::end) return fail_here("the block does not end");
  if (sequence.ended) return fail_here("nothing may follow here");
  if (reader_.is("if") || reader_.is("with") || reader_.is("@") || reader_.is("def")) {
    return compound_statement(sequence);
  }
  return simple_statement(sequence) && end_of_statement();
}

bool TextParser::compound_statement(Sequence& sequence) {
  if (sequence.in_dataflow && !reader_.is("@"))
    return fail_here("a dataflow block holds plain bindings only");
  if (reader_.is("if")) return if_statement(sequence);
  if (reader_.is("with")) return dataflow_block(sequence);
  return local_function(sequence);
}

bool TextParser::simple_statement(Sequence& sequence) {
  if (reader_.accept("pass")) return true;
  if (reader_.accept("return")) {
    const NodeIndex node = reader_.expression_list();
    if (node == kNoNode) return fail_here("a value is expected");
    sequence.result = leaf(node);
    sequence.ended = true;
    return sequence.result != nullptr;
  }
  const NodeIndex target = reader_.expression_list();
  if (target == kNoNode) return fail_here("a statement is expected");
  NodeIndex annotation = kNoNode;
  if (reader_.accept(":")) {
    annotation = reader_.expression();
    if (annotation == kNoNode) return fail_here("a type is expected");
  }
  if (reader_.accept("=")) return assignment(sequence, target, annotation);
  if (annotation != kNoNode) return fail_here("`=` is expected");
  const TokenKind rest = reader_.token().kind;
  if (rest != TokenKind::newline && rest != TokenKind::end) return fail_here("this statement is not known");
  return expression_statement(sequence, target);
}

bool TextParser::assignment(Sequence& sequence, NodeIndex target, NodeIndex annotation) {
  const NodeIndex value = reader_.expression_list();
  if (value == kNoNode) return fail_here("a value is expected");
  bool done = false;
  if (!symbol_declaration(target, value, done)) return false;
  return done || assign(sequence, target, annotation, value);
}

// n = T.int64(), also for several at once, and n = TypeVar("n").
bool TextParser::symbol_declaration(NodeIndex target, NodeIndex value, bool& done) {
  if (nodes_[target].kind == NodeKind::tuple && nodes_[value].kind == NodeKind::tuple &&
      nodes_.children(target) == nodes_.children(value)) {
    NodeIndex one = nodes_[target].first;
    for (NodeIndex at = nodes_[value].first; at != kNoNode; at = nodes_[at].sibling) {
      if (!symbol_declaration(one, at, done)) return false;
      if (!done) return fail(at, "parse.statement", "several variables cannot be bound at once");
      one = nodes_[one].sibling;
    }
    return true;
  }
  const bool type_variable = nodes_[value].kind == NodeKind::call && is_name(nodes_[value].first, "TypeVar");
  const bool declared =
      call_path(value, "T") == "int64" &&
      (nodes_.children(value) == 1 || nodes_[nodes_.child(value, 1)].kind == NodeKind::keyword);
  done = type_variable || declared;
  // A TypeVar belongs to the function whose signature names it.
  if (!declared) return true;
  const std::string_view name = nodes_[target].text;
  if (nodes_[target].kind != NodeKind::name) return fail(target, "parse.statement", "a name is expected");
  const NameMeaning* meaning = names_.find(name);
  if (meaning == nullptr || meaning->symbol == nullptr) {
    names_.set(name, {.var = nullptr, .symbol = make_sym_var(std::string(name))});
  }
  return true;
}

bool TextParser::assign(Sequence& sequence, NodeIndex target, NodeIndex annotation, NodeIndex value) {
  if (nodes_[target].kind != NodeKind::name)
    return fail(target, "parse.statement", "only a name can be bound");
  if (!class_name_.empty() && is_name(value, class_name_)) return true;  // cls = Module
  if (call_path(value, "R") == "match_cast") return match_cast(sequence, target, annotation, value);
  std::optional<Type> written;
  if (annotation != kNoNode) {
    written = type(annotation);
    if (!written) return false;
  }
  const NodeIndex digits = nodes_[value].kind == NodeKind::unary ? nodes_[value].first : value;
  const bool literal = nodes_[digits].kind == NodeKind::integer ||
                       nodes_[digits].kind == NodeKind::floating || bool_value(value).has_value();
  ExprPtr bound;
  if (!literal) {
    bound = expr(value);
  } else if (written && written->as_prim() != nullptr) {
    bound = prim_literal(value, written->as_prim()->dtype, value);
  } else {
    bound = number_constant(value);
  }
  return bound != nullptr && bind(sequence, target, written, std::move(bound));
}

bool TextParser::bind(Sequence& sequence, NodeIndex target, const std::optional<Type>& annotation,
                      ExprPtr value) {
  Type declared = value->type;
  if (annotation) {
    if (!compatible(*annotation, value->type)) {
      return fail(target, "type.annotation",
                  fmt::format("`{}` is annotated {}, but its value has type {}", nodes_[target].text,
                              to_string(*annotation), to_string(value->type)));
    }
    const bool more_general = is_subtype(value->type, *annotation);
    // TVM believes an annotation of a call that says more than inference does, and ignores it elsewhere.
    if (!more_general && as<Call>(value) != nullptr) value = make_expr(*as<Call>(value), *annotation);
    if (more_general || as<Call>(value) != nullptr) declared = *annotation;
  }
  names_.set(nodes_[target].text,
             {.var = emit(sequence, nodes_[target].text, std::move(declared), std::move(value), std::nullopt),
              .symbol = nullptr});
  return true;
}

Var TextParser::emit(Sequence& sequence, std::string_view name, Type type, ExprPtr value,
                     std::optional<Type> cast) {
  if (sequence.blocks.empty() || sequence.blocks.back().dataflow != sequence.in_dataflow) {
    sequence.blocks.push_back({.dataflow = sequence.in_dataflow, .bindings = {}});
  }
  const auto var =
      std::make_shared<VarNode>(VarNode{std::string(name), std::move(type), sequence.in_dataflow});
  if (sequence.in_dataflow) sequence.fresh.push_back(var);
  sequence.blocks.back().bindings.push_back(
      {.var = var, .value = std::move(value), .match_cast = std::move(cast)});
  return var;
}

bool TextParser::match_cast(Sequence& sequence, NodeIndex target, NodeIndex annotation, NodeIndex call) {
  std::vector<NodeIndex> values;
  if (!arguments(call, {"value", "ty"}, values)) return false;
  if (values[0] == kNoNode || values[1] == kNoNode)
    return fail(call, "parse.argument", "R.match_cast takes a value and a type");
  ExprPtr value = leaf(values[0]);
  if (value == nullptr) return false;
  may_define_symbols_ = true;
  std::optional<Type> cast = type(values[1]);
  std::optional<Type> written = !cast ? std::nullopt : annotation == kNoNode ? cast : type(annotation);
  may_define_symbols_ = false;
  if (!written) return false;
  if (!may_match(value->type, *cast)) {
    return fail(call, "type.match-cast",
                "match_cast: no " + to_string(value->type) + " is a " + to_string(*cast));
  }
  if (!is_subtype(*cast, *written))
    return fail(annotation, "type.annotation", "the annotation differs from the cast");
  const std::string_view name = nodes_[target].text;
  names_.set(name, {.var = emit(sequence, name, std::move(*written), std::move(value), std::move(cast)),
                    .symbol = nullptr});
  return true;
}

bool TextParser::expression_statement(Sequence& sequence, NodeIndex node) {
  if (nodes_[node].kind == NodeKind::string) return true;  // a docstring
  const std::string name = call_path(node, "R");
  if (name == "output") return outputs(sequence, node);
  if (name == "func_attr") return function_attrs(sequence, node);
  ExprPtr value = expr(node);
  if (value == nullptr) return false;
  const TupleType* type = value->type.as_tuple();
  if (type == nullptr || !type->fields.empty())
    return fail(node, "parse.statement", "a value must be bound to a name");
  Type declared = value->type;
  emit(sequence, "_", std::move(declared), std::move(value), std::nullopt);
  return true;
}

bool TextParser::outputs(Sequence& sequence, NodeIndex call) {
  if (!sequence.in_dataflow) return fail(call, "parse.statement", "R.output stands in dataflow blocks only");
  for (NodeIndex at = nodes_.child(call, 1); at != kNoNode; at = nodes_[at].sibling) {
    const NameMeaning* meaning = nodes_[at].kind == NodeKind::name ? names_.find(nodes_[at].text) : nullptr;
    bool found = false;
    for (const auto& var : sequence.fresh) {
      if (meaning == nullptr || meaning->var != var) continue;
      var->dataflow = false;
      found = true;
    }
    if (!found) return fail(at, "parse.output", "an output is no variable of this dataflow block");
  }
  sequence.ended = true;
  return true;
}

bool TextParser::function_attrs(Sequence& sequence, NodeIndex call) {
  const NodeIndex dict = nodes_.child(call, 1);
  if (dict == kNoNode || nodes_[dict].kind != NodeKind::dict)
    return fail(call, "parse.attribute", "a dict is expected");
  for (NodeIndex key = nodes_[dict].first; key != kNoNode;) {
    const NodeIndex value = nodes_[key].sibling;
    if (nodes_[key].kind != NodeKind::string) return fail(key, "parse.attribute", "a string is expected");
    std::optional<AttrValue> read = attr_value(value);
    if (!read) return false;
    if (nodes_[key].text != "global_symbol") sequence.attrs[std::string(nodes_[key].text)] = std::move(*read);
    key = nodes_[value].sibling;
  }
  return true;
}

bool TextParser::dataflow_block(Sequence& sequence) {
  reader_.advance();
  const NodeIndex node = reader_.expression();
  if (node == kNoNode) return fail_here("R.dataflow() is expected");
  if (call_path(node, "R") != "dataflow")
    return fail(node, "parse.statement", "only R.dataflow() can be entered");
  const std::size_t mark = names_.mark();
  Sequence inner;
  inner.in_dataflow = true;
  if (!block(inner)) return false;
  names_.close(mark);
  for (const auto& var : inner.fresh) {
    if (!var->dataflow) names_.set(var->name, {.var = var, .symbol = nullptr});
  }
  for (Block& one : inner.blocks) sequence.blocks.push_back(std::move(one));
  return true;
}

// TVM's convention: the last binding of a branch is its value, and names the variable that the if is bound
// to.
bool TextParser::branch(Branch& branch, std::string_view suffix) {
  const std::size_t mark = names_.mark();
  const Position at = reader_.token().at;
  Sequence sequence;
  if (!block(sequence)) return false;
  names_.close(mark);
  if (sequence.ended) return fail(at, "parse.if-value", "a branch cannot return");
  if (sequence.blocks.empty()) return fail(at, "parse.if-value", "a branch must end with a binding");
  Block& last = sequence.blocks.back();
  const Binding binding = last.bindings.back();
  if (binding.var->dataflow)
    return fail(at, "parse.if-value", "a branch must end with a variable that is visible outside");
  branch.name = binding.var->name;
  const bool leaf = as<Call>(binding.value) == nullptr && as<TupleGetItem>(binding.value) == nullptr &&
                    as<If>(binding.value) == nullptr && as<FunctionPtr>(binding.value) == nullptr;
  if (leaf && !binding.match_cast && !last.dataflow) {
    branch.annotation = binding.var->type;
    branch.body.result = binding.value;
    last.bindings.pop_back();
    if (last.bindings.empty()) sequence.blocks.pop_back();
  } else {
    // Nothing refers to it yet: the name is left to the variable of the if.
    last.bindings.back().var = make_var(branch.name + std::string(suffix), binding.var->type);
    branch.body.result = var_expr(last.bindings.back().var);
  }
  branch.body.blocks = std::move(sequence.blocks);
  return true;
}

bool TextParser::if_statement(Sequence& sequence) {
  const Position at = reader_.token().at;
  reader_.advance();
  const NodeIndex condition_node = reader_.expression();
  if (condition_node == kNoNode) return fail_here("a condition is expected");
  const ExprPtr condition = leaf(condition_node);
  Branch yes;
  Branch no;
  if (condition == nullptr || !branch(yes, "_then")) return false;
  if (!reader_.accept("else")) return fail_here("`else` is expected");
  if (!branch(no, "_else")) return false;
  if (yes.name != no.name) {
    return fail(at, "parse.if-value",
                fmt::format("one branch ends with `{}`, the other with `{}`", yes.name, no.name));
  }
  Result<ExprPtr> result = make_if(condition, std::move(yes.body), std::move(no.body));
  if (!result) return fail(at, result.error().code, result.error().message);
  Type declared = (*result)->type;
  if (yes.annotation && no.annotation && equal(*yes.annotation, *no.annotation) &&
      is_subtype(declared, *yes.annotation)) {
    declared = *yes.annotation;
  }
  names_.set(yes.name,
             {.var = emit(sequence, yes.name, std::move(declared), std::move(*result), std::nullopt),
              .symbol = nullptr});
  return true;
}

bool TextParser::local_function(Sequence& sequence) {
  Signature header;
  bool is_class = false;
  if (!decorators(header, is_class)) return false;
  if (is_class || !reader_.is("def")) return fail_here("a function is expected");
  const std::size_t mark = names_.mark();
  if (!signature(header)) return false;
  // It may call itself, if its result type is declared.
  std::shared_ptr<VarNode> var;
  if (header.result) {
    std::vector<Type> params;
    for (const Var& param : header.params) params.push_back(param->type);
    Type type = func_type(std::move(params), *header.result, header.pure);
    var = std::make_shared<VarNode>(VarNode{header.name, std::move(type), sequence.in_dataflow});
    names_.set(header.name, {.var = var, .symbol = nullptr});
  }
  const FunctionPtr function = function_body(header);
  if (function == nullptr) return false;
  names_.close(mark);
  if (var == nullptr)
    var = std::make_shared<VarNode>(VarNode{header.name, type_of(*function), sequence.in_dataflow});
  if (sequence.blocks.empty() || sequence.blocks.back().dataflow != sequence.in_dataflow) {
    sequence.blocks.push_back({.dataflow = sequence.in_dataflow, .bindings = {}});
  }
  if (sequence.in_dataflow) sequence.fresh.push_back(var);
  sequence.blocks.back().bindings.push_back(
      {.var = var, .value = make_expr(function, type_of(*function)), .match_cast = std::nullopt});
  names_.set(header.name, {.var = var, .symbol = nullptr});
  return true;
}

FunctionPtr TextParser::function_body(const Signature& signature) {
  Sequence sequence;
  const Position at = reader_.token().at;
  if (!block(sequence)) return nullptr;
  if (sequence.result == nullptr) {
    fail(at, "parse.return", fmt::format("{} does not return", signature.name));
    return nullptr;
  }
  SeqExpr body{.blocks = std::move(sequence.blocks), .result = std::move(sequence.result)};
  Type result = result_type_of(signature.params, body);
  if (signature.result) {
    if (!compatible(*signature.result, result)) {
      fail(at, "type.annotation",
           fmt::format("{} is declared to return {}, but returns {}", signature.name,
                       to_string(*signature.result), to_string(result)));
      return nullptr;
    }
    result = *signature.result;
  }
  return std::make_shared<const Function>(Function{signature.params, std::move(body), std::move(result),
                                                   signature.pure, std::move(sequence.attrs)});
}

}  // namespace passdiff
