#include <gtest/gtest.h>

#include "oracle/findings/cause.h"

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

}  // namespace
}  // namespace passdiff
