#include "oracle/reduction/reduce.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include <xxhash.h>

#include "core/eval/interpret.h"
#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/tensor/tensor.h"
#include "oracle/reduction/prim_funcs.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

void append(const Value& value, std::string& bytes) {
  if (const TensorPtr* tensor = value.as_tensor()) {
    bytes += dtype_name((*tensor)->dtype);
    for (std::int64_t size : (*tensor)->shape()) bytes += "," + std::to_string(size);
    for (std::uint8_t byte : to_bytes(**tensor)) bytes += static_cast<char>(byte);
  } else if (const TupleValue* tuple = value.as_tuple()) {
    bytes += "(" + std::to_string(tuple->fields.size());
    for (const Value& field : tuple->fields) append(field, bytes);
  } else {
    bytes += to_string(value);
  }
}

// Equal for cases and pipelines that differ in the names of variables alone.
std::uint64_t fingerprint(const TestCase& test, const Pipeline& pipeline) {
  std::string bytes = std::to_string(structural_hash(test.module)) + test.entry;
  for (const PassCall& call : pipeline) bytes += "|" + call.name + call.options;
  for (const Value& argument : test.arguments) append(argument, bytes);
  return XXH3_64bits(bytes.data(), bytes.size());
}

// Whether the case is a program that comes to its end, and undefined nowhere.
bool returns(const TestCase& test) {
  return std::holds_alternative<Returned>(interpret(test.module, test.entry, test.arguments));
}

bool blocks_use_loops(const Module& module) {
  return std::ranges::any_of(module.prim_funcs, [](const GlobalPrimFunc& global) { return tir::blocks_use_loops(*global.function); });
}

class Reduction {
 public:
  Reduction(TestCase test, Pipeline pipeline, const StillShows& still_shows, const ReduceOptions& options)
      : best_{std::move(test), std::move(pipeline), 0},
        size_(size_of(best_.test)),
        returns_(returns(best_.test)),
        blocks_are_closed_(!blocks_use_loops(best_.test.module)),
        kept_(1 + options.max_checks / 20),
        still_shows_(still_shows),
        options_(options) {}

  Reduced run() && {
    drop_passes();
    while (reduce_once() && budget_left()) {
    }
    if (drop_passes() || drop_options()) reduce_once();
    kept_ = 1;
    halve(prim_expr_ranges());
    rename();
    return std::move(best_);
  }

 private:
  // Steps that take much away come first, so that the others have less to do.
  bool reduce_once() {
    if (best_.test.module.find(best_.test.entry) == nullptr) return reduce_prim_func();
    bool progress = take(without_dead_parts(best_.test));
    progress |= exhaust(whole_steps());
    progress |= halve(cut_steps());
    for (const auto steps :
         {structure_steps(), tuple_steps(), function_steps(), closure_steps(), nested_steps()})
      progress |= exhaust(steps);
    for (const auto steps : {symbol_steps(), size_steps(), dtype_steps()}) progress |= exhaust(steps);
    progress |= halve(operand_steps());
    progress |= reduce_prim_func();
    progress |= exhaust(attribute_steps());
    return progress;
  }
  // The steps that need no entry of Relax.
  bool reduce_prim_func() {
    bool progress = halve(prim_stmt_ranges());
    for (const auto steps : {prim_stmt_steps(), prim_param_steps(), prim_expr_steps(), prim_buffer_steps()})
      progress |= exhaust(steps);
    progress |= halve(prim_expr_ranges());
    progress |= halve(element_steps());
    return progress;
  }

  // Some checks are kept for arithmetic that other steps leave, and one for the names.
  bool budget_left() const { return best_.checks + kept_ < options_.max_checks && !out_of_time(); }
  bool out_of_time() const { return options_.out_of_time != nullptr && options_.out_of_time(); }

  bool shows(const TestCase& test, const Pipeline& pipeline) {
    ++best_.checks;
    return still_shows_(test, pipeline);
  }
  // The same, but a case that was seen before is not asked about again.
  bool shows_newly(const TestCase& test, const Pipeline& pipeline) {
    return asked_.insert(fingerprint(test, pipeline)).second && shows(test, pipeline);
  }

  // Whether the candidate is as good a program as the input: a compiler may fail on what is none.
  bool is_program(const TestCase& candidate) const {
    return !well_formed(candidate.module) && !(blocks_are_closed_ && blocks_use_loops(candidate.module)) && (!returns_ || returns(candidate));
  }
  // Takes the candidate if it is smaller and still shows the finding.
  bool take(TestCase candidate) {
    if (!budget_left()) return false;
    const std::int64_t size = size_of(candidate);
    if (size >= size_ || !is_program(candidate)) return false;
    if (!shows_newly(candidate, best_.pipeline)) return false;
    best_.test = std::move(candidate);
    size_ = size;
    return true;
  }
  // First without its dead parts; as it is where the finding needs them.
  bool take(std::optional<TestCase> candidate) {
    if (!candidate) return false;
    TestCase clean = without_dead_parts(*candidate);
    return take(std::move(clean)) || take(*std::move(candidate));
  }

  bool exhaust(ReduceSteps steps) {
    bool progress = false;
    for (const ReduceStep& step : steps)
      progress |= step.order == Order::forward ? exhaust_forwards(step) : exhaust(step);
    return progress;
  }
  // Tries the last candidates of the step first: the last bindings of a module are needed least.
  bool exhaust(const ReduceStep& step) {
    bool progress = false;
    for (std::size_t i = step.count(best_.test); i > 0 && budget_left();) {
      i = std::min(i, step.count(best_.test));  // the smaller case may have fewer candidates
      if (i == 0) break;
      --i;
      progress |= take(step.make(best_.test, i));
    }
    return progress;
  }
  bool exhaust_forwards(const ReduceStep& step) {
    bool progress = false;
    for (std::size_t i = 0; i < step.count(best_.test) && budget_left();) {
      if (take(step.make(best_.test, i))) {
        progress = true;  // the next candidate has the same number now
      } else {
        ++i;
      }
    }
    return progress;
  }

  bool halve(RangeSteps steps) {
    bool progress = false;
    for (const RangeStep& step : steps) progress |= halve(step);
    return progress;
  }
  bool halve(const RangeStep& step) {
    bool progress = false;
    for (std::size_t length = step.count(best_.test); length > 0 && budget_left(); length /= 2) {
      for (std::size_t last = step.count(best_.test); last > 0 && budget_left();) {
        const std::size_t first = last - std::min(length, last);
        progress |= take(step.make(best_.test, first, last));
        last = std::min(first, step.count(best_.test));
      }
    }
    return progress;
  }

  bool drop_passes() {
    bool progress = false;
    for (std::size_t i = best_.pipeline.size(); i-- > 0 && best_.pipeline.size() > 1 && budget_left();) {
      Pipeline shorter = best_.pipeline;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
      progress |= take(std::move(shorter));
    }
    return progress;
  }
  bool drop_options() {
    bool progress = false;
    for (bool shorter = true; shorter && budget_left();) {
      shorter = false;
      for (Pipeline& candidate : with_fewer_options(best_.pipeline)) {
        if (!budget_left() || !take(std::move(candidate))) continue;
        progress = shorter = true;
        break;
      }
    }
    return progress;
  }
  bool take(Pipeline shorter) {
    if (!shows_newly(best_.test, shorter)) return false;
    best_.pipeline = std::move(shorter);
    asked_.clear();  // what did not show it under the longer pipeline may under this one
    return true;
  }

  // All names at once, else those of one group after the other.
  void rename() {
    if (rename(kNameGroups)) return;
    for (const NameGroup& group : kNameGroups) rename(std::span(&group, 1));
  }
  bool rename(std::span<const NameGroup> groups) {
    if (best_.checks >= options_.max_checks || out_of_time()) return false;
    TestCase renamed = with_plain_names(best_.test, groups);
    if (well_formed(renamed.module) || !shows(renamed, best_.pipeline)) return false;
    best_.test = std::move(renamed);
    return true;
  }

  Reduced best_;
  std::int64_t size_;
  const bool returns_;
  const bool blocks_are_closed_;
  int kept_;
  std::unordered_set<std::uint64_t> asked_;  // fingerprints
  const StillShows& still_shows_;
  const ReduceOptions& options_;
};

}  // namespace

Reduced reduce(TestCase test, Pipeline pipeline, const StillShows& still_shows,
               const ReduceOptions& options) {
  return Reduction(std::move(test), std::move(pipeline), still_shows, options).run();
}

}  // namespace passdiff
