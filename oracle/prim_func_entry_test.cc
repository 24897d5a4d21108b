// Cases whose entry is a function of TensorIR, and what is said of where one is undefined.
#include <gtest/gtest.h>

#include "oracle/check.h"
#include "oracle/reduction/examples.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

// A function that copies A into B, each element as `value` says.
Module copies(const std::string& value) {
  return parse_text("@I.ir_module\nclass Module:\n"
                    "    @T.prim_func\n"
                    "    def f(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n"
                    "        for i in range(4):\n"
                    "            B[i] = " + value + "\n")
      .value();
}

// The verdict on a pass that makes one such function of another.
Verdict verdict_on(const std::string& source, const std::string& target) {
  ScriptedSubject subject;
  subject.add("Pass", [&](const Module&) { return copies(target); });
  const TestCase test{copies(source), "f", {counting(DType::float32, {4}), counting(DType::float32, {4})}};
  return check(subject, test, {{"Pass", "{}"}}, {.sampling = Sampling::every_case()}).verdict;
}

TEST(PrimFuncEntry, IsComparedByItsBuffers) {
  EXPECT_EQ(verdict_on("A[i]", "A[i] * T.float32(1.0)").symptom, Symptom::agree);
  const Verdict wrong = verdict_on("A[i]", "A[i] + T.float32(1.0)");
  EXPECT_EQ(wrong.symptom, Symptom::mismatch);
  EXPECT_EQ(wrong.leaf, "result[1]");
}

TEST(PrimFuncEntry, NamesTheLineThatIsUndefined) {
  const Verdict added = verdict_on("A[i]", "A[i + 1]");
  EXPECT_EQ(added.symptom, Symptom::added_undefined);
  EXPECT_EQ(added.site, "index-out-of-bounds");
  ASSERT_TRUE(added.place);
  EXPECT_EQ(to_string(*added.place), "target.py:10: B[i] = A[i + 1]") << print(copies("A[i + 1]"));
  const Verdict source = verdict_on("A[i - 1]", "A[i]");
  EXPECT_EQ(source.symptom, Symptom::undefined);
  ASSERT_TRUE(source.place);
  EXPECT_EQ(to_string(*source.place), "source.py:10: B[i] = A[i - 1]");
}

TEST(PrimFuncEntry, MustBeInTheTarget) {
  ScriptedSubject subject;
  subject.add("Pass", [](const Module&) { return Module(); });
  const TestCase test{copies("A[i]"), "f", {counting(DType::float32, {4}), counting(DType::float32, {4})}};
  const Verdict verdict = check(subject, test, {{"Pass", "{}"}}, {}).verdict;
  EXPECT_EQ(verdict.symptom, Symptom::signature);
  EXPECT_EQ(verdict.site, "convention.missing-function");
}

}  // namespace
}  // namespace passdiff
