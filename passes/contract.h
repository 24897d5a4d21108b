// What a pass may change, and how its result is called.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ir/module.h"
#include "core/result.h"

namespace passdiff {

// How the entry function of the target is called with the source's arguments.
enum class Convention : std::uint8_t {
  unchanged,
  lift_transform_params,    // weights as one tuple to <f>_transform_params, then f(inputs..., *transformed)
  shared_transform_params,  // the same through one `transform_params`
  bundle_model_params,      // f(inputs..., tuple of weights)
  lazy_get_input,           // f(callback): weights come from callback(index, name)
  lazy_set_output,          // f(callback, ...): outputs go to callback(index, value)
  lazy_transform_params,    // <f>_transform_params() with get_item/set_item globals
};
// As plugins and `passdiff list passes` spell them, in the order of the enum; likewise below.
inline constexpr std::array<std::string_view, 7> kConventionNames = {
    "unchanged",      "lift_transform_params", "shared_transform_params", "bundle_model_params",
    "lazy_get_input", "lazy_set_output",       "lazy_transform_params"};

enum class Numerics : std::uint8_t {
  exact,         // the same operations on the same values
  reassociated,  // integers exact (overflow aside), floats in another order
  lowered,       // to a narrower float by design
  approximate,   // by design
};
inline constexpr std::array<std::string_view, 4> kNumericsNames = {"exact", "reassociated", "lowered",
                                                                   "approximate"};

// The kind of module a pass accepts.
enum class Level : std::uint8_t { graph, legalised, lowered };
inline constexpr std::array<std::string_view, 3> kLevelNames = {"graph", "legalised", "lowered"};

struct Contract {
  Convention convention = Convention::unchanged;
  Numerics numerics = Numerics::exact;
  Level level = Level::graph;
  bool idempotent = true;
  // The pass runs compiled code on constants: undefined behaviour in the source may end it, and what it folds
  // is as accurate as the compiler's library functions.
  bool executes = false;
  // Error codes or kinds with which the pass may legitimately refuse a module, e.g. "needs-num-input".
  std::vector<std::string_view> rejections;
  // Passes to run before it, in order, without which it does nothing or may not be run (FuseOps: LegalizeOps,
  // ...).
  std::vector<std::string_view> needs = {};
};

// One value of a call plan: an argument of the test case, a tuple of such, (a field of) an earlier step's
// result, or a callback that hands out or collects values.
struct PlanValue;
struct ArgumentRef {
  int index;
  int field = -1;  // of an argument that is a tuple; -1: the whole argument
};
struct PlanTuple {
  std::vector<PlanValue> fields;
};
struct StepResult {
  int step;
  int field = -1;  // -1: the whole result
};
struct GetCallback {  // callable(index, name) -> items[index]
  std::vector<PlanValue> items;
};
// callable(index, value): the step's result becomes the tuple of all values set. Ignored: of a function whose
// outputs are handed over already, so that it returns nothing.
struct SetCallback {
  bool ignored = false;
};
struct PlanValue {
  std::variant<ArgumentRef, PlanTuple, StepResult, GetCallback, SetCallback> node;
};
struct CallStep {
  std::string function;
  std::vector<PlanValue> args;
  // For lazy_transform_params: what the extern functions get_item and set_item serve.
  std::vector<PlanValue> get_items;
  bool collects_set_items = false;  // also of a step that is given a SetCallback
  // Of a step that collects: the value set at index 0 is the result itself. LazySetOutput does so where the
  // function returned anything but a tuple written out.
  bool single_output = false;
};
// The calls to make, in order; the last one returns the result that is compared.
struct CallPlan {
  std::vector<CallStep> steps;
};

// f(arg 0, ..., arg n-1).
CallPlan direct_plan(std::string entry, int arguments);
// The plan for the target of one pass, from the plan for its source: conventions compose. Fails with
// convention.missing-function, convention.arity, convention.type where the target cannot be called so: the
// pass broke its contract; with convention.composed where a function that the plan calls was composed with
// what the pass lifted from another, so that no call of the target does what the plan did. A convention
// passes by what it does not concern: functions without num_input, private ones for the lazy passes, all but
// *transform_params for LazyTransformParams.
inline constexpr std::string_view kComposedConvention = "convention.composed";
Result<CallPlan> apply_convention(Convention convention, const CallPlan& plan, const Module& source,
                                  const Module& target);
// For reports: `main_transform_params((w0, w1))`, then `main(x, t[0])`; one line per step.
std::string to_string(const CallPlan& plan, const Module& source);

}  // namespace passdiff
