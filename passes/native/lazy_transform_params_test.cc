#include <gtest/gtest.h>

#include "core/ir/structural.h"
#include "core/text/text.h"
#include "core/form/well_formed.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

Module parse(const std::string& text) {
  auto module = parse_text("@I.ir_module\nclass Module:\n" + text);
  CHECK(module.ok()) << module.error().message;
  return *std::move(module);
}

Result<Module> run_pass(const std::string& before, std::string_view fault = {}) {
  NativeRun run{.fault = fault};
  return lazy_transform_params().run(parse(before), run);
}

void expect(const std::string& before, const std::string& expected, std::string_view fault = {}) {
  const auto after = run_pass(before, fault);
  ASSERT_TRUE(after.ok()) << after.error().message;
  EXPECT_TRUE(structural_equal(*after, parse(expected))) << print(*after);
  if (!fault.empty()) return;
  const auto broken = well_formed(*after);
  EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(*after);
}

std::string flaw(const std::string& before, std::string_view fault) {
  const auto after = run_pass(before, fault);
  if (!after) return after.error().code;
  const auto broken = well_formed(*after);
  return broken ? broken->code : "";
}

std::string without(std::string text, const std::string& part) {
  const std::size_t at = text.find(part);
  CHECK(at != std::string::npos) << part;
  return text.erase(at, part.size());
}

const std::string kParams = R"(params: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")))";

// Fields are used in the other order; one is returned as it came, one result twice.
const std::string kWrittenOut =
    R"(
    @R.function
    def transform_params()" +
    kParams +
    R"() -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"), R.Tensor((3,), "float32")):
        with R.dataflow():
            w = params[0]
            v = params[1]
            t = R.add(v, v)
            out = (w, t, t)
            R.output(out)
        return out
)";
const std::string kWrittenOutLazy = R"(
    @R.function(pure=False)
    def transform_params() -> R.Tuple():
        v_untyped = R.call_packed("get_item", R.prim_value(1), sinfo_args=(R.Object,))
        v = R.match_cast(v_untyped, R.Tensor((3,), "float32"))
        t = R.add(v, v)
        k1 = R.vm.kill_object(v)
        w_untyped = R.call_packed("get_item", R.prim_value(0), sinfo_args=(R.Object,))
        w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
        s0 = R.call_packed("set_item", R.prim_value(0), w, sinfo_args=(R.Object,))
        k0 = R.vm.kill_object(w)
        s1 = R.call_packed("set_item", R.prim_value(1), t, sinfo_args=(R.Object,))
        s2 = R.call_packed("set_item", R.prim_value(2), t, sinfo_args=(R.Object,))
        return R.tuple()
)";

TEST(LazyTransformParams, FetchesBeforeTheFirstUseAndFreesAfterTheLast) {
  expect(kWrittenOut, kWrittenOutLazy);
}

TEST(LazyTransformParams, FaultsLeaveResultsOut) {
  expect(kWrittenOut,
         without(kWrittenOutLazy,
                 "        s1 = R.call_packed(\"set_item\", R.prim_value(1), t, sinfo_args=(R.Object,))\n"),
         "lazy-transform-params/repeated-once");
  const auto after = run_pass(kWrittenOut, "lazy-transform-params/weight-not-set");
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(print(*after).find("R.prim_value(0)"), std::string::npos) << print(*after);
}

TEST(LazyTransformParams, FaultsCountItemsOrResultsWrongly) {
  const auto by_order = run_pass(kWrittenOut, "lazy-transform-params/index-by-order");
  const auto from_last = run_pass(kWrittenOut, "lazy-transform-params/last-result-first");
  ASSERT_TRUE(by_order.ok() && from_last.ok());
  EXPECT_NE(print(*by_order).find("v_untyped: R.Object = R.call_packed(\"get_item\", R.prim_value(0)"),
            std::string::npos)
      << print(*by_order);
  EXPECT_NE(print(*from_last).find("\"set_item\", R.prim_value(2), w"), std::string::npos)
      << print(*from_last);
}

TEST(LazyTransformParams, FaultDataflowKeptCallsWhereOnlyPureCallsMayStand) {
  EXPECT_EQ(flaw(kWrittenOut, "lazy-transform-params/dataflow-kept"), "form.impure-call");
}

const std::string kNestedCall = R"(
    @R.function
    def transform_params()" + kParams +
                                R"() -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")):
        packed = Module.helper(params)
        return packed

    @R.function
    def helper(p: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"))) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")):
        return p
)";

TEST(LazyTransformParams, TakesATupleFromAnotherFunctionApart) {
  expect(kNestedCall, R"(
    @R.function(pure=False)
    def transform_params() -> R.Tuple():
        params_0_untyped = R.call_packed("get_item", R.prim_value(0), sinfo_args=(R.Object,))
        params_0 = R.match_cast(params_0_untyped, R.Tensor((2,), "float32"))
        params_1_untyped = R.call_packed("get_item", R.prim_value(1), sinfo_args=(R.Object,))
        params_1 = R.match_cast(params_1_untyped, R.Tensor((3,), "float32"))
        params = (params_0, params_1)
        k0 = R.vm.kill_object(params_0)
        k1 = R.vm.kill_object(params_1)
        packed = Module.helper(params)
        result_0 = packed[0]
        s0 = R.call_packed("set_item", R.prim_value(0), result_0, sinfo_args=(R.Object,))
        result_1 = packed[1]
        s1 = R.call_packed("set_item", R.prim_value(1), result_1, sinfo_args=(R.Object,))
        return R.tuple()

    @R.function
    def helper(p: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"))) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")):
        return p
)");
}

TEST(LazyTransformParams, FaultTupleMustBeWrittenOutFailsOnIssue17269) {
  EXPECT_EQ(flaw(kNestedCall, "lazy-transform-params/tuple-must-be-written-out"),
            "native.tuple-not-written-out");
  EXPECT_EQ(flaw(kWrittenOut, "lazy-transform-params/tuple-must-be-written-out"), "");
}

TEST(LazyTransformParams, FaultWholeTupleUnboundLosesTheTuple) {
  EXPECT_EQ(flaw(kNestedCall, "lazy-transform-params/whole-tuple-unbound"), "form.undefined-var");
}

TEST(LazyTransformParams, FreesAnItemOnlyAfterTheLastUseOfItsAliases) {
  expect(R"(
    @R.function
    def transform_params(w: R.Tensor((2,), "float32"), v: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor((2,), "float32")):
        a = w
        t = R.add(a, a)
        return (t,)
)",
         R"(
    @R.function(pure=False)
    def transform_params() -> R.Tuple():
        w_untyped = R.call_packed("get_item", R.prim_value(0), sinfo_args=(R.Object,))
        w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
        a = w
        t = R.add(a, a)
        k = R.vm.kill_object(w)
        s = R.call_packed("set_item", R.prim_value(0), t, sinfo_args=(R.Object,))
        return R.tuple()
)");
}

TEST(LazyTransformParams, RefusesATransformationOfNoTuple) {
  EXPECT_EQ(flaw(R"(
    @R.function
    def transform_params(w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return w
)",
                 ""),
            "native.no-tuple");
}

}  // namespace
}  // namespace passdiff
