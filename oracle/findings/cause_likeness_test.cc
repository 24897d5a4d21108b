#include <gtest/gtest.h>

#include <fmt/format.h>

#include "core/ir/walk.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/findings/cause.h"
#include "oracle/findings/finding.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

// A target that our IR cannot hold, and that does not compile, is known by where the compiler fails.
TEST(CauseLikeness, TargetsThatFailToCompileAtOnePlaceNeedSomeStructureInCommon) {
  const auto fails = [](std::string site, std::set<std::string> features) {
    return Cause{.kind = CauseKind::form, .symptom = Symptom::does_not_compile, .passes = {"P"}, .site = std::move(site), .edit = {}, .features = std::move(features)};
  };
  const std::string site = "InternalError@make_packed_api.cc:tvm::tirx::MakePackedAPI";
  const Cause slice = fails(site, {"scalar", "symbolic-dim"});
  EXPECT_TRUE(compare_causes(slice, fails(site, {"match-cast", "symbolic-dim"})).same);
  EXPECT_FALSE(compare_causes(slice, fails(site, {"match-cast", "if"})).same);
  EXPECT_FALSE(compare_causes(slice, fails("InternalError@lower.cc:Lower", {"match-cast", "symbolic-dim"})).same);
  Cause edited = fails(site, {"match-cast", "symbolic-dim"});
  edited.edit = {"-add"};
  EXPECT_FALSE(compare_causes(slice, edited).same) << "what the pass did tells more";
}

// What follows an operation that a pass replaces wrongly meets operands of another type, whatever it is.
TEST(CauseLikeness, TargetsThatFailToCompileAfterOneRewriteAreOneWhateverFollows) {
  const auto fails = [](std::set<std::string> edit) {
    return Cause{.kind = CauseKind::form,
                 .symptom = Symptom::does_not_compile,
                 .passes = {"P"},
                 .site = "AssertionError@utils.py:convert",
                 .edit = std::move(edit),
                 .features = {}};
  };
  const Cause before_argsort = fails({"-nn.layer_norm", "+mean", "~argsort"});
  EXPECT_TRUE(compare_causes(before_argsort, fails({"-nn.layer_norm", "+mean", "~bucketize"})).same);
  EXPECT_FALSE(compare_causes(before_argsort, fails({"-nn.layer_norm", "+mean", "+variance", "~bucketize"})).same);
  EXPECT_FALSE(compare_causes(fails({"~argsort"}), fails({"~bucketize"})).same) << "one of them may be what the pass gets wrong";
  EXPECT_FALSE(compare_causes(fails({"-add", "~.out_dtype"}), fails({"-add", "~.axis"})).same) << "an attribute may be, too";
}

// An error in a container of the runtime names no bug, and which pass meets it is chance: the operation that both need says where it lies.
TEST(CauseLikeness, ErrorsInContainersAtTheSameOperationsAreOneUnderWhateverPass) {
  const auto fails = [](std::string pass, std::string site, std::set<std::string> features) {
    return Cause{.kind = CauseKind::error, .symptom = Symptom::internal_error, .passes = {std::move(pass)}, .site = std::move(site), .edit = {}, .features = std::move(features)};
  };
  const std::string site = "RuntimeError@optional.h:tvm::ffi::Optional<T>::value";
  const Cause known = fails("P", site, {"op eye_like"});
  EXPECT_TRUE(compare_causes(known, fails("Q", site, {"op eye_like", "if", "match-cast"})).same);
  EXPECT_FALSE(compare_causes(known, fails("Q", site, {"op eye_like", "op take"})).same) << "another operation may be what fails";
  EXPECT_FALSE(compare_causes(known, fails("Q", site, {"op take"})).same);
  EXPECT_FALSE(compare_causes(known, fails("Q", "RuntimeError@array.h:at", {"op eye_like"})).same);
  EXPECT_FALSE(compare_causes(fails("P", site, {"if"}), fails("Q", site, {"if"})).same) << "no operation names what fails";
}

// An assertion of an analysis is at fault itself, whichever pass asks; an error in what passes call to check their own work is theirs.
TEST(CauseLikeness, AFailedAssertionOfAnArithmeticAnalysisIsOneCauseUnderWhateverPass) {
  const auto fails = [](std::string pass, std::string site) {
    return Cause{.kind = CauseKind::error, .symptom = Symptom::internal_error, .passes = {std::move(pass)}, .site = std::move(site), .edit = {}, .features = {}};
  };
  const std::string analysis = "InternalError@iter_affine_map.cc:tvm::sym::IterMapRewriter::PadDividendToDivisor";
  EXPECT_TRUE(compare_causes(fails("P", analysis), fails("Q", analysis)).same);
  EXPECT_FALSE(compare_causes(fails("P", analysis), fails("Q", "InternalError@iter_affine_map.cc:tvm::sym::InverseAffineIterMap")).same);
  const std::string schedule = "InternalError@compute_at.cc:tvm::s_tir::InverseAffineIterMap";
  EXPECT_FALSE(compare_causes(fails("P", schedule), fails("Q", schedule)).same);
}

// That blocks went is all that an edit says of inlining. A rounding that is lost with a block is another bug than a wrong value.
TEST(CauseLikeness, OfInlinedBlocksLostDigitsAndOtherValuesAreTwoCauses) {
  const auto computes = [](Symptom symptom, std::set<std::string> edit, std::set<std::string> features) {
    return Cause{
        .kind = CauseKind::values, .symptom = symptom, .passes = {"P"}, .site = {}, .edit = std::move(edit), .features = std::move(features)};
  };
  const std::set<std::string> inlined = {"-T.sblock", "-T.store"};
  const Cause rounding = computes(Symptom::less_precise, inlined, {"narrow-float"});
  EXPECT_TRUE(compare_causes(rounding, computes(Symptom::less_precise, inlined, {"narrow-float", "symbolic-dim"})).same);
  EXPECT_FALSE(compare_causes(rounding, computes(Symptom::mismatch, inlined, {})).same);
  EXPECT_TRUE(compare_causes(computes(Symptom::less_precise, {"-take"}, {}), computes(Symptom::mismatch, {"-take"}, {})).same)
      << "the op names the bug";
}

// FoldConstant legalises what LegalizeOps does, but calls of constants alone.
TEST(SameCause, ErrorsAtOnePlaceNeedOneModuleThatFailsUnderBothPasses) {
  const auto module = [](std::string_view operand) {
    return parse_text(fmt::format("@R.function\ndef main(x: R.Tensor((), \"float32\")):\n    y = R.exp({})\n    return y\n", operand)).value();
  };
  const auto has_no_constant = [](const Module& given) {
    return !any_binding(given.functions.front().function->body, [](const Binding& binding) {
      const Call* call = as<Call>(binding.value);
      return call != nullptr && as<Constant>(call->args.front()) != nullptr;
    });
  };
  for (const std::string site : {"InternalError@exp.cc:legalise", "TypeError"}) {
    ScriptedSubject subject;
    const auto refuse = [site](const Module&, const TransformOptions&) {
      TransformReply reply;
      reply.result = Refused{"InternalError", site, "not so"};
      return reply;
    };
    Pass wide, narrow;
    wide.name = "Wide";
    narrow.name = "Narrow";
    subject.add(wide, refuse);
    subject.add(narrow, [=](const Module& given, const TransformOptions& options) {
      return has_no_constant(given) ? ScriptedSubject::reply_of(given) : refuse(given, options);
    });
    const auto finding = [&](const std::string& pass, const Module& given) {
      const TestCase test{given, "main", {make_tensor(zeros(DType::float32, std::vector<std::int64_t>{}))}};
      Finding made{.test = test,
                   .pipeline = {{pass, "{}"}},
                   .checked = check(subject, test, {{pass, "{}"}}, {}),
                   .unreduced = {},
                   .unreduced_pipeline = {},
                   .signature = {},
                   .cause = {},
                   .origin = {}};
      made.cause = cause_of(subject, test, made.pipeline, made.checked);
      return made;
    };
    const Finding by_wide = finding("Wide", module("x"));
    const Finding by_narrow = finding("Narrow", module("R.const(0.0, \"float32\")"));
    EXPECT_EQ(same_cause(&subject, by_wide, by_narrow).same, site != "TypeError") << site;
    EXPECT_FALSE(same_cause(nullptr, by_wide, by_narrow).same);
  }
}

}  // namespace
}  // namespace passdiff
