// FoldConstant where the interpreter computes its constants, against the real TVM.
#include <gtest/gtest.h>

#include <bit>

#include "core/ir/structural.h"
#include "core/ir/walk.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "passes/tvm/test_subject.h"

namespace passdiff {
namespace {

class ConstantsOfTvm : public WithTvm {
 protected:
  // The target of FoldConstant, if it ran.
  std::optional<Module> folded(const Module& source, bool interprets) {
    const Pipeline pipeline = {{"FoldConstant", "{}"}};
    std::vector<TransformReply> replies = subject_->transform(source, std::span(&pipeline, 1), {.interprets_constants = interprets});
    auto* transformed = std::get_if<Transformed>(&replies.at(0).result);
    return transformed == nullptr ? std::nullopt : std::move(transformed->target);
  }
};

Module module_of(std::string_view text) {
  Result<Module> module = parse_text(text);
  EXPECT_TRUE(module.ok()) << module.error().message;
  return module ? *std::move(module) : Module{};
}

// A function that copies as `index` says where `guard` holds, and what calls it with a constant.
Module copying(const std::string& guard, const std::string& index) {
  return module_of(R"(@I.ir_module
class Module:
    @T.prim_func(private=True)
    def copied(a: T.Buffer((T.int64(2),), "float32"), b: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
            if )" + guard +
                   R"(:
                b[i] = a[)" +
                   index + R"(]

    @R.function
    def main() -> R.Tensor((2,), "float32"):
        cls = Module
        y = R.call_tir(cls.copied, (R.const([1.5, 2.5], "float32"),), out_sinfo=R.Tensor((2,), "float32"))
        return y
)");
}

// The elements of the first constant in the module.
std::vector<double> constant_in(const Module& module) {
  std::vector<double> elements;
  for (const GlobalFunction& global : module.functions) {
    any_expr(global.function->body, [&](const ExprPtr& expr) {
      const auto* constant = as<Constant>(expr);
      for (std::size_t i = 0; constant != nullptr && i < constant->tensor->size(); ++i) elements.push_back(as_double(*constant->tensor, i));
      return constant != nullptr;
    });
  }
  return elements;
}

TEST_F(ConstantsOfTvm, AreThoseOfCompiledCode) {
  const Module source = module_of(R"(@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), "int32")) -> R.Tensor((2, 2), "int32"):
        with R.dataflow():
            a = R.add(R.const([[1, 2], [3, 4]], "int32"), R.const([5, 6], "int32"))
            b = R.split(R.concat((a, a), axis=0), indices_or_sections=2, axis=0)
            c = R.multiply(b[0], b[1])
            y = R.add(x, c)
            R.output(y)
        return y
)");
  const std::optional<Module> interpreted = folded(source, true);
  const std::optional<Module> compiled = folded(source, false);
  ASSERT_TRUE(interpreted && compiled);
  EXPECT_TRUE(structural_equal(*interpreted, *compiled)) << print(*interpreted) << print(*compiled);
}

TEST_F(ConstantsOfTvm, AreComputedByTheInterpreter) {
  const Module source = copying("i == T.int64(0)", "i");
  ASSERT_TRUE(folded(source, false)) << "what code makes of it is not remembered for the next request";
  const std::optional<Module> target = folded(source, true);
  ASSERT_TRUE(target);
  const auto unwritten = static_cast<double>(std::bit_cast<float>(0xA5A5A5A5));  // no code makes that
  EXPECT_EQ(constant_in(*target), (std::vector<double>{1.5, unwritten}));
}

TEST_F(ConstantsOfTvm, AreComputedByCodeWhereTheInterpreterFindsTheCallUndefined) {
  const std::optional<Module> target = folded(copying("i < T.int64(2)", "i - T.int64(1)"), true);
  ASSERT_TRUE(target);
  EXPECT_EQ(constant_in(*target).at(1), 1.5);  // before it stands what the memory holds
}

}  // namespace
}  // namespace passdiff
