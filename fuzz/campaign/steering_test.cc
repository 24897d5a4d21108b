#include "fuzz/campaign/steering.h"

#include <gtest/gtest.h>

#include <set>

#include "core/form/well_formed.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

constexpr std::string_view kSteered = R"(
@I.ir_module
class Module:
    @R.function(private=True)
    def helper(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, R.const([1, 2], "float32"))
        return y

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        with R.dataflow():
            a = R.multiply(x, R.const([3, 4], "float32"))
            b = cls.helper(a)
            R.output(b)
        return b
)";

TestCase source() {
  return {parse_text(kSteered).value(), "main", {make_tensor(zeros(DType::float32, std::vector<std::int64_t>{2}))}};
}

TEST(Plainer, InliningLeavesNoCalls) {
  const auto plain = make_plainer(source(), Plainer::inlined);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->module.functions.size(), 1U);
}

TEST(Plainer, ConstantsBecomeParametersWithTheirValues) {
  const auto plain = make_plainer(source(), Plainer::without_constants);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->module.find("main")->function->params.size(), 2U);
  ASSERT_EQ(plain->arguments.size(), 2U);
  EXPECT_EQ(as_double(**plain->arguments[1].as_tensor(), 1), 4);
}

TEST(Plainer, NoDataflowBlocksAreLeft) {
  const auto plain = make_plainer(source(), Plainer::without_dataflow);
  ASSERT_TRUE(plain);
  for (const Block& block : plain->module.find("main")->function->body.blocks) EXPECT_FALSE(block.dataflow);
  EXPECT_FALSE(make_plainer(*plain, Plainer::without_dataflow)) << "nothing is left to take away";
}

TEST(Plainer, AllOfThemTakeAllAway) {
  const auto plain = make_plainer(source(), Plainer::all);
  ASSERT_TRUE(plain);
  EXPECT_FALSE(well_formed(plain->module));
  EXPECT_EQ(plain->module.functions.size(), 1U);
  EXPECT_EQ(plain->arguments.size(), 3U);
}

TEST(Steering, APassThatSeldomFailsIsGivenCasesAsTheyAreDrawn) {
  Steering steering;
  steering.add({{"P", {FormCount{1000, 10}}}});
  for (std::int64_t i = 0; i < 100; ++i) EXPECT_EQ(steering.form_for("P", 1, i), Plainer::as_drawn);
}

TEST(Steering, TriesEachFormAndThenKeepsToTheOneThatFailsLeast) {
  Steering steering;
  steering.add({{"P", {FormCount{1000, 600}}}});
  std::set<Plainer> tried;
  for (std::int64_t i = 0; i < 100; ++i) tried.insert(steering.form_for("P", 1, i));
  EXPECT_EQ(tried.size(), kPlainer.size());
  steering.add({{"P", {FormCount{}, FormCount{100, 60}, FormCount{100, 60}, FormCount{100, 2}, FormCount{100, 3}}}});
  int plain = 0;
  for (std::int64_t i = 0; i < 100; ++i) {
    const Plainer form = steering.form_for("P", 1, i);
    plain += form == Plainer::without_dataflow ? 1 : 0;
    EXPECT_TRUE(form == Plainer::as_drawn || form == Plainer::without_dataflow);
  }
  EXPECT_GT(plain, 20);
  EXPECT_LT(plain, 80);
}

TEST(Steering, PassesShareTheFormOnWhichAllOfThemFailLeast) {
  const auto forms = [](std::int64_t inlined, std::int64_t without_dataflow, std::int64_t all) {
    return FormCounts::mapped_type{FormCount{1000, 600}, {100, inlined}, {100, 60}, {100, without_dataflow}, {100, all}};
  };
  Steering steering;
  steering.add({{"Calls", forms(1, 60, 5)}, {"Blocks", forms(60, 1, 5)}, {"Neither", forms(70, 70, 80)}, {"Sound", {FormCount{1000, 0}}}});
  int plain = 0;
  for (std::int64_t i = 0; i < 100; ++i) {
    const Plainer form = steering.form_for("Calls", 1, i);
    plain += form == Plainer::all ? 1 : 0;
    EXPECT_TRUE(form == Plainer::all || form == Plainer::as_drawn);
    EXPECT_EQ(steering.form_for("Blocks", 1, i), form);
    EXPECT_EQ(steering.form_for("Neither", 1, i), Plainer::as_drawn) << "which helps it no more";
    EXPECT_EQ(steering.form_for("Sound", 1, i), Plainer::as_drawn);
  }
  EXPECT_GT(plain, 20);
  EXPECT_LT(plain, 80);
}

}  // namespace
}  // namespace passdiff
