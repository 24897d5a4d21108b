// The values in scope of a body under construction. All are known: whatever is bound is evaluated when it is bound.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/gen/draft.h"
#include "core/ops/scope.h"

namespace passdiff {

enum class Origin : std::uint8_t { input, weight, constant, computed };

// What is known of a value beside the value.
struct Provenance {
  bool inexact = false;  // descends from library functions whose last digits differ between machines
  bool lifted = true;    // depends on weights and constants alone
  void join(const Provenance& other) {
    inexact = inexact || other.inexact;
    lifted = lifted && other.lifted;
  }
};

// A value in scope.
struct Entry {
  ScopeEntry shown;
  std::shared_ptr<VarNode> var;        // null for constants; may be changed until the function is finished
  const TensorType* tensor = nullptr;  // null unless it is a tensor of known shape and dtype
  Origin origin = Origin::computed;
  Provenance provenance;
  unsigned block = 0;  // where it is bound: a number of BodyBlocks
  int uses = 0;
  std::optional<bool> small;  // fits(tensor, Fill::small), once asked
};

class KnownValues {
 public:
  // With all that is in scope in the body outside, if there is one.
  explicit KnownValues(const FunctionDraft& function, const KnownValues* outer = nullptr);
  KnownValues(const KnownValues&) = delete;
  KnownValues& operator=(const KnownValues&) = delete;
  ~KnownValues();

  std::span<const Entry> entries() const { return entries_; }
  void add(Entry entry);
  void forget_from(std::size_t count) { entries_.resize(count); }
  const Entry* find(const ExprPtr& var) const;  // null if it is none in scope

  // The latest entries, the last first; few enough to look through at every draw.
  struct Candidates {
    std::array<Entry*, 32> found;
    std::size_t count = 0;
    // Later entries are likelier, the last is the first choice: graphs grow deep rather than wide. Null if there is none.
    Entry* pick(Choices& choices) const;
  };
  template <class Fits>
  Candidates latest(Fits fits) {
    Candidates candidates;
    for (std::size_t i = entries_.size(); i-- > 0 && candidates.count < candidates.found.size();) {
      if (fits(entries_[i])) candidates.found[candidates.count++] = &entries_[i];
    }
    return candidates;
  }
  const Entry* choose(Choices& choices, const std::function<bool(const Entry&)>& fits) {
    return latest(std::cref(fits)).pick(choices);
  }

  // The value of an operand, and where it comes from: the operands within join `provenance`.
  Value value_of(const ExprPtr& operand, Provenance& provenance) const;
  // Counts the uses in an expression that is bound in this block. Variables of a dataflow block that are used outside of
  // it become its outputs.
  void note_uses(const ExprPtr& expr, unsigned block);

 private:
  const FunctionDraft& function_;
  std::vector<Entry> entries_;
};

}  // namespace passdiff
