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
  const auto accepts = [&](Numerics numerics, double element) {
    return source.accepted({.numerics = numerics}, number(element)) != nullptr;
  };
  source.accept({.numerics = Numerics::reassociated}, number(2), {Symptom::agree, {}, {}});
  EXPECT_TRUE(accepts(Numerics::reassociated, 2));
  EXPECT_TRUE(accepts(Numerics::widened, 2));
  EXPECT_FALSE(accepts(Numerics::exact, 2));
  EXPECT_FALSE(accepts(Numerics::widened, 3));

  source.accept({.numerics = Numerics::widened}, number(4), {Symptom::inconclusive, {}, {}});
  EXPECT_TRUE(accepts(Numerics::widened, 4));
  EXPECT_FALSE(accepts(Numerics::lowered, 4)) << "there it may agree";
  EXPECT_FALSE(accepts(Numerics::reassociated, 4));
}

}  // namespace
}  // namespace passdiff
