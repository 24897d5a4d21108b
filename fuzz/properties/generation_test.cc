// What the generator makes: well-formed, reproducible, and of the types that it declares when run.
#include <unordered_map>

#include "core/eval/interpret.h"
#include "core/ir/structural.h"
#include "core/text/text.h"
#include "core/form/well_formed.h"
#include "core/tensor/tensor.h"
#include "fuzz/properties/property.h"
#include "fuzz/properties/rename.h"

namespace passdiff {
namespace {

TEST(Generation, ModulesAreWellFormed) {
  expect_holds(1500, [](const RandomCase& random) {
    const TestCase test = random.test();
    const auto fault = well_formed(test.module);
    if (fault) RC_FAIL(fault->code + ": " + fault->message);
    RC_ASSERT(test.module.find(test.entry) != nullptr);
    RC_ASSERT(test.module.find(test.entry)->function->params.size() == test.arguments.size());
  });
}

TEST(Generation, TheSameBytesMakeTheSameCase) {
  expect_holds(300, [](const RandomCase& random) {
    const TestCase first = random.test();
    const TestCase second = random.test();
    RC_ASSERT(print(first.module) == print(second.module));
    RC_ASSERT(first.arguments.size() == second.arguments.size());
    for (std::size_t i = 0; i < first.arguments.size(); ++i) {
      RC_ASSERT(bit_equal(first.arguments[i], second.arguments[i]));
    }
  });
}

// The sizes that the arguments give to symbolic dims of the parameters.
std::unordered_map<const SymVarNode*, std::int64_t> sizes_of(const Function& function,
                                                             const std::vector<Value>& arguments) {
  std::unordered_map<const SymVarNode*, std::int64_t> sizes;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const TensorType* type = function.params[i]->type.as_tensor();
    const TensorPtr* tensor = arguments[i].as_tensor();
    if (type == nullptr || tensor == nullptr || !type->shape) continue;
    const std::vector<std::int64_t> shape = (*tensor)->shape();
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (const SymVar* var = (*type->shape)[d].as_var()) sizes.emplace(var->get(), shape[d]);
    }
  }
  return sizes;
}

TEST(Evaluation, ReturnsAValueOfTheDeclaredType) {
  expect_holds(1500, [](const RandomCase& random) {
    const TestCase test = random.test();
    const Outcome outcome = interpret(test.module, test.entry, test.arguments);
    const auto* returned = std::get_if<Returned>(&outcome);
    if (returned == nullptr) {
      // A run may end only by undefined behaviour that was created on purpose: declared types hold, and every op is known.
      RC_ASSERT(!std::holds_alternative<WrongType>(outcome));
      RC_ASSERT(!std::holds_alternative<Unsupported>(outcome));
      RC_ASSERT(!std::holds_alternative<LimitExceeded>(outcome));
      return;
    }
    const Function& entry = *test.module.find(test.entry)->function;
    const auto sizes = sizes_of(entry, test.arguments);
    const auto lookup = [&](const SymVar& var) -> std::optional<std::int64_t> {
      const auto found = sizes.find(var.get());
      return found == sizes.end() ? std::nullopt : std::optional(found->second);
    };
    RC_ASSERT(has_type(returned->value, entry.result_type, lookup));
  });
}

void assert_same(const Outcome& a, const Outcome& b) {
  RC_ASSERT(to_string(a) == to_string(b));
  if (const auto* left = std::get_if<Returned>(&a)) {
    RC_ASSERT(bit_equal(left->value, std::get<Returned>(b).value));
  }
}

TEST(Evaluation, IsDeterministicAndBlindToNames) {
  expect_holds(500, [](const RandomCase& random) {
    const TestCase test = random.test();
    const Outcome first = interpret(test.module, test.entry, test.arguments);
    assert_same(first, interpret(test.module, test.entry, test.arguments));
    const Outcome other = interpret(renamed(test.module), test.entry, test.arguments);
    RC_ASSERT(first.index() == other.index());
    // Values must be equal; records of undefined behaviour differ, since they name the bindings.
    if (const auto* returned = std::get_if<Returned>(&first)) {
      RC_ASSERT(bit_equal(returned->value, std::get<Returned>(other).value));
      RC_ASSERT(returned->overflows.size() == std::get<Returned>(other).overflows.size());
    }
  });
}

}  // namespace
}  // namespace passdiff
