#include <gtest/gtest.h>

#include "core/ir/structural.h"
#include "core/text/text.h"
#include "core/form/well_formed.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

Module parse(const std::string& text) {
  auto module = parse_text(
      "@I.ir_module\nclass Module:\n    I.module_global_infos({\"vdevice\": [I.vdevice(\"llvm\", 0, "
      "\"global\"), "
      "I.vdevice(\"llvm\", 1, \"global\")]})\n" +
      text);
  CHECK(module.ok()) << module.error().message;
  return *std::move(module);
}

Result<Module> realized(const Module& module, std::string_view fault = {}) {
  NativeRun run{.options = "{}", .fault = fault};
  return realize_vdevice().run(module, run);
}

void expect_realized(const std::string& before, const std::string& expected) {
  const auto target = realized(parse(before));
  ASSERT_TRUE(target.ok()) << target.error().message;
  const auto broken = well_formed(*target);
  EXPECT_FALSE(broken.has_value()) << broken->message << print(*target);
  EXPECT_TRUE(structural_equal(*target, parse(expected))) << print(*target);
  EXPECT_TRUE(structural_equal(*realized(*target), *target));
}

std::string code_with(const std::string& before, std::string_view fault) {
  const auto broken = well_formed(*realized(parse(before), fault));
  return broken ? broken->code : "well-formed";
}

const std::string kHint = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        with R.dataflow():
            a = R.hint_on_device(x, R.device(1, 0))
            b = R.add(a, y)
            c = R.hint_on_device(b, R.device(1, 1))
            R.output(c)
        return c
)";

TEST(RealizeVDevice, HintsPlaceParametersAndBecomeCopiesWhereTheDeviceChanges) {
  expect_realized(kHint, R"(
    @R.function
    def main(x: R.Tensor((2,), "float32", "llvm:0"), y: R.Tensor((2,), "float32", "llvm:0")) -> R.Tensor((2,), "float32", "llvm:1"):
        with R.dataflow():
            a: R.Tensor((2,), "float32", "llvm:0") = x
            b: R.Tensor((2,), "float32", "llvm:0") = R.add(a, y)
            c = R.to_vdevice(b, "llvm:1")
            R.output(c)
        return c
)");
}

TEST(RealizeVDevice, FaultsLieAboutDevices) {
  EXPECT_EQ(code_with(kHint, "realize-vdevice/first-device"), "form.wrong-type");
  EXPECT_EQ(code_with(kHint, "realize-vdevice/hint-dropped"), "form.wrong-type");
}

TEST(RealizeVDevice, FaultInputMutatedWritesToTheModuleItIsGiven) {
  const Module before = parse(kHint);
  Module given = before;
  ASSERT_TRUE(realized(given).ok());
  EXPECT_TRUE(structural_equal(given, before));
  ASSERT_TRUE(realized(given, "realize-vdevice/input-mutated").ok());
  EXPECT_FALSE(structural_equal(given, before));
}

const std::string kCalled = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        a = cls.f(x)
        b = R.hint_on_device(x, R.device(1, 1))
        return a

    @R.function(private=True)
    def f(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        a = R.hint_on_device(x, R.device(1, 0))
        return a
)";

TEST(RealizeVDevice, CalledFunctionsKeepTheirSignature) {
  expect_realized(kCalled, R"(
    @R.function
    def main(x: R.Tensor((2,), "float32", "llvm:1")) -> R.Tensor((2,), "float32"):
        cls = Module
        a = cls.f(x)
        b: R.Tensor((2,), "float32", "llvm:1") = x
        return a

    @R.function(private=True)
    def f(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        a = R.to_vdevice(x, "llvm:0")
        return a
)");
  EXPECT_EQ(code_with(kCalled, "realize-vdevice/calls-not-updated"), "form.wrong-type");
}

TEST(RealizeVDevice, RefusesToPlaceOneValueTwice) {
  const auto target = realized(parse(R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        a = R.hint_on_device(x, R.device(1, 0))
        b = R.hint_on_device(x, R.device(1, 1))
        c = R.add(a, b)
        return c
)"));
  ASSERT_FALSE(target.ok());
  EXPECT_EQ(target.error().code, "native.conflicting-devices");
}

}  // namespace
}  // namespace passdiff
