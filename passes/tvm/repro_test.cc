#include "passes/tvm/repro.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "passes/contract.h"
#include "passes/tvm/repro_module.h"

namespace passdiff {
namespace {

constexpr std::string_view kTwoOps = R"py(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.multiply(x, w)
            R.output(y)
        return y
)py";

Value pair(double first, double second) { return make_tensor(Tensor{DType::float32, Tensor::Floats{first, second}}); }

ReproRequest request(std::string symptom, std::string detail, Pipeline pipeline = {{"Normalize"}}) {
  TestCase test{parse_text(kTwoOps).value(), "main", {pair(1, 2), pair(0, 0)}};
  CallPlan plan = direct_plan("main", 2);
  return {std::move(test), std::move(pipeline), std::move(plan), std::move(symptom), {}, std::move(detail)};
}

std::string script(const ReproRequest& wanted, const ReproFacts& facts = {}) {
  return tvm_repro_script(wanted, facts).value();
}
// What stands after the module, from the first definition or statement on.
std::string tail(const ReproRequest& wanted, const ReproFacts& facts = {}) {
  const std::string text = script(wanted, facts);
  const std::string_view end = "        return y\n\n\n";
  return text.substr(text.find(end) + end.size());
}

TEST(Repro, OfARefusalIsTheModuleAndThePass) {
  const Pipeline pipeline = {
      {"ConvertLayout", R"({"desired_layouts": {"relax.nn.conv2d": ["NHWC", "OHWI"]}})"}};
  EXPECT_EQ(
      script(request("internal-error", "Check failed:\n\"n\" is \\ lost", pipeline), {.version = "0.27.0"}),
      R"py("""ConvertLayout of TVM 0.27.0, internal-error: Check failed: 'n' is / lost
Exits 1 while the bug is there, 0 when it is gone, 2 if this environment is not fit."""
import sys
unfit = sys.excepthook = lambda *error: (sys.__excepthook__(*error), sys.exit(2))
from tvm import relax
from tvm.script import ir as I, relax as R
sys.excepthook = unfit  # importing tvm sets another


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32"), w: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.multiply(x, w)
            R.output(y)
        return y


transform = relax.transform.ConvertLayout(desired_layouts={"relax.nn.conv2d": ["NHWC", "OHWI"]})
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
transform(Module)
)py");
}

TEST(Repro, AppliesThePassesBeforeTheOneThatFails) {
  const Pipeline pipeline = {{"LegalizeOps"}, {"s_tir.HoistExpression"}, {"FuseOps"}, {"FuseTIR"}};
  EXPECT_EQ(tail(request("internal-error", "no", pipeline), {.failing_pass = 2}),
            R"py(before = relax.transform.LegalizeOps()(Module)
before = tvm.s_tir.transform.HoistExpression()(before)
transform = relax.transform.FuseOps()
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
transform(before)
)py");
  EXPECT_EQ(tail(request("internal-error", "no", {{"DispatchSortScan"}, {"D"}})),
            R"py(tvm.target.Target("llvm").__enter__()  # the current target, for which the pass asks
before = relax.backend.DispatchSortScan()(Module)
transform = relax.transform.D()
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
transform(before)
)py");
  EXPECT_EQ(tail(request("internal-error", "no", {{"A"}, {"B"}, {"C"}, {"D"}})), R"py(before = Module
for name in ("A", "B", "C"):
    before = getattr(relax.transform, name)()(before)
transform = relax.transform.D()
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
transform(before)
)py");
}

// LazyGetInput makes a parameter that is a function.
TEST(Repro, ForgetsShapesOfTensorsAloneBehindAnotherPass) {
  const PassCall forget = {"UpdateParamType", R"({"ty_func": {"$callable": "forget_shapes"}})"};
  const std::string guard = "    if isinstance(param.ty, relax.TensorType):\n        return relax.TensorType(";
  EXPECT_NE(script(request("internal-error", "no", {{"LazyGetInput"}, forget})).find(guard), std::string::npos);
  EXPECT_EQ(script(request("internal-error", "no", {forget})).find("isinstance"), std::string::npos);
}

TEST(Repro, OfACrashRunsThePassInAChild) {
  EXPECT_EQ(tail(request("crash", "SIGSEGV")), R"py(fork = multiprocessing.get_context("fork")
child = fork.Process(target=relax.transform.Normalize(), args=(Module,))
child.start()
child.join()
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
assert child.exitcode == 0, f"the compiler ends with {child.exitcode}"
)py");
  EXPECT_NE(tail(request("timeout", "no end")).find("daemon=True)\nchild.start()\nchild.join(60)"),
            std::string::npos);
  EXPECT_NE(tail(request("memory", "much")).find("resource.setrlimit("), std::string::npos);
}

TEST(Repro, OfAnIllFormedTargetAsksTvmsChecker) {
  EXPECT_EQ(tail(request("ill-formed", "main: w is never bound"), {.well_formed = false}),
            R"py(after = relax.transform.Normalize()(Module)
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
relax.analysis.well_formed(after)  # raises an error that names the fault
)py");
  const std::string unbound =
      "f: variable v of a function of TensorIR is not defined; the target does not compile: no";
  EXPECT_NE(tail(request("ill-formed", unbound)).find("\ntvm.s_tir.analysis.verify_well_formed(after)"),
            std::string::npos);
  const std::string text =
      tail(request("ill-formed", "main: call: 2 arguments; the target does not run: no"));
  EXPECT_NE(text.find("bug\ncompiled(after)[\"main\"](*args)\n"), std::string::npos) << text;
}

TEST(Repro, OfABlockThatDeclaresTooLittleAsksTvmsAnalysis) {
  const std::string detail = "target: undeclared-access in f (binding y): block T_add reads A[1], which its regions do not declare";
  EXPECT_EQ(tail(request("ill-formed", detail), {.define_analysis = "def undeclared(mod, function, name, buffer):\n    return None"}),
            R"py(def undeclared(mod, function, name, buffer):
    return None


after = relax.transform.Normalize()(Module)
found = undeclared(after, "f", "T_add", "A")
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
assert found is None, found
)py");
}

TEST(Repro, OfAWrongResultComparesSourceAndTarget) {
  EXPECT_EQ(tail(request("mismatch", "result element 0: 1 against 1.75 (float32)")),
            R"py(def compiled(mod):  # without the optimisations of the default pipeline
    off = "FoldConstant FuseOps FuseTIR RewriteDataflowReshape StaticPlanBlockMemory KillAfterLastUse"
    with tvm.transform.PassContext(disabled_pass=off.split()):
        return relax.VirtualMachine(tvm.compile(mod, "llvm"), tvm.cpu())


values = [np.array([1.0, 2.0], "float32"), np.zeros((2,), "float32")]
args = [tvm.runtime.tensor(value) for value in values]
expected = compiled(Module)["main"](*args).numpy()
after = relax.transform.Normalize()(Module)
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
actual = compiled(after)["main"](*args).numpy()
np.testing.assert_allclose(actual, expected, rtol=0.001, atol=0.25)
)py");
  // Of values that are close to each other, less than what sets them apart is tolerated.
  EXPECT_NE(tail(request("less-precise", "result element 1: 2 against 2.0006 (float32)"))
                .find("rtol=0.0001, atol=0.0002)"),
            std::string::npos);
  for (const char* detail : {"result: float32[2] against int8[2]", "result: float32[1, 2] against int8[1, 2]", "result: float32[] against float32[1]"})
    EXPECT_NE(tail(request("mismatch", detail)).find("assert (actual.dtype, actual.shape) == "), std::string::npos) << detail;
}

// LegalizeOps makes of each op what compiled code does.
TEST(Repro, OfWhatTheMachineComputesOfTheSourceTooComparesOneElement) {
  const std::string text =
      tail(request("mismatch", fmt::format("result element 1: -1 against 8 (float32); {}", kBuildErrsAlike)));
  EXPECT_NE(text.find(R"py(bug
actual = compiled(after)["main"](*args).numpy()
np.testing.assert_allclose(actual.flat[1], -1, rtol=0, atol=3)  # as documented
)py"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("compiled(Module)"), std::string::npos) << text;

  const auto compares = [](std::string_view detail, std::string_view comparison) {
    const std::string text = tail(request("mismatch", fmt::format("{}; {}", detail, kBuildErrsAlike)));
    EXPECT_NE(text.find(fmt::format("{}  # as documented\n", comparison)), std::string::npos) << text;
  };
  compares("result element 1: nan against 8 (float32)", "np.testing.assert_allclose(actual.flat[1], np.nan, rtol=0, atol=1)");
  compares("result element 0: -0 against 0 (float32)", "assert np.signbit(actual.flat[0]) == True");
  compares("result: float16[2] against float32[2]", R"(assert (str(actual.dtype), actual.shape) == ("float16", (2,)))");
  compares("result: float32[] against float32[1]", R"(assert (str(actual.dtype), actual.shape) == ("float32", ()))");
}

TEST(Repro, OfASourceThatFailsAlikeRunsTheTargetAlone) {
  const std::string text =
      tail(request("added-trap", fmt::format("target: a result of a negative size; the target does not run: bad_alloc; {}", kBuildErrsAlike)));
  EXPECT_NE(text.find("bug\ncompiled(after)[\"main\"](*args)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("compiled(Module)"), std::string::npos) << text;
}

TEST(Repro, OfASourceThatCompilesNoMoreThanTheTargetCompilesThatAlone) {
  const std::string text = tail(request("ill-formed", fmt::format("a buffer is not declared; {}; the target does not compile: no", kBuildErrsAlike)));
  EXPECT_NE(text.find("bug\ncompiled(after)\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("compiled(Module)"), std::string::npos) << text;
}

TEST(Repro, OfAFunctionOfTensorIrComparesItsBuffers) {
  ReproRequest alone = request("mismatch", "result[1] element 0: 1 against 1.75 (float32)");
  alone.test.module = parse_text(R"py(
@T.prim_func
def f(A: T.Buffer((2,), "float32"), n: T.int32, B: T.Buffer((2,), "float32")):
    for i in range(2):
        B[i] = A[i] + T.Cast("float32", n)
)py").value();
  alone.test.entry = "f";
  alone.test.arguments.insert(alone.test.arguments.begin() + 1, ScalarValue{DType::int32, std::int64_t{1}});
  alone.plan = direct_plan("f", 3);
  const std::string text = script(alone);
  EXPECT_NE(text.find(R"py(
def compiled(mod):  # the function returns what it leaves in copies of the tensors that it is given
    library = tvm.compile(mod, "llvm")

    def call(*args):
        args = [tvm.runtime.tensor(arg.numpy()) if isinstance(arg, tvm_ffi.Tensor) else arg for arg in args]
        library["f"](*args)
        return [arg for arg in args if isinstance(arg, tvm_ffi.Tensor)]
    return {"f": call}
)py"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("actual = compiled(after)[\"f\"](*args)[1].numpy()\nnp.testing.assert_allclose("), std::string::npos) << text;
  EXPECT_NE(text.find("import tvm_ffi\n"), std::string::npos) << text;
}

TEST(Repro, OfATargetThatKillsTheMachineRunsItInAChild) {
  const std::string text =
      tail(request("added-trap", "target: no; the target does not crash: the worker died"));
  EXPECT_NE(text.find("def run_target():\n    compiled(after)[\"main\"](*args)\n\n\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("compiled(Module)"), std::string::npos) << text;
}

TEST(Repro, CallsTheTargetByThePassesConvention) {
  ReproRequest lifted =
      request("mismatch", "result element 0: 1 against 2 (float32)", {{"LiftTransformParams"}});
  lifted.plan = {{{.function = "main_transform_params", .args = {{PlanTuple{{{ArgumentRef{1}}}}}}},
                  {.function = "main", .args = {{ArgumentRef{0}}, {StepResult{0, 0}}}}}};
  const std::string text = tail(lifted);
  EXPECT_NE(text.find(R"py(bug
machine = compiled(after)
result0 = machine["main_transform_params"]((args[1],))
result1 = machine["main"](args[0], result0[0])
actual = result1.numpy()
)py"),
            std::string::npos)
      << text;
}

TEST(Repro, HandsWeightsOutAndCollectsResults) {
  ReproRequest lazy =
      request("mismatch", "result element 0: 1 against 2 (float32)", {{"LazyTransformParams"}});
  lazy.plan = {{{.function = "f", .args = {}, .get_items = {{ArgumentRef{1}}}, .collects_set_items = true},
                {.function = "main",
                 .args = {{ArgumentRef{0}}, {GetCallback{{{StepResult{0, 0}}}}}, {SetCallback{}}},
                 .single_output = true}}};
  const std::string text = tail(lazy);
  EXPECT_NE(text.find(R"py(bug
tvm.register_global_func("get_item", lambda *call: items[call[-1]], override=True)
tvm.register_global_func("set_item", lambda *call: outputs.update({call[-2]: call[-1]}), override=True)
machine = compiled(after)
items = [args[1]]
outputs = {}
machine["f"]()
result0 = [outputs[index] for index in sorted(outputs)]
outputs = {}
machine["main"](args[0], lambda index, *_: [result0[0]][index], lambda index, value: outputs.update({index: value}))
result1 = outputs[0] if len(outputs) == 1 else [outputs[index] for index in sorted(outputs)]
)py"),
            std::string::npos)
      << text;
}

TEST(Repro, OfAWrongTypeInfersTheBindingAgain) {
  const ReproRequest wanted =
      request("wrong-type", "main: y is declared R.Tensor((3,)) and bound to R.Tensor((2,))");
  const ReproFacts facts{.target = wanted.test.module};
  EXPECT_EQ(tail(wanted, facts), R"py(after = relax.transform.Normalize()(Module)
binding = after["main"].body.blocks[0].bindings[0]
call = binding.value
again = relax.BlockBuilder(after).normalize(relax.Call(call.op, call.args, call.attrs, call.ty_args))
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
tvm.ir.assert_structural_equal(again.ty, binding.var.ty, map_free_vars=True)
)py");
  EXPECT_EQ(
      tail(request("wrong-type", "target: y: float32[1, 2] is no R.Tensor((2,), dtype=\"float32\")"), facts),
      R"py(after = relax.transform.Normalize()(Module)
declared = after["main"].body.blocks[0].bindings[0].var.ty  # but y is float32[1, 2]
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
assert declared.ndim == 2, declared
)py");
}

TEST(Repro, OfATypeThatTvmInfersWronglySaysWhichOneTheValueHas) {
  ReproRequest wanted = request("wrong-type", "main: y is declared R.Tensor(dtype=\"float32\", ndim=2) and bound to R.Tensor((2,))");
  wanted.test.module = parse_text(R"py(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor("float32", ndim=2)):
        y = R.shape_of(x)
        z = R.cumsum(x)
        return z
)py").value();
  Module target = wanted.test.module;
  Function main = *target.functions[0].function;
  const Type declared = main.params[0]->type;
  Binding& scan = main.body.blocks[0].bindings[1];
  scan.var = make_var("y", declared);
  main.body.result = var_expr(scan.var);
  target.functions[0].function = std::make_shared<const Function>(std::move(main));
  const std::string text = script(wanted, {.target = target, .inferred = declared});
  EXPECT_NE(text.find(R"py(
declared = after["main"].body.blocks[0].bindings[1].var.ty  # but the value is R.Tensor(dtype="float32", ndim=1)
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
assert declared.ndim == 1, declared
)py"),
            std::string::npos)
      << text;
  const std::string again = script(wanted, {.target = target});
  EXPECT_NE(again.find("again.ty, binding.var.ty"), std::string::npos) << "TVM itself may infer another type: " << again;
}

TEST(Repro, OfABrokenPromiseChecksThatPromise) {
  const auto has = [](const std::string& symptom, const std::string& statements) {
    const std::string text = tail(request(symptom, "no"));
    EXPECT_NE(text.find(statements), std::string::npos) << text;
  };
  has("input-mutated", "assert Module.script(show_meta=True) == before");
  has("not-idempotent",
      "transform = relax.transform.Normalize()\nafter = transform(Module)\nagain = transform(after)\n");
  has("nondeterministic", "others = [transform(Module) for _ in range(16)]");
  has("sequential-differs", "again = tvm.transform.Sequential([transform])(Module)\n");
  has("other-effects", "assert actual.getvalue() == expected.getvalue()");
  ReproRequest lost = request("not-kept", "main loses its attribute num_input");
  lost.site = "kept.attribute num_input";
  EXPECT_NE(tail(lost).find(R"(assert "num_input" in after["main"].attrs)"), std::string::npos);
  ReproRequest arity = request("signature", "main: takes 3 arguments, 2 by the convention");
  arity.site = "convention.arity";
  EXPECT_NE(tail(arity).find("assert len(after[\"main\"].params) == 2"), std::string::npos);
}

TEST(Repro, WritesOptionsAsWhatTheyMean) {
  const auto made = [](const std::string& pass, const std::string& options) {
    const std::string text = tail(request("internal-error", "no", {{pass, options}}));
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(made("CombineParallelMatmul", R"({"check": {"$callable": "always"}})"),
            "transform = relax.transform.CombineParallelMatmul(check=lambda *_: True)");
  EXPECT_EQ(made("ToMixedPrecision", R"({"out_dtype": {"$dtype": "float16"}})"),
            "transform = relax.transform.ToMixedPrecision(out_dtype=\"float16\")");
  EXPECT_EQ(made("F", R"({"a": {"$param": "w"}, "b": {"$vdevice": 1}, "c": [null, true]})"),
            "transform = relax.transform.F(a=Module[\"main\"].params[1], "
            "b=Module.global_infos[\"vdevice\"][1], c=[None, True])");
  const std::string under = R"({"a": 1, "$target": {"kind": "cuda", "host": {"kind": "llvm"}}})";
  EXPECT_NE(tail(request("internal-error", "no", {{"F", under}}))
                .find(R"(transform = under({"host": {"kind": "llvm"}, "kind": "cuda"}, relax.transform.F(a=1)))"),
            std::string::npos);
  EXPECT_NE(tail(request("internal-error", "no", {{"dlight.gpu.Matmul"}}))
                .find(R"(transform = under("nvidia/geforce-rtx-3090", dlight.ApplyDefaultSchedule(dlight.gpu.Matmul())))"),
            std::string::npos);
  EXPECT_NE(tail(request("internal-error", "no", {{"dlight.gpu.Matmul", R"({"$target": "vulkan"})"}})).find(R"(under("vulkan", dlight.)"),
            std::string::npos);
  EXPECT_EQ(
      tvm_repro_script(request("internal-error", "no", {{"F", R"({"a": {"$opaque": "f"}})"}})).error().code,
      "repro.options");
}

TEST(Repro, NamesThePatternsThatMayMatch) {
  const std::string text = tail(request("internal-error", "no", {{"FuseOpsByPattern"}}));
  EXPECT_EQ(text, R"py(patterns = [("passdiff.multiplied", is_op("relax.multiply")(wildcard(), wildcard()))]
transform = relax.transform.FuseOpsByPattern(patterns=patterns)
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
transform(Module)
)py");
  const std::string later = tail(request("internal-error", "no", {{"A"}, {"FuseOpsByPattern"}}));
  EXPECT_NE(later.find("passdiff.matmul_bias"), std::string::npos)
      << "a pass before may bring the ops in: " << later;
}

TEST(Repro, LoadsThePassesOfAPlugin) {
  const ReproFacts facts{.plugin = {"/home/me/my passes.py", {"Mine"}}};
  const std::string text = tail(request("internal-error", "no", {{"Mine", R"({"n": 1})"}}), facts);
  EXPECT_NE(text.find(R"py(passes = {}
sys.modules["passdiff_plugin"] = types.SimpleNamespace(register=register)
runpy.run_path("/home/me/my passes.py")
transform = passes["Mine"](n=1)
sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug
transform(Module)
)py"),
            std::string::npos)
      << text;
}

TEST(Repro, DropsAnnotationsThatSayWhatIsInferred) {
  const auto text = [](const std::string& body) {
    return module_class(
        parse_text("@R.function\ndef main(x: R.Tensor((\"n\", 2), \"float32\")):\n" + body).value());
  };
  EXPECT_NE(
      text("    y: R.Tensor((n, 2), \"float32\") = R.exp(x)\n    return y\n").find("        y = R.exp(x)\n"),
      std::string::npos);
  EXPECT_NE(text("    y: R.Tensor(ndim=2) = R.exp(x)\n    return y\n")
                .find("        y: R.Tensor(ndim=2) = R.exp(x)\n"),
            std::string::npos);
  EXPECT_NE(text("    y = R.concat((x, x), axis=0)\n    return y\n").find("        y: R.Tensor((n + n, 2), "),
            std::string::npos);
}

TEST(Repro, SaysOtherwiseWhatTvmsParserRefuses) {
  const Module module = parse_text(R"py(
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((2,), "float32", vdevice="llvm:1:global")):
        @R.function
        def f(p: R.Tensor((2,), "float32", vdevice="llvm:1:global")) -> R.Tensor((2,), "float32", vdevice="llvm:1:global"):
            return p
        y = f(x)
        z = R.inspect.tensor_shape_i(x, R.prim_value(0))
        return (y, z)
)py")
                            .value();
  const std::string text = module_class(module);
  EXPECT_TRUE(
      text.starts_with("vdevices = [I.vdevice(\"llvm\", 0, \"global\"), I.vdevice(\"llvm\", 1, "
                       "\"global\")]\n\n\n@I.ir_module"))
      << text;
  EXPECT_NE(text.find("I.module_global_infos({\"vdevice\": vdevices})"), std::string::npos) << text;
  EXPECT_NE(text.find("def f(p: R.Tensor((2,), dtype=\"float32\", vdevice=vdevices[1]))"), std::string::npos)
      << text;
  EXPECT_NE(
      text.find("z = relax.Call(tvm.ir.Op.get(\"relax.inspect.tensor_shape_i\"), [x, R.prim_value(0)])\n"),
      std::string::npos)
      << text;
}

TEST(Repro, ABlockOutsideOfAScheduledFunctionIsNoReasonToRefuseTheModule) {
  const Module module = parse_text(R"py(
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def f(a: T.Buffer((T.int64(1),), "float32")):
        with T.sblock("b"):
            v = T.axis.spatial(T.int64(1), T.int64(0))
            T.reads()
            T.writes(a[v])
            a[v] = T.float32(0.0)
)py")
                            .value();
  EXPECT_TRUE(module_class(module).starts_with("@I.ir_module(check_well_formed=False)\n")) << module_class(module);
}

TEST(Repro, SaysLoweredModulesAsTvmReadsThem) {
  ReproRequest lowered = request("internal-error", "no");
  lowered.test.module = parse_text(R"py(
n = TypeVar("n")

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def copy(a: T.Buffer((n,), "float32"), b: T.Buffer((n,), "float32")):
        T.func_attr({"tirx.noalias": True})
        for i in range(n):
            with T.sblock("b"):
                v_i = T.axis.spatial(n, i)
                T.reads(a[v_i])
                T.writes(b[v_i])
                b[v_i] = a[v_i]

    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32")):
        y = R.builtin.alloc_tensor(R.shape([2]), R.dtype("float32"), R.prim_value(0), R.str("global"), ty_args=(R.Tensor((2,), "float32"),))
        z = Module.copy(x, y)
        return y
)py")
                            .value();
  const std::string text = script(lowered);
  EXPECT_NE(text.find("\"\"\"\nfrom __future__ import annotations\nfrom typing import TypeVar\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n\nn = TypeVar(\"n\")\n\n\n@I.ir_module\n"), std::string::npos) << text;
  EXPECT_NE(text.find("R.prim_value(0), R.str(\"global\"))\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace passdiff
