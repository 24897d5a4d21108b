// What calls of ops returned before. The modules that passes make of one source have most of their bindings in common, and compute them
// from the same arguments, so that runs of these modules take over from each other what they have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/ir/attr.h"
#include "core/ir/type.h"
#include "core/ops/op.h"
#include "core/tensor/value.h"

namespace passdiff {

// All that the result of a call depends on, under faithful rounding.
struct OpCall {
  const OpDef& op;
  std::span<const Value> args;
  const std::vector<AttrValue>& attrs;
  const Type& result;
};

// Tensors are told apart by their addresses, which stay theirs for as long as this lives. So results may be taken over only where no tensor
// is written. Not for several threads at once.
class KnownCalls {
 public:
  // The same for equal calls. The other methods take it, so that it is computed once.
  static std::uint64_t hash(const OpCall& call);
  // The result of an equal call; null if there was none.
  const Value* find(const OpCall& call, std::uint64_t hash);
  // Beyond a bound on memory nothing more is kept, and no call that takes or returns a function.
  void keep(const OpCall& call, std::uint64_t hash, const Value& result);
  // How often find() knew the result.
  std::int64_t found() const { return found_; }

 private:
  struct Entry {
    const OpDef* op;
    std::vector<Value> args;
    std::vector<AttrValue> attrs;
    Type type;
    Value result;
  };
  std::unordered_multimap<std::uint64_t, Entry> entries_;
  std::int64_t elements_ = 0;  // about the size of what is kept, in elements of tensors
  std::int64_t found_ = 0;
};

}  // namespace passdiff
