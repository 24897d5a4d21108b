#include "core/eval/known_calls.h"

#include <algorithm>
#include <bit>

#include "core/splitmix.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::int64_t kMostKept = std::int64_t{1} << 22;  // elements, of eight bytes each
constexpr std::int64_t kEntrySize = 64;                    // what a call takes besides its tensors, in elements

std::uint64_t hash_with(std::uint64_t hash, const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) return splitmix64_mix(hash, std::bit_cast<std::uint64_t>(tensor->get()));
  hash = splitmix64_mix(hash, value.node.index());
  if (const TupleValue* tuple = value.as_tuple()) {
    for (const Value& field : tuple->fields) hash = hash_with(hash, field);
  }
  if (const auto* shape = std::get_if<ShapeValue>(&value.node)) {
    for (const std::int64_t dim : shape->dims) hash = splitmix64_mix(hash, static_cast<std::uint64_t>(dim));
  }
  return hash;
}

// Equal, and so are the signs of zeros.
bool same_attr(const AttrValue& a, const AttrValue& b) {
  const auto* number = std::get_if<double>(&a);
  const auto* other = std::get_if<double>(&b);
  if (number != nullptr && other != nullptr) return std::bit_cast<std::uint64_t>(*number) == std::bit_cast<std::uint64_t>(*other);
  const auto* list = std::get_if<AttrList>(&a);
  const auto* other_list = std::get_if<AttrList>(&b);
  if (list != nullptr && other_list != nullptr) return std::ranges::equal(list->items, other_list->items, same_attr);
  return a == b;
}

// A function may hold the runs that would keep it, so that neither would ever be freed.
bool holds_function(const Value& value) {
  if (const TupleValue* tuple = value.as_tuple()) return std::ranges::any_of(tuple->fields, holds_function);
  return std::holds_alternative<std::shared_ptr<const Callable>>(value.node);
}

}  // namespace

std::uint64_t KnownCalls::hash(const OpCall& call) {
  std::uint64_t hash = std::bit_cast<std::uint64_t>(&call.op);
  for (const Value& arg : call.args) hash = hash_with(hash, arg);
  return hash;
}

const Value* KnownCalls::find(const OpCall& call, std::uint64_t hash) {
  const auto [begin, end] = entries_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    const Entry& entry = at->second;
    if (entry.op != &call.op || !std::ranges::equal(entry.args, call.args, identical)) continue;
    if (!std::ranges::equal(entry.attrs, call.attrs, same_attr) || !equal(entry.type, call.result)) continue;
    ++found_;
    return &entry.result;
  }
  return nullptr;
}

void KnownCalls::keep(const OpCall& call, std::uint64_t hash, const Value& result) {
  if (holds_function(result) || std::ranges::any_of(call.args, holds_function)) return;
  std::int64_t elements = elements_ + kEntrySize + elements_of(result);
  for (const Value& arg : call.args) elements += elements_of(arg);
  if (elements > kMostKept) return;
  elements_ = elements;
  entries_.emplace(hash, Entry{&call.op, {call.args.begin(), call.args.end()}, call.attrs, call.result, result});
}

}  // namespace passdiff
