// FormScope: which variables and symbolic variables are in scope, by address. Scopes end in the reverse order of
// their beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace passdiff {

enum class ScopeState : std::uint8_t {
  unknown,         // never defined
  open,            // in scope
  closed,          // defined in a scope that has ended
  closed_dataflow  // defined in a dataflow block that has ended
};

// A hash table with open addressing: no allocation per variable, and names play no part.
class FormScope {
 public:
  FormScope() : slots_(kInitialSlots) { opened_.reserve(kInitialSlots / 2); }

  ScopeState state(const void* key) const { return slots_[find(key)].state; }
  void open(const void* key) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[find(key)];
    if (slot.key == nullptr) ++used_;
    slot = {key, ScopeState::open};
    opened_.push_back(key);
  }
  std::size_t mark() const { return opened_.size(); }
  // Ends the scopes of all that were opened since the mark.
  void close(std::size_t mark) {
    for (; opened_.size() > mark; opened_.pop_back()) slots_[find(opened_.back())].state = ScopeState::closed;
  }
  void close_dataflow(const void* key) { slots_[find(key)].state = ScopeState::closed_dataflow; }

 private:
  static constexpr std::size_t kInitialSlots = 128;
  struct Slot {
    const void* key = nullptr;
    ScopeState state = ScopeState::unknown;
  };

  std::size_t find(const void* key) const {
    const auto bits = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(key));
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>((bits * 0x9E3779B97F4A7C15U) >> 32U) & mask;
    while (slots_[at].key != nullptr && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key != nullptr) slots_[find(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<const void*> opened_;
  std::size_t used_ = 0;
};

}  // namespace passdiff
