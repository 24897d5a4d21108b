// Features of a module that bugs hang on: what it has that plainer modules lack.
#pragma once

#include <set>
#include <string>

#include "core/ir/module.h"

namespace passdiff {

// Words for structure ("local-function", "match-cast", "if", "call-global", "call-extern", "dead-code", "constant", "tuple"), for types
// ("symbolic-dim", "unknown-shape", "scalar", "empty", "vdevice"), for dtypes other than float32 ("float64", "narrow-float",
// "integer", "bool"), and for attributes that differ from their defaults ("take.axis").
std::set<std::string> features_of(const Module& module);
// Of these words, those for calls, branches and local functions, and for symbolic dims and what defines them.
std::set<std::string> structure_of(const Module& module);
// "op matmul" for each kind of operation. Elementwise ops count as "op unary" and "op binary" where there are other ops: which
// of them feeds a pattern is chance.
std::set<std::string> operations_of(const Module& module);
// "unary" or "binary" for an elementwise op, as text names it; any other kind as it is.
std::string general_kind(const std::string& kind);

}  // namespace passdiff
