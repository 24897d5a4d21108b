// Literals: what a tree means by itself, whatever the names in scope.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/expr.h"
#include "core/result.h"
#include "core/text/parser/nodes.h"

namespace passdiff {

// Each of these returns nothing if the node is no such literal. T.bool(True), T.int8(1) and T.float32(1.5) mean the
// literal in them; whether the dtype can represent it is not checked.
std::optional<bool> parse_bool(const Nodes& nodes, NodeIndex node);
// Integers too, and float("nan").
std::optional<double> parse_float(const Nodes& nodes, NodeIndex node);
// Fails with parse.number if it does not fit into 64 bits.
Result<std::optional<std::int64_t>> parse_int(const Nodes& nodes, NodeIndex node);
// Digits without a sign. Nothing, too, if the number does not fit into 64 bits.
std::optional<std::uint64_t> parse_unsigned(const Nodes& nodes, NodeIndex node);
// A tuple or list of integers. Fails as parse_int does.
Result<std::optional<std::vector<std::int64_t>>> parse_ints(const Nodes& nodes, NodeIndex node);
// Is it digits, with or without a sign?
bool is_digits(const Nodes& nodes, NodeIndex node);

// "float32", R.dtype("float32"). Fails with parse.dtype.
Result<DType> parse_dtype(const Nodes& nodes, NodeIndex node);
// An attribute of a function, of a module or of an op, as it is spelled by itself. Fails with parse.attribute.
Result<AttrValue> parse_attr(const Nodes& nodes, NodeIndex node);
// R.func_attr({"num_input": 1}) and I.module_attrs({...}), without global_symbol, which is derived. Fails with
// parse.attribute.
Result<NamedAttrs> parse_named_attrs(const Nodes& nodes, NodeIndex call);

}  // namespace passdiff
