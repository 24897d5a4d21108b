// Contracts: what a pass may change, and how the function that it makes is called.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
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
  lift_transform_params,    // t = <f>_transform_params(tuple of weights), then f(inputs..., *t)
  shared_transform_params,  // the same with one function `transform_params` for all
  bundle_model_params,      // f(inputs..., tuple of weights)
  lazy_get_input,           // f(inputs..., get): weights come from get(index, name)
  lazy_set_output,          // f(inputs..., set, weights...): outputs go to set(index, value)
  lazy_transform_params,    // <f>_transform_params(), which calls the extern functions get_item and set_item
  bind_params,              // f without those of the source's parameters, by name, that the target lacks
};
// The names that plugins and `passdiff list passes` use, in the order of the enum; likewise below.
inline constexpr std::array<std::string_view, 8> kConventionNames = {
    "unchanged",      "lift_transform_params", "shared_transform_params", "bundle_model_params",
    "lazy_get_input", "lazy_set_output",       "lazy_transform_params",
    "bind_params"};

enum class Numerics : std::uint8_t {
  exact,         // the target does the same operations on the same values
  reassociated,  // integers are exact (overflow aside), floats are computed in another order
  widened,       // the target may compute in float32 what the source computes in a narrower float, by design
  lowered,       // the target computes in a narrower float, by design
  approximate,   // the target approximates, by design
};
inline constexpr std::array<std::string_view, 5> kNumericsNames = {"exact", "reassociated", "widened", "lowered", "approximate"};

// The kind of module that a pass accepts: a graph of ops; one whose ops are calls of PrimFuncs; one with calls of the virtual
// machine's runtime.
enum class Level : std::uint8_t { graph, legalised, lowered };
inline constexpr std::array<std::string_view, 3> kLevelNames = {"graph", "legalised", "lowered"};

inline constexpr std::string_view kSays = "says:";
// The rejection of a call with an argument whose rank is unknown, by a function whose parameter tells it.
inline constexpr std::string_view kRefusesUnknownRank = "@unknown-rank";

// A function that the pass adds to the module, called `<of>_adjoint`. It takes the arguments of the function `of`, and returns a tuple:
// what `of` returns, and the tuple of the derivatives of one scalar of that by parameters, which have their types.
struct Derivatives {
  std::string of;                // "main"
  std::optional<std::vector<std::string>> by = std::nullopt;  // the parameters, by name; nothing: all of them
  // Operands of ops, by index, through which by design no derivative is taken: what goes through them is not judged.
  struct Operand {
    std::string_view op;
    std::size_t index;
  };
  std::span<const Operand> constant = {};
  int target = 0;                // which field of the result is differentiated; of a result that is no tuple 0 is the result itself
};
inline constexpr std::string_view kAdjointSuffix = "_adjoint";

struct Contract {
  Convention convention = Convention::unchanged;
  Numerics numerics = Numerics::exact;
  Level level = Level::graph;
  // A second run changes nothing. Where it is not claimed, second runs that change something are counted, not reported.
  bool idempotent = true;
  // The pass runs compiled code on constants: undefined behaviour in the source may end it, and what it folds
  // is as accurate as the compiler's library functions.
  bool executes = false;
  // The errors with which the pass may legitimately refuse a module: codes or kinds ("needs-num-input"), parts of throw sites, 
  // kSays and a part of the message, or kRefusesUnknownRank.
  std::vector<std::string_view> rejections;
  // The passes that are run before this one, in order: without them it does nothing or must not be run (FuseOps: LegalizeOps,
  // ...).
  std::vector<std::string_view> needs = {};
  // What else the pass may remove or change of what values do not show: names of function or module attributes ("num_input"), or
  // kAltersFunctions and so on. All other attributes, public functions, purity and virtual devices are kept.
  std::vector<std::string_view> alters = {};
  std::optional<Derivatives> derivatives = std::nullopt;
  // The target is made for the arguments of the case: its options name values or sizes of them. It is run on no others.
  bool binds_arguments = false;
  // Bodies of functions take the place of their calls, and types are inferred for the sizes of each call: the pass may refuse those for which the
  // callee is ill-typed, be it in a branch that is not taken.
  bool inlines = false;

  bool may_alter(std::string_view what) const;
};

inline constexpr std::string_view kAltersFunctions = "@functions";  // public functions
inline constexpr std::string_view kAltersPurity = "@purity";
inline constexpr std::string_view kAltersVDevices = "@vdevices";

// A value of a call plan is an argument of the test case, a tuple of values, the result of an earlier step or a field of it, or
// a callback that hands values out or collects them.
struct PlanValue;
struct ArgumentRef {
  int index;
  int field = -1;  // a field of an argument that is a tuple; -1: the whole argument
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
// callable(index, value): the step's result becomes the tuple of all values set. `ignored` ones are dropped: the outputs of a
// function whose outputs go to set_item already, so that it returns an empty tuple.
struct SetCallback {
  bool ignored = false;
};
struct PlanValue {
  std::variant<ArgumentRef, PlanTuple, StepResult, GetCallback, SetCallback> node;
};
struct CallStep {
  std::string function;
  std::vector<PlanValue> args;
  // lazy_transform_params: the values that the extern function get_item returns, by index.
  std::vector<PlanValue> get_items;
  // The step's result is the tuple of the values that set_item, or a SetCallback, is given.
  bool collects_set_items = false;
  // The step's result is the value set at index 0 itself, and no tuple of it. LazySetOutput sets it so where the function
  // returned anything but a tuple written out.
  bool single_output = false;
};
// The calls to make, in order; the last one returns the result that is compared.
struct CallPlan {
  std::vector<CallStep> steps;
};

// The plan with the one call entry(arg 0, ..., arg n-1).
CallPlan direct_plan(std::string entry, int arguments);
// The plan for the target of one pass, from the plan for its source, so that conventions compose. Fails with
// convention.missing-function, convention.arity or convention.type where the target cannot be called so: the pass broke its
// contract. Fails with kComposedConvention where the pass appended a transformation that it lifted from one function to
// another function that the plan calls, so that no call of the target does what the plan did. Calls of functions that the
// convention does not concern stay as they are: those without num_input, private ones for the lazy passes, all but
// *transform_params for LazyTransformParams.
inline constexpr std::string_view kComposedConvention = "convention.composed";
Result<CallPlan> apply_convention(Convention convention, const CallPlan& plan, const Module& source,
                                  const Module& target);
// The plan for reports, one line per step: `t = main_transform_params((w0, w1))`, then `main(x, t[0])`.
std::string to_string(const CallPlan& plan, const Module& source);

}  // namespace passdiff
