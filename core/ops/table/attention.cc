// nn.attention, nn.attention_bias, nn.attention_var_len: softmax(q k^T * scale + bias) v, for each head. Inference follows
// src/relax/op/nn/attention.cc, evaluation _te_attention in legalize_ops/nn.py. What TVM does not compile has the usual meaning:
// fewer heads of keys than of queries are shared by neighbouring queries, a window of w keys ends at the query's own.
#include <algorithm>
#include <cmath>

#include "core/ops/draw.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/steps.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// Which keys a query sees: those up to its own, counted from the first or from the last of both.
enum class CausalMask : std::uint8_t { top_left, bottom_right };
constexpr std::array<std::string_view, 2> words_of(CausalMask) {
  return {"TopLeft", "BottomRight"};
}
struct AttentionAttrs {
  std::optional<double> scale;  // nothing: 1 / sqrt(the size of a head)
  std::optional<CausalMask> causal_mask;
  std::optional<std::int64_t> window_size;
  static constexpr auto fields() {
    return std::tuple(field("scale", &AttentionAttrs::scale),
                      field("causal_mask", &AttentionAttrs::causal_mask),
                      field("window_size", &AttentionAttrs::window_size));
  }
};

Error attention_error(const std::string& what) {
  return Error{"type.attention", "nn.attention: " + what};
}

std::optional<Error> check_equal(const Dim& a, const Dim& b, const char* what) {
  if (!proven_different(a, b)) return std::nullopt;
  return attention_error(std::string(what) + " " + to_string(a) + " and " + to_string(b) + " differ");
}
std::optional<Error> check_heads(const Dim& queries, const Dim& keys) {
  const bool none = keys.is_static() && keys.value() == 0;
  if (!none && !proven_different(Dim::binary(DimOp::floor_mod, queries, keys), 0)) return std::nullopt;
  return attention_error(to_string(queries) + " heads of queries share " + to_string(keys));
}

// TVM reads the shapes without asking whether they are known.
Result<TensorType> infer_attention(const TensorType& query, const TensorType& key, const TensorType& value,
                                   const AttentionAttrs&) {
  for (const TensorType* type : {&query, &key, &value}) {
    if (type->rank != 4 || !type->shape) return attention_error("an operand is of no known shape of rank 4");
  }
  const Shape &q = *query.shape, &k = *key.shape, &v = *value.shape;
  TRY_VOID(check_equal(q[0], k[0], "batches"));
  TRY_VOID(check_equal(q[0], v[0], "batches"));
  TRY_VOID(check_heads(q[2], k[2]));
  TRY_VOID(check_heads(q[2], v[2]));
  TRY_VOID(check_equal(k[1], v[1], "keys and values"));
  TRY_VOID(check_equal(q[3], k[3], "sizes of heads"));
  return of_shape(query, {q[0], q[1], q[2], v[3]});
}

Result<TensorType> infer_attention_bias(const TensorType& query, const TensorType& key,
                                        const TensorType& value, const TensorType& bias,
                                        const AttentionAttrs& attrs) {
  const TensorType type = TRY(infer_attention(query, key, value, attrs));
  if (bias.rank != 4 || !bias.shape) return attention_error("the bias is of no known shape of rank 4");
  const Shape &q = *query.shape, &b = *bias.shape;
  const Dim wanted[] = {q[0], q[2], q[1]};
  for (std::size_t i = 0; i < 3; ++i) {
    if (!b[i].is_static() || b[i].value() != 1) TRY_VOID(check_equal(wanted[i], b[i], "sizes of the bias"));
  }
  TRY_VOID(check_equal((*key.shape)[1], b[3], "keys and bias"));
  return type;
}

Result<TensorType> infer_attention_var_len(const TensorType& query, const TensorType& key,
                                           const TensorType& value, const TensorType&, const TensorType&,
                                           const TensorType&, const TensorType&,
                                           const AttentionAttrs& attrs) {
  return infer_attention(query, key, value, attrs);
}

// Queries and keys that attend to each other.
struct Sequence {
  std::int64_t batch;
  std::int64_t queries, query_count;  // the first, and how many
  std::int64_t keys, key_count;
};

// One evaluation: operands of rank 4 (batch, place in the sequence, head, component).
struct Attention {
  const Tensor &query, &key, &value;
  const Tensor* bias;
  const AttentionAttrs& attrs;
  EvalContext& context;
  Ints q = query.shape(), k = key.shape(), v = value.shape();
  Steps rounded{query.dtype, context.rounding};
  Tensor::Floats result = float_array(Ints{q[0], q[1], q[2], v[3]});

  // The components of a head's vector.
  static const double* vector(const Tensor& tensor, const Ints& shape, std::int64_t batch, std::int64_t at,
                              std::int64_t head, std::int64_t heads) {
    return tensor.floats().data() +
           ((batch * shape[1] + at) * shape[2] + head / (heads / shape[2])) * shape[3];
  }
  double bias_of(std::int64_t batch, std::int64_t head, std::int64_t query_at, std::int64_t key_at) const {
    const Ints b = bias->shape();
    const auto place = [](std::int64_t at, std::int64_t size) { return size == 1 ? 0 : at; };
    const std::int64_t row = (place(batch, b[0]) * b[1] + place(head, b[1])) * b[2] + place(query_at, b[2]);
    return bias->floats().data()[row * b[3] + place(key_at, b[3])];
  }
  bool sees(std::int64_t query_at, std::int64_t key_at, const Sequence& s) const {
    const std::int64_t own =
        query_at + (attrs.causal_mask == CausalMask::bottom_right ? s.key_count - s.query_count : 0);
    if (attrs.causal_mask && key_at > own) return false;
    return !attrs.window_size || own - key_at < *attrs.window_size;
  }
  // The weights of the keys for one query, 0 where it does not see them.
  std::vector<double> weights(const Sequence& s, std::int64_t i, std::int64_t head) const {
    const double* a = vector(query, q, s.batch, s.queries + i, head, q[2]);
    std::vector<double> scores(static_cast<std::size_t>(s.key_count), -INFINITY);
    for (std::int64_t j = 0; j < s.key_count; ++j) {
      if (!sees(i, j, s)) continue;
      const double* b = vector(key, k, s.batch, s.keys + j, head, q[2]);
      double sum = 0;
      for (std::int64_t d = 0; d < q[3]; ++d) sum += a[d] * b[d];
      sum = rounded(sum);
      sum = rounded(attrs.scale ? sum * *attrs.scale : sum / rounded(std::sqrt(static_cast<double>(q[3]))));
      scores[static_cast<std::size_t>(j)] =
          bias ? rounded(sum + bias_of(s.batch, head, s.queries + i, s.keys + j)) : sum;
    }
    double largest = -INFINITY, total = 0;
    for (const double score : scores) largest = std::max(largest, score);
    for (double& score : scores) total += score = std::exp(score - largest);
    for (double& score : scores) score = rounded(score / total);
    return scores;
  }
  void attend(const Sequence& s) {
    for (std::int64_t i = 0; i < s.query_count; ++i) {
      for (std::int64_t head = 0; head < q[2]; ++head) {
        const std::vector<double> w = weights(s, i, head);
        double* out = result.data() + ((s.batch * q[1] + s.queries + i) * q[2] + head) * v[3];
        for (std::int64_t j = 0; j < s.key_count; ++j) {
          const double* x = vector(value, v, s.batch, s.keys + j, head, q[2]);
          for (std::int64_t d = 0; d < v[3]; ++d) out[d] += w[static_cast<std::size_t>(j)] * x[d];
        }
        for (std::int64_t d = 0; d < v[3]; ++d) out[d] = round_float(query.dtype, out[d], context.rounding);
      }
    }
  }
};

std::optional<Tensor> attend_all(const Tensor& query, const Tensor& key, const Tensor& value,
                                 const Tensor* bias, const AttentionAttrs& attrs, EvalContext& context) {
  for (const Tensor* operand : {&query, &key, &value}) {
    if (!is_float(operand->dtype)) return std::nullopt;
  }
  Attention attention{query, key, value, bias, attrs, context};
  for (std::int64_t b = 0; b < attention.q[0]; ++b)
    attention.attend({b, 0, attention.q[1], 0, attention.k[1]});
  return Tensor{query.dtype, std::move(attention.result)};
}

std::optional<Tensor> eval_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const AttentionAttrs& attrs, EvalContext& context) {
  if (!infer_attention(exact_type(query), exact_type(key), exact_type(value), attrs)) return std::nullopt;
  return attend_all(query, key, value, nullptr, attrs, context);
}

std::optional<Tensor> eval_attention_bias(const Tensor& query, const Tensor& key, const Tensor& value,
                                          const Tensor& bias, const AttentionAttrs& attrs,
                                          EvalContext& context) {
  const auto type =
      infer_attention_bias(exact_type(query), exact_type(key), exact_type(value), exact_type(bias), attrs);
  if (!type || !is_float(bias.dtype)) return std::nullopt;
  return attend_all(query, key, value, &bias, attrs, context);
}

// Sequences of different lengths stand one after the other in one batch: from `starts`[i] to `starts`[i + 1].
std::optional<Tensor> eval_attention_var_len(const Tensor& query, const Tensor& key, const Tensor& value,
                                             const Tensor& query_starts, const Tensor& key_starts,
                                             const Tensor&, const Tensor&, const AttentionAttrs& attrs,
                                             EvalContext& context) {
  if (!infer_attention(exact_type(query), exact_type(key), exact_type(value), attrs)) return std::nullopt;
  for (const Tensor* operand : {&query, &key, &value}) {
    if (!is_float(operand->dtype)) return std::nullopt;
  }
  if (is_float(query_starts.dtype) || is_float(key_starts.dtype) || query_starts.size() != key_starts.size())
    return std::nullopt;
  Attention attention{query, key, value, nullptr, attrs, context};
  for (std::size_t i = 0; i + 1 < query_starts.size() && attention.q[0] > 0; ++i) {
    const Sequence s{0, as_int(query_starts, i), as_int(query_starts, i + 1) - as_int(query_starts, i),
                     as_int(key_starts, i), as_int(key_starts, i + 1) - as_int(key_starts, i)};
    const bool fits = s.queries >= 0 && s.query_count >= 0 && s.queries + s.query_count <= attention.q[1] &&
                      s.keys >= 0 && s.key_count >= 0 && s.keys + s.key_count <= attention.k[1];
    if (!fits) return std::nullopt;
    attention.attend(s);
  }
  return Tensor{query.dtype, std::move(attention.result)};
}

template <bool kBias>
std::optional<CallDraft> generate_attention(Choices& choices, Scope& scope) {
  const std::optional<Drawn> query = draw_operand(choices, scope, kFloatDTypes, 4, 4);
  if (!query || element_count(query->dims) == 0) return std::nullopt;
  const Dim keys = choices.flip() ? query->dim(1) : Dim(choices.integer(1, 4));
  const Dim width = choices.integer(1, 3);
  const Drawn& q = *query;
  std::vector<Shape> shapes{{q.dim(0), keys, q.dim(2), q.dim(3)}, {q.dim(0), keys, q.dim(2), width}};
  if (kBias) {
    const auto or_one = [&](const Dim& dim) { return choices.one_in(3) ? Dim(1) : dim; };
    shapes.push_back({or_one(q.dim(0)), or_one(q.dim(2)), or_one(q.dim(1)), keys});
  }
  std::vector<ExprPtr> operands{q.expr};
  for (Shape& shape : shapes) {
    const std::optional<Drawn> operand =
        draw_operand(choices, scope, Want{.dtype = q.dtype(), .shape = std::move(shape)});
    if (!operand) return std::nullopt;
    operands.push_back(operand->expr);
  }
  AttentionAttrs attrs;
  constexpr double kScales[] = {0.5, 1, 0.125};
  if (choices.one_in(3) && q.dtype() == DType::float32) attrs.scale = choices.pick(kScales);
  const bool square = proven_equal(keys, q.dim(1));
  if (choices.one_in(3))
    attrs.causal_mask = square && choices.flip() ? CausalMask::bottom_right : CausalMask::top_left;
  return CallDraft(std::move(operands), attrs);
}

// Two products, each a sum of rounded terms, and a softmax between them.
constexpr double kAttention = 64;

}  // namespace

std::vector<OpDef> attention_rows() {
  return {
      op<infer_attention, eval_attention, generate_attention<false>>(
          "relax.nn.attention", {"query", "key", "value"}, {.ulps = kAttention}),
      op<infer_attention_bias, eval_attention_bias, generate_attention<true>>(
          "relax.nn.attention_bias", {"query", "key", "value", "bias"}, {.ulps = kAttention}),
      op<infer_attention_var_len, eval_attention_var_len>(
          "relax.nn.attention_var_len",
          {"query", "key", "value", "seqstart_q", "seqstart_k", "max_seqlen_q", "max_seqlen_k"},
          {.ulps = kAttention}),
  };
}

}  // namespace passdiff
