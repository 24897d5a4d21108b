#include "passes/case_options.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

TestCase symbolic_case() {
  Module module = parse_text("@R.function\ndef main(x: R.Tensor((\"n\",), \"float32\"), w: R.Tensor((\"m\", 2), \"float32\"), "
                             "s: R.Shape([\"m\"])):\n    n = T.int64()\n    m = T.int64()\n    return x\n")
                      .value();
  const Value x = make_tensor(Tensor{DType::float32, Tensor::Floats{1, 2, 3}});
  const Value w = make_tensor(zeros(DType::float32, std::vector<std::int64_t>{5, 2}));
  return {std::move(module), "main", {x, w, ShapeValue{{5}}}};
}

std::string resolved(const std::string& options, const TestCase& test) {
  return with_case_values({{"P", options}}, test).at(0).options;
}

TEST(CaseOptions, KnowTheSizesOfTheSymbolicDims) {
  const std::map<std::string, std::int64_t> expected = {{"m", 5}, {"n", 3}};
  EXPECT_EQ(sizes_of(symbolic_case()), expected);
}

TEST(CaseOptions, OfArgumentsThatDoNotFitAreNone) {
  TestCase test = symbolic_case();
  test.arguments.pop_back();
  EXPECT_TRUE(sizes_of(test).empty());
  test = symbolic_case();
  test.arguments[2] = ShapeValue{{6}};
  EXPECT_TRUE(sizes_of(test).empty());
}

TEST(CaseOptions, AreReplacedByValuesOfTheCase) {
  const auto options = nlohmann::json::parse(resolved(R"({"f": "main", "a": {"p": {"$argument": "x"}}, "b": [{"$size": "m"}]})", symbolic_case()));
  EXPECT_EQ(options["f"], "main");
  EXPECT_EQ(options["a"]["p"]["$tensor"]["shape"], nlohmann::json({3}));
  EXPECT_EQ(options["b"], nlohmann::json({5}));
}

TEST(CaseOptions, LeaveOutWhatTheCaseHasNot) {
  EXPECT_EQ(resolved(R"({"a": {"p": {"$argument": "y"}, "s": {"$argument": "s"}, "k": {"$size": "k"}}})", symbolic_case()), R"({"a":{}})");
}

TEST(CaseOptions, OfAnotherFunctionThanTheEntryReferToNothing) {
  EXPECT_EQ(resolved(R"({"func_name": "f", "params": {"x": {"$argument": "x"}}})", symbolic_case()), R"({"func_name":"f","params":{}})");
}

TEST(CaseOptions, TellWhichArgumentsAreNotThoseThatTheyBind) {
  const TestCase test = symbolic_case();
  EXPECT_EQ(contradicted_binding(test, {}), "");
  EXPECT_EQ(contradicted_binding(test, {.values = {{"x", test.arguments[0]}}, .sizes = {{"n", 3}, {"m", 5}}}), "");
  EXPECT_EQ(contradicted_binding(test, {.values = {{"x", test.arguments[1]}}, .sizes = {}}), "the options bind x to another value than the argument");
  EXPECT_EQ(contradicted_binding(test, {.values = {}, .sizes = {{"n", 2}}}), "the options bind n to 2, the arguments to 3");
}

TEST(CaseOptions, OthersStayAsTheyAreWritten) {
  EXPECT_EQ(resolved(R"({ "p": {"$param": "x"} })", symbolic_case()), R"({ "p": {"$param": "x"} })");
}

}  // namespace
}  // namespace passdiff
