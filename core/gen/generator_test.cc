#include "core/gen/generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/eval/interpret.h"
#include "core/form/well_formed.h"
#include "core/gen/idioms.h"
#include "core/gen/training.h"
#include "core/ir/walk.h"
#include "core/ir/structural.h"
#include "core/ops/op.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

constexpr std::uint64_t kSeed = 20;
constexpr std::uint64_t kCases = 3000;
constexpr std::size_t kBytes = 512;

GeneratedCase case_of(std::uint64_t i, const GenerateOptions& options = {}) {
  const std::vector<std::uint8_t> bytes = campaign_bytes(kSeed, i, kBytes);
  Choices choices(bytes);
  return generate_case(choices, options);
}

int bindings_of(const SeqExpr& body) {
  int count = 0;
  for_each_binding<Enter::none>(body, [&count](const Binding&) { ++count; });
  return count;
}

// Cases of distributed tensors have a mesh, and their parameters are annotated.
TEST(Generator, DistributedCasesAreAnnotated) {
  GenerateOptions options;
  options.distributed_one_in = 1;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const TestCase test = case_of(i, options).test;
    EXPECT_EQ(test.module.meshes.size(), 1U);
    const std::optional<Error> fault = well_formed(test.module);
    ASSERT_FALSE(fault.has_value()) << fault->message << "\n" << print(test.module);
    const Function& main = *test.module.find("main")->function;
    const std::vector<Binding>& bindings = main.body.blocks.at(0).bindings;
    std::size_t next = 0;
    for (const Var& param : main.params) {
      if (param->type.as_tensor() == nullptr || !param->type.as_tensor()->shape) continue;
      ASSERT_LT(next, bindings.size());
      const OpDef* op = called_op(bindings[next++].value);
      ASSERT_NE(op, nullptr);
      EXPECT_EQ(op->name, "relax.dist.annotate_sharding");
    }
  }
}

// Cases of training are what Gradient takes: differentiable ops in one dataflow block, and a scalar variable as the result, or in it.
TEST(Generator, MakesFunctionsWithALoss) {
  const auto is_loss = [](const ExprPtr& expr) {
    const TensorType* tensor = as<Var>(expr) == nullptr ? nullptr : expr->type.as_tensor();
    return tensor != nullptr && tensor->shape && tensor->shape->empty() && is_float(*tensor->dtype);
  };
  int drawn = 0, with_loss = 0;
  for (std::uint64_t i = 0; i < kCases; ++i) {
    const GeneratedCase made = case_of(i);
    if (std::ranges::none_of(made.idioms_drawn, [](const Idiom* idiom) { return idiom->trains; })) continue;
    ++drawn;
    const SeqExpr& body = made.test.module.find("main")->function->body;
    ASSERT_EQ(body.blocks.size(), 1U) << print(made.test.module);
    EXPECT_TRUE(body.blocks[0].dataflow);
    for_each_binding(body, [&](const Binding& binding) {
      const OpDef* op = called_op(binding.value);
      EXPECT_TRUE(op == nullptr || is_differentiable(*op)) << op->name;
    });
    const Tuple* fields = as<Tuple>(body.result);
    with_loss += fields == nullptr ? is_loss(body.result) : std::ranges::any_of(fields->fields, is_loss);
  }
  EXPECT_GT(drawn, 100);
  EXPECT_GT(with_loss, drawn * 9 / 10);
}

TEST(Generator, MakesWellFormedModules) {
  for (std::uint64_t i = 0; i < kCases; ++i) {
    const GeneratedCase made = case_of(i);
    const std::optional<Error> error = well_formed(made.test.module);
    ASSERT_FALSE(error.has_value()) << "case " << i << ": " << error->code << ": " << error->message << "\n"
                                    << print(made.test.module);
  }
}

TEST(Generator, KnowsWhatTheModuleReturns) {
  std::map<std::string_view, int> outcomes;
  for (std::uint64_t i = 0; i < kCases; ++i) {
    const GeneratedCase made = case_of(i);
    const Outcome outcome = interpret(made.test.module, made.test.entry, made.test.arguments);
    ++outcomes[outcome_name(outcome)];
    const Returned* returned = std::get_if<Returned>(&outcome);
    if (returned == nullptr) {
      EXPECT_TRUE(made.undefined && std::holds_alternative<Undefined>(outcome))
          << "case " << i << ": " << to_string(outcome) << "\n"
          << print(made.test.module);
      continue;
    }
    ASSERT_TRUE(bit_equal(returned->value, made.result)) << "case " << i << ": " << to_string(returned->value)
                                                         << " instead of " << to_string(made.result) << "\n"
                                                         << print(made.test.module);
  }
  EXPECT_GT(outcomes["returned"], static_cast<int>(kCases * 97 / 100));
  EXPECT_GT(outcomes["undefined"], 0);
}

TEST(Generator, MakesTheSameModuleOfTheSameBytes) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const GeneratedCase a = case_of(i), b = case_of(i);
    ASSERT_EQ(structural_hash(a.test.module), structural_hash(b.test.module)) << "case " << i;
    ASSERT_EQ(a.test.arguments.size(), b.test.arguments.size());
    for (std::size_t k = 0; k < a.test.arguments.size(); ++k) {
      ASSERT_TRUE(bit_equal(a.test.arguments[k], b.test.arguments[k]));
    }
  }
}

TEST(Generator, MakesEightBindingsOrMoreInTheMedian) {
  std::vector<int> counts;
  for (std::uint64_t i = 0; i < kCases; ++i) {
    const TestCase test = case_of(i).test;
    counts.push_back(bindings_of(test.module.find(test.entry)->function->body));
  }
  std::sort(counts.begin(), counts.end());
  EXPECT_GE(counts[kCases / 2], 8);
  EXPECT_LE(counts[kCases / 2], 13);
  EXPECT_GE(counts[kCases / 20], 4);
}

TEST(Generator, LeavesOutWhatIsAvoided) {
  GenerateOptions options;
  options.avoid = {"relax.matmul", "relax.add", "reshape-chain"};
  for (std::uint64_t i = 0; i < 300; ++i) {
    const std::string text = print(case_of(i, options).test.module);
    ASSERT_EQ(text.find("R.matmul("), std::string::npos) << text;
    ASSERT_EQ(text.find("R.add("), std::string::npos) << text;
  }
}

TEST(Generator, MakesAModuleOfNoBytesAndOfAnyPrefix) {
  const std::vector<std::uint8_t> bytes = campaign_bytes(kSeed, 1, 200);
  for (std::size_t size = 0; size <= bytes.size(); size += 7) {
    Choices choices(std::span(bytes).first(size));
    const TestCase made = generate_test_case(choices);
    ASSERT_FALSE(well_formed(made.module).has_value()) << print(made.module);
  }
}

// Lines of `a` that `b` has too, as a share.
double shared_lines(const std::string& a, const std::string& b) {
  const auto lines = [](const std::string& text) {
    std::multiset<std::string> found;
    std::size_t begin = 0;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
      found.insert(text.substr(begin, end - begin));
    }
    return found;
  };
  const std::multiset<std::string> first = lines(a), second = lines(b);
  std::vector<std::string> both;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(std::max<std::size_t>(1, first.size()));
}

TEST(Generator, ChangesLittleWhenALateByteChanges) {
  double sum = 0;
  const int cases = 100;
  for (int i = 0; i < cases; ++i) {
    std::vector<std::uint8_t> bytes = campaign_bytes(kSeed, static_cast<std::uint64_t>(i), kBytes);
    Choices before(bytes);
    const std::string text = print(generate_test_case(before).module);
    const std::size_t late = before.consumed() * 9 / 10;
    bytes[std::min(late, bytes.size() - 1)] ^= 1;
    Choices after(bytes);
    sum += shared_lines(text, print(generate_test_case(after).module));
  }
  EXPECT_GT(sum / cases, 0.7);
}

}  // namespace
}  // namespace passdiff
