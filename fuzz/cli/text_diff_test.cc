#include "fuzz/cli/text_diff.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

TEST(TextDiff, MarksLinesOfOneSideAlone) {
  EXPECT_EQ(text_diff("a\nb\nc\n", "a\nx\nc\nd\n", false), "  a\n- b\n+ x\n  c\n+ d\n");
  EXPECT_EQ(text_diff("", "a\n", false), "+ a\n");
  EXPECT_EQ(text_diff("a\n", "a\n", true), "  a\n");
}

TEST(TextDiff, PaintsThemIfAsked) {
  EXPECT_EQ(text_diff("a\n", "b\n", true), "\x1b[31m- a\x1b[0m\n\x1b[32m+ b\x1b[0m\n");
}

}  // namespace
}  // namespace passdiff
