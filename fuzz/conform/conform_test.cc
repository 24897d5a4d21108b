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
#include "fuzz/conform/known.h"
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
  std::vector<TransformReply> run_pipelines(const Module&, std::span<const Pipeline>, const TransformOptions&) override { return {}; }
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

// A case of one call, `result = ...`, on these arguments.
DrawnCall call_on(const std::string& params, const std::string& call, std::vector<Value> arguments) {
  const auto module =
      parse_text("@R.function\ndef main(" + params + "):\n    gv = " + call + "\n    return gv\n");
  CHECK(module.ok()) << module.error().message;
  auto made = call_in({*module, "main", std::move(arguments)});
  CHECK(made.ok()) << made.error().message;
  return *std::move(made);
}

Tensor floats_of(std::vector<std::int64_t> shape, std::initializer_list<double> values) {
  Tensor tensor = zeros(DType::float32, shape);
  std::copy(values.begin(), values.end(), std::get<Tensor::Floats>(tensor.values).data());
  return tensor;
}
Value float_value(std::vector<std::int64_t> shape, std::initializer_list<double> values) {
  return make_tensor(floats_of(std::move(shape), values));
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
  const DrawnCall call =
      call_on("x: R.Tensor((3,), \"float32\")", "R.sum(x)", {float_value({3}, {0x1p24, 1, -0x1p24})});
  const auto scalar = [](double value) { return float_value({}, {value}); };
  EXPECT_TRUE(compare_results(call, scalar(1), scalar(0)).agrees());  // what a float32 accumulator gives
  EXPECT_FALSE(compare_results(call, scalar(1), scalar(16)).agrees());
}

TEST(Conform, IntegersAddUpAsTheFloatsThatTheyBecome) {
  Tensor x = zeros(DType::int32, std::vector<std::int64_t>{2});
  Tensor y = x;
  std::get<Tensor::Ints>(x.values) = {(1 << 25) + 1, -(1 << 25)};
  std::get<Tensor::Ints>(y.values) = {(1 << 25) + 1, 1 << 25};
  const DrawnCall call = call_on("x: R.Tensor((2,), \"int32\"), y: R.Tensor((2,), \"int32\")",
                                 "R.matmul(x, y, out_dtype=\"float32\")", {make_tensor(x), make_tensor(y)});
  const Value ours = std::get<Returned>(evaluate(call)).value;
  EXPECT_TRUE(compare_results(call, ours, float_value({}, {0x1p28})).agrees());
  EXPECT_FALSE(compare_results(call, ours, float_value({}, {0x1p31})).agrees());
}

TEST(Conform, WhatAStepOwesGrowsWhereDigitsCancel) {
  const double x = -3;
  const DrawnCall gelu = call_on("x: R.Tensor((1,), \"float32\")", "R.nn.gelu(x)", {float_value({1}, {x})});
  const Value ours = std::get<Returned>(evaluate(gelu)).value;
  const double y = as_double(ours.tensor(), 0);
  const double off = 3 * 0x1p-25;  // of half an erf by an ulp, times x
  EXPECT_TRUE(compare_results(gelu, ours, float_value({1}, {y + off})).agrees());
  EXPECT_FALSE(compare_results(gelu, ours, float_value({1}, {y + 8 * off})).agrees());
}

TEST(Conform, AVarianceMayBeADifferenceOfSquares) {
  const std::string params = "x: R.Tensor((1, 1, 2), \"float32\"), w: R.Tensor((1,), \"float32\")";
  const auto norm_of = [&](const std::string& name, const std::string& more) {
    return call_on(params, "R.nn." + name + "(x, w, w, " + more + "channel_axis=1, axes=[2])",
                   {float_value({1, 1, 2}, {8, 8.0625}), float_value({1}, {1})});
  };
  for (const DrawnCall& norm : {norm_of("instance_norm", ""), norm_of("group_norm", "num_groups=1, ")}) {
    const Value ours = std::get<Returned>(evaluate(norm)).value;
    const auto off =
        [&](double share) {  // with another variance than 2^-10: that is an ulp of a square of 65
          const double variance = 0x1p-10 + share * 0x1p-17;
          const double y = 0x1p-5 / std::sqrt(variance + 1e-5);
          return float_value({1, 1, 2}, {1 - y, 1 + y});
        };
    EXPECT_TRUE(compare_results(norm, ours, off(1)).agrees());
    EXPECT_FALSE(compare_results(norm, ours, off(16)).agrees());
  }
}

TEST(Conform, ASortIsExcusedInTheLinesOfANanAlone) {
  const DrawnCall call = call_on("x: R.Tensor((1, 2, 3, 1), \"float32\")", "R.sort(x, axis=2)",
                                 {float_value({1, 2, 3, 1}, {2, NAN, 1, 6, 5, 4})});
  const auto explained = [&](std::size_t element, double ours, double theirs) {
    Conformity conformity;
    conformity.elements.push_back({0, element, DType::float32, ours, theirs, 0});
    return !explanation_of(call, Disagree::value, conformity, "").empty();
  };
  EXPECT_TRUE(explained(0, 1, 2));
  EXPECT_FALSE(explained(0, 1, 7));  // comes from nowhere
  EXPECT_FALSE(explained(3, 4, 6));
}

TEST(Conform, AnAttentionIsExcusedWhereItsWeightsUnderflow) {
  const std::string type = "R.Tensor((1, 2, 1, 1), \"float32\")";
  const DrawnCall call =
      call_on("q: " + type + ", v: " + type, "R.nn.attention(q, v, v, causal_mask=\"TopLeft\")",
              {float_value({1, 2, 1, 1}, {-20, -20}), float_value({1, 2, 1, 1}, {20, 1})});
  const auto explained = [&](std::size_t element) {
    Conformity conformity;
    conformity.elements.push_back({0, element, DType::float32, 1, NAN, 0});
    return !explanation_of(call, Disagree::value, conformity, "").empty();
  };
  EXPECT_TRUE(explained(0));
  EXPECT_FALSE(explained(1));  // sees all keys
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
