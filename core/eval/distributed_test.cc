// Distributed tensors have the values of the whole tensors.
#include <gtest/gtest.h>

#include "core/eval/interpret.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

Value whole_of(const std::vector<double>& values) {
  Tensor tensor = zeros(DType::float32, std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), std::get<Tensor::Floats>(tensor.values).data());
  return make_tensor(std::move(tensor));
}

// `body` works on x, of which each device has all, and on y, which is split.
Outcome run_distributed(const std::string& body) {
  const std::string text = R"py(
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(s_tir=True)
    def double(x: T.Buffer((T.int64(4),), "float32"), y: T.Buffer((T.int64(4),), "float32")):
        for i in range(T.int64(4)):
            with T.sblock(""):
                vi = T.axis.spatial(T.int64(4), i)
                y[vi] = x[vi] * T.float32(2.0)

    @R.function
    def main(x: R.DTensor((4,), "float32", "mesh[0]", "R"), y: R.DTensor((4,), "float32", "mesh[0]", "S[0]"), z: R.Tensor((4,), "float32")):
        cls = Module
)py" + body;
  const Result<Module> module = parse_text(text);
  CHECK(module.ok()) << module.error().message << "\n" << text;
  const Value arguments[] = {whole_of({1, 2, 3, 4}), whole_of({5, 6, 7, 8}), whole_of({0, 0, 0, 0})};
  return interpret(*module, "main", arguments);
}

void expect_whole(const Outcome& outcome, const std::vector<double>& expected) {
  const auto* returned = std::get_if<Returned>(&outcome);
  ASSERT_NE(returned, nullptr) << to_string(outcome);
  EXPECT_TRUE(bit_equal(returned->value, whole_of(expected))) << to_string(outcome);
}

TEST(DistributedTensors, KeepTheirValuesHoweverTheyAreSpread) {
  expect_whole(run_distributed(R"(
        a = R.dist.redistribute(y, device_mesh="mesh[0]", placement="R")
        b = R.dist.redistribute_replica_to_shard(x, num_workers=2, axis=0)
        c: R.DTensor((4,), "float32", "mesh[0]", "R") = R.add(a, R.dist.const(1.0, R.DTensor((), "float32", "mesh[0]", "R")))
        return c
)"), {6, 7, 8, 9});
  expect_whole(run_distributed(R"(
        a = R.dist.redistribute_replica_to_shard(x, num_workers=2, axis=0)
        return a
)"), {1, 2, 3, 4});
  expect_whole(run_distributed(R"(
        a = R.dist.call_tir(cls.double, (y,), out_ty=R.DTensor((4,), "float32", "mesh[0]", "S[0]"))
        return a
)"), {10, 12, 14, 16});
}

TEST(DistributedTensors, HaveNoValueInWhatOneWorkerOfSeveralDoes) {
  const char* const bodies[] = {R"(
        a = R.dist.redistribute_replica_to_shard(z, num_workers=2, axis=0)
        return a
)", R"(
        a = R.dist.call_tir_local_view(cls.double, (y,), out_ty=R.DTensor((4,), "float32", "mesh[0]", "S[0]"))
        return a
)"};
  for (const char* body : bodies) {
    const Outcome outcome = run_distributed(body);
    EXPECT_TRUE(std::holds_alternative<Unsupported>(outcome)) << to_string(outcome);
  }
}

}  // namespace
}  // namespace passdiff
