#include "oracle/findings/cause.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/text/text.h"
#include "oracle/test_modules.h"

namespace passdiff {
namespace {

using Words = std::set<std::string>;

Verdict verdict(Symptom symptom, std::string pass, std::string site) {
  return {.symptom = symptom, .check = "c", .culprit = std::move(pass), .site = std::move(site), .detail = {}};
}
Cause wrong(Symptom symptom, const Module& source, const Module& target, std::string pass = "P") {
  return cause_of(verdict(symptom, std::move(pass), symptom == Symptom::mismatch ? "" : "float-to-int"), source, source, &target);
}

TEST(Cause, WhatFunctionsOfInlinedBlocksWereMadeOfIsChance) {
  const auto [two, one] = inlining();
  const Cause cause = cause_of(verdict(Symptom::mismatch, "P", ""), adds(), two, &one);
  EXPECT_EQ(cause.features, Words{});
}

// One bug gives wrong numbers, or an index out of range, as the arguments have it.
TEST(Cause, WrongValuesAreNamedByWhatThePassDid) {
  const Cause mismatch = wrong(Symptom::mismatch, adds(), subtracts());
  const Cause undefined = wrong(Symptom::added_undefined, adds(), subtracts());
  EXPECT_TRUE(compare_causes(mismatch, undefined).same);
  EXPECT_EQ(name_of(mismatch), name_of(undefined));
  const Module multiplies = module_of(kTwo, "        a = R.multiply(x, y)\n        return a\n");
  const Likeness other = compare_causes(mismatch, wrong(Symptom::mismatch, adds(), multiplies));
  EXPECT_FALSE(other.same);
  EXPECT_EQ(other.because, "one changes +subtract, -add, the other +multiply, -add");
}

// Whether the sizes are known decides whether another shape is a wrong result or a type that the compiler's own checker refuses.
TEST(Cause, ATypeThatTheCompilersCheckerRefusesIsOneOfOurs) {
  Verdict refused = verdict(Symptom::ill_formed, "P", "form.wrong-type");
  refused.detail = "the subject's own well-formedness checker rejects the target";
  refused.complaint = "Expression of type R.Tensor(dtype=\"float32\", ndim=1) cannot be assigned to a variable of type R.Tensor((2,), dtype=\"float32\")";
  const Cause form = cause_of(refused, adds(), adds(), nullptr);
  EXPECT_EQ(form.features, Words{"another-shape"});
  const Module target = subtracts();
  EXPECT_TRUE(compare_causes(cause_of(refused, adds(), adds(), &target), wrong(Symptom::mismatch, adds(), target)).same);
}

// Which op got the attribute, and of which dtype it was, is where the bug shows; the attribute is what the pass did.
TEST(Cause, WhicheverOpGotAnotherAttributeOneCauseGaveIt) {
  const auto matmul = [](std::string_view dtype, std::string_view out) {
    return module_of(fmt::format("x: R.Tensor((2, 2), \"{}\")", dtype), fmt::format("        a = R.matmul(x, x, out_dtype=\"{}\")\n        return a\n", out));
  };
  const auto pooled = [](std::string_view layout) {
    return module_of("x: R.Tensor((1, 2, 2, 2), \"float32\")",
                     fmt::format("        a = R.nn.avg_pool2d(x, pool_size=[1, 1], layout=\"NCHW\", out_layout=\"{}\")\n        return a\n", layout));
  };
  const Cause integers = wrong(Symptom::mismatch, matmul("int8", "int32"), matmul("int8", "float32"));
  const Cause doubles = wrong(Symptom::less_precise, matmul("float64", "float64"), matmul("float64", "float32"));
  EXPECT_EQ(integers.edit, (Words{"~.out_dtype"}));
  EXPECT_TRUE(compare_causes(integers, doubles).same);
  EXPECT_FALSE(compare_causes(integers, wrong(Symptom::mismatch, pooled("NCHW"), pooled("NHWC"))).same);
}

// The table belongs to what the passes share.
TEST(Cause, ErrorsThatMissOneEntryAtOnePlaceAreOneCauseWhateverThePass) {
  const auto missing = [](std::string pass, const std::string& table) {
    Verdict error = verdict(Symptom::internal_error, std::move(pass), "InternalError@block_builder.cc:Normalizer::InferType");
    error.detail = "Check failed: (" + table + ".count(op)) is false: no entry";
    return cause_of(error, adds(), adds(), nullptr);
  };
  EXPECT_TRUE(compare_causes(missing("P", "infer_"), missing("Q", "infer_")).same);
  EXPECT_FALSE(compare_causes(missing("P", "infer_"), missing("Q", "purity_")).same);
}

// Which op computes in the place of a value that lives on is chance, and so is which op made that value.
TEST(Cause, CallsInPlaceAreNamedByWhatTheyOverwrite) {
  const auto in_place = [](const std::string& op, const std::string& made, const std::string& rule) {
    const Module source = module_of(kTwo, "        a = R." + made + "(x, axis=0)\n        b = R." + op + "(a, a)\n        return (a, b)\n");
    const Module target = parse_text(R"(
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(a: T.Buffer((T.int64(2), T.int64(2)), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((2, 2), "float32"), y: R.Tensor((2, 2), "float32")):
        cls = Module
        a = R.)" + made + R"((x, axis=0)
        b = R.call_tir_inplace(cls.f, (a,), inplace_indices=[0], out_ty=R.Tensor((2, 2), dtype="float32"))
        return (a, b)
)").value();
    return cause_of(verdict(Symptom::added_undefined, "P", rule), source, source, &target);
  };
  const Cause sum = in_place("add", "flip", "use-after-kill");
  EXPECT_EQ(sum.edit, (Words{"+call_tir_inplace"}));
  EXPECT_TRUE(compare_causes(sum, in_place("multiply", "cumsum", "use-after-kill")).same);
  EXPECT_FALSE(compare_causes(sum, in_place("add", "flip", "write-to-input")).same);
}

TEST(Cause, WhatAnInPlaceCallHasTakenIsUsedAgainByWhateverWasMerged) {
  const auto merged = [](const std::string& vanished) {
    const Module source = module_of(kTwo, "        a = R." + vanished + "(x)\n        b = R." + vanished + "(x)\n        return (a, b)\n");
    const Module target = module_of(kTwo, "        a = R." + vanished + "(x)\n        return (a, a)\n");
    Verdict taken = verdict(Symptom::added_undefined, "P", "use-after-kill");
    taken.detail = "target: use-after-kill in tensor (binding return): its memory was handed to an in-place call";
    return cause_of(taken, source, source, &target);
  };
  EXPECT_TRUE(compare_causes(merged("exp"), merged("tanh")).same);
}

TEST(Cause, OperatorsOfTwoDtypesAreRefusedAtOnePlace) {
  const auto refused = [](const std::string& node) {
    return cause_of(verdict(Symptom::internal_error, "P", "TypeError@expr.cc:tvm::prim::" + node), adds(), adds(), nullptr);
  };
  EXPECT_TRUE(compare_causes(refused("LE::LE"), refused("Sub::Sub")).same);
  EXPECT_FALSE(compare_causes(refused("LE::LE"), refused("Ramp::lanes")).same);
  EXPECT_TRUE(is_thrown_alike(refused("LE::LE"), verdict(Symptom::internal_error, "P", "TypeError@expr.cc:tvm::prim::Sub::Sub")));
}

// A cast that outlives its block does so whatever op it was made for.
TEST(Cause, BindingsThatAreUsedWhereTheyAreNotAreNamedByWhatWasAdded) {
  const auto escapes = [](const std::string& before, const std::string& after) {
    const Module source = module_of(kTwo, "        a = R." + before + "\n        return a\n");
    const Module target = module_of(kTwo, "        b = R.astype(x, \"float16\")\n        a = R." + after + "\n        return a\n");
    return cause_of(verdict(Symptom::ill_formed, "P", "form.dataflow-escape"), source, source, &target);
  };
  const Cause attribute = escapes("matmul(x, y, out_dtype=\"float32\")", "matmul(x, y, out_dtype=\"float64\")");
  EXPECT_EQ(attribute.edit, (Words{"+astype"}));
  EXPECT_TRUE(compare_causes(attribute, escapes("add(x, y)", "add(y, x)")).same);
}

// ConvertLayout converts a convolution, and errs in an op behind it that it does not change.
TEST(Cause, AnOpThatThePassLeftAloneTellsWrongValuesApart) {
  const auto module = [](std::string_view op, std::string_view layout) {
    return module_of("x: R.Tensor((1, 2, 2, 2), \"float32\")",
                     fmt::format("        a = R.nn.avg_pool2d(x, pool_size=[1, 1], layout=\"NCHW\", out_layout=\"{}\")\n        b = R.{}\n        return b\n", layout, op));
  };
  const Cause repeated = wrong(Symptom::mismatch, module("repeat(a, repeats=2)", "NCHW"), module("repeat(a, repeats=2)", "NHWC"));
  const Cause flipped = wrong(Symptom::mismatch, module("flip(a, axis=1)", "NCHW"), module("flip(a, axis=1)", "NHWC"));
  EXPECT_TRUE(repeated.features.contains("op repeat"));
  EXPECT_FALSE(compare_causes(repeated, flipped).same);
}

// A pass drops out_dtype: where the type is declared the target is ill-formed, behind a match_cast it returns another dtype.
TEST(Cause, AResultOfAnotherTypeIsLikeADeclarationOfAnother) {
  const auto doubled = [](std::string_view attribute, bool cast) {
    return module_of(kTwo, fmt::format("        a = R.matmul(x, y{})\n{}        return {}\n", attribute,
                                       cast ? "        n = T.int64()\n        b = R.match_cast(a, R.Tensor((n, 2)))\n" : "", cast ? "b" : "a"));
  };
  const auto shown = [](Symptom symptom, const Module& source, const Module& target) {
    return cause_of(verdict(symptom, "P", "form.wrong-type"), source, source, &target);
  };
  const std::string_view given = ", out_dtype=\"float16\"";
  const Cause declared = shown(Symptom::wrong_type, doubled(given, false), doubled("", false));
  const Cause returned = shown(Symptom::mismatch, doubled(given, true), doubled("", true));
  EXPECT_EQ(returned.kind, CauseKind::form);
  EXPECT_TRUE(compare_causes(declared, returned).same) << compare_causes(declared, returned).because;
}

// A pass that makes blocks errs in their domains, whichever operation it lowers; what they leave undeclared may lie in one operation.
TEST(Cause, ADomainThatIsLeftIsThePassesWhateverItLowers) {
  const auto lowered = [](std::string_view op, std::string_view site) {
    const Module source = module_of("x: R.Tensor((2,), \"float32\")", fmt::format("        a = R.{}(x)\n        return a\n", op));
    const Module target = module_of("x: R.Tensor((2,), \"float32\")", "        return x\n");
    return cause_of(verdict(Symptom::ill_formed, "P", std::string(site)), source, source, &target);
  };
  EXPECT_TRUE(compare_causes(lowered("exp", "iteration-domain"), lowered("abs", "iteration-domain")).same);
  EXPECT_FALSE(compare_causes(lowered("exp", "undeclared-access"), lowered("abs", "undeclared-access")).same);
}

// A pass that forgets shapes meets the type inference of each operation.
TEST(Cause, ATypeThatIsWrongWithoutAnEditIsThatOfItsInference) {
  const auto typed = [](std::string_view op, std::string pass = "P") {
    const Module target = module_of("x: R.Tensor(\"float32\", ndim=2)", fmt::format("        a = R.{}(x)\n        return a\n", op));
    Verdict wrong = verdict(Symptom::wrong_type, std::move(pass), "form.wrong-type");
    wrong.detail = "main: a is declared R.Tensor(ndim=2) and bound to R.Tensor(ndim=1)";
    return cause_of(wrong, target, target, &target);
  };
  EXPECT_TRUE(typed("cumsum").features.contains("inference of cumprod"));
  EXPECT_TRUE(compare_causes(typed("cumsum"), typed("cumprod")).same);
  EXPECT_TRUE(compare_causes(typed("cumsum"), typed("cumprod", "Q")).same) << "whichever pass asks for it";
  EXPECT_FALSE(compare_causes(typed("cumsum"), typed("flatten")).same);
}

// LegalizeOps defines the sizes of a slice by a match_cast, which TopologicalSort moves behind their use.
TEST(Cause, WhatEarlierPassesDefineIsNeededLikeWhatTheSourceDefines) {
  const Module cast = module_of("x: R.Tensor(\"float32\", ndim=1)",
                                "        n = T.int64()\n        a = R.match_cast(x, R.Tensor((n,), \"float32\"))\n        return a\n");
  const Module plain = module_of("x: R.Tensor(\"float32\", ndim=1)", "        a = R.negative(x)\n        return a\n");
  const Verdict unbound = verdict(Symptom::ill_formed, "P", "form.undefined-symbol");
  const Cause own = cause_of(unbound, cast, cast, &cast);
  const Cause made = cause_of(unbound, plain, cast, &cast);
  EXPECT_TRUE(made.features.contains("match-cast"));
  EXPECT_TRUE(compare_causes(own, made).same) << compare_causes(own, made).because;
}

TEST(Cause, AnErrorIsNamedByItsPlaceWhateverOpsLedThere) {
  const Module other = module_of("x: R.Tensor((2,), \"int32\")", "        a = R.sum(x)\n        return a\n");
  const Verdict thrown = verdict(Symptom::internal_error, "P", "InternalError@p.cc:tvm::relax::P::Visit");
  const Cause a = cause_of(thrown, adds(), adds(), nullptr);
  const Cause b = cause_of(thrown, other, other, nullptr);
  EXPECT_EQ(compare_causes(a, b).because, "both are thrown at InternalError@p.cc:tvm::relax::P::Visit");
  EXPECT_TRUE(is_thrown_alike(a, thrown));
  EXPECT_FALSE(is_thrown_alike(a, verdict(Symptom::internal_error, "Q", thrown.site)));
}

// ConvertLayout makes a permute_dims of rank 0, at which Gradient fails.
TEST(Cause, AnErrorInTheRuntimesContainersNeedsWhatEarlierPassesMake) {
  const Verdict thrown = verdict(Symptom::internal_error, "P", "IndexError@seq_base.h:tvm::ffi::SeqBaseObj::operator");
  const Module mean = module_of("x: R.Tensor((1,), \"float32\")", "        a = R.mean(x)\n        return a\n");
  const Module made = module_of("x: R.Tensor((1,), \"float32\")", "        b = R.mean(x)\n        a = R.permute_dims(b)\n        return a\n");
  const Module own = module_of("x: R.Tensor((), \"float32\")", "        a = R.permute_dims(x)\n        return a\n");
  EXPECT_TRUE(compare_causes(cause_of(thrown, own, own, nullptr), cause_of(thrown, mean, made, nullptr)).same);
  EXPECT_FALSE(compare_causes(cause_of(thrown, own, own, nullptr), cause_of(thrown, mean, mean, nullptr)).same);
}

// Every pass goes through the containers of the runtime: an index that fails there tells nothing of the pass.
TEST(Cause, AnErrorInTheRuntimesContainersNeedsMoreThanItsPlace) {
  const Verdict thrown = verdict(Symptom::internal_error, "P", "IndexError@seq_base.h:tvm::ffi::SeqBaseObj::operator");
  const Module other = module_of(kTwo, "        a = R.matmul(x, y)\n        return a\n");
  EXPECT_FALSE(compare_causes(cause_of(thrown, adds(), adds(), nullptr), cause_of(thrown, other, other, nullptr)).same);
  EXPECT_FALSE(is_thrown_alike(cause_of(thrown, adds(), adds(), nullptr), thrown));
}

TEST(Cause, AnErrorInTheRuntimesContainersIsNamedByTheStructureThatItNeeds) {
  const Verdict thrown = verdict(Symptom::internal_error, "P", "KeyError@map_base.h:tvm::ffi::MapBaseObj::At");
  const auto symbolic = [](const std::string& call) {
    return module_of("x: R.Tensor((\"n\",), \"float32\")", "        a = " + call + "\n        return a\n");
  };
  const Module sums = symbolic("R.sum(x)"), reshapes = symbolic("R.expand_dims(x, axis=[0])");
  EXPECT_TRUE(compare_causes(cause_of(thrown, sums, sums, nullptr), cause_of(thrown, reshapes, reshapes, nullptr)).same);
}

// MergeCompositeFunctions makes no group of a symbolic variable, which an argument may be, or hold.
TEST(Cause, ErrorsThatMissAnEntryOfOneTableForOneStructureAreOne) {
  const auto missing = [](std::string_view dim, std::string site, std::string message) {
    const Module module = module_of(fmt::format("x: R.Tensor(({},), \"float32\")", dim), "        a = R.negative(x)\n        return a\n");
    Verdict error = verdict(Symptom::internal_error, "P", std::move(site));
    error.detail = std::move(message);
    return cause_of(error, module, module, nullptr);
  };
  const std::string visit = "InternalError@utils.h:VisitExpr_", update = "InternalError@merge.cc:Update";
  const Cause one = missing("\"n\"", visit, "Check failed: (memo_.count(var)) is false: ");
  EXPECT_TRUE(compare_causes(one, missing("\"n\"", update, "Check failed: (memo_.count(expr)) is false: no group")).same);
  EXPECT_FALSE(compare_causes(one, missing("\"n\"", update, "Check failed: (groups_.count(expr)) is false")).same);
  EXPECT_FALSE(compare_causes(one, missing("\"n\"", update, "Check failed: (expr.defined()) is false")).same);
  EXPECT_FALSE(compare_causes(missing("2", visit, "Check failed: (memo_.count(var)) is false: "),
                              missing("2", update, "Check failed: (memo_.count(expr)) is false: no group")).same);
}

// Each op's inference refuses a constant in its own place, and in the same words.
TEST(Cause, ErrorsThatSayTheSameOfTwoOpsAreOne) {
  const auto refused = [](std::string_view op, std::string_view said) {
    const Module module = module_of("x: R.Tensor((2,), \"float64\")", fmt::format("        a = R.{}(x)\n        return a\n", op));
    Verdict error = verdict(Symptom::internal_error, "P", fmt::format("InternalError@{}.h:tvm::topi::{}", op, op));
    error.detail = std::string(said);
    return cause_of(error, module, module, nullptr);
  };
  const Cause exp = refused("exp", "Check failed: exp: only support float32 for now");
  EXPECT_TRUE(compare_causes(exp, refused("tanh", "Check failed: tanh: only support float32 for now")).same);
  EXPECT_FALSE(compare_causes(exp, refused("tanh", "Check failed: tanh: of no operand")).same);
  EXPECT_FALSE(compare_causes(exp, refused("tanh", "Check failed: exp: only support float32 for now")).same) << "it speaks of no op of the module";
  EXPECT_FALSE(compare_causes(refused("exp", "expanded"), refused("tanh", "expanded")).same) << "a part of a word names no op";
}

// All calls of functions are typed at one place, whatever their arguments lack.
TEST(Cause, ErrorsOfArgumentsThatLackOtherThingsAreTwo) {
  const auto refused = [](std::string given) {
    Verdict error = verdict(Symptom::internal_error, "P", "ValueError@type_analysis.cc:Derive");
    error.detail = "Argument 0 type mismatch: expected R.Tensor((2,), dtype=\"float32\"), given " + std::move(given);
    return error;
  };
  const auto cause = [&](std::string given) { return cause_of(refused(std::move(given)), adds(), adds(), nullptr); };
  const std::string on_a_device = "R.Tensor((2,), dtype=\"float32\", vdevice=\"llvm:0:global\")";
  const std::vector<std::string> given = {"R.Any", on_a_device, "R.Tensor((3,), dtype=\"float32\")", "R.Tensor((2,), dtype=\"float16\")"};
  for (const std::string& one : given) {
    for (const std::string& other : given) {
      EXPECT_EQ(compare_causes(cause(one), cause(other)).same, one == other) << one << " against " << other;
      EXPECT_EQ(name_of(cause(one)) == name_of(cause(other)), one == other) << one << " against " << other;
      EXPECT_EQ(is_thrown_alike(cause(one), refused(other)), one == other) << one << " against " << other;
    }
  }
}

TEST(Cause, ACrashUnderAnotherPassIsAtOnePlaceWithTheSameSignal) {
  EXPECT_TRUE(are_at_one_place(Symptom::crash, "SIGSEGV", "SIGSEGV tvm::relax::RewriteCall"));
  EXPECT_FALSE(are_at_one_place(Symptom::crash, "SIGSEGV", "SIGFPE tvm::relax::RewriteCall"));
  EXPECT_FALSE(are_at_one_place(Symptom::internal_error, "TypeError@a.cc:F", "TypeError@a.cc:G"));
}

// The sizes decide whether what a rewrite makes has the shape of what was there.
TEST(Cause, AnotherShapeAfterTheSameEditIsLikeOtherValues) {
  const auto shown = [](std::string detail) {
    Verdict wrong = verdict(Symptom::wrong_type, "P", "form.wrong-type");
    wrong.detail = std::move(detail);
    const Module target = subtracts();
    return cause_of(wrong, adds(), adds(), &target);
  };
  const Cause values = wrong(Symptom::mismatch, adds(), subtracts());
  const Cause shape = shown("main: a is declared R.Tensor((2, 1), dtype=\"float32\") and bound to R.Tensor((2, 2), dtype=\"float32\")");
  EXPECT_TRUE(compare_causes(values, shape).same);
  EXPECT_TRUE(compare_causes(shape, values).same);
  EXPECT_TRUE(compare_causes(shape, shown("target: return: float32[2, 2] is no R.Tensor((2, 1), dtype=\"float32\"); it does not run")).same);
  const Cause dtype = shown("main: a is declared R.Tensor((2, 2), dtype=\"float32\") and bound to R.Tensor((2, 2), dtype=\"float16\")");
  EXPECT_FALSE(compare_causes(values, dtype).same);
  EXPECT_FALSE(compare_causes(shape, dtype).same);
  EXPECT_FALSE(compare_causes(wrong(Symptom::mismatch, adds(), adds()), shape).same);
}

// An index before the start of a string fills the memory, or dies; elementwise ops are handled alike.
TEST(Cause, WhatUndefinedBehaviourOfTheCompilerLeadsToIsChance) {
  const auto dies = [](std::string_view call, Symptom symptom) {
    const Module module = module_of("x: R.Tensor((1, 1), \"float32\")", fmt::format("        a = R.{}\n        return a\n", call));
    return cause_of(verdict(symptom, "P", symptom == Symptom::crash ? "SIGSEGV" : ""), module, module, nullptr);
  };
  const Cause hangs = dies("squeeze(x, axis=[-2])", Symptom::memory);
  EXPECT_TRUE(compare_causes(hangs, dies("squeeze(x, axis=[-1])", Symptom::crash)).same);
  EXPECT_FALSE(compare_causes(hangs, dies("flip(x, axis=0)", Symptom::crash)).same);
  EXPECT_TRUE(compare_causes(dies("add(x, x)", Symptom::crash), dies("multiply(x, x)", Symptom::crash)).same);
  EXPECT_FALSE(compare_causes(dies("add(x, x)", Symptom::crash), dies("negative(x)", Symptom::crash)).same);
}

// Passes that share what dies are found by running each on the other's case; an operation in the structure that the compiler dies of is chance,
// but then one case alone does not tell.
TEST(Cause, CrashesThatNeedTheSameStructureMayDifferInPassAlone) {
  const auto crash = [](std::string pass, std::set<std::string> features) {
    return Cause{.kind = CauseKind::crash, .symptom = Symptom::crash, .passes = {std::move(pass)}, .site = "SIGSEGV", .edit = {}, .features = std::move(features)};
  };
  const Cause p = crash("P", {"if", "op unary", "symbolic-dim"});
  const Cause q = crash("Q", {"if", "nn.conv1d.groups", "op nn.conv1d", "symbolic-dim"});
  EXPECT_TRUE(differ_in_pass_alone(p, q));
  EXPECT_FALSE(one_case_tells(p, q));
  EXPECT_TRUE(one_case_tells(p, crash("Q", {"if", "op unary", "scalar", "symbolic-dim"})));
  EXPECT_FALSE(differ_in_pass_alone(p, crash("Q", {"op nn.conv1d", "symbolic-dim"})));
  EXPECT_FALSE(differ_in_pass_alone(crash("P", {"op unary"}), crash("Q", {"op nn.conv1d"})));
}

// A call that does not type is thrown at one place, whichever pass has made it so.
TEST(Cause, OneCaseTellsOfErrorsWhoseModulesNeedTheSame) {
  const auto error = [](std::string site, std::set<std::string> features) {
    return Cause{.kind = CauseKind::error, .passes = {"P"}, .site = std::move(site), .edit = {}, .features = std::move(features)};
  };
  const std::string place = "ValueError@analysis.cc:Derive", container = "RuntimeError@optional.h:tvm::ffi::Optional";
  EXPECT_TRUE(one_case_tells(error(place, {"call-local", "op take"}), error(place, {"op flip", "take.mode"})));
  EXPECT_FALSE(one_case_tells(error(place, {"call-local"}), error(place, {"vdevice"})));
  EXPECT_TRUE(one_case_tells(error(container, {"if", "op quantize"}), error(container, {"op quantize"})));
  EXPECT_FALSE(one_case_tells(error(container, {"if"}), error(container, {"if"})));
}

TEST(Cause, AWrongDerivativeIsNamedByTheOpsBesideThoseThatMakeTheLoss) {
  const auto loss = [](const std::string& op, const std::string& reduced) {
    return module_of(kTwo, "        a = R." + op + "\n        b = R." + reduced + "(a)\n        return b\n");
  };
  const auto cause = [&](const Module& source) {
    return cause_of(verdict(Symptom::wrong_derivative, "P", "derivatives.slope"), source, source, &source);
  };
  const Cause summed = cause(loss("cumsum(x, exclusive=True)", "sum"));
  EXPECT_TRUE(compare_causes(summed, cause(loss("cumsum(x, exclusive=True)", "mean"))).same);
  EXPECT_FALSE(compare_causes(summed, cause(loss("matmul(x, y)", "sum"))).same);
  // What passes before have made of the source is what was differentiated.
  const Module made = loss("cumsum(x, exclusive=True)", "sum");
  const Cause behind = cause_of(verdict(Symptom::wrong_derivative, "P", "derivatives.slope"), loss("matmul(x, y)", "sum"), made, &made);
  EXPECT_TRUE(compare_causes(summed, behind).same);
}

TEST(Cause, FeaturesThatOneNeedsAndTheOtherDoesNotLeaveOneCause) {
  const Module symbolic = module_of("x: R.Tensor((\"n\", 2), \"float32\"), y: R.Tensor((\"n\", 2), \"float32\")",
                                    "        a = R.add(x, y)\n        return a\n");
  const Module symbolic_after = module_of("x: R.Tensor((\"n\", 2), \"float32\"), y: R.Tensor((\"n\", 2), \"float32\")",
                                          "        a = R.subtract(x, y)\n        return a\n");
  Cause plain = wrong(Symptom::mismatch, adds(), subtracts());
  const Cause special = wrong(Symptom::mismatch, symbolic, symbolic_after);
  EXPECT_TRUE(compare_causes(plain, special).same);
  join(plain, special);
  EXPECT_TRUE(plain.features.empty());
}

TEST(Cause, PassesTellCausesApartUntilTheyAreJoined) {
  Cause p = wrong(Symptom::mismatch, adds(), subtracts(), "P");
  const Cause q = wrong(Symptom::mismatch, adds(), subtracts(), "Q");
  EXPECT_FALSE(compare_causes(p, q).same);
  EXPECT_TRUE(differ_in_pass_alone(p, q));
  join(p, q);
  EXPECT_EQ(p.passes, (std::vector<std::string>{"P", "Q"}));
  EXPECT_TRUE(compare_causes(p, q).same);
}

// Errors in the containers of the runtime are compared by running them, if an operation that both need may be why.
TEST(Cause, ErrorsInContainersMayDifferInPassAloneWhereAnOpIsInBoth) {
  const auto error = [](std::string pass, std::set<std::string> features) {
    return Cause{.kind = CauseKind::error, .passes = {std::move(pass)}, .site = "RuntimeError@optional.h:tvm::ffi::Optional", .edit = {}, .features = std::move(features)};
  };
  EXPECT_TRUE(differ_in_pass_alone(error("P", {"op quantize", "quantize.axis"}), error("Q", {"if", "op quantize"})));
  EXPECT_FALSE(differ_in_pass_alone(error("P", {"op quantize", "quantize.axis"}), error("Q", {"if", "op take"})));
}

TEST(Cause, OneCaseTellsOfIllFormedTargetsAfterTheSameEdit) {
  const auto ill_formed = [](std::set<std::string> edit) {
    return Cause{.kind = CauseKind::form, .symptom = Symptom::ill_formed, .passes = {"P"}, .site = "form.dataflow-escape", .edit = std::move(edit), .features = {}};
  };
  EXPECT_TRUE(one_case_tells(ill_formed({"-tuple-get-item"}), ill_formed({"-tuple", "-tuple-get-item"})));
  EXPECT_FALSE(one_case_tells(ill_formed({"-tuple-get-item"}), ill_formed({"-tuple"})));
  EXPECT_FALSE(one_case_tells(ill_formed({}), ill_formed({}))) << "nothing says what the passes share";
}

TEST(Cause, WhichElementwiseOpDefinedWhatIsOutOfScopeIsChance) {
  const auto ill_formed = [](std::string site, std::set<std::string> edit) {
    return Cause{.kind = CauseKind::form, .symptom = Symptom::ill_formed, .passes = {"P"}, .site = std::move(site), .edit = std::move(edit), .features = {"local-function"}};
  };
  EXPECT_TRUE(compare_causes(ill_formed("form.undefined-var", {"-exp"}), ill_formed("form.undefined-var", {"-sigmoid"})).same);
  EXPECT_FALSE(compare_causes(ill_formed("form.undefined-var", {"-exp"}), ill_formed("form.undefined-var", {"-add"})).same);
  EXPECT_FALSE(compare_causes(ill_formed("form.wrong-type", {"-exp"}), ill_formed("form.wrong-type", {"-sigmoid"})).same);
}

TEST(Cause, WhatAFunctionWithAnUndeclaredBufferComputesIsChance) {
  Verdict found = verdict(Symptom::ill_formed, "P", "form.undefined-var");
  const Module source = adds(), target = subtracts();
  EXPECT_NE(cause_of(found, source, source, &target).edit, Words{});
  found.detail = "f: buffer x is not declared";
  EXPECT_EQ(cause_of(found, source, source, &target).edit, Words{});
}

TEST(Cause, APassThatHangsOnAnOpHangsOnLargerModulesWithIt) {
  const Module small = module_of(kTwo, "        a = R.squeeze(x)\n        return a\n");
  const Module large = module_of(kTwo, "        a = R.squeeze(x)\n        b = R.add(a, y)\n        return b\n");
  const Cause cause = cause_of(verdict(Symptom::memory, "P", ""), small, small, nullptr);
  EXPECT_TRUE(hangs_alike(cause, verdict(Symptom::timeout, "P", ""), large));
  EXPECT_FALSE(hangs_alike(cause, verdict(Symptom::timeout, "Q", ""), large));
  EXPECT_FALSE(hangs_alike(cause, verdict(Symptom::timeout, "P", ""), adds()));
  EXPECT_FALSE(hangs_alike(cause, verdict(Symptom::crash, "P", ""), large));
}

TEST(Cause, JsonReadsBack) {
  const Cause cause = wrong(Symptom::added_undefined, adds(), subtracts());
  const Cause again = cause_from_json(to_json(cause)).value();
  EXPECT_EQ(to_json(again), to_json(cause));
  EXPECT_EQ(name_of(again), name_of(cause));
  EXPECT_EQ(cause_from_json(nlohmann::json::object()).error().code, "cause.field");
}

}  // namespace
}  // namespace passdiff
