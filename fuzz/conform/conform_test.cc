#include "fuzz/conform/conform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "core/eval/interpret.h"
#include "core/ir/queries.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "fuzz/conform/odd_values.h"
#include "fuzz/conform/op_run.h"
#include "fuzz/conform/types.h"

namespace passdiff {
namespace {

// A compiler whose code is our interpreter, and whose inference is ours, as far as a test does not say
// otherwise.
class Mirror final : public Subject {
 public:
  std::string_view name() const override { return "mirror"; }
  std::string version() const override { return "test"; }
  std::span<const Pass> passes() const override { return {}; }
  std::vector<TransformReply> transform(const Module&, std::span<const Pipeline>,
                                        const TransformOptions&) override {
    return {};
  }
  std::optional<CallsReply> call_functions(const Module& module,
                                           std::span<const FunctionCall> calls) override {
    ++compiled;
    CallsReply reply;
    for (const GlobalFunction& function : module.functions) {
      if (refuses && refuses(*function.function)) return CallsReply{{}, "compile", {"Error", "site", "no"}};
    }
    for (const FunctionCall& call : calls) {
      Outcome outcome = interpret(module, call.function, call.arguments);
      auto* returned = std::get_if<Returned>(&outcome);
      reply.results.push_back(
          {returned != nullptr ? std::optional(change(returned->value)) : std::nullopt, "run", {}});
    }
    return reply;
  }
  std::optional<std::vector<InferReply>> infer_types(std::span<const Module> modules) override {
    std::vector<InferReply> replies;
    for (const Module& module : modules) {
      const Binding& binding = module.functions[0].function->body.blocks[0].bindings[0];
      const Call& call = *as<Call>(binding.value);
      const Result<Type> type = infer_call(*called_op(call), call.args, call.attrs);
      replies.push_back(type ? InferReply{with_type(module, retype(*type)), {}}
                             : InferReply{{}, {"Error", "site", "no"}});
    }
    return replies;
  }

  std::function<Value(const Value&)> change = [](const Value& value) { return value; };
  std::function<Type(const Type&)> retype = [](const Type& type) { return type; };
  std::function<bool(const Function&)> refuses;
  int compiled = 0;

 private:
  static Module with_type(Module module, const Type& type) {
    Function function = *module.functions[0].function;
    function.body.blocks[0].bindings[0].var = make_var("gv", type);
    module.functions[0].function = std::make_shared<const Function>(std::move(function));
    return module;
  }
};

OpConformance conform(Subject& subject, std::string_view op, int calls = 60) {
  const std::atomic<bool> stop = false;
  ConformOptions options;
  options.calls = calls;
  options.variants = true;
  return conform_op(subject, *find_op(op), options, stop);
}

// The value with each finite float moved by so many units in the last place.
Value moved(const Value& value, double ulps) {
  if (value.as_tensor() == nullptr || !is_float(value.tensor().dtype)) return value;
  Tensor tensor = value.tensor();
  double* elements = std::get<Tensor::Floats>(tensor.values).data();
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    if (std::isfinite(elements[i])) elements[i] += ulps * ulp(tensor.dtype, elements[i]);
  }
  return make_tensor(std::move(tensor));
}

TEST(Conform, ACompilerThatComputesAlikeConforms) {
  Mirror mirror;
  for (const OpDef& op : all_ops()) {
    if (op.pass_made) continue;
    const OpConformance result = conform(mirror, op.name, 20);
    EXPECT_EQ(result.value + result.type + result.refused + result.explained, 0) << op.name;
    EXPECT_EQ(result.agreed + result.undefined + result.undetermined, result.calls) << op.name;
    EXPECT_GE(result.typed, 3 * result.calls) << op.name;
  }
}

TEST(Conform, AnUlpIsADisagreementOfAnExactOpAlone) {
  Mirror mirror;
  mirror.change = [](const Value& value) { return moved(value, 1); };
  EXPECT_GT(conform(mirror, "relax.add").value, 10);
  EXPECT_EQ(conform(mirror, "relax.nn.softmax").value, 0);
  mirror.change = [](const Value& value) { return moved(value, 4096); };
  EXPECT_GT(conform(mirror, "relax.nn.softmax").value, 10);
}

TEST(Conform, WhatRoundsWithoutBeingExactIsJudgedByWhatCancels) {
  const auto module = parse_text(R"(
@R.function
def main(x: R.Tensor((3,), "float32")) -> R.Tensor((), "float32"):
    with R.dataflow():
        gv = R.sum(x)
        R.output(gv)
    return gv
)");
  ASSERT_TRUE(module.ok());
  Tensor x = zeros(DType::float32, std::vector<std::int64_t>{3});
  double* elements = std::get<Tensor::Floats>(x.values).data();
  elements[0] = 0x1p24;
  elements[1] = 1;
  elements[2] = -0x1p24;
  const auto call = call_in({*module, "main", {make_tensor(x)}});
  ASSERT_TRUE(call.ok());
  const auto scalar = [](double value) -> Value {
    Tensor tensor = zeros(DType::float32, {});
    std::get<Tensor::Floats>(tensor.values).data()[0] = value;
    return make_tensor(std::move(tensor));
  };
  EXPECT_TRUE(compare_results(*call, scalar(1), scalar(0)).agrees());  // what a float32 accumulator gives
  EXPECT_FALSE(compare_results(*call, scalar(1), scalar(1000)).agrees());
}

TEST(Conform, ZerosHaveSignsAndNansHaveNone) {
  Mirror mirror;
  mirror.change = [](const Value& value) {
    if (value.as_tensor() == nullptr || !is_float(value.tensor().dtype)) return value;
    Tensor tensor = value.tensor();
    double* elements = std::get<Tensor::Floats>(tensor.values).data();
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      if (elements[i] == 0 || std::isnan(elements[i])) elements[i] = -elements[i];
    }
    return Value(make_tensor(std::move(tensor)));
  };
  const OpConformance result = conform(mirror, "relax.abs", 200);
  EXPECT_GT(result.value, 0);
  for (const Disagreement& d : result.disagreements) EXPECT_EQ(d.symptom, "0 against -0");
}

TEST(Conform, ACallThatDoesNotCompileIsFoundAmongThoseThatDo) {
  Mirror mirror;
  mirror.refuses = [](const Function& function) {
    return function.body.blocks[0].bindings[0].var->type.as_tensor()->rank == 4;
  };
  const OpConformance result = conform(mirror, "relax.negative", 80);
  EXPECT_GT(result.refused, 0);
  EXPECT_LT(result.refused, 40);
  EXPECT_GT(result.agreed, 20);
  EXPECT_LT(mirror.compiled, 80);
  EXPECT_EQ(result.disagreements.size(), 1U);
  EXPECT_FALSE(result.conforms());
}

TEST(Conform, ALessPreciseTypeIsADisagreement) {
  Mirror mirror;
  mirror.retype = [](const Type& type) {
    return replace_tensors(
        type, [](const TensorType& t) { return TensorType{std::nullopt, t.rank, t.dtype, t.vdevice}; });
  };
  const OpConformance result = conform(mirror, "relax.negative");
  EXPECT_GT(result.type, 30);
  EXPECT_GT(result.agreed, 30);  // it can be given our types all the same
  EXPECT_FALSE(result.conforms());
}

TEST(Conform, ASizeWrittenInAnotherWayIsNone) {
  Mirror mirror;
  const auto resized = [&](Dim (*change)(const Dim&)) {
    mirror.retype = [change](const Type& type) {
      return replace_tensors(type, [&](const TensorType& t) {
        TensorType other = t;
        if (other.shape) std::transform(t.shape->begin(), t.shape->end(), other.shape->begin(), change);
        return other;
      });
    };
    return conform(mirror, "relax.negative", 200);
  };
  const OpConformance same = resized([](const Dim& dim) { return Dim::binary(DimOp::maximum, dim, 0); });
  EXPECT_EQ(same.type, 0);
  const OpConformance other = resized([](const Dim& dim) { return Dim::binary(DimOp::maximum, dim, 4); });
  EXPECT_GT(other.type, 10);
}

TEST(Conform, AnOpOfWhichNothingCanBeComparedDoesNotConform) {
  Mirror mirror;
  mirror.refuses = [](const Function&) { return true; };
  EXPECT_FALSE(conform(mirror, "relax.negative", 10).conforms());
}

TEST(Conform, AnExplanationFitsItsMistakeAlone) {
  Mirror mirror;
  mirror.change = [](const Value& value) {
    Tensor tensor = value.tensor();
    double* elements = std::get<Tensor::Floats>(tensor.values).data();
    for (std::size_t i = 0; i < tensor.size(); ++i) elements[i] = std::isnan(elements[i]) ? 0 : elements[i];
    return Value(make_tensor(std::move(tensor)));
  };
  const OpConformance result = conform(mirror, "relax.nn.leakyrelu", 400);
  EXPECT_GT(result.explained, 0);
  EXPECT_GT(result.value, 0);
  for (const Disagreement& d : result.disagreements)
    EXPECT_EQ(d.why.empty(), d.call.find("alpha=0.0)") == std::string::npos) << d.call;
}

TEST(Conform, TheReportNamesEachDisagreement) {
  Mirror mirror;
  mirror.change = [](const Value& value) { return moved(value, 1); };
  ConformResult result;
  result.ops.push_back(conform(mirror, "relax.add"));
  const auto document = nlohmann::json::parse(conform_json(result));
  EXPECT_FALSE(document.at("conforms").get<bool>());
  const auto& op = document.at("ops").at(0);
  EXPECT_EQ(op.at("value").get<int>(), result.ops[0].value);
  EXPECT_EQ(op.at("disagreements").size(), result.ops[0].disagreements.size());
  for (const auto& d : op.at("disagreements"))
    EXPECT_NE(conform_table(result).find(d.at("detail").get<std::string>()), std::string::npos);
}

TEST(DrawnCall, HangsOnOpSeedAndIndexAlone) {
  const OpDef& op = *find_op("relax.concat");
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto call = draw_call(op, 5, i);
    const auto again = draw_call(op, 5, i);
    ASSERT_EQ(call.has_value(), again.has_value());
    if (!call) continue;
    EXPECT_EQ(to_string(*call), to_string(*again));
    ASSERT_EQ(call->operands.size(), again->operands.size());
    for (std::size_t k = 0; k < call->operands.size(); ++k)
      EXPECT_TRUE(bit_equal(call->operands[k], again->operands[k]));
    seen.insert(to_string(*call));
  }
  EXPECT_GT(seen.size(), 10U);
}

TEST(DrawnCall, IsACaseOfOneCall) {
  const auto call = draw_call(*find_op("relax.negative"), 1, 0);
  ASSERT_TRUE(call.has_value());
  EXPECT_TRUE(call_in(call->test).ok());
  TestCase none = call->test;
  none.entry = "other";
  EXPECT_EQ(call_in(none).error().code, "conform.case");
}

TEST(OddValues, StayIndicesWhereIndicesAreAsked) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto bytes = campaign_bytes(3, i, 64);
    Choices choices(bytes);
    const FillSpec spec{.fill = Fill::indices, .limit = 3, .allow_negative = false};
    const Tensor tensor =
        odd_tensor(choices, DType::int16, std::vector<std::int64_t>{5}, spec, Reach::extreme);
    EXPECT_TRUE(fits(tensor, spec));
  }
}

TEST(OddValues, AreOfTheirDTypeAndReach) {
  bool nan = false, huge = false;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const auto bytes = campaign_bytes(4, i, 64);
    Choices choices(bytes);
    const Reach reach = i % 2 == 0 ? Reach::modest : Reach::extreme;
    const Tensor tensor = odd_tensor(choices, DType::float16, std::vector<std::int64_t>{8}, {}, reach);
    for (const double value : tensor.floats()) {
      nan |= std::isnan(value);
      if (!std::isfinite(value)) continue;
      EXPECT_EQ(value, round_to(DType::float16, value));
      EXPECT_TRUE(reach == Reach::extreme || std::fabs(value) <= 16) << value;
      huge |= std::fabs(value) > 16;
    }
  }
  EXPECT_TRUE(nan && huge);
}

TEST(Variants, AreTheCallThenOneLessKnownThenOneThatMayNotFit) {
  const auto call = draw_call(*find_op("relax.sum"), 1, 3);
  ASSERT_TRUE(call.has_value());
  const auto bytes = campaign_bytes(1, 3, 128);
  Choices choices(bytes);
  const std::vector<TypedCall> variants = typed_variants(choices, *call);
  ASSERT_EQ(variants.size(), 3U);
  EXPECT_TRUE(equal(*variants[0].type, call->call->type));
  if (variants[1].type) EXPECT_TRUE(compatible(*variants[1].type, call->call->type));
  for (const TypedCall& variant : variants) EXPECT_EQ(variant.call.op, call->op);
}

TEST(Conform, EveryExplanationIsASentenceOnAnOpOfTheTable) {
  for (const KnownDisagreement& row : joined_known_disagreements()) {
    EXPECT_TRUE(row.op.empty() || find_op(row.op) != nullptr) << row.op;
    EXPECT_GT(row.why.size(), 30U) << row.op;
    EXPECT_NE(row.explains, nullptr) << row.op;
  }
}

}  // namespace
}  // namespace passdiff
