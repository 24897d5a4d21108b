// What reduction makes of functions of TensorIR.
#include <gtest/gtest.h>

#include "core/eval/interpret.h"
#include "core/form/well_formed.h"
#include "oracle/reduction/examples.h"

namespace passdiff {
namespace {

constexpr std::string_view kLoops = R"(
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def loops(x: T.Buffer((T.int64(3), T.int64(2)), "float32"), y: T.Buffer((T.int64(3), T.int64(2)), "float32")):
        T.func_attr({"tirx.noalias": True})
        stage = T.sblock_alloc_buffer((T.int64(4), T.int64(2)))
        unused = T.sblock_alloc_buffer((T.int64(3),))
        for i in range(T.int64(1), T.int64(4)):
            for j in T.vectorized(T.int64(2)):
                with T.sblock("first"):
                    v0 = T.axis.spatial(T.int64(3), i - T.int64(1))
                    v1 = T.axis.spatial(T.int64(2), j)
                    T.reads(x[v0, v1])
                    T.writes(stage[v0 + T.int64(1), v1])
                    stage[v0 + T.int64(1), v1] = T.exp(x[v0, v1]) + T.float32(2.5)
        for k, l in T.grid(T.int64(3), T.int64(2)):
            with T.sblock("second"):
                v2, v3 = T.axis.remap("SS", [k, l])
                T.reads(stage[v2 + T.int64(1), v3])
                T.writes(y[v2, v3])
                if v3 < T.int64(1):
                    y[v2, v3] = T.max(stage[v2 + T.int64(1), v3], T.float32(0.0))
                else:
                    y[v2, v3] = stage[v2 + T.int64(1), v3]

    @R.function
    def main(x: R.Tensor((3, 2), "float32")):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.loops, (x,), out_ty=R.Tensor((3, 2), "float32"))
            R.output(a)
        return a
)";

TestCase loops() {
  return example(kLoops, {counting(DType::float32, {3, 2})});
}

// The finding shows while the module prints these parts and, as the interpreter has it, is defined.
TestCase reduced_while(std::vector<std::string> parts) {
  const StillShows printing = while_it_prints(std::move(parts));
  const StillShows shows = [&](const TestCase& test, const Pipeline& pipeline) {
    EXPECT_FALSE(well_formed(test.module)) << print(test.module);
    for (const GlobalPrimFunc& global : test.module.prim_funcs) EXPECT_FALSE(tir::blocks_use_loops(*global.function)) << print(test.module);
    const Outcome outcome = interpret(test.module, test.entry, test.arguments);
    EXPECT_TRUE(std::holds_alternative<Returned>(outcome)) << to_string(outcome) << print(test.module);
    return printing(test, pipeline);
  };
  return reduce(loops(), {{"A", "{}"}}, shows).test;
}

TEST(ReducePrimFuncs, LeavesTheStatementsThatMatter) {
  EXPECT_EQ(print(reduced_while({"T.exp(", "R.call_tir("}).module), printed(R"(
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((), "float32")):
        A[()] = T.exp(T.float32(0.0))

    @R.function
    def main() -> R.Tensor((), "float32"):
        cls = Module
        gv: R.Tensor((), "float32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((), "float32"))
        return gv
)"));
}

TEST(ReducePrimFuncs, MakesLoopsPlain) {
  const TestCase reduced = reduced_while({"for ", "R.call_tir("});
  EXPECT_TRUE(prints(reduced, "for i in range(T.int64(1)):")) << print(reduced.module);
  EXPECT_FALSE(prints(reduced, "sblock")) << print(reduced.module);
  const TestCase vectorized = reduced_while({"T.vectorized(", "R.call_tir("});
  EXPECT_TRUE(prints(vectorized, "for i in T.vectorized(T.int64(1)):")) << print(vectorized.module);
}

TEST(ReducePrimFuncs, CountsLoopsFromZero) {
  // The loop whose variable is subtracted from starts at 0, where nothing has to be subtracted.
  const TestCase reduced = reduced_while({"T.exp(x[", "R.call_tir("});
  EXPECT_FALSE(prints(reduced, " - T.int64(1)")) << print(reduced.module);
}

TEST(ReducePrimFuncs, KeepsBlocksWithTheRegionsThatTheyAccess) {
  const TestCase reduced = reduced_while({"with T.sblock(\"block\")", "T.exp(A["});
  EXPECT_TRUE(prints(reduced, "T.reads(A")) << print(reduced.module);
  EXPECT_FALSE(prints(reduced, "unused")) << print(reduced.module);
}

TEST(ReducePrimFuncs, ShrinkWhereOneIsTheEntry) {
  const TestCase test = example(R"(
@I.ir_module
class Module:
    @T.prim_func
    def other(A: T.Buffer((2,), "float32")):
        A[0] = T.float32(1.0)

    @T.prim_func
    def scale(A: T.Buffer((3,), "float32"), B: T.Buffer((3,), "float32"), unused: T.Buffer((3,), "float32")):
        for i in range(3):
            A[i] = T.float32(0.0)
        for i in range(3):
            B[i] = T.exp(B[i]) + T.float32(2.5)
)",
                                {counting(DType::float32, {3}), counting(DType::float32, {3}), counting(DType::float32, {3})}, "scale");
  const TestCase reduced = reduced_to(test, {"T.exp("});
  EXPECT_EQ(reduced.entry, "main");
  ASSERT_EQ(reduced.module.prim_funcs.size(), 1U) << print(reduced.module);
  EXPECT_EQ(reduced.arguments.size(), reduced.module.prim_funcs.front().function->params.size());
  EXPECT_FALSE(prints(reduced, "unused")) << print(reduced.module);
  const Outcome outcome = interpret(reduced.module, reduced.entry, reduced.arguments);
  EXPECT_TRUE(std::holds_alternative<Returned>(outcome)) << to_string(outcome);
}

// The finding needs both indices to be alike, so that neither is made plain alone.
TEST(ReducePrimFuncs, FoldArithmeticOnLiteralsEverywhereAtOnce) {
  const TestCase test = example(R"(
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((3,), "float32")):
        for i in range(3):
            A[T.Add(T.Mul(i, 1), T.Mul(0, 2))] = T.exp(A[T.Add(T.Mul(i, 1), T.Mul(0, 2))])
)",
                                {counting(DType::float32, {3})});
  const StillShows shows = [&](const TestCase& candidate, const Pipeline&) { return prints(candidate, "A[i] = T.exp(A[i])"); };
  ASSERT_FALSE(shows(test, {})) << "the parser folds nothing";
  const TestCase reduced = reduce(test, {{"A", "{}"}}, shows).test;
  EXPECT_TRUE(prints(reduced, "A[i] = T.exp(A[i])")) << print(reduced.module);
}

TEST(ReducePrimFuncs, GoWhereNothingCallsThem) {
  const TestCase reduced = reduced_while({"def main("});
  EXPECT_TRUE(reduced.module.prim_funcs.empty());
}

}  // namespace
}  // namespace passdiff
