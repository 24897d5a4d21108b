// Functions of TensorIR: @T.prim_func and what follows it.
#pragma once

#include "core/ir/tir/prim_func.h"
#include "core/text/parser/context.h"
#include "core/text/parser/expression_reader.h"
#include "core/text/parser/signature.h"

namespace passdiff {

// From `def` to before the parameters: the function's name.
std::optional<Error> parse_tir_name(ExpressionReader& reader, Signature& signature);
// The result type, without which other functions cannot call this one. The reader stands before the parameters, and is left
// before the colon of the body.
Result<tir::ScalarType> parse_tir_result(ParseContext& context, ExpressionReader& reader);
// The whole function; the reader stands before the parameters. Fails with parse.*.
Result<tir::PrimFuncPtr> parse_prim_func(ParseContext& context, ExpressionReader& reader,
                                         const Signature& signature);

}  // namespace passdiff
