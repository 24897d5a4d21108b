#include "passes/tvm/adapter/report.h"

#include <gtest/gtest.h>

#include <new>
#include <nlohmann/json.hpp>

#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/encode.h"

namespace passdiff {
namespace {

std::string site_of(const std::string& frame) {
  return error_report(ffi::Error("InternalError", "no", "  File \"" + frame + "\n  File \"later.cc\", line 1, in f()\n"))["site"];
}

TEST(ErrorReport, NamesFileAndFunctionOfTheThrow) {
  EXPECT_EQ(site_of("/tvm/src/relax/fold.cc\", line 12, in tvm::relax::Fold(tvm::Expr)"),
            "InternalError@fold.cc:tvm::relax::Fold");
  EXPECT_EQ(site_of("fold.cc\", line 9, in void tvm::relax::Fold<int, tvm::Map<int, int> >(tvm::Expr (*)(int))"),
            "InternalError@fold.cc:tvm::relax::Fold<int, tvm::Map<int, int> >");
  EXPECT_EQ(site_of("fold.cc\", line 9, in tvm::(anonymous namespace)::Fold::Visit(int) const"),
            "InternalError@fold.cc:tvm::(anonymous namespace)::Fold::Visit");
  EXPECT_EQ(site_of("fold.cc\", line 9, in tvm::Fold::operator()(int) const::{lambda(int)#1}::operator()(int) const"),
            "InternalError@fold.cc:tvm::Fold::operator");
}

TEST(ErrorReport, NamesMapsOfAnySizeAlike) {
  EXPECT_EQ(site_of("map_base.h\", line 534, in void*& tvm::ffi::DenseMapBaseObj::At(int) const"), "InternalError@map_base.h:tvm::ffi::MapBaseObj::At");
  EXPECT_EQ(site_of("map_base.h\", line 99, in void*& tvm::ffi::SmallMapBaseObj::at(int) const"), "InternalError@map_base.h:tvm::ffi::MapBaseObj::At");
}

// Errors of Python that cross C++, and the reverse, have frames of the bridge in front.
TEST(ErrorReport, LeavesOutTheBridgeBetweenTheLanguages) {
  const std::string trace = "  File \"python/tvm_ffi/cython/function.pxi\", line 1, in tvm_ffi.core.Function.__call__\n"
                            "  File \"<unknown>\", line 0, in TVMFFIPyCallback(void*)\n"
                            "  File \"/p/legalize_ops/nn.py\", line 5, in _nn_batch_norm\n";
  EXPECT_EQ(error_report(ffi::Error("TypeError", "no", trace))["site"], "TypeError@nn.py:_nn_batch_norm");
}

TEST(ErrorReport, WithoutAFrameIsNamedByTheWordsOfTheMessageThatDoNotDependOnTheModule) {
  const nlohmann::json report = error_report(ffi::Error("TypeError", "Cannot treat type `ir.GenericConst` as type `ir.Var`", "nothing"));
  EXPECT_EQ(report["site"], "TypeError@says:Cannot-treat-type-ir.GenericConst-as-type-ir.Var");
  EXPECT_EQ(report["kind"], "TypeError");
  EXPECT_EQ(error_report(ffi::Error("ValueError", "Index 3 of lv12 is (7, 8) off.\nMore", ""))["site"], "ValueError@says:Index-of-is-off");
}

TEST(ErrorReport, OfAFailedAllocationIsAMemoryError) {
  EXPECT_EQ(error_report(ffi::Error("InternalError", "std::bad_alloc", ""))["kind"], "MemoryError");
}

TEST(ErrorReport, CutsLongMessages) {
  const std::string message = error_report("ValueError", "ValueError", std::string(1 << 20, 'x'))["message"];
  EXPECT_LT(message.size(), std::size_t{1} << 15);
}

TEST(Attempt, ReportsWhatWasThrown) {
  const auto kind = [](const std::function<void()>& work) {
    const auto report = attempt(work);
    return report ? (*report)["kind"].get<std::string>() : std::string("nothing");
  };
  EXPECT_EQ(kind([] {}), "nothing");
  EXPECT_EQ(kind([] { TVM_FFI_THROW(KeyError) << "no"; }), "KeyError");
  EXPECT_EQ(kind([] { throw Refusal("TypeDiffers", "no"); }), "TypeDiffers");
  EXPECT_EQ(kind([] { throw Unreadable("op relax.nonsense"); }), "Unreadable");
  EXPECT_EQ(kind([] { throw DocumentError("no"); }), "DocumentError");
  EXPECT_EQ(kind([] { throw std::bad_alloc(); }), "MemoryError");
}

TEST(ToText, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(to_text({{"message", "a\xFF"}}), "{\"message\":\"a\xEF\xBF\xBD\"}");
}

}  // namespace
}  // namespace passdiff
