#include "fuzz/cli/missing_ops.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

TEST(MissingOps, AreThoseOfRelaxWithoutARowEachWithAReason) {
  const std::vector<std::string> names = {"tirx.exp", "relax.vm.alloc_storage", "relax.add", "relax.no_such_op",
                                          "relax.call_tir"};
  const std::vector<MissingOp> missing = missing_ops(names);
  ASSERT_EQ(missing.size(), 3U);
  EXPECT_EQ(missing[0].name, "relax.call_tir");
  EXPECT_TRUE(missing[0].reason.starts_with("calls a function"));
  EXPECT_EQ(missing[1].reason, "not yet");
  EXPECT_TRUE(missing[2].reason.starts_with("an instruction"));
}

}  // namespace
}  // namespace passdiff
