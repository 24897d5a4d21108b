// Shared by the steps of reduction that change types: of sizes, ranks, symbolic dims, dtypes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/documents/case.h"
#include "core/form/rebuild.h"
#include "oracle/reduction/parts.h"

namespace passdiff {

using MapTensor = std::function<TensorPtr(const TensorPtr&)>;

// The case with its module edited, and its arguments mapped.
std::optional<TestCase> rebuilt(const TestCase& test, const Edits& edits, const MapTensor& map_argument);

// Whether attributes stay as they are while sizes change, or get their defaults: a padding may only fit the
// size that it had.
enum class Attributes : std::uint8_t { kept, defaults };
constexpr std::size_t kAttributeForms = 2;
std::function<std::optional<Attrs>(const OpDef&, const Attrs&)> edit_of(Attributes attributes);

// The case with all dims mapped, those of scalars and of the types that calls declare among them, and with
// its constants mapped; arguments stay as they are. Mapping a dim twice must give what mapping it once gives.
std::optional<TestCase> with_dims(const TestCase& test, const std::function<Dim(const Dim&)>& map,
                                  const MapTensor& map_constant, Attributes attributes = Attributes::kept);
// Gives the arguments the sizes that their parameters' types have under these values of the symbolic dims.
void fit_arguments(TestCase& test, const SymbolValues& symbols);

// The tensor with another shape of the same rank; elements stay where they were, new ones are zero.
TensorPtr with_shape(const TensorPtr& tensor, const std::vector<std::int64_t>& shape);
// The tensor with one axis of size 1.
TensorPtr with_one(const TensorPtr& tensor, std::size_t axis);
// The first slice along an axis.
TensorPtr without_axis(const TensorPtr& tensor, std::size_t axis);

// Calls `visit` on the parameters of all functions, local ones among them.
void for_each_param(const TestCase& test, const std::function<void(const Var&)>& visit);

}  // namespace passdiff
