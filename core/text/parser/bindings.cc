#include "core/text/parser/bindings.h"

#include <fmt/format.h>

#include <utility>

#include "core/text/parser/constants.h"
#include "core/text/parser/literals.h"

namespace passdiff {

std::optional<Error> BindingParser::return_value(NodeIndex value) {
  sequence_.result = TRY(exprs_.leaf(value));
  sequence_.ended = true;
  return std::nullopt;
}

// n = T.int64(), also for several at once, and n = TypeVar("n").
Result<bool> BindingParser::symbol_declaration(NodeIndex target, NodeIndex value) {
  if (nodes_[target].kind == NodeKind::tuple && nodes_[value].kind == NodeKind::tuple &&
      nodes_.child_count(target) == nodes_.child_count(value)) {
    bool declared = false;
    NodeIndex name = nodes_[target].first;
    for (const NodeIndex one : nodes_.children(value)) {
      declared = TRY(symbol_declaration(name, one));
      if (!declared) return nodes_.error(one, "parse.statement", "several variables cannot be bound at once");
      name = nodes_[name].sibling;
    }
    return declared;
  }
  // A TypeVar belongs to the function whose signature names it.
  if (nodes_[value].kind == NodeKind::call && nodes_.is_name(nodes_[value].first, "TypeVar")) return true;
  const bool declares =
      nodes_.call_path(value, "T") == "int64" &&
      (nodes_.child_count(value) == 1 || nodes_[nodes_.child(value, 1)].kind == NodeKind::keyword);
  if (!declares) return false;
  if (nodes_[target].kind != NodeKind::name) return nodes_.error(target, "parse.statement", "a name is expected");
  const std::string_view name = nodes_[target].text;
  const NameMeaning* meaning = context_.names.find(name);
  if (meaning == nullptr || meaning->symbol == nullptr) {
    context_.names.set(name, make_sym_var(std::string(name)));
  }
  return true;
}

// What is assigned. A bare number is a scalar if the annotation says so, else a constant.
Result<ExprPtr> BindingParser::value_of(NodeIndex value, const std::optional<Type>& annotation) {
  if (!is_digits(nodes_, value) && !parse_bool(nodes_, value)) return exprs_.expr(value);
  const PrimType* prim = annotation ? annotation->as_prim() : nullptr;
  return prim != nullptr ? context_.dims().scalar(prim->dtype, value) : parse_number_constant(nodes_, value);
}

std::optional<Error> BindingParser::assignment(NodeIndex target, NodeIndex annotation, NodeIndex value) {
  if (TRY(symbol_declaration(target, value))) return std::nullopt;
  if (nodes_[target].kind != NodeKind::name) {
    return nodes_.error(target, "parse.statement", "only a name can be bound");
  }
  const bool names_module = !context_.class_name.empty() && nodes_.is_name(value, context_.class_name);
  if (names_module) return std::nullopt;  // cls = Module
  if (nodes_.call_path(value, "R") == "match_cast") return match_cast(target, annotation, value);
  std::optional<Type> written;
  if (annotation != kNoNode) written = TRY(context_.types().type(annotation));
  return bind(target, written, TRY(value_of(value, written)));
}

std::optional<Error> BindingParser::bind(NodeIndex target, const std::optional<Type>& annotation,
                                         ExprPtr value) {
  const std::string_view name = nodes_[target].text;
  Type declared = value->type;
  if (annotation) {
    if (!compatible(*annotation, value->type)) {
      return nodes_.error(target, "type.annotation",
                          fmt::format("`{}` is annotated {}, but its value has type {}", name,
                                      to_string(*annotation), to_string(value->type)));
    }
    const bool more_general = is_subtype(value->type, *annotation);
    // TVM believes an annotation of a call that says more than inference does, and ignores it elsewhere.
    if (!more_general && as<Call>(value) != nullptr) value = make_expr(*as<Call>(value), *annotation);
    if (more_general || as<Call>(value) != nullptr) declared = *annotation;
  }
  context_.names.set(name, sequence_.emit(name, std::move(declared), std::move(value)));
  return std::nullopt;
}

std::optional<Error> BindingParser::match_cast(NodeIndex target, NodeIndex annotation, NodeIndex call) {
  const std::vector<NodeIndex> values = TRY(nodes_.match_arguments(call, {"value", "ty"}));
  if (values[0] == kNoNode || values[1] == kNoNode) {
    return nodes_.error(call, "parse.argument", "R.match_cast takes a value and a type");
  }
  ExprPtr value = TRY(exprs_.leaf(values[0]));
  TypeParser types = context_.types(UnknownSymbol::definition);
  Type cast = TRY(types.type(values[1]));
  Type written = annotation == kNoNode ? cast : TRY(types.type(annotation));
  if (!may_match(value->type, cast)) {
    return nodes_.error(call, "type.match-cast",
                        "match_cast: no " + to_string(value->type) + " is a " + to_string(cast));
  }
  if (!is_subtype(cast, written)) {
    return nodes_.error(annotation, "type.annotation", "the annotation differs from the cast");
  }
  const std::string_view name = nodes_[target].text;
  context_.names.set(name, sequence_.emit(name, std::move(written), std::move(value), std::move(cast)));
  return std::nullopt;
}

std::optional<Error> BindingParser::expression(NodeIndex node) {
  if (nodes_[node].kind == NodeKind::string) return std::nullopt;  // a docstring
  const std::string name = nodes_.call_path(node, "R");
  if (name == "output") return outputs(node);
  if (name == "func_attr") {
    for (auto& [key, value] : TRY(parse_named_attrs(nodes_, node))) {
      sequence_.attrs.insert_or_assign(key, std::move(value));
    }
    return std::nullopt;
  }
  ExprPtr value = TRY(exprs_.expr(node));
  const TupleType* type = value->type.as_tuple();
  if (type == nullptr || !type->fields.empty()) {
    return nodes_.error(node, "parse.statement", "a value must be bound to a name");
  }
  Type declared = value->type;
  sequence_.emit("_", std::move(declared), std::move(value));
  return std::nullopt;
}

std::optional<Error> BindingParser::outputs(NodeIndex call) {
  if (!sequence_.in_dataflow) {
    return nodes_.error(call, "parse.statement", "R.output stands in dataflow blocks only");
  }
  for (const NodeIndex output : nodes_.arguments(call)) {
    const bool is_name = nodes_[output].kind == NodeKind::name;
    const NameMeaning* meaning = is_name ? context_.names.find(nodes_[output].text) : nullptr;
    bool found = false;
    for (const auto& var : sequence_.dataflow_vars) {
      if (meaning == nullptr || meaning->var != var) continue;
      var->dataflow = false;
      found = true;
    }
    if (!found) return nodes_.error(output, "parse.output", "an output is no variable of this dataflow block");
  }
  sequence_.ended = true;
  return std::nullopt;
}

}  // namespace passdiff
