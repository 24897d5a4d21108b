#include "oracle/verdict.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "passes/tvm/repro_symptoms.h"

namespace passdiff {
namespace {

TEST(Symptom, HasANameOfItsOwnAndAMeaning) {
  std::set<std::string_view> names;
  for (const SymptomInfo& row : all_symptoms()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    EXPECT_EQ(symptom_name(row.symptom), row.name);
  }
}

// A later pass that mends the types of a target shows values that an earlier one may have made.
TEST(Verdict, OfATargetThatCannotBeRunKeepsLaterValuesFromBeingJudged) {
  const Verdict open{.symptom = Symptom::unconfirmed, .site = "form.wrong-type"};
  const Verdict undeclared{.symptom = Symptom::unconfirmed, .site = "undeclared-access"};
  const Verdict values{.symptom = Symptom::added_undefined, .site = "index-out-of-bounds"};
  const Verdict thrown{.symptom = Symptom::internal_error, .site = "ValueError@a.cc:F"};
  EXPECT_TRUE(keeps_values_from_being_judged(open, values));
  EXPECT_FALSE(keeps_values_from_being_judged(open, thrown));
  EXPECT_FALSE(keeps_values_from_being_judged(undeclared, values)) << "its values were compared";
  const Verdict unreadable{.symptom = Symptom::unsupported, .stage = Stage::execute, .site = "dim Call"};
  EXPECT_TRUE(keeps_values_from_being_judged(unreadable, values));
  EXPECT_FALSE(keeps_values_from_being_judged(unreadable, thrown));
}

TEST(Symptom, IsAFindingIfItHasASeverity) {
  EXPECT_EQ(severity_name(Symptom::mismatch), "wrong-result");
  EXPECT_EQ(severity_name(Symptom::timeout), "crash");
  EXPECT_EQ(severity_name(Symptom::does_not_compile), "ill-formed");
  EXPECT_EQ(severity_name(Symptom::internal_error), "refused");
  EXPECT_EQ(severity_name(Symptom::nondeterministic), "broken-promise");
  for (const Symptom none : {Symptom::agree, Symptom::undefined, Symptom::rejected, Symptom::unconfirmed}) {
    EXPECT_FALSE(is_finding(none));
    EXPECT_EQ(severity_name(none), "no finding");
  }
}

// The scripts that show bugs in TVM tell the kinds of bugs apart by the names of symptoms.
TEST(Symptom, OfEveryNameInAReproductionScriptExists) {
  for (const std::string_view name : symptoms::kAll) {
    EXPECT_TRUE(std::any_of(all_symptoms().begin(), all_symptoms().end(),
                            [&](const SymptomInfo& row) { return row.name == name; }))
        << name;
  }
}

TEST(Explain, SaysWhatIsWrongInOneLine) {
  for (const SymptomInfo& row : all_symptoms()) {
    if (!is_finding(row.symptom)) continue;
    const std::string text = explain({.symptom = row.symptom, .site = "the site", .detail = "the detail\nand more"});
    EXPECT_FALSE(text.empty()) << row.name;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
  EXPECT_EQ(explain({.symptom = Symptom::crash, .site = "SIGSEGV in f"}), "the compiler crashes: SIGSEGV in f");
  EXPECT_EQ(explain({.symptom = Symptom::mismatch, .detail = "1 against 2"}), "wrong result: 1 against 2");
  EXPECT_EQ(explain({.symptom = Symptom::undefined, .detail = "index 7"}), "index 7");
}

}  // namespace
}  // namespace passdiff
