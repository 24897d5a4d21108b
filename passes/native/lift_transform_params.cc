// LiftTransformParams: moves what a function computes from its weights alone to a function of its own.
//
// Where targets differ from TVM's: dims of new types are as inference gives them (n + n); TVM simplifies them (n * 2). A lifted
// value that the function returns is passed to it; TVM leaves it unbound (issue 17231). A function that others of the
// module call is left alone; TVM lifts from it and leaves the calls broken. TVM refuses a shared transformation if the weights'
// bindings hold a match_cast; this pass does not share such bindings.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/form/signature.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "passes/native/lift_plan.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace native::lift_transform_params {
namespace {

constexpr std::string_view kSuffix = "transform_params";

constexpr FaultRow<LiftFaults> kFaults[] = {
    {&LiftFaults::output_dropped, "lift-transform-params/output-dropped",
     "a lifted expression that is itself the result is not handed on (apache/tvm issue 17231)",
     "well-formed"},
    {&LiftFaults::untransformed_argument, "lift-transform-params/untransformed-argument",
     "a weight as it came takes the place of what was computed from it (as in apache/tvm issue 17207)",
     "outputs-refine"},
};

struct Options {
  bool shared = false;
  std::vector<std::string> names;  // empty: every function with num_input
};

Result<Options> read_options(std::string_view text) {
  Options options;
  if (text == "{}") return options;
  const nlohmann::json document = TRY(parse_json(text));
  if (!document.is_object()) return Error{"options.type", "LiftTransformParams: the options are no object"};
  for (const auto& [key, value] : document.items()) {
    const bool names = value.is_array() && std::all_of(value.begin(), value.end(),
                                                       [](const auto& name) { return name.is_string(); });
    if (key != "shared_transform" || (!value.is_boolean() && !names)) {
      return Error{"options.unknown", "LiftTransformParams: no such option: " + key};
    }
    options.shared = names ? !value.empty() : value.template get<bool>();
    if (names) options.names = value.template get<std::vector<std::string>>();
  }
  return options;
}

// The function as a target of the pass; nothing if it has no num_input, or if others call it, since their calls would have to
// change.
std::optional<LiftTarget> lift_target(const Module& module, const GlobalFunction& global) {
  const std::int64_t* inputs = num_input(*global.function);
  if (inputs == nullptr || global.name.ends_with(kSuffix)) return std::nullopt;
  const auto params = static_cast<std::int64_t>(global.function->params.size());
  if (*inputs < 0 || *inputs > params || is_referenced(module, global.name))
    return std::nullopt;
  return LiftTarget{&global, static_cast<std::size_t>(*inputs), {}};
}

Result<std::vector<LiftTarget>> lift_targets(const Module& module, const Options& options) {
  std::vector<LiftTarget> targets;
  for (const GlobalFunction& global : module.functions) {
    if (auto target = lift_target(module, global)) targets.push_back(std::move(*target));
  }
  std::sort(targets.begin(), targets.end(),
            [](const LiftTarget& a, const LiftTarget& b) { return a.global->name < b.global->name; });
  if (options.names.empty()) return targets;
  std::vector<LiftTarget> listed;
  for (const std::string& name : options.names) {
    const auto found = std::find_if(targets.begin(), targets.end(),
                                    [&](const LiftTarget& target) { return target.global->name == name; });
    if (found == targets.end()) return Error{"native.shared-function", name + ": cannot be lifted from"};
    listed.push_back(*found);
  }
  return listed;
}

// Whether the targets can share a transformation: the number and the types of their weights must be equal and without symbolic
// dims, which are different variables in each function.
bool can_share(const std::vector<LiftTarget>& targets) {
  const auto first = targets[0].weights();
  return std::all_of(targets.begin(), targets.end(), [&](const LiftTarget& target) {
    const auto weights = target.weights();
    return std::equal(
        first.begin(), first.end(), weights.begin(), weights.end(),
        [](const Var& a, const Var& b) { return !has_symbolic_dims(a->type) && equal(a->type, b->type); });
  });
}

// What the symbolic dims of a parameter are if it is given this argument; nothing if the argument's type leaves one open.
std::optional<Substitution> dims_from(const Type& parameter, const ExprPtr& argument) {
  std::vector<SymVar> symbols;
  collect_defined(parameter, symbols);
  const Shape wanted(symbols.begin(), symbols.end());
  const Type signature = func_type({parameter}, shape_type(wanted));
  const auto shape = call_result_type(*signature.as_func(), std::span(&argument, 1));
  if (!shape || !shape->as_shape()->values) return std::nullopt;
  Substitution by;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    by.symbols.set(symbols[i].get(), (*shape->as_shape()->values)[i]);
  }
  if (!equal(by.type(parameter), argument->type)) return std::nullopt;
  return by;
}

// Copies the body of a transformation with new variables. Such a body has neither branches nor local functions.
class BodyInOwnVariables : public Substituter {
 public:
  explicit BodyInOwnVariables(Substitution by) : Substituter(by_), by_(std::move(by)) {}

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    const Var var = make_var(old.var->name, type(old.var->type), old.var->dataflow);
    Substituter::binding({var, old.value, old.match_cast}, to);
    by_.vars.set(old.var.get(), var_expr(var));
    return true;
  }

 private:
  Substitution by_;
};

// The composition of two transformations, the second after the first, as one function of this name.
Result<FunctionPtr> compose(const FunctionPtr& first, const FunctionPtr& second, const std::string& name) {
  const Var& param = second->params[0];
  const ExprPtr& transformed = first->body.result;
  if (first->params.size() != 1 || !compatible(first->result_type, param->type)) {
    return Error{"native.compose",
                 name + ": the function of this name is no transformation of these weights"};
  }
  auto result = std::make_shared<Function>(*first);
  std::vector<Block>& blocks = result->body.blocks;
  SeqExpr rest = second->body;
  if (auto by = dims_from(param->type, transformed)) {
    by->vars.set(param.get(), transformed);
    BodyInOwnVariables(*std::move(by)).seq(second->body, rest);
  } else {
    blocks.push_back({true, {Binding{param, transformed, param->type}}});
  }
  blocks.insert(blocks.end(), rest.blocks.begin(), rest.blocks.end());
  result->body.result = std::move(rest.result);
  result->result_type = result_type_of(result->params, result->body);
  return FunctionPtr(std::move(result));
}

std::optional<Error> add_transformation(Module& module, const std::string& name, FunctionPtr function) {
  for (GlobalFunction& global : module.functions) {
    if (global.name != name) continue;
    global.function = TRY(compose(global.function, function, name));
    global.is_public = true;
    return std::nullopt;
  }
  module.functions.push_back({name, std::move(function), true});
  return std::nullopt;
}

std::optional<Error> lift(Module& module, std::vector<LiftTarget> targets, const std::string& name,
                          const LiftFaults& faults) {
  const LiftPlan plan = plan_lifting(std::move(targets), faults);
  for (const LiftTarget& target : plan.targets) {
    FunctionPtr runtime = make_runtime_function(plan, target);
    for (GlobalFunction& global : module.functions) {
      if (global.name == target.global->name) global.function = runtime;
    }
  }
  return add_transformation(module, name, make_transformation(plan, faults));
}

Result<Module> run(const Module& module, NativeRun& run) {
  const Options options = TRY(read_options(run.options));
  std::vector<LiftTarget> targets = TRY(lift_targets(module, options));
  const LiftFaults faults = switched_on(kFaults, run);
  Module result = module;
  if (targets.empty()) return result;
  if (options.shared) {
    if (!can_share(targets))
      return Error{"native.shared-weights", "the functions' weights differ in number or type"};
    TRY_VOID(lift(result, std::move(targets), std::string(kSuffix), faults));
    return result;
  }
  for (LiftTarget& target : targets) {
    const std::string name = target.global->name + "_" + std::string(kSuffix);
    TRY_VOID(lift(result, {std::move(target)}, name, faults));
  }
  return result;
}

std::string draw_options(Choices& choices, const Module& module) {
  const auto targets = lift_targets(module, {});
  const bool share = !targets->empty() && can_share(*targets) && choices.one_in(4);
  return share ? R"({"shared_transform": true})" : "{}";
}

Contract contract_for(const Contract& contract, std::string_view text) {
  Contract result = contract;
  const auto options = read_options(text);
  if (options && options->shared) result.convention = Convention::shared_transform_params;
  return result;
}

}  // namespace
}  // namespace native::lift_transform_params

NativePass lift_transform_params() {
  using namespace native::lift_transform_params;
  return {.pass = {.name = "LiftTransformParams",
                   .contract = {.convention = Convention::lift_transform_params,
                                .idempotent = false,
                                .rejections = {"native.shared-weights", "native.shared-function",
                                               "native.compose"}},
                   .draw_options = draw_options,
                   .contract_for = contract_for,
                   .source = "passes/native/lift_transform_params.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
