// Edits: what a pass did to a module, in words that name the rewrite and not the module it was done to.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "core/ir/module.h"

namespace passdiff {

// The kinds of operation that differ between two modules, in all their functions together. Each word has a sign: "-take" for a
// kind of which there is less in `after`, "+reshape" for one of which there is more, "~matmul.out_dtype" for one of which there is as
// much with another attribute, "~matmul" where, the pass having made or removed operations, it has other operands. Kinds are the ops by their short names,
// "call-global", "call-local", "call-extern", "tuple", "tuple-get-item", "if", "local-function", "match-cast", and the statements
// and expressions of TensorIR as "T.for", "T.floor_divide". What only moves from one function to another is no edit; nor is, where loops of
// TensorIR are copied, what stands in them, or, where blocks go, how many loops are left.
std::set<std::string> edit_between(const Module& before, const Module& after);

// What an expression is called in edits and patterns; empty for variables, constants and other leaves.
std::string_view operation_kind(const ExprPtr& expr);

}  // namespace passdiff
