// What the norms share: inference, the places of their parameters, and how their calls are drawn.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "core/ops/draw.h"
#include "core/ops/operands.h"

namespace passdiff {

// Sums, a square root, a division and a product, each rounded to float32 or the dtype.
inline constexpr double kNormUlps = 64;

Error norm_dtype_error(const TensorType& type);
Error norm_length_error(const Dim& a, const Dim& b);
// Are the parameters of the data's dtype and of this rank? Fails with type.dtype, type.rank.
std::optional<Error> check_norm_parameters(const TensorType& data,
                                           std::initializer_list<const TensorType*> parameters,
                                           std::size_t rank);
// The type of a norm whose parameters run along the axes: the data's, or what is known of it if lengths may differ. Fails with
// type.axis, type.repeated-axis, type.dtype, type.rank, type.norm.
Result<Type> infer_norm_along(const AnyTensor& data, std::initializer_list<const TensorType*> parameters,
                              const Ints& axes);

// For each element of data with these sizes, that of a parameter which runs along these axes of it.
std::vector<std::size_t> parameter_places(const Ints& dims, const Ints& axes);

double draw_epsilon(Choices& choices);
// Data of one of the dtypes that has elements.
std::optional<Drawn> draw_norm_data(Choices& choices, Scope& scope, DTypes dtypes, int min_rank);
// A call on the data and parameters of this shape, one for each of `fills`.
std::optional<CallDraft> with_parameters(Choices& choices, Scope& scope, const Drawn& data,
                                         const Shape& shape, std::initializer_list<Fill> fills, Attrs attrs);

}  // namespace passdiff
