#include "passes/tvm/constants.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

using nlohmann::json;

// A frame that asks for a call of the function of TensorIR, which adds an int32 of shape (1,) to another, or divides by it.
class EvaluateCall : public testing::Test {
 protected:
  void hold(const std::string& value) {
    const Result<Module> module = parse_text(R"(@I.ir_module
class Module:
    @T.prim_func
    def f(a: T.Buffer((T.int64(1),), "int32"), b: T.Buffer((T.int64(1),), "int32"), c: T.Buffer((T.int64(1),), "int32")):
        c[T.int64(0)] = )" + value + "\n");
    ASSERT_TRUE(module.ok()) << module.error().message;
    bodies_ = {module_to_cbor(*module), {7, 0, 0, 0}, {2, 0, 0, 0}, {9, 9, 9, 9}};
    frame_.header = {{"id", 1}, {"evaluate", 1}, {"module", 1U}, {"arguments", json::array()}};
    for (unsigned part = 2; part <= 4; ++part) frame_.header["arguments"].push_back({{"tensor", "int32"}, {"shape", {1}}, {"part", part}});
    frame_.bodies.assign(bodies_.begin(), bodies_.end());
  }

  std::vector<Bytes> bodies_;
  HostFrame frame_;
};

TEST_F(EvaluateCall, ReturnsWhatTheCallLeavesInEachArgument) {
  hold("a[T.int64(0)] + b[T.int64(0)]");
  const Result<std::vector<Bytes>> results = evaluate_call(frame_);
  ASSERT_TRUE(results.ok()) << results.error().message;
  EXPECT_EQ(*results, (std::vector<Bytes>{{7, 0, 0, 0}, {2, 0, 0, 0}, {9, 0, 0, 0}}));
}

TEST_F(EvaluateCall, FailsWhereTheCallIsUndefined) {
  hold("T.truncdiv(a[T.int64(0)], b[T.int64(0)] - 2)");
  const Result<std::vector<Bytes>> results = evaluate_call(frame_);
  ASSERT_FALSE(results.ok());
  EXPECT_EQ(results.error().code, "constants.undefined");
}

TEST_F(EvaluateCall, FailsForFramesThatItCannotRead) {
  hold("a[T.int64(0)]");
  for (const char* missing : {"module", "arguments"}) {
    HostFrame frame = frame_;
    frame.header.erase(missing);
    EXPECT_FALSE(evaluate_call(frame).ok()) << missing;
  }
  frame_.header["arguments"][0]["part"] = 1U;
  EXPECT_FALSE(evaluate_call(frame_).ok()) << "a body that is no tensor of this shape";
}

}  // namespace
}  // namespace passdiff
