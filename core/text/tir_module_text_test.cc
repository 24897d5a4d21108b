// Modules with functions of TensorIR as text: whole ones, the lines of their statements, and what is left of them where a text is cut or garbled.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/ir/structural.h"
#include "core/ir/tir/structural.h"
#include "core/text/test_text.h"

namespace passdiff {
namespace {

constexpr std::string_view kSoftmaxAndConv = R"py(
n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def softmax(A: T.Buffer((n, T.int64(16)), "float32"), norm: T.Buffer((n, T.int64(16)), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        maxelem = T.sblock_alloc_buffer((n,))
        expsum = T.sblock_alloc_buffer((n,))
        for i0, k in T.grid(n, T.int64(16)):
            with T.sblock("maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(A[v_i0, v_k])
                T.writes(maxelem[v_i0])
                with T.init():
                    maxelem[v_i0] = T.float32(-340282346638528859811704183484516925440.0)
                maxelem[v_i0] = T.max(maxelem[v_i0], A[v_i0, v_k])
        for i0, k in T.grid(n, T.int64(16)):
            with T.sblock("expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(A[v_i0, v_k], maxelem[v_i0])
                T.writes(expsum[v_i0])
                with T.init():
                    expsum[v_i0] = T.float32(0.0)
                expsum[v_i0] = expsum[v_i0] + T.exp(A[v_i0, v_k] - maxelem[v_i0])
        for i0, i1 in T.grid(n, T.int64(16)):
            with T.sblock("norm"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(A[v_i0, v_i1], maxelem[v_i0], expsum[v_i0])
                T.writes(norm[v_i0, v_i1])
                T.sblock_attr({"axis": 1})
                norm[v_i0, v_i1] = T.exp(A[v_i0, v_i1] - maxelem[v_i0]) / expsum[v_i0]

    @T.prim_func(private=True, s_tir=True)
    def conv(x: T.Buffer((T.int64(8), T.int64(8)), "float16"), w: T.Buffer((T.int64(3), T.int64(3)), "float16"), y: T.Buffer((T.int64(8), T.int64(8)), "float32")):
        # with T.sblock("root"):
        pad = T.sblock_alloc_buffer((T.int64(10), T.int64(10)), "float16")
        for i, j in T.grid(T.int64(10), T.int64(10)):
            with T.sblock("pad"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(x[vi - T.int64(1), vj - T.int64(1)])
                T.writes(pad[vi, vj])
                pad[vi, vj] = T.if_then_else(T.int64(1) <= vi and vi < T.int64(9) and T.int64(1) <= vj and vj < T.int64(9), x[vi - T.int64(1), vj - T.int64(1)], T.float16(0.0))
        for i_0, i_1, j, ry, rx in T.grid(T.int64(3), T.int64(3), T.int64(8), T.int64(3), T.int64(3)):
            with T.sblock("conv"):
                vi = T.axis.spatial(T.int64(8), i_0 * T.int64(3) + i_1)
                vj, vry, vrx = T.axis.remap("SRR", [j, ry, rx])
                T.where(i_0 * T.int64(3) + i_1 < T.int64(8))
                T.reads(pad[vi + vry, vj + vrx], w[vry, vrx])
                T.writes(y[vi, vj])
                with T.init():
                    y[vi, vj] = T.float32(0.0)
                y[vi, vj] = y[vi, vj] + T.Cast("float32", pad[vi + vry, vj + vrx]) * T.Cast("float32", w[vry, vrx])

    @T.prim_func(private=True)
    def scale(x: T.Buffer((64,), "float32")):
        for i_0 in T.parallel(16):
            for i_1 in T.vectorized(4):
                x[i_0 * 4 + i_1] = x[i_0 * 4 + i_1] * T.float32(0.5)
        Module.helper(x)

    @T.prim_func(private=True)
    def helper(x: T.Buffer((64,), "float32")):
        for i in range(16):
            x[T.Ramp(i * 4, 1, 4)] = x[T.Ramp(i * 4, 1, 4)] + T.Broadcast(T.float32(1.0), 4)

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32"), y: R.Tensor((64,), dtype="float32")):
        n = T.int64()
        R.func_attr({"relax.force_pure": True})
        cls = Module
        lv: R.Tensor((n, 16), dtype="float32") = R.call_tir(cls.softmax, (x,), out_ty=R.Tensor((n, 16), dtype="float32"), tir_vars=R.shape([n]))
        w = R.call_tir_inplace(cls.softmax, (x, lv), inplace_indices=[1], out_ty=R.Tensor((n, 16), dtype="float32"))
        v = R.call_tir_with_grad(cls.softmax, (x,), out_ty=R.Tensor((n, 16), dtype="float32"), te_grad_name="f_grad", te_grad_kwargs={"k": T.float32(2.5)})
        cls.scale(y)
        return (w, v)
)py";

TEST(TirModuleText, RoundTripsRealisticModules) {
  const Module module = parsed(kSoftmaxAndConv);
  ASSERT_EQ(module.prim_funcs.size(), 4U);
  const std::string text = print(module);
  const Module again = parsed(text);
  EXPECT_TRUE(structural_equal(module, again)) << text << print(again);
  for (std::size_t i = 0; i < module.prim_funcs.size(); ++i)
    EXPECT_TRUE(tir::structural_equal(*module.prim_funcs[i].function, *again.prim_funcs[i].function)) << text;
  EXPECT_NE(text.find("n = TypeVar(\"n\")\n@I.ir_module"), std::string::npos) << text;
  EXPECT_NE(text.find("tir_vars=R.shape([n])"), std::string::npos) << text;
}

TEST(TirModuleText, DeclaredVariablesHideTypeVars) {
  const Module module = parsed(R"py(
n = TypeVar("n")
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer(("n", "m"), "float32"), B: T.Buffer((n, m), "float32")):
        n, m = T.int32(), T.int32()
        for i, j in T.grid(n, m):
            B[i, j] = A[i, j]

    @R.function
    def main(x: R.Tensor((n, 3), dtype="float32")):
        return x
)py");
  const tir::PrimFunc& function = *module.find_prim_func("f")->function;
  const auto& shape = std::get<tir::Buffer>(function.params[0])->shape;
  EXPECT_EQ(shape[0]->type.dtype, DType::int32);
  const auto& same = std::get<tir::Buffer>(function.params[1])->shape;
  EXPECT_EQ(*tir::as<tir::Var>(same[0]), *tir::as<tir::Var>(shape[0]));
  EXPECT_TRUE(structural_equal(module, parsed(print(module)))) << print(module);
}

std::string line_text(const Module& module, std::string_view function, int statement) {
  const std::optional<TextLine> line = line_of_statement(module, function, statement);
  return line ? std::to_string(line->number) + ": " + line->text : "none";
}

TEST(TirModuleText, StatementsHaveLines) {
  const Module module = parsed(kSoftmaxAndConv);
  const std::string text = print(module);
  const auto number_of = [&](std::string_view line) {
    const std::string_view before = std::string_view(text).substr(0, text.find(line));
    return std::to_string(std::count(before.begin(), before.end(), '\n') + 1);
  };
  EXPECT_EQ(line_text(module, "softmax", 0), number_of("# with T.sblock(\"root\")") + ": # with T.sblock(\"root\"):");
  // The root, a sequence, two loops in one line, a block, its init.
  const std::string store = "maxelem[v_i0] = T.max(maxelem[v_i0], A[v_i0, v_k])";
  EXPECT_EQ(line_text(module, "softmax", 6), number_of(store) + ": " + store);
  EXPECT_EQ(line_text(module, "scale", 4), number_of("Module.helper(x)") + ": Module.helper(x)");
  EXPECT_EQ(line_text(module, "main", 0), "none");
  EXPECT_EQ(line_text(module, "scale", -1), "none");
}

TEST(TirModuleText, DeclarationsBeforeAStatementMoveItsLine) {
  const Module module = parsed(R"py(
@T.prim_func(private=True)
def f(A: T.Buffer((16,), "float32")):
    n = T.int32()
    B = T.Buffer((16,))
    A[n] = B[0]
)py");
  const std::string text = print(module);
  const auto last_line = std::count(text.begin(), text.end(), '\n');
  EXPECT_EQ(line_text(module, "f", 0), std::to_string(last_line) + ": A[n] = B[0]") << text;
}

TEST(TirModuleText, TruncatedAndGarbledTextFailsWithoutHarm) {
  const std::string text(kSoftmaxAndConv);
  for (std::size_t length = 0; length < text.size(); length += 7) {
    static_cast<void>(parse_text(text.substr(0, length)));
  }
  std::uint32_t state = 1;
  for (int round = 0; round < 3000; ++round) {
    std::string garbled = text;
    for (int edit = 0; edit < 3; ++edit) {
      state = state * 1664525U + 1013904223U;
      const std::size_t at = state % garbled.size();
      const std::size_t from = (state >> 7) % text.size();
      garbled.replace(at, std::min<std::size_t>(5, garbled.size() - at), text.substr(from, 5));
    }
    const Result<Module> module = parse_text(garbled);
    if (module.ok()) static_cast<void>(print(*module));
  }
}

}  // namespace
}  // namespace passdiff
