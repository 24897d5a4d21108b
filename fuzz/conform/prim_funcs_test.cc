#include "fuzz/conform/prim_funcs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/eval/interpret.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

const Refused kRefusal = {"Error", "site", "no"};

// A compiler that leaves every module as it is, and runs functions of TensorIR as the interpreter does, as far as a test does not say otherwise.
class Unlowering final : public Subject {
 public:
  explicit Unlowering(std::function<std::optional<Value>(const Value&)> change, Refused refusal = kRefusal)
      : change_(std::move(change)), refusal_(std::move(refusal)) {}
  std::string_view name() const override { return "unlowering"; }
  std::string version() const override { return "test"; }
  std::span<const Pass> passes() const override {
    static const Pass kLegalizeOps{.name = "LegalizeOps"};
    return {&kLegalizeOps, 1};
  }
  std::vector<TransformReply> run_pipelines(const Module&, std::span<const Pipeline> pipelines, const TransformOptions&) override {
    return std::vector<TransformReply>(pipelines.size(), TransformReply{.result = Transformed{.target = {}, .unchanged = true, .unreadable = {}}});
  }
  std::optional<CallsReply> call_functions(const Module& module, std::span<const FunctionCall> calls) override {
    CallsReply reply;
    for (const FunctionCall& call : calls) {
      const Outcome outcome = interpret(module, call.function, call.arguments);
      reply.results.push_back({change_(std::get<Returned>(outcome).value), "run", refusal_});
    }
    return reply;
  }

 private:
  std::function<std::optional<Value>(const Value&)> change_;
  Refused refusal_;
};

constexpr std::string_view kModule = R"(@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def double(x: T.Buffer((2,), "float32"), y: T.Buffer((2,), "float32")):
        for i in range(2):
            y[i] = x[i] * T.float32(2.0)

    @T.prim_func(private=True, s_tir=True)
    def double1(a: T.Buffer((2,), "float32"), b: T.Buffer((2,), "float32")):
        for k in range(2):
            b[k] = a[k] * T.float32(2.0)

    @T.prim_func(private=True, s_tir=True)
    def never(x: T.Buffer((2,), "float32"), y: T.Buffer((2,), "float32")):
        for i in range(2):
            y[i] = x[i]

    @T.prim_func(private=True, s_tir=True)
    def wrap(x: T.Buffer((2,), "float32"), y: T.Buffer((2,), "int32")):
        for i in range(2):
            y[i] = 2147483647 + T.Cast("int32", x[i])

    @R.function
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        a = R.call_tir(cls.double, (x,), out_ty=R.Tensor((2,), dtype="float32"))
        b = R.call_tir(cls.double1, (a,), out_ty=R.Tensor((2,), dtype="float32"))
        c = R.call_tir(cls.wrap, (x,), out_ty=R.Tensor((2,), dtype="int32"))
        gv = (b, c)
        return gv
)";

class PrimFuncs : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(root_);
    CaseFolder content;
    const Result<Module> module = parse_text(kModule);
    ASSERT_TRUE(module.ok()) << module.error().message;
    content.test.module = *module;
    Tensor ones = zeros(DType::float32, std::vector<std::int64_t>{2});
    std::get<Tensor::Floats>(ones.values).fill(1);
    content.test.arguments = {Value(make_tensor(std::move(ones)))};
    ASSERT_TRUE(write_case(content, root_ / "case").ok());
  }

  PrimFuncConformance conformance(const std::function<std::optional<Value>(const Value&)>& change, const Refused& refusal = kRefusal) const {
    const std::atomic<bool> stop = false;
    const auto make = [&]() -> Result<std::unique_ptr<Subject>> { return std::unique_ptr<Subject>(std::make_unique<Unlowering>(change, refusal)); };
    const auto result = conform_prim_funcs(make, {.folders = {root_ / "case"}, .jobs = 2}, [](const PrimFuncConformance&) {}, stop);
    EXPECT_TRUE(result.ok());
    return *result;
  }

  std::filesystem::path root_;
};

TEST_F(PrimFuncs, AreComparedOnceEachOnWhatTheyAreCalledWith) {
  const PrimFuncConformance result = conformance([](const Value& value) { return value; });
  EXPECT_EQ(result.modules, 1);
  EXPECT_EQ(result.not_lowered, 0);
  EXPECT_EQ(result.not_ended, 0);
  EXPECT_EQ(result.calls, 3);
  EXPECT_EQ(result.functions, 2) << "double and double1 are equal, never is not called";
  EXPECT_EQ(result.agreed, 1);
  EXPECT_EQ(result.undefined, 1) << "an int32 overflows in wrap";
  EXPECT_TRUE(result.conforms());
}

// What a function leaves, but for sevens in the last buffer.
std::optional<Value> with_sevens(const Value& value) {
  TupleValue changed = value.tuple();
  Tensor last = changed.fields.back().tensor();
  std::get<Tensor::Floats>(last.values).fill(7);
  changed.fields.back() = Value(make_tensor(std::move(last)));
  return changed;
}

TEST_F(PrimFuncs, ThatCompiledCodeRunsOtherwiseAreToldAndWritten) {
  const PrimFuncConformance result = conformance(with_sevens);
  EXPECT_EQ(result.differ, 1);
  EXPECT_FALSE(result.conforms());
  ASSERT_EQ(result.disagreements.size(), 1U);
  EXPECT_EQ(result.disagreements[0].function, "double");
  EXPECT_EQ(result.disagreements[0].symptom, "mismatch");
  EXPECT_NE(prim_func_table(result).find("double mismatch: 1 functions"), std::string::npos) << prim_func_table(result);
  EXPECT_EQ(nlohmann::json::parse(prim_func_json(result)).at("differ"), 1);
  const auto written = write_disagreements(result, "unlowering", root_ / "out");
  ASSERT_TRUE(written.ok());
  const Result<CaseFolder> read = read_case(root_ / "out" / "double-mismatch");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->test.entry, "double");
  EXPECT_EQ(read->test.arguments.size(), 2U);
}

TEST_F(PrimFuncs, OfCasesThatCannotBeReadAreLeftOut) {
  std::filesystem::create_directories(root_ / "broken");
  std::ofstream(root_ / "broken" / "case.json") << "{";
  const std::atomic<bool> stop = false;
  const auto make = [&]() -> Result<std::unique_ptr<Subject>> {
    return std::unique_ptr<Subject>(std::make_unique<Unlowering>([](const Value& value) { return value; }));
  };
  const auto result = conform_prim_funcs(make, {.folders = {root_ / "broken", root_ / "case"}}, [](const PrimFuncConformance&) {}, stop);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->modules, 2);
  EXPECT_EQ(result->not_lowered, 1);
  EXPECT_EQ(result->agreed, 1);
  EXPECT_EQ(result->reasons.size(), 1U);
}

TEST_F(PrimFuncs, OfModulesThatDoNotTakeTheirArgumentsAreLeftOut) {
  CaseFolder content = *read_case(root_ / "case");
  content.test.module = *parse_text(R"(@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def double(x: T.Buffer((2,), "float32"), y: T.Buffer((2,), "float32")):
        for i in range(2):
            y[i] = x[i] * T.float32(2.0)

    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32")):
        cls = Module
        a = R.call_tir(cls.double, (x,), out_ty=R.Tensor((2,), dtype="float32"))
        _ = R.assert_op(R.const(False, "bool"), format="no")
        return a
)");
  std::filesystem::remove_all(root_ / "case");
  ASSERT_TRUE(write_case(content, root_ / "case").ok());
  const PrimFuncConformance result = conformance([](const Value& value) { return value; });
  EXPECT_EQ(result.not_ended, 1);
  EXPECT_EQ(result.functions, 0);
}

TEST_F(PrimFuncs, ThatTheCompilerRefusesDoNotConform) {
  const PrimFuncConformance result = conformance([](const Value&) { return std::optional<Value>(); });
  EXPECT_EQ(result.refused, 1);
  EXPECT_FALSE(result.conforms());
  ASSERT_EQ(result.disagreements.size(), 1U);
  EXPECT_EQ(result.disagreements[0].symptom, "run site");
}

TEST_F(PrimFuncs, ForTheThreadsOfAGpuHaveNoCodeForACpu) {
  const PrimFuncConformance result = conformance([](const Value&) { return std::optional<Value>(); },
                                                 {"InternalError", "InternalError@codegen_llvm.cc:CodeGenLLVM::GetThreadIndex", "not implemented"});
  EXPECT_EQ(result.explained, 1);
  EXPECT_EQ(result.refused, 0);
}

TEST_F(PrimFuncs, ThatCompareBooleansMayBeRefusedForThat) {
  const auto refused = [&](const std::string& message) {
    return conformance([](const Value&) { return std::optional<Value>(); },
                       {"InternalError", "InternalError@codegen_llvm.cc:CodeGenLLVM::Verify", message})
        .refused;
  };
  EXPECT_EQ(refused("Invalid operand types for FCmp instruction"), 1) << "the function compares none";
  CaseFolder content = *read_case(root_ / "case");
  content.test.module = *parse_text(R"(@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def equal(x: T.Buffer((2,), "bool"), y: T.Buffer((2,), "bool")):
        for i in range(2):
            y[i] = x[i] == T.bool(True)
)");
  content.test.entry = "equal";
  const Value none(make_tensor(zeros(DType::boolean, std::vector<std::int64_t>{2})));
  content.test.arguments = {none, none};
  std::filesystem::remove_all(root_ / "case");
  ASSERT_TRUE(write_case(content, root_ / "case").ok());
  EXPECT_EQ(refused("Invalid operand types for FCmp instruction"), 0);
  EXPECT_EQ(refused("Instruction does not dominate all uses"), 1);
}

TEST_F(PrimFuncs, MaySortNaNsAsTheyLike) {
  CaseFolder content = *read_case(root_ / "case");
  content.test.module = *parse_text(R"(@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def sort(x: T.Buffer((T.int64(3),), "float32", align=8), y: T.Buffer((T.int64(3),), "float32", align=8)):
        with T.sblock("sort_cpu"):
            T.reads()
            T.writes()
            T.call_packed("tvm.contrib.sort.sort", T.tvm_stack_make_array(x.data, T.tvm_stack_make_shape(T.int64(3)), 0, 1, T.float32(0.0), T.int64(0)), T.tvm_stack_make_array(y.data, T.tvm_stack_make_shape(T.int64(3)), 0, 1, T.float32(0.0), T.int64(0)), 0, T.bool(True))
)");
  content.test.entry = "sort";
  Tensor x = zeros(DType::float32, std::vector<std::int64_t>{3});
  content.test.arguments = {Value(make_tensor(x)), Value(make_tensor(zeros(DType::float32, std::vector<std::int64_t>{3})))};
  std::filesystem::remove_all(root_ / "case");
  ASSERT_TRUE(write_case(content, root_ / "case").ok());
  EXPECT_EQ(conformance(with_sevens).differ, 1) << "there is no NaN";
  std::get<Tensor::Floats>(x.values)(1) = std::nan("");
  content.test.arguments[0] = Value(make_tensor(std::move(x)));
  std::filesystem::remove_all(root_ / "case");
  ASSERT_TRUE(write_case(content, root_ / "case").ok());
  const PrimFuncConformance result = conformance(with_sevens);
  EXPECT_EQ(result.differ, 0);
  EXPECT_EQ(result.explained, 1);
  ASSERT_EQ(result.disagreements.size(), 1U);
  EXPECT_NE(result.disagreements[0].why.find("NaN"), std::string::npos);
}

}  // namespace
}  // namespace passdiff
