// Statements of one line: bindings, match_casts, declarations, outputs.
#pragma once

#include <optional>
#include <string_view>

#include "core/result.h"
#include "core/text/parser/context.h"
#include "core/text/parser/exprs.h"
#include "core/text/parser/sequence.h"

namespace passdiff {

// Adds to the sequence what a statement says. Fails with parse.*, and with type.* where types contradict each other.
class BindingParser {
 public:
  BindingParser(ParseContext& context, Sequence& sequence)
      : context_(context), nodes_(context.nodes), sequence_(sequence), exprs_(context, sequence) {}

  // `target: annotation = value`; the annotation may be kNoNode.
  std::optional<Error> assignment(NodeIndex target, NodeIndex annotation, NodeIndex value);
  // A value that is bound to no name: R.output(...), R.func_attr(...), a docstring, a call that gives R.tuple().
  std::optional<Error> expression(NodeIndex node);
  // `return value`.
  std::optional<Error> return_value(NodeIndex value);

 private:
  // Is it a declaration of symbolic variables? Then their names are in scope.
  Result<bool> symbol_declaration(NodeIndex target, NodeIndex value);
  Result<ExprPtr> value_of(NodeIndex value, const std::optional<Type>& annotation);
  std::optional<Error> match_cast(NodeIndex target, NodeIndex annotation, NodeIndex call);
  std::optional<Error> bind(NodeIndex target, const std::optional<Type>& annotation, ExprPtr value);
  std::optional<Error> outputs(NodeIndex call);

  ParseContext& context_;
  Nodes& nodes_;
  Sequence& sequence_;
  ExprParser exprs_;
};

}  // namespace passdiff
