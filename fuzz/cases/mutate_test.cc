#include "fuzz/cases/mutate.h"

#include <gtest/gtest.h>

#include <set>

#include "core/form/well_formed.h"
#include "core/ir/structural.h"

namespace passdiff {
namespace {

Module module_of(std::span<const std::uint8_t> input) {
  Choices choices(module_bytes(input));
  return generate_test_case(choices).module;
}

TEST(Mutate, IsAFunctionOfItsArguments) {
  const auto input = campaign_bytes(3, 0, 600);
  EXPECT_EQ(InputMutator().mutate(input, 4096, 7), InputMutator().mutate(input, 4096, 7));
  EXPECT_NE(InputMutator().mutate(input, 4096, 7), InputMutator().mutate(input, 4096, 8));
}

// A mutator that remembers layouts must give what one that has seen nothing gives.
TEST(Mutate, RememberedLayoutsChangeNothing) {
  InputMutator used;
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const auto input = campaign_bytes(4, seed, 700);
    used.make_case(input);
    EXPECT_EQ(used.mutate(input, 4096, seed), InputMutator().mutate(input, 4096, seed));
  }
}

TEST(Mutate, ATrimmedInputMakesTheSameModule) {
  const auto input = campaign_bytes(4, 1, 4096);
  InputMutator mutator;
  const auto trimmed = mutator.trimmed(input);
  EXPECT_LT(trimmed.size(), 4096u);
  EXPECT_TRUE(structural_equal(module_of(trimmed), module_of(input)));
}

TEST(Mutate, MakesSomethingOfNothingAndKeepsToTheSize) {
  EXPECT_GT(InputMutator().mutate({}, 4096, 1).size(), kPipelineBytes);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto input = campaign_bytes(seed, 1, 700);
    EXPECT_LE(InputMutator().mutate(input, 100, seed).size(), 100u);
    EXPECT_LE(InputMutator().cross(input, campaign_bytes(seed, 2, 700), 300, seed).size(), 300u);
  }
}

// A useful mutation changes the module and keeps most of it.
TEST(Mutate, ChangesAModuleALittle) {
  int changed = 0, near = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    if (seed % 16 == 0) continue;  // a fresh start
    const auto input = campaign_bytes(5, seed, 700);
    const auto mutated = InputMutator().mutate(input, 4096, seed);
    const Module before = module_of(input);
    const Module after = module_of(mutated);
    EXPECT_FALSE(well_formed(after).has_value());
    changed += !structural_equal(before, after);
    near += std::abs(count_bindings(before) - count_bindings(after)) <= 6;
  }
  EXPECT_GT(changed, 60);
  EXPECT_GT(near, 70);
}

TEST(Mutate, ACrossingHasStepsOfBoth) {
  std::set<std::size_t> sizes;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const auto crossed =
        InputMutator().cross(campaign_bytes(1, 1, 700), campaign_bytes(1, 2, 700), 4096, seed);
    EXPECT_FALSE(well_formed(module_of(crossed)).has_value());
    sizes.insert(crossed.size());
  }
  EXPECT_GT(sizes.size(), 5u);
}

}  // namespace
}  // namespace passdiff
