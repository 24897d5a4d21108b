#include <algorithm>
#include <cmath>

#include "core/ops/elementwise.h"
#include "core/tensor/rounding.h"
#include "core/tensor/tensor.h"
#include "fuzz/conform/known.h"

namespace passdiff {
namespace {

// The query that an element of the result belongs to: a place in (batch, sequence, head, component).
struct Query {
  std::size_t batch, place, head;
};

// What a key scores with the query, after scale and bias.
double score_of(const DrawnCall& call, const Query& query, std::size_t key_place) {
  const Tensor &q = call.operands[0].tensor(), &k = call.operands[1].tensor();
  const Extents& dims = extents_of(q);
  const auto vector = [&](const Tensor& tensor, std::size_t place) {
    const auto rows = static_cast<std::size_t>(tensor.shape()[1]);
    return ((query.batch * rows + place) * dims[2] + query.head) * dims[3];
  };
  double sum = 0;
  for (std::size_t i = 0; i < dims[3]; ++i)
    sum += as_double(q, vector(q, query.place) + i) * as_double(k, vector(k, key_place) + i);
  const auto* scale = std::get_if<double>(&attribute(call, "scale"));
  sum = scale != nullptr ? sum * *scale : sum / std::sqrt(static_cast<double>(dims[3]));
  if (call.operands.size() < 4) return sum;
  const Tensor& bias = call.operands[3].tensor();
  const std::size_t places[] = {query.batch, query.head, query.place, key_place};
  std::size_t at = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto size = static_cast<std::size_t>(bias.shape()[i]);
    at = at * size + (size == 1 ? 0 : places[i]);
  }
  return sum + as_double(bias, at);
}

// A query from which a causal mask hides keys, while exp of the best score of the others is below the normal numbers.
bool is_masked_underflow(const CallDifference& difference) {
  const ElementDifference* e = difference.element;
  const auto* mask = std::get_if<std::string>(&attribute(difference.call, "causal_mask"));
  if (e == nullptr || mask == nullptr) return false;
  const std::vector<std::int64_t> q = difference.call.operands[0].tensor().shape();
  const std::vector<std::int64_t> v = difference.call.operands[2].tensor().shape();
  const auto element = static_cast<std::int64_t>(e->element) / v[3];
  const std::int64_t place = element / q[2] % q[1];
  const Query query{static_cast<std::size_t>(element / q[2] / q[1]), static_cast<std::size_t>(place),
                    static_cast<std::size_t>(element % q[2])};
  const std::int64_t last = place + (*mask == "BottomRight" ? v[1] - q[1] : 0);
  double best = -INFINITY;
  for (std::int64_t key = 0; key <= std::min(last, v[1] - 1); ++key)
    best = std::max(best, score_of(difference.call, query, static_cast<std::size_t>(key)));
  // TVM computes bfloat16 in float32, whose exponents are the same.
  return last < v[1] - 1 && std::exp(best) < std::ldexp(1.0, row_of(e->dtype).min_exponent);
}

KnownDisagreement of_attention(std::string_view op) {
  return {.op = op,
          .why =
              "TVM subtracts the largest of all scores under a causal mask, with 0 for those that are "
              "masked, so that all weights underflow if the others are far below 0",
          .explains = is_masked_underflow};
}

}  // namespace

std::vector<KnownDisagreement> attention_known() {
  return {of_attention("relax.nn.attention"), of_attention("relax.nn.attention_bias")};
}

}  // namespace passdiff
