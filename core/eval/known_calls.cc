#include "core/eval/known_calls.h"

#include <algorithm>
#include <bit>

#include "core/splitmix.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::int64_t kMostKept = std::int64_t{1} << 22;  // of eight bytes each

std::uint64_t with(std::uint64_t hash, std::uint64_t word) {
  return splitmix64_finish(hash + kGoldenGamma + word);
}

std::uint64_t with(std::uint64_t hash, const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) return with(hash, std::bit_cast<std::uint64_t>(tensor->get()));
  hash = with(hash, value.node.index());
  if (const TupleValue* tuple = value.as_tuple()) {
    for (const Value& field : tuple->fields) hash = with(hash, field);
  }
  if (const auto* shape = std::get_if<ShapeValue>(&value.node)) {
    for (const std::int64_t dim : shape->dims) hash = with(hash, static_cast<std::uint64_t>(dim));
  }
  return hash;
}

}  // namespace

std::uint64_t KnownCalls::hash(const OpCall& call) {
  std::uint64_t hash = std::bit_cast<std::uint64_t>(&call.op);
  for (const Value& arg : call.args) hash = with(hash, arg);
  return hash;
}

const Value* KnownCalls::find(const OpCall& call, std::uint64_t hash) {
  const auto [begin, end] = entries_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    const Entry& entry = at->second;
    if (entry.op != &call.op || !std::ranges::equal(entry.args, call.args, identical)) continue;
    if (entry.attrs != call.attrs || !equal(entry.type, call.result)) continue;
    ++found_;
    return &entry.result;
  }
  return nullptr;
}

void KnownCalls::keep(const OpCall& call, std::uint64_t hash, const Value& result) {
  std::int64_t elements = elements_ + elements_of(result);
  for (const Value& arg : call.args) elements += elements_of(arg);
  if (elements > kMostKept) return;
  elements_ = elements;
  entries_.emplace(hash, Entry{&call.op, {call.args.begin(), call.args.end()}, call.attrs, call.result, result});
}

}  // namespace passdiff
