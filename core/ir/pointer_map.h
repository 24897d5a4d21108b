// PointerMap: a map from the address of an IR node to a value. One is made and destroyed with every call or walk, so that it must
// be cheap to make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace passdiff {

// Entries are kept, and can be read, in the order of their insertion only: addresses would give another order in each run.
template <class T>
class PointerMap {
 public:
  using Entry = std::pair<const void*, T>;

  const T* find(const void* key) const {
    if (slots_.empty()) return nullptr;
    for (std::size_t i = start(key);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i] == 0) return nullptr;
      const Entry& entry = entries_[slots_[i] - 1];
      if (entry.first == key) return &entry.second;
    }
  }

  // Sets the value for the key, replacing an earlier one.
  void set(const void* key, T value) {
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    std::size_t i = start(key);
    for (; slots_[i] != 0; i = (i + 1) & (slots_.size() - 1)) {
      Entry& entry = entries_[slots_[i] - 1];
      if (entry.first != key) continue;
      entry.second = std::move(value);
      return;
    }
    entries_.emplace_back(key, std::move(value));
    slots_[i] = static_cast<std::uint32_t>(entries_.size());
  }

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::size_t start(const void* key) const {
    const auto address = reinterpret_cast<std::uintptr_t>(key);
    return static_cast<std::size_t>((address >> 4) * 0x9E3779B97F4A7C15U >> 20) & (slots_.size() - 1);
  }

  void grow() {
    const std::size_t size = slots_.empty() ? 64 : 2 * slots_.size();
    slots_.assign(size, 0);
    entries_.reserve(size / 2);
    for (std::size_t index = 0; index < entries_.size(); ++index) {
      std::size_t i = start(entries_[index].first);
      while (slots_[i] != 0) i = (i + 1) & (size - 1);
      slots_[i] = static_cast<std::uint32_t>(index + 1);
    }
  }

  // An index into entries_ plus one; zero is a free slot. Their number is a power of two.
  std::vector<std::uint32_t> slots_;
  std::vector<Entry> entries_;
};

}  // namespace passdiff
