// KnownValues: the values in scope of a body under construction. Each binding is evaluated when it is made, so all
// values are known.
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

// What a value depends on.
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
  unsigned block = 0;  // the BodyBlocks::number of the block that binds it
  int uses = 0;
  std::optional<bool> small;  // whether the elements fit Fill::small, once that was asked
};

class KnownValues {
 public:
  // Starts with all that is in scope in the body around, if there is one.
  explicit KnownValues(const FunctionDraft& function, const KnownValues* outer = nullptr);
  KnownValues(const KnownValues&) = delete;
  KnownValues& operator=(const KnownValues&) = delete;
  ~KnownValues();

  std::span<const Entry> entries() const { return entries_; }
  void add(Entry entry);
  void forget_from(std::size_t count) { entries_.resize(count); }
  const Entry* find(const ExprPtr& var) const;  // null if it is none in scope

  // The latest entries for which `fits` holds, the last one first: few enough to be looked through at every draw.
  struct Candidates {
    std::array<Entry*, 32> found;
    std::size_t count = 0;
    // Later entries are likelier, so that graphs grow deep rather than wide; no bytes choose the last one. Null if
    // there is none.
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

  // The value of an operand; `provenance` is joined with those of the variables in it. CHECKs that it has a value.
  Value value_of(const ExprPtr& operand, Provenance& provenance) const;
  // Counts the uses of variables in an expression of this block. A variable of a dataflow block that is used
  // outside of it becomes one of the block's outputs.
  void note_uses(const ExprPtr& expr, unsigned block);

 private:
  const FunctionDraft& function_;
  std::vector<Entry> entries_;
};

}  // namespace passdiff
