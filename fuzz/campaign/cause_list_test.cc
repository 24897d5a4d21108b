#include "fuzz/campaign/cause_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/ir/structural.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/filled.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/findings/part_findings.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

Finding ill_formed(std::set<std::string> features) {
  Finding finding;
  finding.cause = {.kind = CauseKind::form,
                   .symptom = Symptom::ill_formed,
                   .passes = {"P"},
                   .site = "form.undefined-var",
                   .edit = {},
                   .features = std::move(features)};
  return finding;
}

TEST(CauseList, LosesNoLikenessToTheFirstFindingByWhatIsMetLater) {
  ScriptedSubject subject;
  CauseList list;
  list.add(ill_formed({"if", "match-cast", "unknown-shape"}), "first");
  const MetCause* met = list.find(subject, ill_formed({"if", "unknown-shape"})).cause;
  ASSERT_NE(met, nullptr);
  EXPECT_EQ(met->finding.cause.features, (std::set<std::string>{"if", "unknown-shape"}));
  EXPECT_TRUE(list.has(ill_formed({"if", "match-cast", "unknown-shape"}).cause)) << "the first finding shows exactly this";
  EXPECT_FALSE(list.has(ill_formed({"if", "unknown-shape"}).cause));
  EXPECT_NE(list.find(subject, ill_formed({"if", "match-cast"})).cause, nullptr) << "it is like the first, and needs less";
  EXPECT_EQ(list.find(subject, ill_formed({"match-cast", "symbolic-dim"})).cause, nullptr);
}

// What has joined a cause shapes it: whoever takes the list up again must know that.
TEST(CauseList, IsRestoredAsItHasGrown) {
  ScriptedSubject subject;
  CauseList list;
  list.add(ill_formed({"if", "match-cast", "scalar"}), "known", true);
  list.add(ill_formed({"local-function", "symbolic-dim"}), "own");
  list.add(ill_formed({"float16", "tuple"}), "untouched", true);
  ASSERT_NE(list.find(subject, ill_formed({"if", "scalar"})).cause, nullptr);
  const std::vector<GrownCause> grown = list.grown();
  ASSERT_EQ(grown.size(), 2u);
  EXPECT_EQ(grown[0].folder, "known");
  EXPECT_EQ(grown[1].folder, "own");

  CauseList again;
  again.add(ill_formed({"if", "match-cast", "scalar"}), "known", true);
  again.add(ill_formed({"float16", "tuple"}), "untouched", true);
  again.add(ill_formed({"local-function"}), "own");
  again.restore(grown);
  EXPECT_EQ(again.causes()[0].finding.cause.features, (std::set<std::string>{"if", "scalar"}));
  EXPECT_EQ(again.causes()[1].finding.cause.features, (std::set<std::string>{"float16", "tuple"}));
  EXPECT_TRUE(again.has(ill_formed({"local-function", "symbolic-dim"}).cause)) << "as it was met, not as its case shows it now";
  EXPECT_EQ(again.find(subject, ill_formed({"if", "match-cast", "vdevice"})).cause,
            list.find(subject, ill_formed({"if", "match-cast", "vdevice"})).cause);
}

Module adds(std::string_view behind) {
  return parse_text("@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((1,), \"float32\")):\n        a = R.add(x, x)\n" +
                    std::string(behind))
      .value();
}
bool negates(const Module& module) {
  return any_binding<Enter::all>(module.functions.at(0).function->body, [](const Binding& binding) {
    const Call* call = as<Call>(binding.value);
    return call != nullptr && called_op(*call) == find_op("relax.negative");
  });
}

// It makes another operation of additions, at which a negation takes offence.
TransformReply wrong_sums(const Module& module) {
  if (!negates(module)) return ScriptedSubject::reply_of(parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), "float32")):
        a = R.subtract(x, x)
        return a
)").value());
  TransformReply reply;
  reply.result = Refused{"TypeError", "TypeError@op.cc:Infer", "no"};
  return reply;
}

Finding found_by(ScriptedSubject& subject, Pipeline pipeline, const Module& module, std::vector<Value> arguments) {
  Finding finding;
  finding.test = {module, "main", std::move(arguments)};
  finding.pipeline = std::move(pipeline);
  finding.checked = check(subject, finding.test, finding.pipeline, {});
  finding.cause = cause_of(subject, finding.test, finding.pipeline, finding.checked);
  return finding;
}
Finding found(ScriptedSubject& subject, const Module& module, Tensor::Floats values = {1}) {
  return found_by(subject, {{"P", "{}"}}, module, {make_tensor(Tensor{DType::float32, std::move(values)})});
}

TEST(CauseList, AnErrorHasTheCauseThatThePartBeforeItHas) {
  ScriptedSubject subject;
  Pass pass;
  pass.name = "P";
  subject.add(std::move(pass), [](const Module& module, const TransformOptions&) { return wrong_sums(module); });
  const Finding sum = found(subject, adds("        return a\n"));
  const Finding error = found(subject, adds("        b = R.negative(a)\n        return b\n"));
  EXPECT_EQ(sum.cause.kind, CauseKind::values);
  EXPECT_EQ(error.cause.kind, CauseKind::error);
  EXPECT_EQ(findings_in_parts(subject, error).size(), 4U) << "what the negation uses, what is left without it, the parameter, and another size";
  EXPECT_TRUE(findings_in_parts(subject, sum).empty());
  CauseList list;
  EXPECT_EQ(list.find(subject, error).cause, nullptr);
  list.add(sum, "sum");
  const MetCause* met = list.find(subject, error).cause;
  ASSERT_NE(met, nullptr);
  EXPECT_EQ(met->folder, "sum");
  CauseList errors;
  errors.add(error, "error");
  met = errors.find(subject, sum).cause;
  ASSERT_NE(met, nullptr) << "the error is what the pass stumbles over, having made another operation";
  EXPECT_EQ(met->folder, "error");
}

// Which operation takes offence first at what a pass has made is chance, and so is whether a campaign meets that by itself before.
TEST(CauseList, ErrorsWithAlikePartsHaveOneCause) {
  ScriptedSubject subject;
  Pass pass;
  pass.name = "P";
  subject.add(std::move(pass), [](const Module& module, const TransformOptions&) {
    TransformReply reply = wrong_sums(module);
    if (auto* refused = std::get_if<Refused>(&reply.result))
      refused->site = module.functions.at(0).function->body.blocks.at(0).bindings.size() == 2 ? "TypeError@op.cc:InferOne" : "TypeError@op.cc:InferTwo";
    return reply;
  });
  const Finding one = found(subject, adds("        b = R.negative(a)\n        return b\n"));
  const Finding two = found(subject, adds("        b = R.multiply(a, x)\n        c = R.negative(b)\n        return c\n"));
  EXPECT_FALSE(compare_causes(one.cause, two.cause).same);
  CauseList list;
  list.add(one, "one");
  EXPECT_NE(list.find(subject, two).cause, nullptr);
}

TEST(CauseList, WrongValuesHaveTheCauseThatThePartBeforeThemHas) {
  ScriptedSubject subject;
  Pass pass;
  pass.name = "P";
  subject.add(std::move(pass), [](const Module& module, const TransformOptions&) {
    const bool summed = module.functions.at(0).function->body.blocks.at(0).bindings.size() > 1;
    const std::string_view sum = "        b = R.sum(a)\n        return b\n";
    std::string target = print(adds(summed ? sum : "        return a\n"));
    return ScriptedSubject::reply_of(parse_text(target.replace(target.find("R.add"), 5, "R.subtract")).value());
  });
  const Finding whole = found(subject, adds("        b = R.sum(a)\n        return b\n"));
  const Finding part = found(subject, adds("        return a\n"));
  EXPECT_FALSE(compare_causes(part.cause, whole.cause).same) << "the sum has another operand, too";
  CauseList list;
  list.add(part, "part");
  EXPECT_NE(list.find(subject, whole).cause, nullptr);
}

// It makes another operation of additions, which wider rows do not fit; reduction has left zeros.
TEST(CauseList, AnErrorOfSizesHasTheCauseThatOtherSizesShow) {
  ScriptedSubject subject;
  Pass pass;
  pass.name = "P";
  const auto module = [](std::string_view op, int size) {
    return parse_text(fmt::format("@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor(({0},), \"float32\")):\n"
                                  "        a = R.{1}(x, x)\n        return a\n", size, op)).value();
  };
  subject.add(std::move(pass), [&](const Module& source, const TransformOptions&) {
    if (structural_equal(source, module("add", 2))) return ScriptedSubject::reply_of(module("subtract", 2));
    TransformReply reply;
    reply.result = Refused{"ValueError", "ValueError@op.cc:Infer", "no"};
    return reply;
  });
  const Finding two = found(subject, module("add", 2), {1, 2});
  EXPECT_EQ(two.cause.kind, CauseKind::values);
  for (const Finding& error : {found(subject, module("add", 1), {0}), found(subject, module("add", 3), {0, 0, 0})}) {
    EXPECT_EQ(error.cause.kind, CauseKind::error);
    CauseList list;
    list.add(two, "two");
    EXPECT_NE(list.find(subject, error).cause, nullptr) << print(error.test.module);
    CauseList errors;
    errors.add(error, "error");
    EXPECT_NE(errors.find(subject, two).cause, nullptr) << print(error.test.module);
  }
}

// It takes a row for a vector where a sum is broadcast, which fails between a scalar and a vector.
TEST(CauseList, AnErrorOfAScalarHasTheCauseThatAHigherRankShows) {
  ScriptedSubject subject;
  Pass pass;
  pass.name = "P";
  const auto module = [](std::string_view op, std::string_view x, std::string_view y) {
    return parse_text(fmt::format("@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor({0}, \"float32\"), y: R.Tensor({1}, "
                                  "\"float32\")):\n        a = R.{2}(x, y)\n        return a\n", x, y, op)).value();
  };
  subject.add(std::move(pass), [&](const Module& source, const TransformOptions&) {
    if (structural_equal(source, module("add", "(2,)", "(2, 2)"))) return ScriptedSubject::reply_of(module("subtract", "(2,)", "(2, 2)"));
    if (structural_equal(source, module("add", "(2,)", "(2,)"))) return ScriptedSubject::reply_of(source);
    TransformReply reply;
    reply.result = Refused{"ValueError", "ValueError@op.cc:Infer", "no"};
    return reply;
  });
  const auto finding = [&](const Module& given, std::vector<std::vector<std::int64_t>> shapes) {
    std::vector<Value> arguments;
    for (const auto& shape : shapes)
      arguments.emplace_back(make_tensor(filled_tensor(DType::float32, shape, [](std::size_t k) { return 1.0 + static_cast<double>(k); })));
    return found_by(subject, {{"P", "{}"}}, given, std::move(arguments));
  };
  const Finding rows = finding(module("add", "(2,)", "(2, 2)"), {{2}, {2, 2}});
  const Finding scalar = finding(module("add", "()", "(1,)"), {{}, {1}});
  EXPECT_EQ(rows.cause.kind, CauseKind::values);
  EXPECT_EQ(scalar.cause.kind, CauseKind::error);
  CauseList list;
  list.add(rows, "rows");
  EXPECT_NE(list.find(subject, scalar).cause, nullptr);
}

// A loop that comes to nothing where it has one iteration: what is wrong with the target is an error there.
TEST(CauseList, AnErrorInALoopOfOneIterationHasTheCauseThatALongerOneShows) {
  ScriptedSubject subject;
  const auto lowered = [](int size, std::string_view index) {
    return parse_text(fmt::format(R"(
@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(x: T.Buffer((T.int64({0}),), "float32"), y: T.Buffer((T.int64({0}),), "float32")):
        for i in range(T.int64({0})):
            with T.sblock("copy"):
                v = T.axis.spatial(T.int64({0}), i)
                T.reads(x[v])
                T.writes(y[v])
                y[v] = x[{1}]

    @R.function
    def main(x: R.Tensor(({0},), dtype="float32")) -> R.Tensor(({0},), dtype="float32"):
        cls = Module
        y = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor(({0},), dtype="float32"))
        return y
)", size, index)).value();
  };
  const Module source = adds("        return a\n");
  subject.add("Lower", [&](const Module& given) { return structural_equal(given, source) ? lowered(1, "v") : given; });
  Pass pass;
  pass.name = "P";
  subject.add(std::move(pass), [&](const Module& given, const TransformOptions&) {
    if (structural_equal(given, lowered(2, "v"))) return ScriptedSubject::reply_of(lowered(2, "T.int64(1) - v"));
    TransformReply reply;
    reply.result = Refused{"InternalError", "InternalError@modular_set.cc:Update", "no"};
    return reply;
  });
  const Finding longer = found(subject, lowered(2, "v"), {1, 2});
  const Finding error = found_by(subject, {{"Lower", "{}"}, {"P", "{}"}}, source, {make_tensor(Tensor{DType::float32, Tensor::Floats{1}})});
  EXPECT_EQ(longer.cause.kind, CauseKind::values);
  EXPECT_EQ(error.cause.kind, CauseKind::error);
  CauseList list;
  list.add(longer, "longer");
  EXPECT_NE(list.find(subject, error).cause, nullptr);
}

// An earlier pass writes the negation, the sum before it stays: which operation that pass takes for its own is chance.
TEST(CauseList, AnErrorHasTheCauseThatWhatThePassWasGivenShowsAlone) {
  ScriptedSubject subject;
  Pass writes;
  writes.name = "Writes";
  subject.add(std::move(writes), [](const Module&, const TransformOptions&) {
    return ScriptedSubject::reply_of(adds("        b = R.negative(a)\n        return b\n"));
  });
  Pass refuses;
  refuses.name = "P";
  subject.add(std::move(refuses), [](const Module& module, const TransformOptions&) {
    TransformReply reply = ScriptedSubject::reply_of(module);
    if (negates(module)) reply.result = Refused{"TypeError", "TypeError@op.cc:Infer", "no"};
    return reply;
  });
  const Finding whole = found_by(subject, {{"Writes", "{}"}, {"P", "{}"}}, adds("        b = R.subtract(x, a)\n        return b\n"),
                                 {make_tensor(Tensor{DType::float32, Tensor::Floats{1}})});
  ASSERT_EQ(whole.cause.kind, CauseKind::error);
  const std::vector<Finding> parts = findings_in_parts(subject, whole);
  const auto is_given_to_p = [](const Finding& part) { return part.pipeline.size() == 1 && negates(part.test.module); };
  EXPECT_TRUE(std::ranges::any_of(parts, is_given_to_p));
}

// The pass that dies of it is one of those that compilation runs.
TEST(CauseList, ATargetThatDoesNotCompileHasTheCauseOfThePassOfCompilationThatFailsOnIt) {
  ScriptedSubject subject;
  const Module source = adds("        return a\n");
  const Module target = adds("        b = R.negative(a)\n        return b\n");
  subject.add("Negate", [&](const Module&) { return target; });
  Pass lower;
  lower.name = "Lower";
  subject.add(std::move(lower), [](const Module& module, const TransformOptions&) {
    if (!negates(module)) return ScriptedSubject::reply_of(module);
    TransformReply reply;
    reply.result = Refused{"InternalError", "InternalError@lower.cc:Lower", "no"};
    return reply;
  });
  subject.set_build_pipeline({"Lower"});
  Finding fails = found_by(subject, {{"Negate", "{}"}}, source, {make_tensor(Tensor{DType::float32, Tensor::Floats{1}})});
  fails.cause = {.kind = CauseKind::form, .symptom = Symptom::does_not_compile, .passes = {"Negate"}, .site = "InternalError@codegen.cc", .edit = {}, .features = {}};
  CauseList list;
  list.add(found_by(subject, {{"Lower", "{}"}}, target, {make_tensor(Tensor{DType::float32, Tensor::Floats{1}})}), "lower");
  const Recognised met = list.find(subject, fails);
  ASSERT_NE(met.cause, nullptr);
  EXPECT_EQ(met.cause->folder, "lower");
}

// What it makes of the last binding, it uses in what it adds for the first ones.
TEST(CauseList, AnErrorOfDerivativesHasTheCauseThatThePartBehindItHas) {
  ScriptedSubject subject;
  Pass pass;
  pass.name = "P";
  // As of Gradient: what it differentiates its options say.
  pass.contract_for = [](const Contract& contract, std::string_view) {
    Contract result = contract;
    result.derivatives = Derivatives{.of = "main"};
    return result;
  };
  subject.add(std::move(pass), [](const Module& module, const TransformOptions&) {
    TransformReply reply;
    const bool whole = any_binding<Enter::all>(module.functions.at(0).function->body, [](const Binding& binding) {
      const Call* call = as<Call>(binding.value);
      return call != nullptr && called_op(*call) == find_op("relax.add");
    });
    reply.result = Refused{"TypeError", whole ? "TypeError@op.cc:Infer" : "ValueError@grad.cc:Gradient", "no"};
    return reply;
  });
  const Finding error = found(subject, adds("        b = R.negative(a)\n        return b\n"));
  const std::vector<Finding> parts = findings_in_parts(subject, error);
  const auto by_itself = [](const Finding& part) { return part.cause.site == "ValueError@grad.cc:Gradient"; };
  EXPECT_TRUE(std::any_of(parts.begin(), parts.end(), by_itself));
}

}  // namespace
}  // namespace passdiff
