#include "passes/contract.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/ir/queries.h"
#include "core/ir/structural.h"

namespace passdiff {
namespace {

constexpr std::string_view kTransformSuffix = "transform_params";

bool is_transform(std::string_view function) {
  return function.ends_with(kTransformSuffix);
}

// How many parameters are inputs, if the function's attribute num_input says so.
std::optional<std::size_t> inputs_of(const Function& function) {
  const std::int64_t* value = num_input(function);
  if (value == nullptr || *value < 0) return std::nullopt;
  return std::min(static_cast<std::size_t>(*value), function.params.size());
}

bool returns_tuple_literal(const Function& function) {
  return as<Tuple>(function.body.result) != nullptr;
}

bool is_shape_or_scalar(const Type& type) {
  return type.as_shape() != nullptr || type.as_prim() != nullptr;
}

PlanValue result_of(int step, int field = -1) {
  return {StepResult{step, field}};
}

class PlanRewriter {
 public:
  PlanRewriter(const CallPlan& plan, const Module& source, const Module& target)
      : plan_(plan), source_(source), target_(target) {}

  Result<CallPlan> rewrite(Convention convention) {
    shared_ = convention == Convention::shared_transform_params;
    for (const CallStep& step : plan_.steps) {
      const CallStep moved = renumbered(step);
      TRY_VOID(rewrite_step(convention, moved));
      moved_to_.push_back(static_cast<int>(result_.steps.size()) - 1);
    }
    const bool lifts =
        convention == Convention::lift_transform_params || convention == Convention::shared_transform_params;
    if (lifts && is_composed(result_.steps.back().function)) return composed(result_.steps.back().function);
    return std::move(result_);
  }

 private:
  using Rewritten = std::optional<Error>;

  Rewritten rewrite_step(Convention convention, const CallStep& step);
  Rewritten lift(const CallStep& step, const GlobalFunction& source, const std::string& transform);
  Rewritten relift(const CallStep& step, std::size_t inputs, int transform_step);
  // Where one transformation is shared, the option may list functions that are only named like one.
  bool is_transformation(const std::string& function) const;
  bool is_composed(const std::string& function) const;
  static Error composed(const std::string& function);
  Rewritten bind(CallStep step, const GlobalFunction& source);
  Rewritten bundle(CallStep step, const GlobalFunction& source);
  Rewritten get_lazily(CallStep step, const GlobalFunction& source);
  Rewritten set_lazily(CallStep step, const GlobalFunction& source);
  Rewritten transform_lazily(CallStep step, const GlobalFunction& source);
  Rewritten add(CallStep step);
  Rewritten append_fields(CallStep& step, const std::string& transform, int transform_step);

  std::optional<int> transform_step_of(const CallStep& step, std::size_t inputs,
                                       const std::string& transform) const;
  std::vector<PlanValue> fields_of(const PlanValue& value, const TupleType& type) const;
  CallStep renumbered(CallStep step) const;
  void renumber(std::vector<PlanValue>& values) const;

  bool shared_ = false;  // one transformation for all functions
  const CallPlan& plan_;
  const Module& source_;
  const Module& target_;
  CallPlan result_;
  std::vector<int> moved_to_;  // for each step of the plan, its index in the result
};

void PlanRewriter::renumber(std::vector<PlanValue>& values) const {
  for (PlanValue& value : values) {
    if (auto* ref = std::get_if<StepResult>(&value.node)) {
      const auto step = static_cast<std::size_t>(ref->step);
      CHECK(ref->step >= 0 && step < moved_to_.size()) << "a plan's step uses a later one";
      ref->step = moved_to_[step];
    }
    if (auto* tuple = std::get_if<PlanTuple>(&value.node)) renumber(tuple->fields);
    if (auto* get = std::get_if<GetCallback>(&value.node)) renumber(get->items);
  }
}

CallStep PlanRewriter::renumbered(CallStep step) const {
  renumber(step.args);
  renumber(step.get_items);
  return step;
}

PlanRewriter::Rewritten PlanRewriter::add(CallStep step) {
  const std::optional<std::size_t> expected = count_params(target_, step.function);
  if (!expected) return Error{"convention.missing-function", step.function + ": the target has no such function"};
  if (*expected != step.args.size()) {
    return Error{"convention.arity", step.function + ": takes " + std::to_string(*expected) + " arguments, " +
                                         std::to_string(step.args.size()) + " by the convention"};
  }
  result_.steps.push_back(std::move(step));
  return std::nullopt;
}

PlanRewriter::Rewritten PlanRewriter::append_fields(CallStep& step, const std::string& transform,
                                                    int transform_step) {
  const GlobalFunction* function = target_.find(transform);
  const TupleType* fields = function == nullptr ? nullptr : function->function->result_type.as_tuple();
  if (fields == nullptr) return Error{"convention.type", transform + ": does not return a tuple"};
  for (std::size_t i = 0; i < fields->fields.size(); ++i) {
    step.args.push_back(result_of(transform_step, static_cast<int>(i)));
  }
  return std::nullopt;
}

// The earlier step that computes the weights which this one is called with, if the plan already calls that transformation.
std::optional<int> PlanRewriter::transform_step_of(const CallStep& step, std::size_t inputs,
                                                   const std::string& transform) const {
  for (std::size_t k = 0; k < result_.steps.size(); ++k) {
    if (result_.steps[k].function != transform) continue;
    for (std::size_t i = inputs; i < step.args.size(); ++i) {
      const auto* ref = std::get_if<StepResult>(&step.args[i].node);
      if (ref == nullptr || ref->step != static_cast<int>(k)) return std::nullopt;
    }
    return static_cast<int>(k);
  }
  return std::nullopt;
}

// For LiftTransformParams on its own result: the pass appends the new transformation to the old one and keeps the old one's
// name, so that the plan's call of it now returns the new weights.
PlanRewriter::Rewritten PlanRewriter::relift(const CallStep& step, std::size_t inputs, int transform_step) {
  CallStep call = step;
  call.args.resize(inputs, result_of(0));
  const std::string transform = result_.steps[static_cast<std::size_t>(transform_step)].function;
  TRY_VOID(append_fields(call, transform, transform_step));
  return add(std::move(call));
}

bool PlanRewriter::is_transformation(const std::string& function) const {
  return shared_ ? function == kTransformSuffix : is_transform(function);
}

// Whether the source had a function of this name, to which a lifting pass has appended its transformation. A plan that called
// the function for another purpose, or as the transformation of other weights, would get something else.
bool PlanRewriter::is_composed(const std::string& function) const {
  if (!is_transformation(function)) return false;
  const GlobalFunction* source = source_.find(function);
  const GlobalFunction* target = target_.find(function);
  return source != nullptr && target != nullptr && !structural_equal(*source->function, *target->function);
}
Error PlanRewriter::composed(const std::string& function) {
  return {std::string(kComposedConvention),
          function + ": means something else since it was composed with a lifted transformation"};
}

PlanRewriter::Rewritten PlanRewriter::lift(const CallStep& step, const GlobalFunction& source,
                                           const std::string& transform) {
  const auto inputs = inputs_of(*source.function);
  // Functions without num_input are not lifted; nor are, with a shared transformation, functions that the pass's option does
  // not list. Both stay as they were. So may a listed function whose transformation changes nothing: calling it directly is
  // right as well.
  const GlobalFunction* target = target_.find(step.function);
  const auto untouched = [&] {
    return target != nullptr && structural_equal(*source.function, *target->function);
  };
  const auto done = transform_step_of(step, inputs.value_or(0), transform);
  if (done && inputs && source_.find(transform) != nullptr && !untouched())
    return relift(step, *inputs, *done);
  for (const CallStep& earlier : result_.steps) {
    if (is_composed(earlier.function)) return composed(earlier.function);
  }
  if (!inputs || is_transformation(step.function) || step.args.size() < *inputs || untouched()) return add(step);
  if (is_composed(transform)) return composed(transform);
  const auto weights = step.args.begin() + static_cast<std::ptrdiff_t>(*inputs);
  CallStep transformation{transform, {{PlanTuple{{weights, step.args.end()}}}}, {}};
  TRY_VOID(add(std::move(transformation)));
  const int transform_step = static_cast<int>(result_.steps.size()) - 1;
  CallStep call = step;
  call.args.resize(*inputs, result_of(0));
  TRY_VOID(append_fields(call, transform, transform_step));
  return add(std::move(call));
}

PlanRewriter::Rewritten PlanRewriter::bind(CallStep step, const GlobalFunction& source) {
  const GlobalFunction* target = target_.find(step.function);
  const std::vector<Var>& params = source.function->params;
  if (target == nullptr || step.args.size() != params.size()) return add(std::move(step));
  const auto is_bound = [&](const Var& param) {
    const auto is_same = [&](const Var& kept) { return kept->name == param->name; };
    return std::none_of(target->function->params.begin(), target->function->params.end(), is_same);
  };
  for (std::size_t i = params.size(); i-- > 0;) {
    if (is_bound(params[i])) step.args.erase(step.args.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return add(std::move(step));
}

PlanRewriter::Rewritten PlanRewriter::bundle(CallStep step, const GlobalFunction& source) {
  const auto inputs = inputs_of(*source.function);
  if (!inputs || step.args.size() < *inputs) return add(std::move(step));
  const auto weights = step.args.begin() + static_cast<std::ptrdiff_t>(*inputs);
  PlanTuple tuple{{weights, step.args.end()}};
  step.args.erase(weights, step.args.end());
  step.args.push_back({std::move(tuple)});
  return add(std::move(step));
}

// Without num_input all parameters come from the callback: TVM takes a missing attribute as zero (lazy_transform_params.cc).
PlanRewriter::Rewritten PlanRewriter::get_lazily(CallStep step, const GlobalFunction& source) {
  const std::size_t inputs = inputs_of(*source.function).value_or(0);
  if (!source.is_public || step.args.size() < inputs) return add(std::move(step));
  const auto weights = step.args.begin() + static_cast<std::ptrdiff_t>(inputs);
  GetCallback callback{{weights, step.args.end()}};
  step.args.erase(weights, step.args.end());
  step.args.push_back({std::move(callback)});
  return add(std::move(step));
}

// The callback becomes the parameter before the weights, or the last one where no num_input says which the weights are.
PlanRewriter::Rewritten PlanRewriter::set_lazily(CallStep step, const GlobalFunction& source) {
  const std::size_t inputs = inputs_of(*source.function).value_or(source.function->params.size());
  if (!source.is_public || step.args.size() < inputs) return add(std::move(step));
  const SetCallback callback{.ignored = step.collects_set_items};
  if (!callback.ignored) step.single_output = !returns_tuple_literal(*source.function);
  step.collects_set_items = true;
  step.args.insert(step.args.begin() + static_cast<std::ptrdiff_t>(inputs), {callback});
  return add(std::move(step));
}

std::vector<PlanValue> PlanRewriter::fields_of(const PlanValue& value, const TupleType& type) const {
  if (const auto* tuple = std::get_if<PlanTuple>(&value.node)) return tuple->fields;
  std::vector<PlanValue> fields;
  if (const auto* argument = std::get_if<ArgumentRef>(&value.node);
      argument != nullptr && argument->field < 0) {
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      fields.push_back({ArgumentRef{argument->index, static_cast<int>(i)}});
    }
    return fields;
  }
  const auto* ref = std::get_if<StepResult>(&value.node);
  for (std::size_t i = 0; ref != nullptr && ref->field < 0 && i < type.fields.size(); ++i) {
    fields.push_back(result_of(ref->step, static_cast<int>(i)));
  }
  return fields;
}

// The weights come from get_item. Shapes and scalars among them stay parameters if the function has symbolic dims, which shows
// in the number of the target's parameters.
PlanRewriter::Rewritten PlanRewriter::transform_lazily(CallStep step, const GlobalFunction& source) {
  // A second run of the pass leaves a function that is lazy already as it is.
  const GlobalFunction* same = target_.find(step.function);
  if (!is_transform(step.function)) return add(std::move(step));
  if (same != nullptr && structural_equal(*source.function, *same->function)) return add(std::move(step));
  const std::size_t inputs = inputs_of(*source.function).value_or(0);
  const auto& params = source.function->params;
  if (step.args.size() < inputs || params.size() != step.args.size()) return add(std::move(step));
  std::vector<PlanValue> items(step.args.begin() + static_cast<std::ptrdiff_t>(inputs), step.args.end());
  std::vector<Type> types;
  for (std::size_t i = inputs; i < params.size(); ++i) types.push_back(params[i]->type);
  if (types.size() == 1 && types[0].as_tuple() != nullptr) {
    const TupleType tuple = *types[0].as_tuple();
    auto fields = fields_of(items[0], tuple);
    if (fields.size() != tuple.fields.size()) {
      return Error{"convention.type", step.function + ": its weights cannot be handed out one by one"};
    }
    items = std::move(fields);
    types = tuple.fields;
  }
  step.args.resize(inputs, result_of(0));
  const GlobalFunction* target = target_.find(step.function);
  for (std::size_t i = 0; target != nullptr && i < types.size(); ++i) {
    const bool wanted = step.args.size() < target->function->params.size();
    if (wanted && is_shape_or_scalar(types[i])) step.args.push_back(items[i]);
  }
  step.get_items = std::move(items);
  // A result that is no tuple has no items to set: it is returned as before.
  const Type& result = source.function->body.result->type;
  step.collects_set_items = result.as_tuple() != nullptr || result.is_object();
  return add(std::move(step));
}

PlanRewriter::Rewritten PlanRewriter::rewrite_step(Convention convention, const CallStep& step) {
  // Functions of TensorIR have no weights, which is what conventions are about.
  if (source_.find_prim_func(step.function) != nullptr) return add(step);
  const GlobalFunction* source = source_.find(step.function);
  if (source == nullptr) {
    return Error{"convention.missing-function", step.function + ": the source has no such function"};
  }
  switch (convention) {
    case Convention::unchanged:
      return add(step);
    case Convention::lift_transform_params:
      return lift(step, *source, step.function + "_transform_params");
    case Convention::shared_transform_params:
      return lift(step, *source, std::string(kTransformSuffix));
    case Convention::bundle_model_params:
      return bundle(step, *source);
    case Convention::lazy_get_input:
      return get_lazily(step, *source);
    case Convention::lazy_set_output:
      return set_lazily(step, *source);
    case Convention::lazy_transform_params:
      return transform_lazily(step, *source);
    case Convention::bind_params:
      return bind(step, *source);
  }
  CHECK(false) << "unknown convention";
  return std::nullopt;
}

class PlanPrinter {
 public:
  PlanPrinter(const CallPlan& plan, const Module& source) : plan_(plan) {
    if (plan.steps.empty()) return;
    const std::string& entry = plan.steps.back().function;
    if (const GlobalFunction* function = source.find(entry)) {
      for (const Var& param : function->function->params) names_.push_back(param->name);
    } else if (const GlobalPrimFunc* prim_func = source.find_prim_func(entry)) {
      for (const tir::Param& param : prim_func->function->params) names_.push_back(name_of(param));
    }
  }

  std::string print() const {
    std::string text;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      const CallStep& step = plan_.steps[i];
      if (i + 1 < plan_.steps.size()) text += result_name(static_cast<int>(i)) + " = ";
      text += step.function + "(" + list(step.args) + ")";
      if (!step.get_items.empty()) text += " with get_item from " + tuple(step.get_items);
      if (step.collects_set_items && !hands_over(step.args)) text += " and the result from set_item";
      text += "\n";
    }
    return text;
  }

 private:
  static std::string result_name(int step) { return step == 0 ? "t" : "t" + std::to_string(step); }

  // Whether a callback for the outputs is among the arguments: printing it tells enough of where the result comes from.
  static bool hands_over(const std::vector<PlanValue>& values) {
    return std::any_of(values.begin(), values.end(), [](const PlanValue& value) {
      if (const auto* tuple = std::get_if<PlanTuple>(&value.node)) return hands_over(tuple->fields);
      if (const auto* get = std::get_if<GetCallback>(&value.node)) return hands_over(get->items);
      return std::holds_alternative<SetCallback>(value.node);
    });
  }

  std::string list(const std::vector<PlanValue>& values) const {
    std::string text;
    for (const PlanValue& v : values) text += (text.empty() ? "" : ", ") + value(v);
    return text;
  }
  std::string tuple(const std::vector<PlanValue>& values) const {
    return "(" + list(values) + (values.size() == 1 ? ",)" : ")");
  }

  std::string value(const PlanValue& value) const {
    if (const auto* ref = std::get_if<ArgumentRef>(&value.node)) {
      const auto index = static_cast<std::size_t>(ref->index);
      const std::string name = index < names_.size() ? names_[index] : "arg" + std::to_string(ref->index);
      return ref->field < 0 ? name : name + "[" + std::to_string(ref->field) + "]";
    }
    if (const auto* fields = std::get_if<PlanTuple>(&value.node)) return tuple(fields->fields);
    if (const auto* result = std::get_if<StepResult>(&value.node)) {
      const std::string name = result_name(result->step);
      return result->field < 0 ? name : name + "[" + std::to_string(result->field) + "]";
    }
    if (const auto* get = std::get_if<GetCallback>(&value.node)) {
      return "lambda index, name: " + tuple(get->items) + "[index]";
    }
    return std::get<SetCallback>(value.node).ignored ? "ignore_output" : "set_output";
  }

  const CallPlan& plan_;
  std::vector<std::string> names_;
};

}  // namespace

CallPlan direct_plan(std::string entry, int arguments) {
  CallStep step{std::move(entry), {}, {}};
  step.args.reserve(static_cast<std::size_t>(arguments));
  for (int i = 0; i < arguments; ++i) step.args.push_back({ArgumentRef{i}});
  return {{std::move(step)}};
}

Result<CallPlan> apply_convention(Convention convention, const CallPlan& plan, const Module& source,
                                  const Module& target) {
  return PlanRewriter(plan, source, target).rewrite(convention);
}

std::string to_string(const CallPlan& plan, const Module& source) {
  return PlanPrinter(plan, source).print();
}

bool Contract::may_alter(std::string_view what) const {
  return std::find(alters.begin(), alters.end(), what) != alters.end();
}

}  // namespace passdiff
