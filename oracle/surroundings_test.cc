// What values do not show, and targets must keep: virtual devices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

Value numbers(double first, double second) {
  return make_tensor(Tensor{DType::float32, Tensor::Floats{first, second}});
}

TEST(Surroundings, APrivateFunctionMayReturnLessAndAResultThatStaysKeepsItsDevice) {
  const auto calling = [](std::string_view result, std::string_view value) {
    return parse_text(fmt::format(R"(
@I.ir_module
class Module:
    I.module_global_infos({{"vdevice": [I.vdevice("llvm", 0, "global")]}})
    @R.function(private=True)
    def f(x: R.Tensor((2,), dtype="float32", vdevice="llvm:0:global")) -> {}:
        return {}

    @R.function
    def main(x: R.Tensor((2,), dtype="float32", vdevice="llvm:0:global")):
        cls = Module
        a = cls.f(x)
        return a[0]
)", result, value)).value();
  };
  const std::string constant = "R.Tensor((2,), dtype=\"float32\")";
  const std::string placed = "R.Tensor((2,), dtype=\"float32\", vdevice=\"llvm:0:global\")";
  const std::string zeros = "R.const([0.0, 0.0], \"float32\")";
  const Module source = calling("R.Tuple(R.Tuple(" + constant + "), " + placed + ")", "((" + zeros + ",), x)");
  const Module unplaced = calling("R.Tuple(R.Tuple(" + constant + "), " + constant + ")", "((" + zeros + ",), " + zeros + ")");
  Module fewer = calling("R.Tuple(R.Tuple(" + constant + "), R.Tuple())", "((" + zeros + ",), R.tuple())");
  ScriptedSubject subject;
  subject.add("fewer", [&](const Module&) { return fewer; });
  subject.add("unplaced", [&](const Module&) { return unplaced; });
  const TestCase test{source, "main", {numbers(1, 2)}};
  EXPECT_EQ(symptom_of(subject, test, "fewer"), Symptom::agree);
  EXPECT_EQ(symptom_of(subject, test, "unplaced"), Symptom::not_kept);
}

// BindParams leaves the declared type alone, and the device is missing when a later pass infers it again.
TEST(Surroundings, AReturnedValueKeepsItsDeviceWhateverIsDeclared) {
  const auto returning = [](std::string_view value, std::string_view declared = ", vdevice=\"llvm:0:global\"") {
    return parse_text(fmt::format(R"(
@I.ir_module
class Module:
    I.module_global_infos({{"vdevice": [I.vdevice("llvm", 0, "global")]}})
    @R.function
    def main(x: R.Tensor((2,), dtype="float32", vdevice="llvm:0:global")) -> R.Tensor((2,), dtype="float32"{}):
        return {}
)", declared, value)).value();
  };
  const std::string constant = "R.const([1.0, 2.0], \"float32\")";
  ScriptedSubject subject;
  subject.add("unplaced", [&](const Module&) { return returning(constant); });
  subject.add("inferred", [&](const Module&) { return returning(constant, ""); });
  EXPECT_EQ(symptom_of(subject, {returning("x"), "main", {numbers(1, 2)}}, "unplaced"), Symptom::not_kept);
  EXPECT_EQ(symptom_of(subject, {returning(constant), "main", {numbers(1, 2)}}, "inferred"), Symptom::agree);
}

// TVM infers no device for what is computed of values on two: which of them a result has, if any, says how the operation is written.
TEST(Surroundings, AResultOfValuesOnTwoDevicesNeedNotStayOnEither) {
  const auto computing = [](std::string_view call, std::string_view moved) {
    return parse_text(fmt::format(R"(
@I.ir_module
class Module:
    I.module_global_infos({{"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]}})
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32", vdevice="llvm:0:global"), z: R.Tensor((2,), "float32", vdevice="llvm:1:global")):
        w: R.Tensor((2,), "float32", vdevice="llvm:1:global") = {}
        a: R.Tensor((2,), "float32") = R.nn.rms_norm(x, {}, axes=[-1])
        b = {}
        return b
)", moved, moved == "z" ? "y" : "w", call)).value();
  };
  const std::string kept = "R.add(a, z)", lost = "a";
  for (const std::string_view moved : {"z", "R.to_vdevice(y, \"llvm:1\")"}) {
    const Module source = computing(kept, moved);
    ScriptedSubject subject;
    subject.add("unplaced", [&](const Module&) { return computing(lost, moved); });
    const TestCase test{source, "main", {numbers(1, 2), numbers(1, 2), numbers(0, 0)}};
    EXPECT_EQ(source.functions[0].function->result_type.as_tensor()->vdevice, 1) << print(source);
    EXPECT_EQ(symptom_of(subject, test, "unplaced"), moved == "z" ? Symptom::agree : Symptom::not_kept) << print(source);
  }
}

}  // namespace
}  // namespace passdiff
