#include "oracle/features.h"

#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "oracle/test_modules.h"

namespace passdiff {
namespace {

using Words = std::set<std::string>;

TEST(Features, NameStructureTypesAndAttributes) {
  const Module module = module_of("x: R.Tensor((\"n\", 2), \"float16\")",
                                  "        unused = R.add(x, x)\n        a = R.sum(x, axis=[0])\n        return a\n");
  EXPECT_EQ(features_of(module), (Words{"dead-code", "narrow-float", "sum.axis", "symbolic-dim"}));
  EXPECT_EQ(operations_of(module), (Words{"op binary", "op sum"}));
  EXPECT_EQ(operations_of(adds()), (Words{"op add"}));
}

TEST(Features, AxesInAnotherOrderThanTheirsAreNoPlainOnes) {
  const auto features = [](std::string_view axes) {
    return features_of(module_of("x: R.Tensor((2, 2), \"float32\"), w: R.Tensor((2, 2), \"float32\")",
                                 fmt::format("        a = R.nn.layer_norm(x, w, w, axes={})\n        return a\n", axes)));
  };
  EXPECT_EQ(features("[0, 1]"), Words{});
  EXPECT_EQ(features("[1, 0]"), (Words{"nn.layer_norm.axes"}));
}

TEST(Features, AFunctionThatIsNamedIsLikeOneThatIsCalled) {
  const auto module = [](std::string_view value) {
    return parse_text(fmt::format("@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((2,), \"float32\")):\n        cls = Module\n"
                                  "        a = {}\n        return x\n\n    @R.function(private=True)\n    def f(x: R.Tensor((2,), \"float32\")):\n"
                                  "        return x\n", value)).value();
  };
  EXPECT_EQ(features_of(module("cls.f")), features_of(module("cls.f(x)")));
  EXPECT_TRUE(features_of(module("R.make_closure(cls.f, (x,))")).contains("call-global"));
}

}  // namespace
}  // namespace passdiff
