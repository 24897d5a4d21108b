// Canaries: for each check a pass that is broken just so that this check must object, and a sound one to which it must not.
#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "core/ir/structural.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/check.h"
#include "oracle/check_row.h"
#include "oracle/execute.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

using Run = ScriptedSubject::Run;

Module main_with(const std::vector<std::string>& bindings, const std::string& name = "main") {
  std::string text = "@I.ir_module\nclass Module:\n    @R.function\n    def " + name +
                     "(x: R.Tensor((3,), \"float32\"), y: R.Tensor((3,), \"float32\")):\n";
  for (const std::string& binding : bindings) text += "        " + binding + "\n";
  Module module = parse_text(text + "        return b\n").value();
  module.attrs["origin"] = std::string("test");
  return module;
}
Module printing(const std::string& printed) {
  Module module = parse_text("@R.function(pure=False)\ndef main(x: R.Tensor((3,), \"float32\"), y: R.Tensor((3,), "
                             "\"float32\")):\n    a = R.subtract(x, y)\n    p = R.print(" +
                             printed + ", format=R.str(\"{}\"))\n    b = R.add(a, a)\n    return b\n")
                      .value();
  module.attrs["origin"] = std::string("test");
  return module;
}
Module without_attributes(Module module) {
  module.attrs.clear();
  return module;
}
Module source() {
  return main_with({"a = R.subtract(x, y)", "b = R.add(a, a)"});
}
Module equal_target() {
  return main_with({"a = R.subtract(x, y)", "b = R.multiply(a, R.const(2, \"float32\"))"});
}
Module other_equal_target() {
  return main_with({"a = R.subtract(x, y)", "c = R.add(a, a)", "b = c"});
}

// A pass that returns this target for every module.
Run always(const Module& target) {
  return [target](const Module&, const TransformOptions&) { return ScriptedSubject::reply_of(target); };
}
Run fails_with(const std::string& kind) {
  return [kind](const Module&, const TransformOptions&) {
    TransformReply reply;
    reply.result = Refused{kind, kind + "@pass.cc:Run", "this module is not for me"};
    return reply;
  };
}
TransformReply changes_its_input(const Module& module, const TransformOptions&) {
  TransformReply reply = ScriptedSubject::reply_of(module);
  reply.input_mutated = true;
  return reply;
}
Module without_first_binding(const Module& module) {
  Module target = module;
  Function function = *target.functions[0].function;
  function.body.blocks[0].bindings.erase(function.body.blocks[0].bindings.begin());
  target.functions[0].function = std::make_shared<const Function>(std::move(function));
  return target;
}
Run another_target_each_time() {
  return [unused = std::make_shared<std::vector<std::string>>()](const Module&, const TransformOptions&) {
    unused->push_back("unused = R.negative(x)");
    std::vector<std::string> bindings = *unused;
    bindings.insert(bindings.end(), {"a = R.subtract(x, y)", "b = R.add(a, a)"});
    return ScriptedSubject::reply_of(main_with(bindings));
  };
}
// One of two targets, as chance has it: here the first in four runs, and the other through Sequential and from the fifth run on.
Run one_of_two_targets() {
  return [direct = std::make_shared<int>(0)](const Module&, const TransformOptions& options) {
    const bool other = options.together > 0 || ++*direct > 4;
    return ScriptedSubject::reply_of(other ? other_equal_target() : equal_target());
  };
}
TransformReply another_target_through_sequential(const Module&, const TransformOptions& options) {
  return ScriptedSubject::reply_of(options.together > 0 ? other_equal_target() : equal_target());
}
TransformReply another_target_of_its_own(const Module& module, const TransformOptions&) {
  return ScriptedSubject::reply_of(structural_equal(module, source()) ? equal_target()
                                                                      : other_equal_target());
}

// The sum of the elementwise product, and the pass that adds its adjoint: `by_x` is the derivative by x, which is y (d), and not x (c).
constexpr std::string_view kLoss = "    a = R.multiply(x, y)\n    b = R.sum(a)\n";
Module loss() {
  return parse_text("@R.function\ndef main(x: R.Tensor((3,), \"float32\"), y: R.Tensor((3,), \"float32\")):\n" + std::string(kLoss) +
                    "    return b\n")
      .value();
}
Run adds_adjoint(const std::string& by_x) {
  Module target = loss();
  target.functions.push_back(
      parse_text("@R.function\ndef main_adjoint(x: R.Tensor((3,), \"float32\"), y: R.Tensor((3,), \"float32\")):\n" +
                 std::string(kLoss) + "    c = x\n    d = y\n    return (b, (" + by_x + ", c))\n")
          .value()
          .functions[0]);
  return always(target);
}

Value floats(const std::vector<double>& values) {
  Tensor tensor = zeros(DType::float32, std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), std::get<Tensor::Floats>(tensor.values).data());
  return make_tensor(std::move(tensor));
}
// A machine that computes what the interpreter computes, but miscompiles the target of the broken pass.
VmReply miscompiled_if_broken(const TestCase& test, const Pipeline& pipeline, const CallPlan& plan, const MachineCode&) {
  VmReply reply;
  reply.value = std::get<Returned>(run_plan(test.module, plan, test.arguments)).value;
  if (!pipeline.empty() && pipeline[0].name == "broken") reply.value = floats({0, 0, 0});
  return reply;
}

struct Canary {
  std::string_view check;
  Symptom symptom;  // what the check says of the broken pass
  Run broken;
  Run sound;
  Contract contract = {};                      // the contract of both passes
  ScriptedSubject::Machine machine = nullptr;  // the machine of their subject
  Module source = passdiff::source();
};

const std::vector<Canary>& canaries() {
  static const std::vector<Canary> rows = {
      {.check = "transforms",
       .symptom = Symptom::internal_error,
       .broken = fails_with("TypeError"),
       .sound = fails_with("ValueError"),
       .contract = {.rejections = {"ValueError"}}},
      {.check = "input-untouched",
       .symptom = Symptom::input_mutated,
       .broken = changes_its_input,
       .sound = always(source())},
      {.check = "well-formed",
       .symptom = Symptom::ill_formed,
       .broken = always(without_first_binding(source())),
       .sound = always(equal_target())},
      {.check = "convention",
       .symptom = Symptom::signature,
       .broken = always(main_with({"b = R.subtract(x, y)"}, "other")),
       .sound = always(equal_target())},
      {.check = "outputs-refine",
       .symptom = Symptom::mismatch,
       .broken = always(main_with({"a = R.subtract(y, x)", "b = R.add(a, a)"})),
       .sound = always(equal_target())},
      {.check = "effects",
       .symptom = Symptom::other_effects,
       .broken = always(printing("a")),
       .sound = always(equal_target())},
      {.check = "surroundings-kept",
       .symptom = Symptom::not_kept,
       .broken = always(without_attributes(source())),
       .sound = always(equal_target())},
      {.check = "repeatable",
       .symptom = Symptom::nondeterministic,
       .broken = another_target_each_time(),
       .sound = always(equal_target())},
      {.check = "sequential",
       .symptom = Symptom::sequential_differs,
       .broken = another_target_through_sequential,
       .sound = one_of_two_targets()},
      {.check = "idempotent",
       .symptom = Symptom::not_idempotent,
       .broken = another_target_of_its_own,
       .sound = always(equal_target())},
      {.check = "derivatives",
       .symptom = Symptom::wrong_derivative,
       .broken = adds_adjoint("c"),
       .sound = adds_adjoint("d"),
       .contract = {.derivatives = Derivatives{.of = "main"}},
       .source = loss()},
      {.check = "vm-agrees",
       .symptom = Symptom::mismatch,
       .broken = always(equal_target()),
       .sound = always(equal_target()),
       .machine = miscompiled_if_broken},
  };
  return rows;
}

const Canary* canary_of(std::string_view check) {
  const auto found = std::find_if(canaries().begin(), canaries().end(),
                                  [&](const Canary& canary) { return canary.check == check; });
  return found == canaries().end() ? nullptr : &*found;
}

Verdict verdict_on(const Canary& canary, const std::string& pass) {
  ScriptedSubject subject;
  subject.add({.name = "broken", .contract = canary.contract}, canary.broken);
  subject.add({.name = "sound", .contract = canary.contract}, canary.sound);
  subject.set_machine(canary.machine);
  CheckOptions options;
  if (find_check(canary.check)->is_sampled()) options.sampling.set(canary.check, 1);
  const TestCase test{canary.source, "main", {floats({1, 2, 3}), floats({0.5, 0.25, 4})}};
  return check(subject, test, Pipeline{{pass, "{}"}}, options).verdict;
}

std::vector<std::string> check_names() {
  std::vector<std::string> names;
  for (const Check& check : all_checks()) names.emplace_back(check.name);
  return names;
}

class EveryCheck : public testing::TestWithParam<std::string> {};

TEST_P(EveryCheck, ObjectsToItsBrokenPass) {
  const Canary* canary = canary_of(GetParam());
  ASSERT_NE(canary, nullptr) << GetParam() << " has no row in canaries()";
  const Verdict verdict = verdict_on(*canary, "broken");
  EXPECT_EQ(verdict.check, GetParam()) << to_string(verdict);
  EXPECT_EQ(verdict.symptom, canary->symptom) << to_string(verdict);
  EXPECT_TRUE(is_finding(verdict.symptom));
}

TEST_P(EveryCheck, DoesNotObjectToItsSoundPass) {
  const Canary* canary = canary_of(GetParam());
  ASSERT_NE(canary, nullptr) << GetParam() << " has no row in canaries()";
  const Verdict verdict = verdict_on(*canary, "sound");
  EXPECT_FALSE(is_finding(verdict.symptom)) << to_string(verdict);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Canaries, EveryCheck, testing::ValuesIn(check_names()), test_name);

TEST(Canaries, AreThoseOfChecksThatExist) {
  EXPECT_EQ(canaries().size(), all_checks().size());
  for (const Canary& canary : canaries()) EXPECT_NE(find_check(canary.check), nullptr) << canary.check;
}

}  // namespace
}  // namespace passdiff
