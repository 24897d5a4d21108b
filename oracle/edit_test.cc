#include "oracle/edit.h"

#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/test_modules.h"

namespace passdiff {
namespace {

using Words = std::set<std::string>;

TEST(Edit, NamesWhatVanishedAndWhatCame) {
  EXPECT_EQ(edit_between(adds(), subtracts()), (Words{"-add", "+subtract"}));
  EXPECT_TRUE(edit_between(adds(), adds()).empty());
}

TEST(Edit, AnAttributeThatChangedIsAChangeOfItsOp) {
  const Module before = module_of(kTwo, "        a = R.sum(x, axis=[0])\n        return a\n");
  const Module after = module_of(kTwo, "        a = R.sum(x, axis=[1])\n        return a\n");
  EXPECT_EQ(edit_between(before, after), (Words{"~sum.axis"}));
}

TEST(Edit, AnOpWithAnotherOperandIsNamedBesideTheOneThatCameBetween) {
  const Module before = module_of(kTwo, "        a = R.sum(x, axis=[0])\n        return a\n");
  const Module after = module_of(kTwo, "        t = R.permute_dims(x)\n        a = R.sum(t, axis=[0])\n        return a\n");
  EXPECT_EQ(edit_between(before, after), (Words{"+permute_dims", "~sum"}));
}

// What stands in a loop that a pass has copied is copied with it, and its conditions are settled by the bounds of each part.
TEST(Edit, OfCopiedLoopsSaysNothingOfWhatStandsInThem) {
  const auto kernel = [](std::string_view loops) {
    return parse_text(fmt::format("@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((8,), \"float32\")):\n{}", loops)).value();
  };
  const Module whole = kernel("        for i in range(8):\n            if i < 4:\n                A[i] = A[i] + A[i]\n");
  const Module parts = kernel("        for i in range(4):\n            A[i] = A[i] + A[i]\n        for i in range(4):\n            T.evaluate(0)\n");
  EXPECT_EQ(edit_between(whole, parts), (Words{"+T.for"}));
  const Module alone = kernel("        for i in range(8):\n            A[i] = A[i] + A[i]\n");
  EXPECT_EQ(edit_between(whole, alone), (Words{"-T.LT", "-T.if"})) << "the loop is not copied";
}

// A block that is taken into its reader is computed there as often as it is read; its loops go with it, others a schedule may add.
TEST(Edit, OfInlinedBlocksSaysNothingOfLoopsAndOfWhatTheyCompute) {
  const auto [two, one] = inlining();
  EXPECT_EQ(edit_between(two, one), (Words{"-T.sblock", "-T.store"}));
}

}  // namespace
}  // namespace passdiff
