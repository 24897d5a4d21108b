#include "core/eval/prim_func_arguments.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace passdiff {
namespace {

constexpr std::size_t kMostDescribedBytes = std::size_t{1} << 26;
// What is longer is described by a hash that no two arguments have in common, in all likelihood.
constexpr std::size_t kMostPlainBytes = 1024;

template <class T>
void append(std::string& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void append(std::string& bytes, const T* values, std::size_t count) {
  append(bytes, count);
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

void append(std::string& bytes, const ScalarValue& scalar) {
  append(bytes, scalar.dtype);
  std::visit([&](const auto& value) { append(bytes, value); }, scalar.value);
}

}  // namespace

PrimFuncArguments::Held& PrimFuncArguments::memory_of(const TensorPtr& tensor, bool writable) {
  for (Held& held : held_) {
    if (held.tensor != tensor.get()) continue;
    held.shared = true;
    return held;
  }
  HeapTensor* const of_heap = heap_.find(tensor.get());
  // Tensors that the heap does not own are only read.
  Tensor& elements = of_heap != nullptr ? *of_heap->tensor : const_cast<Tensor&>(*tensor);
  tir::Memory memory(fmt::format("argument {}", arguments_.size()), elements, writable && of_heap != nullptr);
  if (of_heap != nullptr) memory.set_written(of_heap->written);
  return held_.emplace_back(tensor.get(), &elements, std::move(memory));
}

bool PrimFuncArguments::add(const Value& value, bool writable) {
  if (const TensorPtr* tensor = value.as_tensor()) {
    Held& held = memory_of(*tensor, writable);
    arguments_.emplace_back(tir::BufferArgument{&held.memory, (*tensor)->shape()});
    return true;
  }
  if (const auto* scalar = std::get_if<ScalarValue>(&value.node)) {
    arguments_.emplace_back(*scalar);
    return true;
  }
  const auto* shape = std::get_if<ShapeValue>(&value.node);
  if (shape == nullptr) return false;
  for (const std::int64_t dim : shape->dims) arguments_.emplace_back(ScalarValue{DType::int64, dim});
  return true;
}

std::optional<std::string> PrimFuncArguments::describe() const {
  std::size_t size = 0;
  for (const Held& held : held_) size += static_cast<std::size_t>(held.memory.size()) * sizeof(double);
  if (size > kMostDescribedBytes) return std::nullopt;
  std::string bytes;
  bytes.reserve(size + 64 * arguments_.size());
  for (const Held& held : held_) {
    append(bytes, held.memory.dtype());
    append(bytes, held.memory.writable());
    append(bytes, held.memory.written().data(), held.memory.written().size());
    std::visit([&](const auto& values) { append(bytes, values.data(), values.size()); }, held.elements->values);
  }
  for (const tir::Argument& argument : arguments_) {
    append(bytes, argument.index());
    if (const auto* scalar = std::get_if<ScalarValue>(&argument)) {
      append(bytes, *scalar);
      continue;
    }
    const auto& buffer = std::get<tir::BufferArgument>(argument);
    const auto held = std::find_if(held_.begin(), held_.end(), [&](const Held& one) { return &one.memory == buffer.memory; });
    append(bytes, static_cast<std::size_t>(held - held_.begin()));
    append(bytes, buffer.shape.data(), buffer.shape.size());
  }
  if (bytes.size() <= kMostPlainBytes) return bytes;
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  std::string digest;
  append(digest, bytes.size());
  append(digest, hash.low64);
  append(digest, hash.high64);
  return digest;
}

std::optional<KnownRun> PrimFuncArguments::left_behind() const {
  KnownRun run;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Held& held = held_[i];
    if (held.memory.has_others()) return std::nullopt;
    if (held.memory.was_written()) run.written.push_back({i, *held.elements, held.memory.written()});
  }
  return run;
}

void PrimFuncArguments::take_over(const KnownRun& run) {
  for (const KnownRun::Written& written : run.written) {
    Held& held = held_[written.argument];
    held.elements->values = written.elements.values;
    held.memory.set_written(written.flags);
    held.memory.mark_written();
  }
}

std::optional<std::string> PrimFuncArguments::finish() {
  std::optional<std::string> conflict;
  for (Held& held : held_) {
    if (!held.memory.was_written()) continue;
    if (held.shared) conflict = held.memory.name();
    HeapTensor* const tensor = heap_.find(held.tensor);
    if (tensor == nullptr) continue;
    tensor->written = held.memory.written();
    for (const Held& other : held_) {
      const HeapTensor* const neighbour = heap_.find(other.tensor);
      if (neighbour != nullptr && neighbour != tensor && Heap::overlap(*tensor, *neighbour)) conflict = other.memory.name();
    }
    heap_.overwrite_neighbours(*tensor);
  }
  return conflict;
}

}  // namespace passdiff
