// Expressions: names, literals, operators, tuples, and the functions of R that are no ops.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/text/parser/context.h"
#include "core/text/parser/sequence.h"

namespace passdiff {

class ExprParser {
 public:
  // Nested calls are bound to new variables in `sequence`, since operands are leaves in the IR.
  ExprParser(ParseContext& context, Sequence& sequence)
      : context_(context), nodes_(context.nodes), sequence_(sequence) {}

  // Fails with parse.*, and with type.* where a call does not type.
  Result<ExprPtr> expr(NodeIndex node);
  // The expression, or the new variable that it is bound to if it is no leaf.
  Result<ExprPtr> leaf(NodeIndex node);
  Result<std::vector<ExprPtr>> leaves(Nodes::Siblings nodes);

 private:
  Result<ExprPtr> name(NodeIndex node);
  Result<ExprPtr> global(NodeIndex node);
  Result<ExprPtr> operation(NodeIndex node);
  Result<ExprPtr> item(NodeIndex node);
  Result<ExprPtr> metadata_item(NodeIndex node);
  Result<ExprPtr> call(NodeIndex node);

  // A function of R that is no op. With other arguments than these the name is looked for among the ops.
  enum class Arguments : std::uint8_t { any, one, one_string, string_first };
  struct Builtin {
    std::string_view name;
    Arguments arguments;
    Result<ExprPtr> (ExprParser::*parse)(NodeIndex call);
  };
  static const Builtin* find_builtin(std::string_view name);
  bool takes(const Builtin& builtin, NodeIndex call) const;
  Result<ExprPtr> constant(NodeIndex call);
  Result<ExprPtr> distributed_constant(NodeIndex call);
  Result<ExprPtr> prim_value(NodeIndex call);
  Result<ExprPtr> packed_call(NodeIndex call);
  Result<ExprPtr> tuple(NodeIndex call);
  Result<ExprPtr> shape(NodeIndex call);
  Result<ExprPtr> string(NodeIndex call);
  Result<ExprPtr> dtype(NodeIndex call);
  Result<ExprPtr> extern_func(NodeIndex call);

  ParseContext& context_;
  Nodes& nodes_;
  Sequence& sequence_;
};

// May it stand inside other expressions? TVM's normal form binds calls, items of tuples, ifs and functions first.
bool is_leaf(const ExprPtr& expr);

}  // namespace passdiff
