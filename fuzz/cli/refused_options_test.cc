#include "fuzz/cli/refused_options.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

Verdict verdict(Symptom symptom, std::string site) {
  return {.symptom = symptom, .stage = Stage::transform, .culprit = "A", .site = std::move(site), .detail = "no option b\nin two lines"};
}

TEST(RefusedOptions, AreNamedWithTheirPassInALine) {
  const auto error = refused_options(verdict(Symptom::internal_error, "TypeError@options"), {{"B", R"({"c": 1})"}, {"A", R"({"b": 1})"}});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->message, R"(A: it cannot be made from the options {"b": 1}: no option b)");
  EXPECT_EQ(refused_options(verdict(Symptom::internal_error, "options.unknown@A"), {{"A", "{}"}})->message, "A: it cannot be made without options: no option b");
}

TEST(RefusedOptions, AreNotWhatOtherVerdictsSpeakOf) {
  EXPECT_FALSE(refused_options(verdict(Symptom::internal_error, "TypeError@a.cc:f"), {{"A", "{}"}}).has_value());
  EXPECT_FALSE(refused_options(verdict(Symptom::rejected, "KeyError@options"), {{"A", "{}"}}).has_value()) << "the contract declares it";
  EXPECT_FALSE(refused_options({}, {{"A", "{}"}}).has_value());
}

}  // namespace
}  // namespace passdiff
