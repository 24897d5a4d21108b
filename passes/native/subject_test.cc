#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "core/form/builder.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

TEST(NativeSubject, RunsPipelinesAndSaysWhatWentWrong) {
  Module module;
  module.functions.push_back({"main", make_function({}, {{}, make_tuple({})}), true});
  const Pipeline pipelines[] = {{{"LazyGetInput"}}, {{"NoSuchPass"}}, {}};
  const auto replies = make_native_subject()->transform(module, pipelines, {.snapshots = true});
  ASSERT_EQ(replies.size(), 3U);
  EXPECT_EQ(replies[0].snapshots.size(), 1U);
  EXPECT_FALSE(std::get<Transformed>(replies[0].result).unchanged);
  EXPECT_EQ(std::get<Refused>(replies[1].result).kind, "native.unknown-pass");
  EXPECT_TRUE(std::get<Transformed>(replies[2].result).unchanged);
}

TEST(NativeSubject, SeesThatFunctionsOfTensorIRChanged) {
  const tir::Expr zero = tir::int_imm(0);
  const auto sum = tir::make_expr(tir::Binary{tir::BinaryOp::add, zero, zero}, zero->type);
  Module module;
  module.functions.push_back({"main", make_function({}, {{}, make_tuple({})}), true});
  const tir::PrimFunc function{.params = {}, .body = tir::make_stmt(tir::Evaluate{sum})};
  module.prim_funcs.push_back({"f", std::make_shared<const tir::PrimFunc>(function), true});
  const Pipeline pipelines[] = {{{"TirSimplify"}}, {{"TirHoist"}}};
  const auto replies = make_native_subject()->transform(module, pipelines, {});
  EXPECT_FALSE(std::get<Transformed>(replies[0].result).unchanged);
  EXPECT_TRUE(std::get<Transformed>(replies[1].result).unchanged);
}

// The letters of a pass's name, in lower case, up to a slash: "fold-constant/..." and "FoldConstant" give "foldconstant".
std::string letters(std::string_view name) {
  std::string result;
  for (const char c : name.substr(0, name.find('/'))) {
    if (c != '-') result += static_cast<char>(std::tolower(c));
  }
  return result;
}

TEST(NativeSubject, FaultsAreNamedAfterTheirPasses) {
  const auto subject = make_native_subject();
  for (const Fault& fault : all_faults()) {
    EXPECT_NE(find_pass(*subject, fault.pass), nullptr) << fault.name;
    EXPECT_EQ(letters(fault.name), letters(fault.pass));
    EXPECT_FALSE(fault.summary.empty()) << fault.name;
    const auto same_name = [&](const Fault& other) { return other.name == fault.name; };
    EXPECT_EQ(std::count_if(all_faults().begin(), all_faults().end(), same_name), 1) << fault.name;
  }
}

}  // namespace
}  // namespace passdiff
