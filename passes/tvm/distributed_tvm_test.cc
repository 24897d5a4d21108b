// Modules with distributed tensors between the real TVM and passdiff.
#include <gtest/gtest.h>

#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/text/text.h"
#include "passes/tvm/test_subject.h"

namespace passdiff {
namespace {

class DistributedModules : public WithTvm {
 protected:
  // The module after the pass, printed.
  std::string after(std::string_view text, const std::string& pass) {
    const Result<Module> source = parse_text(text);
    if (!source) return source.error().message;
    const TransformReply reply = subject_->transform(*source, std::vector<Pipeline>{{{pass}}}, {})[0];
    const auto* done = std::get_if<Transformed>(&reply.result);
    if (done == nullptr) return "the pass did not return";
    if (done->unchanged) return print(*source);
    if (!done->target) return done->unreadable;
    if (const std::optional<Error> fault = well_formed(*done->target)) return fault->message;
    const Result<Module> again = parse_text(print(*done->target));
    if (!again || !structural_equal(*again, *done->target)) return "the target does not survive its text";
    return print(*done->target);
  }
};

constexpr std::string_view kHead = R"(@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
)";

TEST_F(DistributedModules, GoToTvmAndBackAsTheyAre) {
  const std::string text = std::string(kHead) + R"(
    @R.function
    def main(x: R.DTensor((4, "n"), "float32", "mesh[0]", "S[0]")) -> R.DTensor((4, "n"), "float32", "mesh[0]", "R"):
        n = T.int64()
        y: R.DTensor((4, n), "float32", "mesh[0]", "S[0]") = R.multiply(x, R.dist.const(2.0, R.DTensor((), "float32", "mesh[0]", "R")))
        z: R.DTensor((4, n), "float32", "mesh[0]", "R") = R.dist.redistribute(y, device_mesh="mesh[0]", placement="R")
        return z
)";
  EXPECT_EQ(after(text, "Normalize"), print(*parse_text(text)));
}

TEST_F(DistributedModules, GetTheirShardingsFromAnnotations) {
  const std::string target = after(std::string(kHead) + R"(
    @R.function
    def main(x: R.Tensor((4, 6), "float32"), w: R.Tensor((6, 8), "float32")) -> R.Tensor((4, 8), "float32"):
        a = R.exp(x)
        b = R.dist.annotate_sharding(w, device_mesh="mesh[0]", placement="S[1]")
        c = R.matmul(a, b)
        return c
)", "distributed.PropagateSharding");
  EXPECT_NE(target.find(R"(w: R.DTensor((6, 8), dtype="float32", device_mesh="mesh[0]", placement="S[1]"))"), std::string::npos) << target;
  EXPECT_NE(target.find(R"(c: R.DTensor((4, 8), dtype="float32", device_mesh="mesh[0]", placement="S[1]"))"), std::string::npos) << target;
}

TEST_F(DistributedModules, AreSplitAmongWorkers) {
  const std::string target = after(std::string(kHead) + R"(
    @R.function
    def main(x: R.DTensor((4,), "float32", "mesh[0]", "R")) -> R.DTensor((4,), "float32", "mesh[0]", "S[0]"):
        y: R.DTensor((4,), "float32", "mesh[0]", "S[0]") = R.dist.redistribute(x, device_mesh="mesh[0]", placement="S[0]")
        return y
)", "distributed.LegalizeRedistribute");
  EXPECT_NE(target.find("R.dist.redistribute_replica_to_shard(x, num_workers=2, axis=0)"), std::string::npos) << target;
}

}  // namespace
}  // namespace passdiff
