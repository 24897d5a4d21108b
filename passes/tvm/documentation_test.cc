#include "passes/tvm/documentation.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

TEST(Documentation, NamesTheFileThatMakesThePromise) {
  EXPECT_NE(tvm_documented_promise("mismatch", "").find("docs/arch/index.rst"), std::string::npos);
  EXPECT_NE(tvm_documented_promise("ill-formed", "form.redefined-var").find("rule 6"), std::string::npos);
  EXPECT_NE(tvm_documented_promise("ill-formed", "subject-checker").find("well_formed.cc"), std::string::npos);
  EXPECT_NE(tvm_documented_promise("ill-formed", "iteration-domain").find("SBlockNode"), std::string::npos);
  EXPECT_NE(tvm_documented_promise("internal-error", "InternalError@a.cc:f").find("python/tvm/error.py"), std::string::npos);
}

TEST(Documentation, IsSilentWhereNothingIsDocumented) {
  EXPECT_EQ(tvm_documented_promise("not-idempotent", ""), "");
  EXPECT_EQ(tvm_documented_promise("nondeterministic", ""), "");
}

}  // namespace
}  // namespace passdiff
