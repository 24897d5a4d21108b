// Functions of TensorIR as text: printed, read, and read from what TVM's versions print.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "core/form/builder.h"
#include "core/ir/structural.h"
#include "core/ir/tir/structural.h"
#include "core/text/test_text.h"

namespace passdiff {
namespace {

// The text of a function with blocks, whose body is given line by line.
std::string function_text(std::string_view params, std::string_view body) {
  return "@T.prim_func(private=True, s_tir=True)\ndef f(" + std::string(params) + "):\n" + indented(body);
}

const tir::PrimFunc& only_function(const Module& module) {
  EXPECT_EQ(module.prim_funcs.size(), 1U);
  static const tir::PrimFunc kNone{};
  return module.prim_funcs.empty() ? kNone : *module.prim_funcs.front().function;
}

// The text says the same once it is printed, and its printed form is the text itself.
void expect_fixed_point(std::string_view text) {
  const Module module = parsed(text);
  if (module.prim_funcs.empty()) return;
  EXPECT_EQ(print(module.prim_funcs.front()), text);
  const int statements = tir::count_statements(only_function(module));
  EXPECT_TRUE(line_of_statement(module, "f", statements - 1)) << text;
  EXPECT_FALSE(line_of_statement(module, "f", statements)) << text;
  const Module again = parsed(print(module));
  EXPECT_TRUE(tir::structural_equal(only_function(module), only_function(again)))
      << print(module) << print(again);
}

void expect_same(std::string_view a, std::string_view b) {
  const Module left = parsed(a);
  const Module right = parsed(b);
  EXPECT_TRUE(tir::structural_equal(only_function(left), only_function(right)))
      << print(left) << print(right);
}

std::string error_code(std::string_view text) {
  const Result<Module> module = parse_text(text);
  return module.ok() ? "" : module.error().code;
}

constexpr std::string_view kVectors =
    "A: T.Buffer((16,), \"float32\"), B: T.Buffer((16,), \"float32\"), n: T.int32, h: T.handle";

TEST(TirText, EveryStatementIsItsOwnText) {
  for (const std::string_view body : {
           "A[0] = B[n]\nA[1] = T.float32(1.5)",
           "for i in range(16):\n    A[i] = B[i]",
           "for i in range(4, 16):\n    A[i] = B[i]",
           "for i in range(0, 16, 2):\n    A[i] = B[i]",
           "for i in range(n, n + 4):\n    A[i] = B[i]",
           "for i, j in T.grid(4, 4):\n    A[i * 4 + j] = B[i]",
           "for i in range(4):\n    for j in range(i):\n        A[j] = B[i]",
           "for i in T.parallel(16):\n    A[i] = B[i]",
           "for i in T.vectorized(16):\n    A[i] = B[i]",
           "for i in T.unroll(16, annotations={\"pragma\": 1}):\n    A[i] = B[i]",
           "for i in T.serial(16, annotations={\"a\": [1, \"b\"], \"c\": True}):\n    A[i] = B[i]",
           "for i in T.serial(0, 16, annotations={\"a\": 1}, step=2):\n    A[i] = B[i]",
           "for i in T.thread_binding(16, thread=\"threadIdx.x\"):\n    A[i] = B[i]",
           "while B[0] > T.float32(0.0):\n    A[0] = T.float32(0.0)\n    break",
           "if n < 4:\n    A[0] = B[0]\nelse:\n    if n < 5:\n        A[1] = B[1]",
           "for i in range(16):\n    if i == 3:\n        continue\n    A[i] = B[i]",
           "T.evaluate(n)",
           "T.evaluate(A.data)",
           "T.tvm_storage_sync(\"shared\")",
           "T.call_packed(\"f\", A.data, \"x\", T.address_of(A[n]))",
           "T.call_extern(\"int32\", \"f\", n)",
           "v: T.let[T.int32] = n + 1\nA[v] = B[v]",
           "p: T.let = A.data\nT.isnullptr(p)",
           "C = T.alloc_buffer((4, n), \"int8\")\nC[0, 0] = T.int8(3)",
           "C = T.alloc_shared((4,), annotations={\"a\": 1})\nC[0] = B[0]",
           "C = T.alloc_local((4,), \"float16\", strides=(2,), elem_offset=n, align=16, "
           "offset_factor=2)\nC[0] = T.float16(0.5)",
           "C = T.alloc_buffer((4,), scope=\"warp\")\nC[0] = B[0]",
           "C = T.decl_buffer((4,), \"float32x4\", data=A.data, elem_offset=n)\nC[0] = "
           "T.Broadcast(T.float32(1.0), 4)",
           "C = T.decl_buffer((16,), data=A.data, axis_separators=[0])\nC[0] = B[0]",
           "with T.attr(0, \"pragma\", 1):\n    A[0] = B[0]",
           "with T.attr(A, \"align\", T.bool(True)):\n    A[0] = B[0]",
           "with T.attr(\"node\", \"key\", n):\n    A[0] = B[0]",
           "with T.attr(n, \"key\", \"text\"):\n    A[0] = B[0]",
           "with T.launch_thread(\"threadIdx.x\", 16) as threadIdx_x:\n    A[threadIdx_x] = B[threadIdx_x]",
           "tx = T.env_thread(\"threadIdx.x\")\nwith T.launch_thread(tx, 16):\n    A[tx] = B[tx]\nwith "
           "T.launch_thread(tx, "
           "16):\n    B[tx] = A[tx]",
           "assert n > 0, (\"ValueError\", [\"n is \", \"small\"])",
           "A.vstore([T.Ramp(0, 1, 4)], T.Broadcast(T.float32(1.0), 4), predicate=T.Broadcast(T.bool(True), "
           "4))",
           "return n",
       }) {
    expect_fixed_point(function_text(kVectors, body));
  }
}

TEST(TirText, EveryExpressionIsItsOwnText) {
  for (const std::string_view value : {
           "B[n] + B[0] * B[1] - B[2]",
           "(B[0] + B[1]) * B[2] / (B[3] / B[4])",
           "B[0] - (B[1] - B[2])",
           "T.Cast(\"float32\", n // 3 % 4)",
           "T.Cast(\"float32\", T.Div(n, 3) + T.truncmod(n, 3))",
           "T.Cast(\"float32\", n << 2 + n >> 1 & (7 | n) | n ^ ~n)",
           "T.Cast(\"float32\", T.LShift(n, 0) + T.BitwiseAnd(1, 2))",
           "T.if_then_else(n < 3 and (n > 1 or not n == 2), B[0], T.float32(0.0))",
           "T.Select((n < 3) == (n != 4), B[0], B[1])",
           "T.min(B[0], T.max(B[1], B[2]))",
           "T.Add(B[0], T.float32(0.0)) + T.Mul(T.float32(2.0), T.float32(3.0))",
           "T.Min(T.float32(1.0), T.float32(2.0)) + T.Sub(B[0], T.float32(0.0))",
           "T.Cast(\"float32\", T.And(T.bool(True), n > 1))",
           "T.Cast(\"float32\", T.Not(T.bool(True)))",
           "T.exp(T.sqrt(B[0])) + T.pow(B[0], B[1]) + T.sigmoid(B[2])",
           "T.reinterpret(\"float32\", n)",
           "T.Cast(\"float32\", T.tvm_struct_get(h, 0, 1, \"int64\"))",
           "T.Cast(\"float32\", T.isnullptr(T.tvm_struct_get(h, 0, 1, T.handle().ty)))",
           "T.Call(\"tirx.exp\", [n], ret_ty=\"float32\")",
           "T.Call(\"prim.if_then_else\", [T.bool(False), B[0], B[1]], ret_ty=\"float32\") + T.ceil(B[0])",
           "T.Call(\"prim.ceil\", [T.float32(1.5)], ret_ty=\"float32\") + T.fabs(B[0])",
           "T.Cast(\"float32\", T.Call(\"tirx.isinf\", [B[0]], ret_ty=\"bool\") or T.isnan(B[0]))",
           "T.Cast(\"float32\", T.Call(\"tirx.fabs\", [n], ret_ty=\"int32\"))",
           "B[0] + T.float32(\"inf\") + T.float32(\"-inf\") + T.float32(\"nan\") + "
           "T.float32(0.10000000149011612)",
           "T.Cast(\"float32\", T.Cast(\"float16\", n) * T.float16(1.5))",
           "T.Cast(\"float32\", T.int64(-5) - T.Cast(\"int64\", n) * T.int64(2))",
           "T.Cast(\"float32\", T.Cast(\"uint64\", n) + T.uint64(18446744073709551615))",
           "T.Shuffle([B[T.Ramp(0, 1, 4)]], [0])",
           "B.vload([n], predicate=T.bool(True))",
           "T.Cast(\"float32\", 2 - n)",
       }) {
    expect_fixed_point(function_text(kVectors, "A[n] = " + std::string(value)));
  }
  expect_fixed_point(
      function_text(kVectors, "v = T.int32()\nA[n] = T.Let(B[v] + B[v + 1], where={v: n * 2})"));
}

TEST(TirText, BlocksAreTheirOwnText) {
  constexpr std::string_view kMatrix =
      "A: T.Buffer((T.int64(16), T.int64(16)), \"float32\"), r: T.Buffer((), \"float32\")";
  expect_fixed_point(function_text(kMatrix, R"py(# with T.sblock("root"):
for i, j in T.grid(T.int64(4), T.int64(4)):
    with T.sblock("x"):
        vi = T.axis.spatial((T.int64(2), T.int64(6)), i + T.int64(2))
        vj = T.axis.opaque(T.int64(4), j)
        vk = T.axis.scan(T.int64(1), T.int64(0))
        T.where(i < T.int64(3))
        T.reads(A[vi, T.int64(0):T.int64(4)], r[()])
        T.writes(A[vi * T.int64(4):vi * T.int64(4) + T.int64(4), vj])
        T.sblock_attr({"x": 1, "y": [1, "a"], "z": {"k": True}})
        B = T.sblock_alloc_buffer((4,), "int8", scope="local")
        C = T.match_buffer(A[vi:vi + T.int64(4), vj], (T.int64(4),), strides=(T.int64(1),))
        with T.init():
            r[()] = T.float32(0.0)
        C[T.int64(0)] = r[()] + T.Cast("float32", B[0]))py"));
  expect_fixed_point(function_text(kMatrix, R"py(with T.sblock("root"):
    T.reads(r[()])
    T.writes()
    T.evaluate(0))py"));
  expect_fixed_point(function_text(kMatrix, R"py(# with T.sblock("root"):
B = T.sblock_alloc_buffer((T.int64(16),))
for i, j in T.grid(T.int64(16), T.int64(16)):
    with T.sblock("sum"):
        vi, vj = T.axis.remap("SR", [i, j])
        T.reads(A[vi, vj])
        T.writes(B[vi])
        with T.init():
            B[vi] = T.float32(0.0)
        B[vi] = B[vi] + A[vi, vj])py"));
}

TEST(TirText, SizesAreBoundByTheSignature) {
  expect_fixed_point("n = TypeVar(\"n\")\n" +
                     function_text("x: T.Buffer((n, n * T.int64(2)), \"int32\"), y: T.Buffer((n,), \"int8\")",
                                   "x[T.int64(0), n - T.int64(1)] = 1"));
  // A scalar that is a parameter further on, and a variable that is an int32.
  expect_fixed_point(
      function_text("x: T.Buffer((\"n + T.int64(1)\", n), \"int32\"), n: T.int64", "x[n, T.int64(0)] = 1"));
  expect_fixed_point(function_text("x: T.Buffer((\"k\", k), \"int32\")", "x[k - 1, 0] = k"));
  expect_fixed_point("e = TypeVar(\"e\")\ns = TypeVar(\"s\")\n" +
                     function_text("x: T.Buffer((4,), \"int32\", strides=(s,), elem_offset=e)", "x[0] = 1"));
  // What no signature says is declared in the body.
  expect_fixed_point(function_text("var_x: T.handle",
                                   "s = T.int32()\nx = T.match_buffer(var_x, (4,), \"int32\", "
                                   "strides=(s,))\nx[0] = s"));
}

TEST(TirText, FunctionsHaveAttributesAndResults) {
  expect_fixed_point(R"py(@T.prim_func(private=True, s_tir=True)
def f(n: T.int64) -> T.int64:
    T.func_attr({"op_pattern": 8, "target": T.target({"keys": ["cpu"], "kind": "llvm"}), "tirx.noalias": True})
    return n + T.int64(1)
)py" + std::string());
}

TEST(TirText, BlockFreeFunctionsHaveNoRoot) {
  const Module module = parsed(
      "@T.prim_func\ndef f(A: T.Buffer((1,), \"float32\")):\n    b: T.float32\n    b = A + T.float32(1)\n"
      "    A[0] = b\n");
  EXPECT_FALSE(tir::has_blocks(only_function(module)));
  EXPECT_FALSE(only_function(module).attrs.contains("s_tir"));
  EXPECT_TRUE(module.prim_funcs.front().is_public);
  EXPECT_EQ(print(module.prim_funcs.front()), R"py(@T.prim_func
def f(A: T.Buffer((1,), "float32")):
    b = T.alloc_local((1,))
    b[0] = A[0] + T.float32(1.0)
    A[0] = b[0]
)py");
}

TEST(TirText, ReadsTheNamesOfOlderVersions) {
  expect_same(R"py(# from tvm.script import tir as T
@T.prim_func(private=True)
def f(var_A: T.handle, B: T.Buffer((T.int64(4),), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
    n = T.int64()
    A = T.match_buffer(var_A, (n,))
    # with T.block("root"):
    C = T.alloc_buffer((n,))
    for i in range(n):
        with T.block("c"):
            vi = T.axis.S(n, i)
            T.reads([A[vi]])
            T.writes([C[vi]])
            T.block_attr({"a": 1})
            x = A[vi]
            C[vi] = x
    T.evaluate(T.ret(0))
)py" + std::string(),
              R"py(
n = TypeVar("n")
@T.prim_func(private=True, s_tir=True)
def f(A: T.Buffer((n,), "float32"), B: T.Buffer((T.int64(4),), "float32")):
    T.func_attr({"tirx.noalias": True})
    C = T.sblock_alloc_buffer((n,))
    for i in range(n):
        with T.sblock("c"):
            vi = T.axis.spatial(n, i)
            T.reads(A[vi])
            T.writes(C[vi])
            T.sblock_attr({"a": 1})
            x: T.let[T.float32] = A[vi]
            C[vi] = x
    return 0
)py");
}

TEST(TirText, AllocationsOfOlderVersionsBecomeBuffers) {
  expect_same(
      function_text(
          kVectors,
          "p = T.allocate([16], \"float32\", \"shared\")\nC = T.decl_buffer((16,), data=p)\nC[0] = B[0]"),
      function_text(kVectors,
                    "p = T.alloc_shared((16,))\nC = T.decl_buffer((16,), data=p.data)\nC[0] = B[0]"));
  expect_same(function_text(kVectors, "C = B[0:4]\nA[0] = C[3]"), function_text(kVectors, "C = T.decl_buffer((4,), data=B.data)\nA[0] = C[3]"));
  expect_same(function_text(kVectors, "with T.LetStmt(n + 1) as v:\n    A[v] = B[v]"),
              function_text(kVectors, "v: T.let[T.int32] = n + 1\nA[v] = B[v]"));
}

TEST(TirText, SugarMeansWhatItStandsFor) {
  expect_same(function_text(kVectors, "T.attr(0, \"pragma\", 1)\nA[0] = B[0]\nA[1] = B[1]"),
              function_text(kVectors, "with T.attr(0, \"pragma\", 1):\n    A[0] = B[0]\n    A[1] = B[1]"));
  expect_same(function_text(kVectors, "with T.attr({\"a\": 1, \"b\": 2}):\n    A[0] = B[0]"),
              function_text(kVectors,
                            "with T.attr(0, \"a\", 1):\n    with T.attr(0, \"b\", 2):\n        A[0] = B[0]"));
  expect_same(function_text(kVectors, "tx = T.launch_thread(\"threadIdx.x\", 16)\nA[tx] = B[tx]"),
              function_text(kVectors, "with T.launch_thread(\"threadIdx.x\", 16) as tx:\n    A[tx] = B[tx]"));
  expect_same(function_text(kVectors, "A[0:4] = B[T.Ramp(n, 2, 4)]"),
              function_text(kVectors, "A[T.Ramp(0, 1, 4)] = B[n:n + 8:2]"));
  expect_same(
      function_text(kVectors, "C = A.view(\"float16\")\nC[0] = T.float16(1)"),
      function_text(kVectors, "C = T.decl_buffer((32,), \"float16\", data=A.data)\nC[0] = T.float16(1)"));
  expect_same(function_text(kVectors, "A[0] = 1\nA[1] = -B[0] + 2"),
              function_text(kVectors, "A[0] = T.float32(1)\nA[1] = B[0] * T.float32(-1) + T.float32(2)"));
  expect_same(
      function_text(kVectors,
                    "if n < 1:\n    A[0] = B[0]\nelif n < 2:\n    A[0] = B[1]\nelse:\n    A[0] = B[2]"),
      function_text(
          kVectors,
          "if n < 1:\n    A[0] = B[0]\nelse:\n    if n < 2:\n        A[0] = B[1]\n    else:\n        "
          "A[0] = B[2]"));
}

TEST(TirText, AccessesThatAreNotWrittenAreFound) {
  expect_same(R"py(
@T.prim_func(private=True, s_tir=True)
def matmul(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
    for i, j, k in T.grid(8, 8, 8):
        with T.sblock("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)py" + std::string(),
              R"py(
@T.prim_func(private=True, s_tir=True)
def matmul(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
    for i, j, k in T.grid(8, 8, 8):
        with T.sblock("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            T.reads(A[vi, vk], B[vk, vj])
            T.writes(C[vi, vj])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)py");
}

TEST(TirText, LeavesOutTheAnnotationThatNamesBuffers) {
  const auto block = [](const std::string& annotations) {
    return parsed(function_text(kVectors, "with T.sblock(\"root\"):\n    T.reads(B[0])\n    T.writes(A[0])\n    T.sblock_attr({" + annotations +
                                              "})\n    A[0] = B[0]"));
  };
  EXPECT_TRUE(structural_equal(block(R"("layout_free_placeholders": [B], "a": 1)"), block(R"("a": 1)")));
}

TEST(TirText, ErrorsHaveStableCodes) {
  EXPECT_EQ(error_code(function_text(kVectors, "A[0] = C[0]")), "parse.expression");
  EXPECT_EQ(error_code(function_text(kVectors, "A[m] = B[0]")), "parse.undefined-name");
  EXPECT_EQ(error_code(function_text(kVectors, "cls.g(A)")), "parse.undefined-name");
  EXPECT_EQ(error_code(function_text(kVectors, "T.evaluate(T.cuda.printf(n))")), "parse.unsupported");
  EXPECT_EQ(error_code(function_text(kVectors, "vi = T.axis.spatial(4, n)")), "parse.statement");
  EXPECT_EQ(error_code(function_text(kVectors, "for i in n:\n    A[0] = B[0]")), "parse.statement");
  EXPECT_EQ(error_code(function_text(kVectors, "A[0] = T.Broadcast(B[0], 100000)")), "parse.number");
  EXPECT_EQ(error_code(function_text("A: T.Buffer((m,), \"float32\")", "A[0] = T.float32(1)")),
            "parse.undefined-name");
  EXPECT_EQ(error_code(function_text("A: T.Buffer((4,), \"int3\")", "T.evaluate(0)")), "parse.dtype");
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "T.attr(0, \"a\", 1)\n";
  EXPECT_EQ(error_code(function_text(kVectors, deep + "T.evaluate(0)")), "parse.nesting");
}

}  // namespace
}  // namespace passdiff
