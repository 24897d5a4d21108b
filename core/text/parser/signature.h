// The head of a function: decorators, parameters, result type.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/text/parser/context.h"
#include "core/text/parser/expression_reader.h"

namespace passdiff {

struct Signature {
  std::string name;
  Position at;
  bool pure = true;
  bool is_public = true;
  bool is_prim = false;  // of TensorIR
  bool s_tir = false;    // of those: with blocks
  std::vector<Var> params;
  std::optional<Type> result;

  Type type() const;  // gives any value, if no result type is declared
};

// The decorators of a class or a function, @I.ir_module or @R.function(pure=False); functions must have the latter.
// The reader is left before `class` or `def`. Fails with parse.argument, parse.statement, parse.unsupported.
Result<Signature> parse_decorators(ParseContext& context, ExpressionReader& reader);
// From `def` to before the colon of the body. Defines the parameters and the symbolic variables in their types.
std::optional<Error> parse_signature(ParseContext& context, ExpressionReader& reader, Signature& signature);

}  // namespace passdiff
