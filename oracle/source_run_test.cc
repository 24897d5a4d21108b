#include "oracle/source_run.h"

#include <gtest/gtest.h>

#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

Value number(double element) {
  Tensor tensor = zeros(DType::float32, {});
  std::get<Tensor::Floats>(tensor.values).data()[0] = element;
  return make_tensor(std::move(tensor));
}

TEST(SourceRun, AValueThatAgreesWhereLessIsAllowedIsAcceptedWhereMoreIs) {
  const TestCase test{parse_text("@R.function\ndef main(x: R.Tensor((), \"float32\")):\n    return x\n").value(), "main", {number(1)}};
  const SourceRun source(test);
  const Pipeline pipeline = {{"FuseOps", "{}"}};
  const auto accepts = [&](Numerics numerics, double element) {
    return source.known_comparison({.numerics = numerics}, {{"FuseTIR", "{}"}}, number(element)) != nullptr;
  };
  source.remember({.numerics = Numerics::reassociated}, pipeline, number(2), {Symptom::agree, {}, {}});
  EXPECT_TRUE(accepts(Numerics::reassociated, 2));
  EXPECT_TRUE(accepts(Numerics::widened, 2));
  EXPECT_FALSE(accepts(Numerics::exact, 2));
  EXPECT_FALSE(accepts(Numerics::widened, 3));

  source.remember({.numerics = Numerics::widened}, pipeline, number(4), {Symptom::inconclusive, {}, {}});
  EXPECT_TRUE(accepts(Numerics::widened, 4));
  EXPECT_FALSE(accepts(Numerics::lowered, 4)) << "there it may agree";
  EXPECT_FALSE(accepts(Numerics::reassociated, 4));
}

TEST(SourceRun, AValueThatIsWrongIsWrongForPipelinesThatBeginAlike) {
  const TestCase test{parse_text("@R.function\ndef main(x: R.Tensor((), \"float32\")):\n    return x\n").value(), "main", {number(1)}};
  const SourceRun source(test);
  source.remember({.numerics = Numerics::reassociated}, {{"LegalizeOps", "{}"}}, number(2), {Symptom::mismatch, {}, {}});
  const auto is_known = [&](Numerics numerics, const Pipeline& pipeline, double element) {
    return source.known_comparison({.numerics = numerics}, pipeline, number(element)) != nullptr;
  };
  const Pipeline longer = {{"LegalizeOps", "{}"}, {"FuseTIR", "{}"}};
  EXPECT_TRUE(is_known(Numerics::reassociated, longer, 2));
  EXPECT_FALSE(is_known(Numerics::reassociated, longer, 3));
  EXPECT_FALSE(is_known(Numerics::widened, longer, 2)) << "there it may agree";
  EXPECT_FALSE(is_known(Numerics::reassociated, {{"FoldConstant", "{}"}}, 2)) << "roundings of that target may explain it";
}

}  // namespace
}  // namespace passdiff
