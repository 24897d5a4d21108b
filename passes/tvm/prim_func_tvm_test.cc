// Legalised modules between the real TVM and passdiff.
#include <gtest/gtest.h>

#include "core/ir/tir/structural.h"
#include "core/text/text.h"
#include "passes/tvm/test_subject.h"

namespace passdiff {
namespace {

constexpr std::string_view kPrimFuncs = R"(@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor((4, 8), "float32"), i: R.Tensor((3,), "int64"),
             image: R.Tensor((1, 3, 8, 8), "float32"), kernel: R.Tensor((2, 3, 3, 3), "float32"), u: R.Tensor((4,), "uint64")):
        with R.dataflow():
            product = R.matmul(x, y)
            likely = R.nn.softmax(product)
            picked = R.take(y, i, axis=1)
            total = R.sum(picked, axis=[0])
            sorted = R.sort(total, axis=0)
            order = R.argsort(sorted, axis=0)
            folded = R.nn.conv2d(image, kernel)
            pooled = R.nn.max_pool2d(folded, pool_size=[2, 2])
            running = R.cumsum(total, axis=0)
            joined = R.concat((running, sorted), axis=0)
            whole = R.astype(joined, "int32")
            shifted = R.left_shift(whole, whole)
            chosen = R.where(R.greater(total, sorted), total, sorted)
            flat = R.permute_dims(likely)
            least = R.min(u)
            gv = (flat, order, pooled, shifted, chosen, least)
            R.output(gv)
        return gv
)";

class LegalisedModules : public WithTvm {
 protected:
  std::optional<Module> target_of(const Module& source, const Pipeline& pipeline) {
    const TransformReply reply = subject_->transform(source, std::vector<Pipeline>{pipeline}, {})[0];
    const auto* done = std::get_if<Transformed>(&reply.result);
    if (done == nullptr) {
      ADD_FAILURE() << "the pass did not return";
      return std::nullopt;
    }
    EXPECT_TRUE(done->unchanged || done->target) << done->unreadable;
    return done->unchanged ? source : done->target;
  }
};

TEST_F(LegalisedModules, GoBackToTvmAsTheyCame) {
  const auto source = parse_text(kPrimFuncs);
  ASSERT_TRUE(source.ok()) << source.error().message;
  const auto legalised = target_of(*source, {{"LegalizeOps"}});
  ASSERT_TRUE(legalised);
  EXPECT_GE(legalised->prim_funcs.size(), 12U);
  const TransformReply reply = subject_->transform(*legalised, std::vector<Pipeline>{{{"Normalize"}}}, {})[0];
  const auto* again = std::get_if<Transformed>(&reply.result);
  ASSERT_NE(again, nullptr);
  EXPECT_TRUE(again->unchanged);
}

// The compiler's name of such calls has a prefix that its text leaves out.
TEST_F(LegalisedModules, CallFunctionsOfTheHostAsTheirTextSays) {
  const auto source = parse_text(R"(# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def sort(x: T.Buffer((T.int64(3),), "float32", align=8), y: T.Buffer((T.int64(3),), "float32", align=8)):
        with T.sblock("sort_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.sort", T.tvm_stack_make_array(x.data, T.tvm_stack_make_shape(T.int64(3)), 0, 1, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(y.data, T.tvm_stack_make_shape(T.int64(3)), 0, 1, T.float32(0.0), T.int64(0)), 0, T.bool(True))

    @R.function
    def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.sort, (x,), out_ty=R.Tensor((3,), dtype="float32"))
            R.output(y)
        return y
)");
  ASSERT_TRUE(source.ok()) << source.error().message;
  const auto target = target_of(*source, {{"ToNonDataflow"}});
  ASSERT_TRUE(target);
  ASSERT_EQ(target->prim_funcs.size(), 1U);
  EXPECT_TRUE(tir::structural_equal(*target->prim_funcs[0].function, *source->prim_funcs[0].function));
}

TEST_F(LegalisedModules, AreReadAfterLaterPassesToo) {
  const auto source = parse_text(kPrimFuncs);
  ASSERT_TRUE(source.ok()) << source.error().message;
  const Pipeline pipeline = {{"LegalizeOps"}, {"AnnotateTIROpPattern"}, {"FuseOps"}, {"FuseTIR"}, {"CallTIRRewrite"},
                             {"StaticPlanBlockMemory"}};
  const auto lowered = target_of(*source, pipeline);
  ASSERT_TRUE(lowered);
  EXPECT_FALSE(lowered->prim_funcs.empty());
}

}  // namespace
}  // namespace passdiff
