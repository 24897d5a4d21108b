#include "fuzz/campaign/plainer.h"

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/form/rebuild.h"
#include "core/form/well_formed.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "core/tensor/value.h"
#include "passes/native/trusted.h"

namespace passdiff {
namespace {

// Makes a parameter of each constant.
class ConstantLifter : public Rewriter {
 public:
  ExprPtr expr(const ExprPtr& old) override {
    const Constant* constant = as<Constant>(old);
    if (constant == nullptr) return parts(old);
    const Var& param = params.emplace_back(make_var("c" + std::to_string(params.size()), old->type));
    arguments.emplace_back(constant->tensor);
    return make_expr(Var(param), param->type);
  }

  std::vector<Var> params;
  std::vector<Value> arguments;
};

std::optional<TestCase> with_constants_lifted(const TestCase& test) {
  if (is_referenced(test.module, test.entry)) return std::nullopt;
  TestCase lifted = test;
  for (GlobalFunction& global : lifted.module.functions) {
    if (global.name != test.entry) continue;
    ConstantLifter lifter;
    auto function = std::make_shared<Function>(*global.function);
    if (!lifter.seq(global.function->body, function->body) || lifter.params.empty()) return std::nullopt;
    function->params.insert(function->params.end(), lifter.params.begin(), lifter.params.end());
    lifted.arguments.insert(lifted.arguments.end(), lifter.arguments.begin(), lifter.arguments.end());
    global.function = std::move(function);
  }
  Result<Module> typed = rebuild(lifted.module, {});
  if (!typed) return std::nullopt;  // inference looks at a constant's value
  lifted.module = *std::move(typed);
  return lifted;
}

std::optional<Module> without_dataflow_blocks(const Module& module) {
  Result<Module> exposed = rebuild(module, {.expose = [](const Var&) { return true; }});
  if (!exposed) return std::nullopt;
  bool changed = false;
  for (GlobalFunction& global : exposed->functions) {
    auto function = std::make_shared<Function>(*global.function);
    changed |= join_as_plain(function->body);
    global.function = std::move(function);
  }
  if (!changed) return std::nullopt;
  return *std::move(exposed);
}

std::optional<TestCase> with(const TestCase& test, std::optional<Module> module) {
  if (!module) return std::nullopt;
  return TestCase{*std::move(module), test.entry, test.arguments};
}

std::optional<TestCase> change(const TestCase& test, Plainer form) {
  switch (form) {
    case Plainer::as_drawn:
      return std::nullopt;
    case Plainer::inlined:
      return with(test, by_native_passes(test.module, {{"InlinePrivateFunctions", "{}"}, {"DeadCodeElimination", "{}"}}));
    case Plainer::without_constants:
      return with_constants_lifted(test);
    case Plainer::without_dataflow:
      return with(test, without_dataflow_blocks(test.module));
    case Plainer::all: {
      std::optional<TestCase> plain;
      for (const Plainer one : {Plainer::inlined, Plainer::without_constants, Plainer::without_dataflow}) {
        if (auto next = change(plain ? *plain : test, one)) plain = std::move(next);
      }
      return plain;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view plainer_name(Plainer form) {
  constexpr std::array<std::string_view, kPlainer.size()> kNames = {"as drawn", "functions inlined", "constants as parameters",
                                                                    "without dataflow blocks", "in its plainest form"};
  return kNames.at(static_cast<std::size_t>(form));
}

std::optional<TestCase> make_plainer(const TestCase& test, Plainer form) {
  std::optional<TestCase> plain = change(test, form);
  if (!plain || plain->module.find(test.entry) == nullptr || well_formed(plain->module)) return std::nullopt;
  return plain;
}

}  // namespace passdiff
