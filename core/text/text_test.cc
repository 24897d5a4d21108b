#include "core/text/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/form/builder.h"
#include "core/form/well_formed.h"
#include "core/gen/generate.h"
#include "core/ir/structural.h"
#include "core/tensor/tensor.h"
#include "core/text/test_text.h"

namespace passdiff {
namespace {

// The module of one function, whose body is given line by line.
std::string function_text(std::string_view params, std::string_view body) {
  return "@R.function\ndef main(" + std::string(params) + "):\n" + indented(body);
}

const Function& main_of(const Module& module) {
  return *module.find("main")->function;
}

std::string error_code(std::string_view text) {
  const Result<Module> module = parse_text(text);
  return module.ok() ? "" : module.error().code;
}

void expect_round_trip(const Module& module) {
  const std::optional<Error> fault = well_formed(module);
  EXPECT_FALSE(fault.has_value()) << fault->message << "\n" << print(module);
  const Module again = parsed(print(module));
  EXPECT_TRUE(structural_equal(module, again)) << print(module) << print(again);
}

constexpr std::string_view kTwo = "x: R.Tensor((2, 3), \"float32\")";

TEST(Text, RoundTripsEveryConstruct) {
  const Module module = parsed(R"py(
from tvm.script import ir as I

# from tvm.script import relax as R
@I.ir_module
class Module:
    """A docstring."""
    I.module_attrs({"foo": 1})
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice({"kind": "llvm"}, 1)]})
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), dtype="float32"), y: R.Tensor((2, 3), "float32", "llvm:1:global"),
             c: R.Tensor((), "bool"), o: R.Object, f: R.Callable((R.Tensor((2,), "float32"),), R.Any, True),
             s: R.Shape(["m", 3]), p: R.Prim("int64")) -> R.Tuple(R.Tensor(("n", 4), "float32"), R.Object):
        n = T.int64()
        R.func_attr({"num_input": 1, "name": "a\"b", "sizes": [1, -2], "none": None, "scale": 0.5,
                     "nested": [[1.5, []], ["a", True]], "map": {"k": {"l": 0}}})
        k = T.int64()
        cls = Module
        with R.dataflow():
            lv: R.Tensor((n, 4), dtype="float32") = R.match_cast(x, R.Tensor((n, 4), "float32"))
            lv0: R.Tensor(ndim=2, dtype="float32") = R.add(lv, lv)
            lv1 = R.reshape(x, (n * 4,))
            lv2 = R.strided_slice(x, axes=[0], begin=[0], end=[1], assume_inbound=False)
            lv5 = x, lv0
            lv6 = lv5[0]
            gv = R.nn.relu(lv6)
            h = R.hint_on_device(y, R.device(1, 0))
            R.output(gv, lv0)
        h2 = R.to_vdevice(y, "llvm:0")
        @R.function
        def inner(a: R.Tensor((n, 4), "float32"), b: R.Tensor(("k",), "float32")) -> R.Tensor((n, 4), "float32"):
            d = R.add(a, x)
            return d
        if c:
            t = R.add(x, x)
            v = R.multiply(t, x)
        else:
            v = x
        w = R.match_cast(o, R.Tensor((k, 2), "float32"))
        z = cls.other(w)
        zz = inner(x, R.const([1, 2], "float32"))
        i = f(R.const([1.0, 2.0], "float32"))
        size = R.shape([n // 2, n % 3 + 1, T.min(n, 4), T.max(k - 1, 0), (n + 1) * k])
        count = R.prim_value(n * 2)
        return (x, (i, (), (R.str("t"), R.dtype("int8"), R.prim_value(T.float32(1.5)), R.ExternFunc("g"))))
    @R.function(private=True, pure=False)
    def other(x: R.Tensor(("a", 2), "float32")) -> R.Tensor(("a", 2), "float32"):
        q = R.call_packed("side_effect", x, R.prim_value(3), ty_args=R.Tensor((2,), "float32"))
        return x
)py");
  ASSERT_EQ(module.functions.size(), 2U);
  EXPECT_EQ(main_of(module).body.blocks.size(), 2U);
  EXPECT_FALSE(module.functions[1].is_public);
  expect_round_trip(module);
}

TEST(Text, RoundTripsCallsOfTheHostAndEffects) {
  const Module module = parsed(R"py(
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool"), n_: R.Shape(["n"])):
        n = T.int64()
        a = R.call_pure_packed("f", x, 1, False, ty_args=(R.Tensor((n, 4), "float32"),))
        b = R.call_dps_packed("g", (x, a), out_ty=R.Tensor((n, 4), "float32"))
        d = R.call_dps_packed("h", (x,), out_ty=[R.Tensor((2,), "int32"), R.Tuple(R.Tensor((), "bool"))])
        e = R.call_inplace_packed("i", x, b, inplace_indices=[0], ty_args=(R.Tensor((n, 4), "float32"),))
        R.print(x, b, format=R.str("{} {}"))
        R.print(format=R.str("alone"))
        R.assert_op(c, x, format=R.str("x is {}"))
        R.assert_op(n % 8 == 0, format=R.str(""))
        if n * 2 >= 16:
            v = R.add(x, x)
        else:
            v = x
        o = R.null_value()
        cls = Module
        f = R.make_closure(cls.other, (x,))
        w = R.invoke_closure(f, (v,), ty_args=(R.Tensor((n, 4), "float32"),))
        s = R.memory.alloc_storage(R.shape([16]), 0, R.str("global"), R.dtype("uint8"))
        t = R.memory.alloc_tensor(s, 0, R.shape([4]), R.dtype("float32"), 0)
        u = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), 0, R.str("global"), ty_args=(R.Tensor((4,), "float32"),))
        R.memory.kill_tensor(t)
        R.memory.kill_storage(s)
        h = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (1,), ty_args=(R.Tensor(dtype="int64", ndim=1),))
        g = R.ccl.allgather(x, num_workers=2, in_group=True)
        return (w, g, d)
    @R.function
    def other(y: R.Tensor(("m", 4), "float32"), x: R.Tensor(("m", 4), "float32")) -> R.Tensor(("m", 4), "float32"):
        z = R.add(x, y)
        return z
)py");
  ASSERT_EQ(module.functions.size(), 2U);
  expect_round_trip(module);
  const std::string text = print(module);
  EXPECT_NE(text.find("R.print(x, b, format=R.str(\"{} {}\"))"), std::string::npos) << text;
  EXPECT_NE(text.find("R.assert_op(R.prim_value(n % 8 == 0), format=R.str(\"\"))"), std::string::npos) << text;
  EXPECT_NE(text.find("out_ty=R.Tuple(R.Tensor((2,), dtype=\"int32\")"), std::string::npos) << text;
}

TEST(Text, ReadsWhatTvmPrintsThoughTypesHereSayLess) {
  const Module module = parsed(R"py(
@I.ir_module
class Module:
    I.module_attrs({"external_mods": [metadata["ffi.Module"][0], metadata["ffi.Module"][1]]})
    @R.function(private=True)
    def main(k: T.int64, x: R.Tensor(dtype="float32", ndim=1), s: R.Shape(ndim=2), y: R.Tensor((16,), "float32")):
        free: R.Shape([3, 3])
        a: R.Tensor((k,), dtype="float32") = R.match_cast(x, R.Tensor((k,), dtype="float32"))
        b: R.Tensor(s, dtype="float32") = R.reshape(y, s)
        return (a, b)
)py");
  expect_round_trip(module);
  EXPECT_NE(print(module).find("[metadata[\"ffi.Module\"][0], metadata[\"ffi.Module\"][1]]"), std::string::npos);
  const TupleType* result = main_of(module).result_type.as_tuple();
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(result->fields[1].as_tensor()->rank, 2);
}

TEST(Text, IllFormedModulesOfTestsAreReadForWellFormedToJudge) {
  const auto fault = [](std::string_view body, std::string_view signature = kTwo) {
    const Module module = parsed(function_text(signature, body));
    const Module again = parsed(print(module));
    EXPECT_TRUE(structural_equal(module, again)) << print(module) << print(again);
    const std::optional<Error> found = well_formed(module);
    return found ? found->code : "";
  };
  EXPECT_EQ(fault("with R.dataflow():\n    a = R.add(x, x)\n    R.output()\nb = R.add(a, a)\nreturn b"),
            "form.dataflow-escape");
  EXPECT_EQ(fault("with R.dataflow():\n    if R.const(True, \"bool\"):\n        y = x\n    else:\n        y = x\n"
                  "    R.output(y)\nreturn y"),
            "form.control-flow-in-dataflow");
}

TEST(Text, CallsOfTheHostTakeNoOtherArguments) {
  EXPECT_EQ(error_code(function_text(kTwo, "a = R.print(x, end=R.str(\"\"))\nreturn x")), "parse.argument");
  EXPECT_EQ(error_code(function_text(kTwo, "a = R.invoke_closure(x, (x,), x)\nreturn x")), "parse.argument");
  EXPECT_EQ(error_code(function_text(kTwo, "a = R.call_dps_packed(\"f\")\nreturn x")), "type.arity");
}

TEST(Text, ConstantsKeepEveryBit) {
  const Module module = parsed(function_text(kTwo, R"py(
a = R.const([[1, 2], [3, -4]], "int8")
b = R.const([float("nan"), float("-inf"), -0.0, 0.1, 1e-45], "float32")
c = R.const(0.1, "float64")
d = R.const([9223372036854775807, -9223372036854775808], "int64")
e = R.const([[], []], "float16")
f = R.const([], "bool", (0, 3))
g = R.const(float("nan"), "bfloat16")
h = R.const("inf", "float32")
i = R.const([True, False], "bool")
j = R.const([18446744073709551615, 1], "uint64")
k = R.const([448.0, float("nan"), -0.001953125], "float8_e4m3fn")
l = R.const([[-8, 7], [0, -1]], "int4")
m = R.const([3, 0, 1], "uint2")
n = R.const([-6.0, 0.5], "float4_e2m1fn")
o = R.const([5.877471754111438e-39, 2.0, float("nan")], "float8_e8m0fnu")
return (a, b)
)py"));
  expect_round_trip(module);
  const auto& bindings = main_of(module).body.blocks[0].bindings;
  const Tensor& floats = *as<Constant>(bindings[1].value)->tensor;
  EXPECT_EQ(as_double(floats, 3), static_cast<double>(0.1F));
  EXPECT_EQ(as_double(floats, 4), std::numeric_limits<float>::denorm_min());
  EXPECT_TRUE(std::signbit(as_double(floats, 2)));
  EXPECT_EQ(as<Constant>(bindings[5].value)->tensor->shape(), (std::vector<std::int64_t>{0, 3}));
  EXPECT_EQ(as_double(*as<Constant>(bindings[7].value)->tensor, 0), std::numeric_limits<double>::infinity());
}

// As TVM 0.27 prints it, with the JSON of one constant.
TEST(Text, ConstantsInMetadataAreRead) {
  const std::string text = R"py(
metadata = tvm.ir.load_json("""{\"root_index\": 5, \"nodes\": [{\"type\": \"ffi.String\", \"data\": \"ir.GenericConst\"},
  {\"type\": \"None\"}, {\"type\": \"ffi.Tensor\", \"data\":
  \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQAAAAAAAAAAAAMAAAAAAAAAAAAAAAAAAAA=\"},
  {\"type\": \"ir.GenericConst\", \"data\": {\"span\": 1, \"value\": 2}}, {\"type\": \"ffi.Array\", \"data\": [3]},
  {\"type\": \"ffi.Map\", \"data\": [0, 4]}], \"metadata\": {\"tvm_version\": \"0.27.0\"}}""")
)py" + function_text(kTwo, "a = metadata[\"ir.GenericConst\"][0]\nreturn a");
  const Module module = parsed(text);
  const Tensor& tensor = *as<Constant>(main_of(module).body.blocks[0].bindings[0].value)->tensor;
  EXPECT_EQ(to_string(tensor), "float32[0, 3] []");
  expect_round_trip(module);
  std::string missing = text;
  missing.replace(missing.rfind("[0]"), 3, "[1]");
  EXPECT_EQ(parse_text(missing).error().code, "parse.metadata");
}

// Of four elements of int4, TVM writes the two bytes that hold them and the two bytes that follow in memory.
TEST(Text, PackedConstantsInMetadataAreRead) {
  const std::string text = R"py(
metadata = tvm.ir.load_json("""{\"root_index\": 5, \"nodes\": [{\"type\": \"ffi.String\", \"data\": \"ir.GenericConst\"},
  {\"type\": \"None\"}, {\"type\": \"ffi.Tensor\", \"data\":
  \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAAEAQAEAAAAAAAAAAQAAAAAAAAAEhNsPg==\"},
  {\"type\": \"ir.GenericConst\", \"data\": {\"span\": 1, \"value\": 2}}, {\"type\": \"ffi.Array\", \"data\": [3]},
  {\"type\": \"ffi.Map\", \"data\": [0, 4]}], \"metadata\": {\"tvm_version\": \"0.27.0\"}}""")
)py" + function_text(kTwo, "a = metadata[\"ir.GenericConst\"][0]\nreturn a");
  const Module module = parsed(text);
  const Tensor& tensor = *as<Constant>(main_of(module).body.blocks[0].bindings[0].value)->tensor;
  EXPECT_EQ(to_string(tensor), "int4[4] [2, 1, 3, 1]");
}

TEST(Text, ScalarsStandWhereOpsTakeTensors) {
  const Module module =
      parsed(function_text("x: R.Tensor((2, 3), \"float32\"), n: T.float32, b: T.bool", R"py(
c = R.multiply(x, n)
d = R.add(R.prim_value(T.float32(0.5)), c)
e = R.less(n, R.prim_value(T.float32(2.0)))
f = R.equal(R.const(1, "int64"), R.prim_value(1))
if b:
    g = d
else:
    g = c
return (g, e, f)
)py"));
  const auto& bindings = main_of(module).body.blocks[0].bindings;
  EXPECT_TRUE(equal(bindings[1].var->type, tensor_type({2, 3}, DType::float32)));
  EXPECT_TRUE(equal(bindings[2].var->type, prim_type(DType::boolean)));
  EXPECT_TRUE(equal(bindings[3].var->type, tensor_type({1}, DType::boolean)));
  expect_round_trip(module);
}

TEST(Text, PrintsTheSpellingThatTvmReads) {
  const Module module = parsed(function_text("x: R.Tensor((\"n\", 3), \"float32\")", R"py(
with R.dataflow():
    y = R.add(x, R.const(2, "float32"))
    R.output(y)
return y
)py"));
  EXPECT_EQ(print(module), R"py(# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), dtype="float32")) -> R.Tensor(("n", 3), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            y: R.Tensor((n, 3), dtype="float32") = R.add(x, R.const(2.0, "float32"))
            R.output(y)
        return y
)py");
}

TEST(Text, LeavesWhatTvmWouldMisreadToItsInference) {
  const Module module = parsed(function_text("x: R.Tensor((\"n\", 3), \"float32\")", R"py(
n = T.int64()
a = R.concat((x, x), axis=0)
b = R.split(a, indices_or_sections=[2], axis=0)
c = R.const([], "float32", (0, 3))
d = R.const([1, -2, 7], "int4")
return (a, b, c, d)
)py"));
  const std::string text = print_for_tvm(module);
  EXPECT_NE(text.find("a: R.Tensor((n + n, 3), dtype=\"float32\") = "), std::string::npos) << text;
  EXPECT_NE(text.find(" b = R.split("), std::string::npos) << text;
  EXPECT_NE(text.find("R.const(np.zeros((0, 3)), \"float32\")"), std::string::npos) << text;
  EXPECT_NE(text.find("R.const(tvm.runtime.tensor(np.array([225, 7], \"uint8\"))._create_view((3,), \"int4\"))"), std::string::npos)
      << text;
}

TEST(Text, NamesBecomeUniqueIdentifiers) {
  const Type type = tensor_type({2}, DType::float32);
  const Var a = make_var("a b", type);
  const Var b = make_var("a_b", type);
  const Var keyword = make_var("lambda", type);
  SeqExpr body{.blocks = {}, .result = make_tuple({var_expr(a), var_expr(b), var_expr(keyword)})};
  const Module module{
      .functions = {{.name = "main", .function = make_function({a, b, keyword}, std::move(body))}}};
  expect_round_trip(module);
  EXPECT_NE(print(module).find("return (a_b, a_b_1, lambda_)"), std::string::npos) << print(module);
}

TEST(Text, NestedCallsAreBoundToNewVariables) {
  const Module module = parsed(function_text(kTwo, "y = R.add(R.add(x, x), x)\nreturn R.negative(y)"));
  EXPECT_EQ(count_bindings(module), 3);
  expect_round_trip(module);
}

// As passes for targets with several kinds of memory leave them: TVM then takes the result's device from what is declared.
TEST(Text, RoundTripsDevicesThatAreDeclaredAtCallsOfOps) {
  const Module module = parsed(R"py(
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"kind": "llvm"}, 0, "global"), I.vdevice({"kind": "llvm"}, 1, "global")]})
    @R.function
    def main(x: R.Tensor((2,), "float32", vdevice="llvm:0"), y: R.Tensor((2,), "float32", vdevice="llvm:1")):
        z: R.Tensor((2,), "float32", vdevice="llvm:1") = R.add(x, y, ty_args=(R.Tensor((2,), "float32", vdevice="llvm:1"),))
        return z
)py");
  EXPECT_EQ(main_of(module).result_type.as_tensor()->vdevice, 1);
  EXPECT_FALSE(has_faithful_text(module)) << "TVM's parser refuses what TVM prints";
  expect_round_trip(module);
}

// TVM numbers devices among those that the module lists, and gives -1 to others.
TEST(Text, ListsDevicesThatTheModuleDoesNot) {
  const Module module = parsed(R"py(
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"kind": "cuda"}, 1, "global")]})
    @R.function
    def main(x: R.Tensor((2,), "float32", vdevice="cuda:-1:global"), y: R.Tensor((2,), "float32", vdevice="cuda:0:global")):
        z: R.Tensor((2,), "float32", vdevice="cuda:-1:global") = x
        return (z, y)
)py");
  ASSERT_EQ(module.vdevices.size(), 2U);
  EXPECT_EQ(module.vdevices[1], (VDevice{.target = "cuda"}));
  EXPECT_EQ(main_of(module).params[0]->type.as_tensor()->vdevice, 1);
  EXPECT_EQ(main_of(module).params[1]->type.as_tensor()->vdevice, 0);
  expect_round_trip(module);
}

TEST(Text, LeavesOutTheAttributesThatLoweringKeepsAtCallsOfTheHost) {
  const Module module = parsed(function_text(
      kTwo, R"py(y: R.Any = R.call_packed("f", x, attrs_type_key="relax.attrs.ToVDeviceAttrs", dst_vdevice=I.vdevice({"kind": "llvm"}, 1, "global"), ty_args=(R.Any,))
return y)py"));
  EXPECT_TRUE(structural_equal(module, parsed(function_text(kTwo, "y: R.Any = R.call_packed(\"f\", x, ty_args=(R.Any,))\nreturn y"))));
}

TEST(Text, WhatTvmPrintsForNewAndOldVersionsIsTheSameModule) {
  const Module old_style = parsed(R"py(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 2), dtype="float32"), o: R.Object) -> R.Object:
        n = T.int64()
        z = R.matmul(x, R.const([[1.0], [2.0]], "float32"), out_dtype="void")
        y: R.Object = R.call_packed("f", x, R.prim_value(n), sinfo_args=(R.Object,))
        return y
)py");
  const Module new_style = parsed(R"py(
# from typing import TypeVar
n = TypeVar("n")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((n, 2), dtype="float32"), o: R.Any) -> R.Any:
        z = R.matmul(x, R.const([[1.0], [2.0]], "float32"))
        y: R.Any = R.call_packed("f", x, n, ty_args=(R.Any,))
        return y

# Metadata omitted. Use show_meta=True in script() method to show it.
)py");
  EXPECT_TRUE(structural_equal(old_style, new_style));
}

TEST(Text, AnnotationsMayBeMoreGeneralButNotContradict) {
  const Module module = parsed(function_text(kTwo, "y: R.Tensor(ndim=2) = R.add(x, x)\nreturn y"));
  const TensorType* type = main_of(module).body.blocks[0].bindings[0].var->type.as_tensor();
  EXPECT_FALSE(type->dtype.has_value());
  expect_round_trip(module);
  EXPECT_EQ(error_code(function_text(kTwo, "y: R.Tensor((2, 4), \"float32\") = R.add(x, x)\nreturn y")),
            "type.annotation");
  EXPECT_EQ(error_code(function_text(kTwo, "y = R.match_cast(x, R.Tensor((2, 3), \"int8\"))\nreturn y")),
            "type.match-cast");
}

TEST(Text, ErrorsSayWhere) {
  const Result<Module> module = parse_text(function_text(kTwo, "y = R.add(x, x)\nreturn z"));
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().code, "parse.undefined-name");
  EXPECT_EQ(module.error().message, "line 4, column 12: `z` is not defined");
}

TEST(Text, ErrorsHaveStableCodes) {
  const auto code = [](std::string_view body) { return error_code(function_text(kTwo, body)); };
  EXPECT_EQ(code("return metadata[\"ir.GenericConst\"][0]"), "parse.metadata");
  EXPECT_EQ(code("y = R.no_such_op(x)\nreturn y"), "parse.unknown-op");
  EXPECT_EQ(code("y = R.add(x, x, x)\nreturn y"), "parse.argument");
  EXPECT_EQ(code("y = R.add(x, R.const([1.0, 2.0], \"float32\"))\nreturn y").substr(0, 5), "type.");
  EXPECT_EQ(code("y = R.const([[1], [2, 3]], \"int32\")\nreturn y"), "parse.constant");
  EXPECT_EQ(code("y = R.const(300, \"int8\")\nreturn y"), "parse.constant");
  EXPECT_EQ(code("y = R.add(x, x)"), "parse.return");
  EXPECT_EQ(code("return x\ny = x"), "parse.statement");
  EXPECT_EQ(code("y = \"abc\nreturn x"), "parse.character");
  EXPECT_EQ(code("while x:\n    pass\nreturn x"), "parse.statement");
  EXPECT_EQ(code("R.func_attr({\"a\": 9223372036854775808})\nreturn x"), "parse.number");
  EXPECT_EQ(code("y = R.call_packed(\"f\", ty_args=R.Callable(None, R.Object, 3))\nreturn x"), "parse.type");
  EXPECT_EQ(code("if R.const(True, \"bool\"):\n    a = x\nelse:\n    b = x\nreturn x"), "parse.if-value");
  EXPECT_EQ(code("y = (x, x)[2]\nreturn y"), "type.tuple-index");
  EXPECT_EQ(code("y = R.match_cast(x, R.Tensor((2, q), \"float32\"))\nreturn q.w"), "parse.undefined-name");
  EXPECT_EQ(error_code("x = 1"), "parse.statement");
  EXPECT_EQ(error_code(""), "parse.empty");
  EXPECT_EQ(error_code("@T.prim_func\ndef f():\n    T.unheard_of()\n"), "parse.unsupported");
}

TEST(Text, IsUtf8AndEscapesAreCharacters) {
  EXPECT_EQ(error_code(function_text(kTwo, "y = R.str(\"\xFF\")\nreturn x")), "parse.encoding");
  const Module module = parsed(function_text(kTwo, "y = R.str(\"\\xe9\\x41\")\nreturn y"));
  EXPECT_EQ(as<StringImm>(main_of(module).body.blocks[0].bindings[0].value)->value,
            "\xC3\xA9"
            "A");
  expect_round_trip(module);
}

TEST(Text, NestingIsCapped) {
  const std::string deep(100'000, '(');
  EXPECT_EQ(error_code(function_text(kTwo, "return " + deep)), "parse.nesting");
  EXPECT_EQ(error_code(function_text(kTwo, "return " + std::string(100'000, '-') + "1")), "parse.nesting");
  std::string sum = "return x";
  for (int i = 0; i < 1'000; ++i) sum += " + x";
  EXPECT_EQ(error_code(function_text(kTwo, sum)), "parse.nesting");
  std::string blocks;
  for (std::size_t i = 0; i < 1'000; ++i) blocks += std::string(i, ' ') + "if x:\n";
  EXPECT_EQ(error_code(function_text(kTwo, blocks)), "parse.nesting");
  std::string long_list = "[";
  for (int i = 0; i < 1 << 21; ++i) long_list += "1,";
  EXPECT_EQ(error_code(long_list), "parse.size");
}

TEST(Text, TruncatedAndGarbledTextFailsWithoutHarm) {
  const auto bytes = campaign_bytes(3, 5, 2048);
  Choices choices(bytes);
  const std::string text = print(generate_test_case(choices).module);
  for (std::size_t end = 0; end < text.size(); end += 7) (void)parse_text(text.substr(0, end));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string garbled = text;
    garbled[i] = "()[]:,.\n\"=x0#"[i % 13];
    (void)parse_text(garbled);
  }
}

TEST(Text, EveryGeneratedModuleSurvivesPrintAndParse) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const auto bytes = campaign_bytes(1, i, 2048);
    Choices choices(bytes);
    expect_round_trip(generate_test_case(choices).module);
  }
}

TEST(Text, UnfaithfulTextIsKnown) {
  EXPECT_TRUE(has_faithful_text(parsed(function_text(kTwo, "return R.const(float(\"nan\"), \"float32\")"))));
  EXPECT_FALSE(has_faithful_text(parsed(function_text("s: R.Shape([])", "return s"))));
  EXPECT_FALSE(has_faithful_text(parsed(function_text(kTwo, "return R.const([], \"int8\", (0, 2))"))));
  EXPECT_FALSE(has_faithful_text(parsed(function_text(kTwo, "return R.const([1, 2], \"int4\")"))));
  EXPECT_FALSE(has_faithful_text(parsed(function_text(kTwo, "y: R.Object = x\nreturn y"))));
}

}  // namespace
}  // namespace passdiff
