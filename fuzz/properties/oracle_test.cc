// Properties of reduction, with each fault of the native passes switched on, and of the comparison of values.
#include "core/eval/interpret.h"
#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "fuzz/properties/pipeline.h"
#include "fuzz/properties/property.h"
#include "oracle/check.h"
#include "oracle/compare.h"
#include "oracle/findings/signature.h"
#include "oracle/reduction/reduce.h"

namespace passdiff {
namespace {

constexpr int kMaxChecks = 80;

// Asserts that reduction keeps the key; false if the case shows nothing to reduce.
bool assert_reduces(Subject& subject, const TestCase& test, const Pipeline& pipeline) {
  const CheckOptions options = every_check();
  const Verdict verdict = check(subject, test, pipeline, options).verdict;
  if (!is_finding(verdict.symptom)) return false;
  const std::string key = key_of(verdict);
  const StillShows shows = [&](const TestCase& candidate, const Pipeline& passes) {
    RC_ASSERT(!well_formed(candidate.module).has_value());
    return key_of(check(subject, candidate, passes, options).verdict) == key;
  };
  const Reduced reduced = reduce(test, pipeline, shows, {.max_checks = kMaxChecks});
  RC_LOG() << key << ", reduced to\n" << print(reduced.test.module);
  RC_ASSERT(reduced.checks <= kMaxChecks);
  RC_ASSERT(size_of(reduced.test) <= size_of(test));
  RC_ASSERT(count_bindings(reduced.test.module) <= count_bindings(test.module));
  RC_ASSERT(reduced.pipeline.size() <= pipeline.size());
  RC_ASSERT(!well_formed(reduced.test.module).has_value());
  RC_ASSERT(key_of(check(subject, reduced.test, reduced.pipeline, options).verdict) == key);
  const Reduced again = reduce(test, pipeline, shows, {.max_checks = kMaxChecks});
  RC_ASSERT(structural_equal(again.test.module, reduced.test.module));
  RC_ASSERT(again.pipeline == reduced.pipeline);
  return true;
}

// The case and the options of the pass are drawn anew for each fault, so that over all faults many cases fail.
TEST(Reduction, KeepsTheKeyAndNeverGrows) {
  int all_reductions = 0;
  for (const Fault& fault : all_faults()) {
    SCOPED_TRACE(std::string(fault.name));
    const auto subject = make_native_subject(fault.name);
    int reductions = 0;
    expect_holds(120, [&](const RandomCase& random) {
      constexpr int kEnough = 3;  // a reduction costs as much as a hundred cases
      if (reductions >= kEnough) return;
      const TestCase test = random.test();
      Choices choices(random.more);
      const Pipeline pipeline = pipeline_of(*subject, fault.pass, test.module, choices);
      if (!pipeline.empty() && assert_reduces(*subject, test, pipeline)) ++reductions;
    });
    all_reductions += reductions;
  }
  EXPECT_GT(all_reductions, static_cast<int>(all_faults().size()) / 2);
}

TEST(Reduction, OfWhatEverythingShowsEndsInTheSmallestCase) {
  const Pipeline pipeline = {{"DeadCodeElimination", "{}"}};
  expect_holds(200, [&](const RandomCase& random) {
    const TestCase test = random.test();
    const StillShows always = [](const TestCase&, const Pipeline&) { return true; };
    const Reduced reduced = reduce(test, pipeline, always);
    RC_LOG() << "reduced to\n" << print(reduced.test.module);
    RC_ASSERT(count_bindings(reduced.test.module) == 0);
    RC_ASSERT(reduced.test.module.functions.size() == 1u);
  });
}

Outcome run(const TestCase& test, const Rounding& rounding) {
  return interpret(test.module, test.entry, test.arguments, {.rounding = rounding});
}

TEST(Comparison, OfARunWithItselfAgrees) {
  expect_holds(400, [](const RandomCase& random) {
    const TestCase test = random.test();
    const Outcome outcome = run(test, {});
    const auto* returned = std::get_if<Returned>(&outcome);
    if (returned == nullptr) return;
    const Rerun rerun = [&](const Rounding& rounding) { return run(test, rounding); };
    for (const Numerics numerics : {Numerics::exact, Numerics::reassociated, Numerics::approximate}) {
      const Comparison comparison =
          compare_values(returned->value, returned->value, {.numerics = numerics}, rerun, rerun);
      RC_ASSERT(comparison.symptom == Symptom::agree);
    }
    RC_ASSERT(roughly_equal(returned->value, returned->value));
  });
}

// The value with one integer or bool in it changed; nothing if it has none.
std::optional<Value> with_other_integer(const Value& value) {
  if (const TupleValue* tuple = value.as_tuple()) {
    for (std::size_t i = 0; i < tuple->fields.size(); ++i) {
      std::optional<Value> field = with_other_integer(tuple->fields[i]);
      if (!field) continue;
      TupleValue other = *tuple;
      other.fields[i] = *std::move(field);
      return other;
    }
    return std::nullopt;
  }
  const TensorPtr* tensor = value.as_tensor();
  if (tensor == nullptr || is_float((*tensor)->dtype) || (*tensor)->size() == 0) return std::nullopt;
  Tensor other = **tensor;
  std::visit([](auto& values) { values.data()[0] = values.data()[0] == 0 ? 1 : 0; }, other.values);
  return make_tensor(std::move(other));
}

TEST(Comparison, SeesEveryChangedInteger) {
  expect_holds(600, [](const RandomCase& random) {
    const TestCase test = random.test();
    const Outcome outcome = run(test, {});
    const auto* returned = std::get_if<Returned>(&outcome);
    const std::optional<Value> other =
        returned == nullptr ? std::nullopt : with_other_integer(returned->value);
    if (!other) return;
    const Rerun rerun = [&](const Rounding& rounding) { return run(test, rounding); };
    const Rerun same = [&](const Rounding&) -> Outcome { return Returned{*other, {}}; };
    const Comparison there = compare_values(returned->value, *other, {}, rerun, same);
    const Comparison back = compare_values(*other, returned->value, {}, same, rerun);
    RC_LOG() << symptom_name(there.symptom) << " and " << symptom_name(back.symptom) << ": " << there.detail
             << "\n";
    // Where rounding decides the integer (a cast, a comparison) nothing can be said.
    RC_ASSERT(there.symptom == Symptom::mismatch || there.symptom == Symptom::inconclusive);
    RC_ASSERT(back.symptom == there.symptom);
    RC_ASSERT(!roughly_equal(returned->value, *other));
  });
}

}  // namespace
}  // namespace passdiff
