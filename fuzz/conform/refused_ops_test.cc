#include "fuzz/conform/refused_ops.h"

#include <gtest/gtest.h>

#include "core/ops/op.h"

namespace passdiff {
namespace {

// A compiler that takes no module with a call of one op, for this reason.
class WithoutAnOp final : public Subject {
 public:
  WithoutAnOp(std::string op, std::string site, std::string kind = "AttributeError") : op_(std::move(op)), site_(std::move(site)), kind_(std::move(kind)) {}
  int asked = 0;

  std::string_view name() const override { return "scripted"; }
  std::string version() const override { return "test"; }
  std::span<const Pass> passes() const override { return {}; }
  std::vector<TransformReply> run_pipelines(const Module& module, std::span<const Pipeline> pipelines, const TransformOptions&) override {
    ++asked;
    TransformReply reply;
    reply.result = Transformed{module, true, {}};
    for (const Binding& binding : module.functions.at(0).function->body.blocks.at(0).bindings) {
      const OpDef* op = called_op(binding.value);
      if (op != nullptr && (op_.empty() || op->name == op_)) reply.result = CannotBuild{kind_, site_, "no such op"};
    }
    return std::vector<TransformReply>(pipelines.size(), reply);
  }

 private:
  std::string op_, site_, kind_;
};

TEST(RefusedOps, AreThoseOfWhichNoCallIsTaken) {
  WithoutAnOp old("relax.reverse_sequence", "AttributeError@op.cc:Get");
  EXPECT_EQ(refused_ops(old), std::vector<std::string>{"relax.reverse_sequence"});
  WithoutAnOp dying("relax.reverse_sequence", "SIGSEGV@f", "crash");
  EXPECT_TRUE(refused_ops(dying).empty()) << "a crash is worth seeing again";
  WithoutAnOp gone("", "subject.lost");
  EXPECT_TRUE(refused_ops(gone).empty()) << "no answer is no refusal";
  EXPECT_LT(gone.asked, 10) << "nor worth waiting for";
}

}  // namespace
}  // namespace passdiff
