// einsum: sums of products of elements that share labels.
#include <algorithm>
#include <cctype>
#include <map>

#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct EinsumAttrs {
  std::string subscripts;
  static constexpr auto fields() { return std::tuple(required("subscripts", &EinsumAttrs::subscripts)); }
};

// A label for each axis of each operand and of the result. Those of "..." are negative: -1 is its last axis.
using Labels = std::vector<int>;
struct Equation {
  std::vector<Labels> inputs;
  Labels output;
};

constexpr char kEllipsis = '\0';  // sorts before all letters

// The letters of one operand or of the result, from position `i` on up to the next delimiter.
Result<std::string> read_subscript(const std::string& text, std::size_t& i) {
  std::string letters;
  for (; i < text.size() && text[i] != ',' && text[i] != '-'; ++i) {
    if (text[i] == ' ') continue;
    const bool ellipsis = text.compare(i, 3, "...") == 0;
    if (!ellipsis && std::isalpha(static_cast<unsigned char>(text[i])) == 0)
      return Error{"type.value", "einsum: subscripts \"" + text + "\""};
    letters += ellipsis ? kEllipsis : text[i];
    if (ellipsis) i += 2;
  }
  return letters;
}

// Without an arrow: all letters that occur once, in alphabetical order, after the ellipsis.
std::string implicit_output(const std::vector<std::string>& inputs) {
  std::map<char, int> counts;
  for (const std::string& letters : inputs) {
    for (const char letter : letters) ++counts[letter];
  }
  std::string output;
  for (const auto& [letter, count] : counts) {
    if (letter == kEllipsis || count == 1) output += letter;
  }
  return output;
}

Labels labels_of(const std::string& letters, int ellipsis_rank) {
  Labels labels;
  for (const char letter : letters) {
    if (letter != kEllipsis) labels.push_back(letter);
    for (int i = ellipsis_rank; letter == kEllipsis && i > 0; --i) labels.push_back(-i);
  }
  return labels;
}

Result<Equation> read_equation(const std::string& text, std::span<const int> ranks) {
  std::vector<std::string> inputs;
  std::optional<std::string> output;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    std::string letters = TRY(read_subscript(text, i));
    output ? void(*output = std::move(letters)) : inputs.push_back(std::move(letters));
    if (i == text.size() || text[i] == ',') continue;
    if (output || text.compare(i, 2, "->") != 0)
      return Error{"type.value", "einsum: arrows in \"" + text + "\""};
    output = std::string();
    ++i;
  }
  if (inputs.size() != ranks.size())
    return Error{"type.arity", "einsum: \"" + text + "\" for another number of operands"};
  Equation equation;
  int widest = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int ellipsis_rank = ranks[i] + 1 - static_cast<int>(inputs[i].size());
    const bool has_ellipsis = inputs[i].find(kEllipsis) != std::string::npos;
    if (has_ellipsis ? ellipsis_rank < 0 : ellipsis_rank != 1)
      return Error{"type.rank",
                   "einsum: \"" + text + "\" for an operand of rank " + std::to_string(ranks[i])};
    if (has_ellipsis) widest = std::max(widest, ellipsis_rank);
    equation.inputs.push_back(labels_of(inputs[i], ellipsis_rank));
  }
  equation.output = labels_of(output.value_or(implicit_output(inputs)), widest);
  return equation;
}

// The size of a label that axes of sizes a and b have.
Result<Dim> common_size(const Dim& a, const Dim& b) {
  if (!a.is_static() && !b.is_static()) return proven_equal(a, b) ? a : Dim::binary(DimOp::maximum, a, b);
  if (a.is_static() != b.is_static()) return a.is_static() ? b : a;
  if (a.value() == b.value() || b.value() == 1) return a;
  if (a.value() == 1) return b;
  return Error{"type.broadcast", "einsum: sizes " + to_string(a) + " and " + to_string(b) + " of one label"};
}

Result<std::map<int, Dim>> sizes_of(const Equation& equation, const TensorTypes& operands) {
  std::map<int, Dim> sizes;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t k = 0; k < equation.inputs[i].size(); ++k) {
      const Dim& size = (*operands[i]->shape)[k];
      const auto [known, is_new] = sizes.try_emplace(equation.inputs[i][k], size);
      if (!is_new) known->second = TRY(common_size(known->second, size));
    }
  }
  for (const int label : equation.output) {
    if (!sizes.contains(label)) return Error{"type.value", "einsum: a label of the result alone"};
  }
  return sizes;
}

Result<Equation> equation_of(const TensorTypes& operands, const EinsumAttrs& attrs) {
  std::vector<int> ranks;
  for (const TensorType* type : operands) ranks.push_back(type->rank);
  return read_equation(attrs.subscripts, ranks);
}

// Beside an operand of unknown shape TVM infers the rank of the first such operand, not that of the result.
Result<TensorType> infer_einsum(const TensorTypes& operands, const EinsumAttrs& attrs) {
  if (operands.empty()) return Error{"type.arity", "einsum: no operands"};
  TensorType result = make_tensor_type(std::nullopt, kUnknownRank, operands[0]->dtype, std::nullopt);
  bool one_device = true;
  for (const TensorType* type : operands) {
    if (!result.vdevice) result.vdevice = type->vdevice;
    one_device = one_device && (!type->vdevice || type->vdevice == result.vdevice);
  }
  if (!one_device) result.vdevice = std::nullopt;
  for (const TensorType* type : operands) {
    if (type->dtype != result.dtype) return Error{"type.dtype", "einsum: operands of different dtypes"};
    if (!type->shape) return of_unknown_shape(result, type->rank);
  }
  const Equation equation = TRY(equation_of(operands, attrs));
  const std::map<int, Dim> sizes = TRY(sizes_of(equation, operands));
  Shape shape;
  for (const int label : equation.output) shape.push_back(sizes.at(label));
  return of_shape(result, std::move(shape));
}

// All labels with their sizes: those of the result, then those that are summed, the ellipsis first.
struct Loops {
  Labels labels;
  Ints sizes;
  std::int64_t results = 1, sum = 1;
};
Loops loops_of(const Equation& equation, const std::map<int, Dim>& sizes) {
  Loops loops{equation.output, {}};
  for (const auto& [label, size] : sizes) {
    if (std::find(equation.output.begin(), equation.output.end(), label) == equation.output.end())
      loops.labels.push_back(label);
  }
  for (std::size_t i = 0; i < loops.labels.size(); ++i) {
    loops.sizes.push_back(sizes.at(loops.labels[i]).value());
    (i < equation.output.size() ? loops.results : loops.sum) *= loops.sizes.back();
  }
  return loops;
}

// Where each pass of the loops finds its element of an operand. A label that occurs twice walks a diagonal;
// of two axes of the result with one label the first counts.
Ints places_of(const Labels& labels, std::span<const std::int64_t> shape, const Loops& loops) {
  const std::vector<WalkAxis> axes = row_major(shape);
  std::vector<WalkAxis> walked;
  for (std::size_t i = 0; i < loops.labels.size(); ++i) {
    walked.push_back({loops.sizes[i], 0});
    if (std::find(loops.labels.begin(), loops.labels.begin() + static_cast<std::ptrdiff_t>(i),
                  loops.labels[i]) != loops.labels.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (labels[k] == loops.labels[i] && shape[k] != 1) walked.back().stride += axes[k].stride;
    }
  }
  Ints places;
  walk(walked, loops.results * loops.sum, [&](std::int64_t place) { places.push_back(place); });
  return places;
}

Tensor sum_floats(const Tensors& operands, const std::vector<Ints>& places, const Loops& loops,
                  const Ints& shape, Rounding& rounding) {
  Tensor::Floats sums = float_array(shape);
  for (std::int64_t i = 0; i < loops.results * loops.sum; ++i) {
    double product = 1;
    for (std::size_t k = 0; k < operands.size(); ++k)
      product *= operands[k]->floats().data()[places[k][static_cast<std::size_t>(i)]];
    double& sum = sums.data()[i / loops.sum];
    sum = i % loops.sum == 0 ? product : sum + product;
  }
  return round_floats(operands[0]->dtype, std::move(sums), rounding);
}

Tensor sum_ints(const Tensors& operands, const std::vector<Ints>& places, const Loops& loops,
                const Ints& shape, UndefinedLog& log) {
  IntResult result(operands[0]->dtype, shape);
  ExactInt sum;
  for (std::int64_t i = 0; i < loops.results * loops.sum; ++i) {
    ExactInt product{1};
    for (std::size_t k = 0; k < operands.size(); ++k)
      product.multiply(
          as_int(*operands[k], static_cast<std::size_t>(places[k][static_cast<std::size_t>(i)])));
    if (i % loops.sum == 0) sum = {};
    sum.add(product.value);
    sum.lost = sum.lost || product.lost;
    result.set(static_cast<std::size_t>(i / loops.sum), sum);
  }
  return std::move(result).finish("einsum", log);
}

// Over no elements the sum is 0; TVM's kernel leaves whatever was in memory (measured).
std::optional<Tensor> eval_einsum(const Tensors& operands, const EinsumAttrs& attrs, EvalContext& context) {
  std::vector<TensorType> exact;
  TensorTypes types;
  for (const Tensor* operand : operands) exact.push_back(exact_type(*operand));
  for (const TensorType& type : exact) types.push_back(&type);
  const std::optional<Ints> shape = exact_shape(infer_einsum(types, attrs));
  if (!shape) return std::nullopt;
  const Equation equation = *equation_of(types, attrs);
  const Loops loops = loops_of(equation, *sizes_of(equation, types));
  if (!is_affordable(loops.sizes)) return std::nullopt;
  std::vector<Ints> places;
  for (std::size_t i = 0; i < operands.size(); ++i)
    places.push_back(places_of(equation.inputs[i], operands[i]->shape(), loops));
  return is_float(operands[0]->dtype) ? sum_floats(operands, places, loops, *shape, context.rounding)
                                      : sum_ints(operands, places, loops, *shape, context.log);
}

// TVM sums over no ellipsis: it fails to compile (measured).
constexpr const char* kEquations[] = {"ij,jk->ik",
                                      "ij,jk",
                                      "i,j->ij",
                                      "ij,ij->ij",
                                      "ij,ij->",
                                      "ij,ij->i",
                                      "ij->ji",
                                      "ij->j",
                                      "ba",
                                      "ii->i",
                                      "ii",
                                      "i->",
                                      "i->ii",
                                      "ijk,k->ij",
                                      "bij,bjk->bik",
                                      "i,i,i->i",
                                      "i,j,k->kij",
                                      "...ij,...jk->...ik",
                                      "...i,i->...",
                                      "...->...",
                                      "i...->...i",
                                      ",i->i",
                                      " i j , j -> i ",
                                      "aZ,Zb->ab"};

// Operands of the equation: a size for each letter, seldom 1 in one operand alone.
std::optional<CallDraft> draw_einsum(Choices& choices, Scope& scope, const char* text, DType dtype) {
  std::map<char, Dim> sizes;
  std::string letters;
  std::vector<ExprPtr> operands;
  const std::string equation(text);
  const std::size_t end = std::min(equation.find("->"), equation.size());
  for (std::size_t i = 0; i <= end; ++i) {
    if (i < end && equation[i] != ',') {
      letters += equation[i];
      continue;
    }
    Shape shape;
    for (std::size_t k = 0; k < letters.size(); ++k) {
      if (letters[k] == '.' && k + 2 < letters.size() && letters[k + 1] == '.' && letters[k + 2] == '.') {
        for (const Dim& dim : scope.shape(choices, 0, operands.empty() ? 2 : 0)) shape.push_back(dim);
      } else if (letters[k] != '.' && letters[k] != ' ') {
        const auto [size, is_new] = sizes.try_emplace(letters[k], 1);
        if (is_new) size->second = scope.shape(choices, 1, 1)[0];
        if (size->second.is_static() && size->second.value() == 0) size->second = 2;
        shape.push_back(size->second);
      }
    }
    letters.clear();
    const Want want{.dtype = dtype, .shape = std::move(shape), .fill = {.magnitude = 8}};
    const auto operand = draw_operand(choices, scope, want);
    if (!operand || element_count(operand->dims) > kMaxResult / 8) return std::nullopt;
    operands.push_back(operand->expr);
  }
  return CallDraft({make_tuple(std::move(operands))}, EinsumAttrs{equation});
}

std::optional<CallDraft> generate_einsum(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) {
    const ExprPtr large = full_constant(scope, DType::int32, {2}, std::int64_t{1} << 20);
    return CallDraft({make_tuple({large, large})}, EinsumAttrs{"i,i"});
  }
  const DType dtype = scope.dtype(choices);
  return draw_einsum(choices, scope, choices.pick(kEquations),
                     kNumericDTypes.has(dtype) ? dtype : DType::float32);
}

}  // namespace

// Products and sums are rounded in the operands' dtype in TVM: up to half an ulp of the running value for
// each.
std::vector<OpDef> einsum_rows() {
  return {op<infer_einsum, eval_einsum, generate_einsum>(
      "relax.einsum", {"operands"}, {.undefined = kOverflow, .multilinear = true, .ulps = 8})};
}

}  // namespace passdiff
