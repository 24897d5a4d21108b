// Functions of TensorIR: what they compute, and the undefined behaviour that they may have.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/eval/interpret.h"
#include "core/form/builder.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

// A module with one function of TensorIR, and a function main(x) that calls it for a result of the given type.
Module module_of(const std::string& prim_func, const std::string& call) {
  const std::string text = R"(# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
)" + prim_func + "\n" + call;
  Result<Module> module = parse_text(text);
  EXPECT_TRUE(module.ok()) << (module ? "" : module.error().message) << text;
  return module ? *module : Module{};
}

Value floats(const std::vector<std::int64_t>& shape, const std::vector<double>& values) {
  Tensor tensor = zeros(DType::float32, shape);
  std::copy(values.begin(), values.end(), std::get<Tensor::Floats>(tensor.values).data());
  return make_tensor(std::move(tensor));
}

constexpr const char* kMain = R"(
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((2,), dtype="float32"))
            R.output(y)
        return y
)";

Outcome run_prim_func(const std::string& prim_func) {
  const Value x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  return interpret(module_of(prim_func, kMain), "main", {&x, 1});
}

std::string rule_of(const Outcome& outcome) {
  const auto* undefined = std::get_if<Undefined>(&outcome);
  return undefined == nullptr ? to_string(outcome) : std::string(rule_name(undefined->records.back().rule));
}

// That these are the sums of the rows (1, 2, 3) and (4, 5, 6).
void expect_sums(const Outcome& outcome) {
  const auto* returned = std::get_if<Returned>(&outcome);
  ASSERT_NE(returned, nullptr) << to_string(outcome);
  EXPECT_TRUE(bit_equal(returned->value, floats({2}, {6, 15}))) << to_string(returned->value);
}

std::string row_sum(const std::string& init, const std::string& body) {
  return R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        # with T.sblock("root"):
        for i, k in T.grid(T.int64(2), T.int64(3)):
            with T.sblock("y"):
                v_i, v_k = T.axis.remap("SR", [i, k])
                T.reads(x[v_i, v_k])
                T.writes(y[v_i])
)" + init + body;
}

constexpr const char* kInit = R"(
                with T.init():
                    y[v_i] = T.float32(0.0)
)";

TEST(PrimFunc, SumsRows) {
  expect_sums(run_prim_func(row_sum(kInit, "                y[v_i] = y[v_i] + x[v_i, v_k]\n")));
}

TEST(PrimFunc, CountsItsStatementsAsWork) {
  const auto work_of = [](const std::string& body) {
    const Outcome outcome = run_prim_func(row_sum(kInit, body));
    const auto* returned = std::get_if<Returned>(&outcome);
    EXPECT_NE(returned, nullptr) << to_string(outcome);
    return returned == nullptr ? 0 : returned->work;
  };
  const std::int64_t once = work_of("                y[v_i] = y[v_i] + x[v_i, v_k]\n");
  const std::int64_t often = work_of(R"(
                for _ in range(100):
                    y[v_i] = y[v_i] + x[v_i, v_k]
)");
  EXPECT_GE(once, 16 * 2 * 3) << "a store for each element";
  EXPECT_GE(often, once + 16 * 2 * 3 * 99);
}

TEST(PrimFunc, ReadsWhatNothingHasWritten) {
  EXPECT_EQ(rule_of(run_prim_func(row_sum("", "                y[v_i] = y[v_i] + x[v_i, v_k]\n"))), "uninitialised-read");
}

TEST(PrimFunc, LoadsOutOfBounds) {
  const std::string body = "                y[v_i] = y[v_i] + x[v_i, v_k + T.int64(1)]\n";
  EXPECT_EQ(rule_of(run_prim_func(row_sum(kInit, body))), "index-out-of-bounds");
}

// The text of the statement in which the run of main ended.
std::string statement_of(const std::string& prim_func) {
  const Outcome outcome = run_prim_func(prim_func);
  const auto* undefined = std::get_if<Undefined>(&outcome);
  if (undefined == nullptr) return to_string(outcome);
  const auto line = line_of_statement(module_of(prim_func, kMain), undefined->records.back().op, undefined->records.back().statement);
  return line ? line->text : "none";
}

TEST(PrimFunc, SaysInWhichStatementItIsUndefined) {
  const std::string store = "y[v_i] = y[v_i] + x[v_i, v_k + T.int64(1)]";
  EXPECT_EQ(statement_of(row_sum(kInit, "                " + store + "\n")), store);
  // In a condition that is evaluated again after the statements inside.
  EXPECT_EQ(statement_of(R"(
    @T.prim_func(private=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        k = T.alloc_buffer((1,), "int32")
        k[0] = 0
        while x[0, k[0]] > T.float32(0.0):
            k[0] = k[0] + 1
        y[0] = T.float32(0.0)
)"),
            "while x[0, k[0]] > T.float32(0.0):");
}

TEST(PrimFunc, ReturnsItsBuffersWhereItIsCalledAlone) {
  const Module module = module_of(R"(
    @T.prim_func
    def f(x: T.Buffer((2,), "float32"), n: T.int32, y: T.Buffer((2,), "float32")):
        x[0] = x[1] * T.Cast("float32", n)
        y[1] = y[0] + T.float32(1.0)
)",
                                  "");
  const std::vector<Value> arguments = {floats({2}, {1, 2}), ScalarValue{DType::int32, std::int64_t{3}}, floats({2}, {4, 5})};
  const Outcome outcome = interpret(module, "f", arguments);
  const auto* returned = std::get_if<Returned>(&outcome);
  ASSERT_NE(returned, nullptr) << to_string(outcome);
  EXPECT_TRUE(bit_equal(returned->value, TupleValue{{floats({2}, {6, 2}), floats({2}, {4, 5})}})) << to_string(outcome);
  EXPECT_TRUE(bit_equal(arguments[0], floats({2}, {1, 2}))) << "the caller's own tensors stay as they are";
  EXPECT_TRUE(std::holds_alternative<Trapped>(interpret(module, "f", std::span(arguments).first(2))));
}

TEST(PrimFunc, TakesRemaindersByTheSmallestInteger) {
  const Module module = module_of(R"(
    @T.prim_func
    def f(x: T.Buffer((2,), "int64"), y: T.Buffer((2,), "int64")):
        y[0] = x[0] % x[1]
        y[1] = x[1] % x[0]
)",
                                  "");
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  const auto ints = [](std::int64_t a, std::int64_t b) { return make_tensor(Tensor{DType::int64, Tensor::Ints{a, b}}); };
  const std::vector<Value> arguments = {ints(3, kLeast), ints(0, 0)};
  const Outcome outcome = interpret(module, "f", arguments);
  const auto* returned = std::get_if<Returned>(&outcome);
  ASSERT_NE(returned, nullptr) << to_string(outcome);
  EXPECT_TRUE(bit_equal(returned->value, TupleValue{{ints(3, kLeast), ints(kLeast + 3, 1)}})) << to_string(outcome);
}

// atan2 tells -0 from 0, by a whole turn.
TEST(PrimFunc, KeepsTheSignOfZero) {
  const std::string f = R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        y[T.int64(0)] = T.ceil(x[T.int64(0), T.int64(0)])
        y[T.int64(1)] = T.atan2(T.sin(x[T.int64(0), T.int64(1)]), T.float32(-1.0))
)";
  const Value x = floats({2, 3}, {-0.5, -0.0, 0, 0, 0, 0});
  const Outcome outcome = interpret(module_of(f, kMain), "main", {&x, 1});
  const auto* returned = std::get_if<Returned>(&outcome);
  ASSERT_NE(returned, nullptr) << to_string(outcome);
  EXPECT_TRUE(bit_equal(returned->value, floats({2}, {-0.0, std::atan2(-0.0F, -1.0F)}))) << to_string(returned->value);
}

TEST(PrimFunc, AccessesWhatItsBlockDoesNotDeclare) {
  const Outcome outcome = run_prim_func(row_sum(kInit, "                y[v_i] = y[v_i] + x[v_i, T.int64(2) - v_k]\n"));
  const auto* returned = std::get_if<Returned>(&outcome);
  ASSERT_NE(returned, nullptr) << to_string(outcome);
  ASSERT_FALSE(returned->contradictions.empty());
  EXPECT_EQ(returned->contradictions.front().rule, UndefinedRule::undeclared_access);
}

TEST(PrimFunc, LeavesElementsOfItsResultUnwritten) {
  EXPECT_EQ(rule_of(run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(1)):
            y[i] = x[i, T.int64(0)]
)")),
            "uninitialised-read");
}

TEST(PrimFunc, WritesItsInput) {
  EXPECT_EQ(rule_of(run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            x[i, T.int64(0)] = T.float32(0.0)
            y[i] = x[i, T.int64(0)]
)")),
            "write-to-input");
}

// As the compiler flattens buffers: what is written as bytes is read as booleans.
TEST(PrimFunc, BooleansAreBytes) {
  const Outcome outcome = run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        seen = T.alloc_buffer((T.int64(2),), "bool")
        bytes = T.decl_buffer((T.int64(2),), "int8", data=seen.data)
        for i in range(T.int64(2)):
            bytes[i] = T.Cast("int8", T.float32(2.0) < x[i, T.int64(0)])
        for i in range(T.int64(2)):
            y[i] = T.Select(seen[i], T.float32(1.0), T.float32(0.0)) + T.Cast("float32", bytes[i])
)");
  const auto* returned = std::get_if<Returned>(&outcome);
  ASSERT_NE(returned, nullptr) << to_string(outcome);
  EXPECT_TRUE(bit_equal(returned->value, floats({2}, {0, 2}))) << to_string(returned->value);
}

// TVM copies to the device on which a tensor is, too, and computes a cast to the dtype that it has.
TEST(PrimFunc, WritesToTheCopiesThatCallsMake) {
  const auto negated_in_place = [](const std::string& call) {
    return parse_text(R"(
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            x[i] = T.float32(0.0) - x[i]

    @R.function
    def main(x: R.Tensor((2,), dtype="float32", vdevice="llvm:0:global")):
        cls = Module
        y = )" + call + R"(
        z = R.call_tir_inplace(cls.f, (y,), inplace_indices=[0], out_ty=R.Tensor((2,), dtype="float32", vdevice="llvm:0:global"))
        return z
)").value();
  };
  const Value x = floats({2}, {1, 2});
  const Outcome copied = interpret(negated_in_place("R.to_vdevice(x, dst_vdevice=\"llvm:0:global\")"), "main", {&x, 1});
  EXPECT_TRUE(std::holds_alternative<Returned>(copied)) << to_string(copied);
  const Outcome cast = interpret(negated_in_place("R.astype(x, dtype=\"float32\")"), "main", {&x, 1});
  EXPECT_TRUE(std::holds_alternative<Returned>(cast)) << to_string(cast);
  for (const char* same : {"R.grad.no_grad(x)", "R.hint_on_device(x, dst_vdevice=R.device(device_type=1, index=0), memory_scope=\"global\")"})
    EXPECT_EQ(rule_of(interpret(negated_in_place(same), "main", {&x, 1})), "write-to-input") << same;
}

// The memory of what an op made, not only of what functions of TensorIR did, is gone with the first in-place call that takes it.
TEST(PrimFunc, WhatAnInPlaceCallHasTakenIsNotUsedAgain) {
  const auto negated_and = [](const std::string& result) {
    return parse_text(R"(
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            x[i] = T.float32(0.0) - x[i]

    @R.function
    def main(x: R.Tensor((2,), dtype="float32")):
        cls = Module
        y = R.add(x, x)
        z = R.call_tir_inplace(cls.f, (y,), inplace_indices=[0], out_ty=R.Tensor((2,), dtype="float32"))
        w = )" + result + R"(
        return w
)").value();
  };
  const Value x = floats({2}, {1, 2});
  const auto rule_with = [&](const std::string& result) { return rule_of(interpret(negated_and(result), "main", {&x, 1})); };
  EXPECT_EQ(rule_with("(y, z)"), "use-after-kill");
  EXPECT_EQ(rule_with("R.add(y, z)"), "use-after-kill");
  EXPECT_EQ(rule_with("R.call_tir_inplace(cls.f, (y,), inplace_indices=[0], out_ty=R.Tensor((2,), dtype=\"float32\"))"), "use-after-kill");
  EXPECT_TRUE(std::holds_alternative<Returned>(interpret(negated_and("R.add(z, z)"), "main", {&x, 1})));
}

TEST(PrimFunc, ComputesWhatADerivativeIsNamedFor) {
  const Result<Module> module = parse_text(R"(
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2),), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            y[i] = x[i] * T.float32(2.0)

    @R.function
    def main(x: R.Tensor((2,), dtype="float32")):
        cls = Module
        y = R.call_tir_with_grad(cls.f, (x,), out_ty=R.Tensor((2,), dtype="float32"), te_grad_name="f_grad")
        return y
)");
  ASSERT_TRUE(module.ok()) << module.error().message;
  const Value x = floats({2}, {1, 2});
  const Outcome outcome = interpret(*module, "main", {&x, 1});
  ASSERT_TRUE(std::holds_alternative<Returned>(outcome)) << to_string(outcome);
  EXPECT_TRUE(bit_equal(std::get<Returned>(outcome).value, floats({2}, {2, 4}))) << to_string(outcome);
}

TEST(PrimFunc, RacesInAParallelLoop) {
  EXPECT_EQ(rule_of(run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            for k in T.parallel(T.int64(3)):
                y[i] = x[i, k]
)")),
            "conflicting-access");
}

// A scratch buffer that nothing outside of the loop uses is allocated in it later, so that each iteration has its own.
TEST(PrimFunc, IterationsOfAParallelLoopShareWhatIsUsedOutsideOfItAlone) {
  const auto with_result = [](const std::string& result) {
    return run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        # with T.sblock("root"):
        s = T.sblock_alloc_buffer((T.int64(1),))
        for i in T.parallel(T.int64(2)):
            for k in range(T.int64(3)):
                with T.sblock("s"):
                    v_i, v_k = T.axis.remap("SR", [i, k])
                    T.reads(x[v_i, v_k])
                    T.writes(s[0])
                    with T.init():
                        s[0] = T.float32(0.0)
                    s[0] = s[0] + x[v_i, v_k]
)" + result);
  };
  expect_sums(with_result("            y[i] = s[0]\n"));
  EXPECT_EQ(rule_of(with_result("        for j in range(T.int64(2)):\n            y[j] = s[0]\n")), "conflicting-access");
  EXPECT_EQ(rule_of(with_result("            y[i] = T.if_then_else(i == 0, s[0], T.float32(0.0))\n        y[0] = s[0]\n")), "conflicting-access");
}

// A loop around hands on what its iterations have left.
TEST(PrimFunc, RunsOfAParallelLoopShareWhatStandsInItAlone) {
  expect_sums(run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        # with T.sblock("root"):
        s = T.sblock_alloc_buffer((T.int64(2),))
        for k in range(T.int64(3)):
            for i in T.parallel(T.int64(2)):
                s[i] = T.if_then_else(k == 0, x[i, k], s[i] + x[i, k])
                y[i] = s[i]
)"));
}

// Runs f, in which a loop of three threads of this tag stands around `body`; y has two elements.
Outcome run_threads(const std::string& tag, const std::string& before, const std::string& body) {
  return run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        # with T.sblock("root"):
)" + before + "        for i in range(T.int64(2)):\n            for k in T.thread_binding(T.int64(3), thread=\"" +
             tag + "\"):\n" + body);
}

TEST(PrimFunc, ReducesAcrossThreads) {
  const char* sum = R"(
                with T.sblock("y"):
                    v_i, v_k = T.axis.remap("SR", [i, k])
                    T.reads(x[v_i, v_k])
                    T.writes(y[v_i])
                    with T.init():
                        y[v_i] = T.float32(0.0)
                    y[v_i] = y[v_i] + x[v_i, v_k]
)";
  expect_sums(run_threads("threadIdx.x", "", sum));
  // Blocks of a grid do not meet.
  EXPECT_EQ(rule_of(run_threads("blockIdx.x", "", sum)), "conflicting-access");
}

TEST(PrimFunc, ThreadsRaceForGlobalMemoryAlone) {
  EXPECT_EQ(rule_of(run_threads("threadIdx.x", "", "                y[i] = x[i, k]\n")), "conflicting-access");
  const std::string shared = "        s = T.sblock_alloc_buffer((T.int64(1),), scope=\"shared\")\n";
  const char* through_shared = R"(
                s[T.int64(0)] = x[i, k]
                if k == T.int64(2):
                    y[i] = s[T.int64(0)]
)";
  for (const char* tag : {"threadIdx.x", "vthread.x", "blockIdx.x"}) {
    const Outcome outcome = run_threads(tag, shared, through_shared);
    const auto* returned = std::get_if<Returned>(&outcome);
    ASSERT_NE(returned, nullptr) << tag << ": " << to_string(outcome);
    EXPECT_TRUE(bit_equal(returned->value, floats({2}, {3, 6}))) << to_string(returned->value);
  }
}

// Memory that threads share comes with barriers, which a later pass puts in.
TEST(PrimFunc, RunsNoThreadsThatWaitForEachOther) {
  const auto run_with = [](const std::string& scope, const std::string& read) {
    return run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in T.thread_binding(T.int64(2), thread="threadIdx.x"):
            with T.sblock("sum"):
                T.reads(x[i, T.int64(0)])
                T.writes(y[i])
                both = T.sblock_alloc_buffer((T.int64(2),), scope=")" + scope + R"(")
                both[i] = x[i, T.int64(0)]
                y[i] = both[)" + read + "]\n");
  };
  EXPECT_TRUE(std::holds_alternative<Unsupported>(run_with("shared", "T.int64(1) - i")));
  EXPECT_EQ(rule_of(run_with("local", "T.int64(1) - i")), "uninitialised-read");
  EXPECT_TRUE(std::holds_alternative<Returned>(run_with("shared", "i")));
}

// Of the 1000 iterations over k three do anything.
TEST(PrimFunc, EndsALoopWhereItsGuardFails) {
  const auto sum_under = [](const std::string& guard) {
    const Outcome outcome = run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            y[i] = T.float32(0.0)
            for k in range(T.int64(1000)):
                if )" + guard + R"(:
                    y[i] = y[i] + x[i, k]
)");
    const auto* returned = std::get_if<Returned>(&outcome);
    EXPECT_TRUE(returned != nullptr && bit_equal(returned->value, floats({2}, {6, 15}))) << guard << ": " << to_string(outcome);
    return returned == nullptr ? 0 : returned->work;
  };
  const std::int64_t all = sum_under("k * k < T.int64(9)");
  for (const char* guard : {"k < T.int64(3)", "T.int64(2) * k + i < T.int64(6)", "T.int64(3) - k > i - i and i < T.int64(2)"})
    EXPECT_LT(sum_under(guard), all / 10) << guard;
}

// A condition that holds again after it has failed does not end the loop.
TEST(PrimFunc, GoesOnWhereAConditionHoldsAgain) {
  for (const char* guard : {"k % T.int64(4) == T.int64(2)", "T.int64(1) < k", "T.int64(3) - k < T.int64(2)"}) {
    const Outcome outcome = run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            for k in range(T.int64(3)):
                if )" + std::string(guard) + R"(:
                    y[i] = x[i, k]
)");
    const auto* returned = std::get_if<Returned>(&outcome);
    EXPECT_TRUE(returned != nullptr && bit_equal(returned->value, floats({2}, {3, 6}))) << guard << ": " << to_string(outcome);
  }
}

TEST(PrimFunc, ChoosesOneArmOfIfThenElse) {
  const Outcome outcome = run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            y[i] = T.if_then_else(T.int64(0) < i, x[i - T.int64(1), T.int64(2)], T.float32(7.0))
)");
  const auto* returned = std::get_if<Returned>(&outcome);
  ASSERT_NE(returned, nullptr) << to_string(outcome);
  EXPECT_TRUE(bit_equal(returned->value, floats({2}, {7, 3}))) << to_string(returned->value);
}

TEST(PrimFunc, EndsWithoutTheNumberThatItDeclares) {
  const Module module = module_of(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(n: T.int64) -> T.int64:
        if n < T.int64(0):
            return n
)",
                                  R"(
    @R.function
    def main(n: R.Prim("int64")) -> R.Prim("int64"):
        cls = Module
        r: R.Prim("int64") = cls.f(n)
        return r
)");
  const auto run_on = [&](std::int64_t n) {
    const Value argument = ScalarValue{DType::int64, n};
    return interpret(module, "main", {&argument, 1});
  };
  EXPECT_TRUE(std::holds_alternative<Returned>(run_on(-1))) << to_string(run_on(-1));
  EXPECT_TRUE(std::holds_alternative<WrongType>(run_on(1))) << to_string(run_on(1));
}

TEST(PrimFunc, SelectEvaluatesBothArms) {
  EXPECT_EQ(rule_of(run_prim_func(R"(
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2), T.int64(3)), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            y[i] = T.Select(T.int64(0) < i, x[i - T.int64(1), T.int64(2)], T.float32(7.0))
)")),
            "index-out-of-bounds");
}

}  // namespace
}  // namespace passdiff
