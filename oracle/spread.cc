#include "oracle/spread.h"

#include <algorithm>

namespace passdiff {

void Spread::add(double value) {
  const NumberClass its = class_of(value);
  if (kind && *kind != its) unstable = true;
  kind = its;
  if (its != NumberClass::finite) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

Spreads::Spreads(const std::vector<Leaf>& leaves) : like_(leaves) {
  for (const Leaf& leaf : leaves) {
    auto& elements = spreads_.emplace_back(leaf.tensor->size());
    for (std::size_t k = 0; k < elements.size(); ++k) elements[k].add(leaf[k]);
  }
}

bool Spreads::add(const Outcome& outcome) {
  const auto* returned = std::get_if<Returned>(&outcome);
  if (returned == nullptr) return false;
  const Leaves run = leaves_of(returned->value, returned->value);
  if (run.source.size() != like_.size()) return false;
  for (std::size_t i = 0; i < like_.size(); ++i) {
    const Tensor& tensor = *run.source[i].tensor;
    if (tensor.shape() != like_[i].tensor->shape() || tensor.dtype != like_[i].tensor->dtype) return false;
    for (std::size_t k = 0; k < tensor.size(); ++k) spreads_[i][k].add(as_double(tensor, k));
  }
  return true;
}

bool Spreads::sample(const Rerun& rerun, int first, int runs, std::optional<DType> least) {
  for (int i = 0; i < runs; ++i) {
    // Some runs perturb in wide precision, which moves decisions that depend on the last bits of values that look exact.
    const RoundingMode mode = i % 4 == 3 ? RoundingMode::stochastic_wide : RoundingMode::stochastic_declared;
    if (!add(rerun({mode, static_cast<std::uint64_t>(first + i + 1), least}))) return false;
  }
  return true;
}

}  // namespace passdiff
