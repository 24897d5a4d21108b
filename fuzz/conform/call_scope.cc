#include "fuzz/conform/call_scope.h"

#include <algorithm>

#include "core/form/builder.h"
#include "core/ir/expr.h"

namespace passdiff {
namespace {

constexpr std::int64_t kMaxElements = 72;  // of one operand: enough for every loop to run a few times
constexpr int kMaxRank = 5;

}  // namespace

CallScope::CallScope(Choices& choices, Reach reach)
    : reach_(reach),
      symbol_(make_sym_var("n")),
      size_(choices.one_in(8) ? choices.integer(0, 1) : choices.integer(2, 4)),
      symbolic_(choices.one_in(5)),
      vdevices_(choices.one_in(12) ? 2 : 0) {
  // Rules for which any values will do look for them among what there is.
  for (int i = 0; i < 2; ++i) {
    const Shape shape = this->shape(choices, 0, 3);
    const DType dtype = i == 0 ? this->dtype(choices) : float_dtype(choices);
    add(tensor_type(shape, dtype), odd_tensor(choices, dtype, sizes(shape), FillSpec(), reach_));
  }
}

std::optional<ScopeEntry> CallScope::tensor(Choices& choices, const Want& want) {
  if (choices.one_in(4)) {
    if (auto found = existing(choices, [&](const ScopeEntry& e) { return suits(e, want); })) return found;
  }
  DType dtype = want.dtype ? *want.dtype : want.float_only ? float_dtype(choices) : this->dtype(choices);
  if (want.numeric_only && dtype == DType::boolean) dtype = DType::int32;
  const Shape shape = want.shape
                          ? *want.shape
                          : this->shape(choices, want.min_rank.value_or(0), want.max_rank.value_or(kMaxRank));
  if (want.fill.fill == Fill::indices && (is_float(dtype) || want.fill.limit <= 0)) return std::nullopt;
  Tensor value = odd_tensor(choices, dtype, sizes(shape), want.fill, reach_);
  if (is_static(shape) && choices.one_in(8)) {
    const ExprPtr made = constant(std::move(value));
    return ScopeEntry{made, as<Constant>(made)->tensor};
  }
  std::optional<int> vdevice;
  if (vdevices_ > 0 && choices.flip())
    vdevice = static_cast<int>(choices.index(static_cast<std::size_t>(vdevices_)));
  return add(tensor_type(shape, dtype, vdevice), std::move(value));
}

std::optional<ScopeEntry> CallScope::existing(Choices& choices,
                                              const std::function<bool(const ScopeEntry&)>& fits) {
  std::vector<const ScopeEntry*> found;
  for (const ScopeEntry& entry : entries_) {
    if (fits(entry)) found.push_back(&entry);
  }
  if (found.empty()) return std::nullopt;
  return *choices.pick(found);
}

ExprPtr CallScope::constant(Tensor tensor) {
  return make_constant(std::move(tensor));
}

DType CallScope::dtype(Choices& choices) {
  return drawn_dtypes()[choices.index(drawn_dtypes().size())];
}

DType CallScope::float_dtype(Choices& choices) {
  std::vector<DType> floats(2, DType::float32);
  std::copy_if(drawn_dtypes().begin(), drawn_dtypes().end(), std::back_inserter(floats), is_float);
  return choices.pick(floats);
}

std::int64_t CallScope::dim(Choices& choices) {
  constexpr std::int64_t kSizes[] = {3, 2, 4, 1, 5, 2, 3, 7, 1, 2, 4, 0};
  return choices.pick(kSizes);
}

Shape CallScope::shape(Choices& choices, int min_rank, int max_rank) {
  constexpr int kRanks[] = {2, 1, 3, 2, 4, 3, 0, 2, 5, 1};
  const int rank =
      std::clamp(choices.pick(kRanks), min_rank, std::max(min_rank, std::min(max_rank, kMaxRank)));
  Shape shape;
  std::int64_t elements = 1;
  for (int i = 0; i < rank; ++i) {
    if (symbolic_ && choices.one_in(3) && elements * size_ <= kMaxElements) {
      shape.emplace_back(symbol_);
      elements *= size_;
      continue;
    }
    std::int64_t size = dim(choices);
    if (elements * size > kMaxElements) size = 1;
    elements *= size;
    shape.emplace_back(size);
  }
  return shape;
}

const Value& CallScope::value_of(const Var& var) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const ScopeEntry& entry) { return *as<Var>(entry.expr) == var; });
  CHECK(found != entries_.end()) << var->name << ": a variable from elsewhere";
  return found->value;
}

std::int64_t CallScope::size_of(const Dim& dim) const {
  return evaluate(dim, [this](const SymVar&) { return std::optional(size_); }).value();
}

std::vector<std::int64_t> CallScope::sizes(const Shape& shape) const {
  std::vector<std::int64_t> sizes;
  for (const Dim& dim : shape) sizes.push_back(size_of(dim));
  return sizes;
}

bool CallScope::suits(const ScopeEntry& entry, const Want& want) const {
  const TensorType& type = *entry.expr->type.as_tensor();
  if (want.dtype && *want.dtype != *type.dtype) return false;
  if (want.float_only && !is_float(*type.dtype)) return false;
  if (want.numeric_only && *type.dtype == DType::boolean) return false;
  if (want.shape && !proven_equal(*type.shape, *want.shape)) return false;
  if (type.rank < want.min_rank.value_or(0) || type.rank > want.max_rank.value_or(type.rank)) return false;
  return want.fill.fill == Fill::small ? want.fill.magnitude == 0 : fits(entry.value.tensor(), want.fill);
}

ScopeEntry CallScope::add(Type type, Tensor value) {
  const Var var = make_var("x" + std::to_string(entries_.size()), std::move(type));
  entries_.push_back({var_expr(var), make_tensor(std::move(value))});
  return entries_.back();
}

}  // namespace passdiff
