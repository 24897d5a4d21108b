#include "oracle/execute.h"

#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace passdiff {
namespace {

// The values that a step gave to its callback for outputs, or to set_item, by index.
using Collected = std::map<std::int64_t, Value>;

std::optional<std::int64_t> index_argument(std::span<const Value> arguments) {
  if (arguments.empty()) return std::nullopt;
  const auto* scalar = std::get_if<ScalarValue>(&arguments[0].node);
  if (scalar == nullptr) return std::nullopt;
  const auto* index = std::get_if<std::int64_t>(&scalar->value);
  return index == nullptr ? std::nullopt : std::optional(*index);
}

Outcome callback_misuse(const char* what) {
  return Trapped{"trap.callback", std::string(what) + ": the callback was called with unexpected arguments"};
}

Value getter(std::vector<Value> items) {
  return host_function([items = std::move(items)](std::span<const Value> arguments) -> Outcome {
    const auto index = index_argument(arguments);
    if (!index || *index < 0 || *index >= static_cast<std::int64_t>(items.size()))
      return callback_misuse("get_item");
    return Returned{items[static_cast<std::size_t>(*index)], {}};
  });
}

Value setter(std::shared_ptr<Collected> collected) {
  return host_function([collected = std::move(collected)](std::span<const Value> arguments) -> Outcome {
    const auto index = index_argument(arguments);
    if (!index || arguments.size() < 2) return callback_misuse("set_item");
    (*collected)[*index] = arguments[1];
    return Returned{Value(), {}};
  });
}

class PlanRun {
 public:
  PlanRun(const Module& module, std::span<const Value> arguments, const InterpretOptions& options)
      : module_(module), arguments_(arguments), options_(options) {}

  Outcome run(const CallPlan& plan) {
    Outcome last = Unsupported{"an empty call plan"};
    std::vector<UndefinedRecord> overflows;
    bool from_nothing = false;
    std::int64_t work = 0;
    std::vector<Effect> effects;
    std::vector<UndefinedRecord> contradictions;
    for (const CallStep& step : plan.steps) {
      last = run_step(step);
      auto* returned = std::get_if<Returned>(&last);
      if (returned == nullptr) return last;
      overflows.insert(overflows.end(), returned->overflows.begin(), returned->overflows.end());
      from_nothing |= returned->from_nothing;
      work += returned->work;
      contradictions.insert(contradictions.end(), returned->contradictions.begin(), returned->contradictions.end());
      std::move(returned->effects.begin(), returned->effects.end(), std::back_inserter(effects));
      results_.push_back(returned->value);
    }
    if (auto* returned = std::get_if<Returned>(&last)) {
      returned->overflows = std::move(overflows);
      returned->from_nothing = from_nothing;
      returned->work = work;
      returned->effects = std::move(effects);
      returned->contradictions = std::move(contradictions);
    }
    return last;
  }

 private:
  Outcome run_step(const CallStep& step) {
    collected_ = std::make_shared<Collected>();
    std::vector<Value> args;
    for (const PlanValue& arg : step.args) {
      auto value = resolve(arg);
      if (!value) return Trapped{"trap.plan", step.function + ": an earlier step's result has no such field"};
      args.push_back(std::move(*value));
    }
    InterpretOptions options = options_;
    if (!step.get_items.empty() || step.collects_set_items) {
      std::vector<Value> items;
      for (const PlanValue& item : step.get_items) {
        auto value = resolve(item);
        if (!value)
          return Trapped{"trap.plan", step.function + ": an earlier step's result has no such field"};
        items.push_back(std::move(*value));
      }
      options.host_functions.insert_or_assign("get_item", getter(std::move(items)));
      options.host_functions.insert_or_assign("set_item", setter(collected_));
    }
    Outcome outcome = interpret(module_, step.function, args, options);
    if (auto* returned = std::get_if<Returned>(&outcome); returned != nullptr && step.collects_set_items) {
      TupleValue tuple;
      for (auto& [index, value] : *collected_) tuple.fields.push_back(value);
      const bool single = step.single_output && tuple.fields.size() == 1;
      returned->value = single ? std::move(tuple.fields[0]) : Value(std::move(tuple));
    }
    return outcome;
  }

  std::optional<Value> resolve(const PlanValue& value) {
    if (const auto* ref = std::get_if<ArgumentRef>(&value.node)) {
      if (ref->index < 0 || static_cast<std::size_t>(ref->index) >= arguments_.size()) return std::nullopt;
      return field_of(arguments_[static_cast<std::size_t>(ref->index)], ref->field);
    }
    if (const auto* tuple = std::get_if<PlanTuple>(&value.node)) {
      auto fields = resolve_all(tuple->fields);
      if (!fields) return std::nullopt;
      return Value(TupleValue{std::move(*fields)});
    }
    if (const auto* result = std::get_if<StepResult>(&value.node)) return field_of(*result);
    if (const auto* get = std::get_if<GetCallback>(&value.node)) {
      auto items = resolve_all(get->items);
      if (!items) return std::nullopt;
      return getter(std::move(*items));
    }
    const bool ignored = std::get<SetCallback>(value.node).ignored;
    return setter(ignored ? std::make_shared<Collected>() : collected_);
  }

  std::optional<std::vector<Value>> resolve_all(const std::vector<PlanValue>& values) {
    std::vector<Value> resolved;
    for (const PlanValue& value : values) {
      auto one = resolve(value);
      if (!one) return std::nullopt;
      resolved.push_back(std::move(*one));
    }
    return resolved;
  }

  std::optional<Value> field_of(const StepResult& ref) const {
    if (ref.step < 0 || static_cast<std::size_t>(ref.step) >= results_.size()) return std::nullopt;
    return field_of(results_[static_cast<std::size_t>(ref.step)], ref.field);
  }
  static std::optional<Value> field_of(const Value& value, int field) {
    if (field < 0) return value;
    const TupleValue* tuple = value.as_tuple();
    if (tuple == nullptr || static_cast<std::size_t>(field) >= tuple->fields.size()) return std::nullopt;
    return tuple->fields[static_cast<std::size_t>(field)];
  }

  const Module& module_;
  std::span<const Value> arguments_;
  const InterpretOptions& options_;
  std::vector<Value> results_;
  std::shared_ptr<Collected> collected_;
};

Outcome run_within(const Module& module, const CallPlan& plan, std::span<const Value> arguments, const InterpretOptions& options) {
  // Most plans are one direct call, which needs no copies of the arguments.
  if (plan.steps.size() == 1) {
    const CallStep& step = plan.steps[0];
    bool direct = step.args.size() == arguments.size() && step.get_items.empty() && !step.collects_set_items;
    for (std::size_t i = 0; direct && i < step.args.size(); ++i) {
      const auto* ref = std::get_if<ArgumentRef>(&step.args[i].node);
      direct = ref != nullptr && ref->field < 0 && static_cast<std::size_t>(ref->index) == i;
    }
    if (direct) return interpret(module, step.function, arguments, options);
  }
  return PlanRun(module, arguments, options).run(plan);
}

}  // namespace

Outcome run_plan(const Module& module, const CallPlan& plan, std::span<const Value> arguments,
                 const InterpretOptions& options) {
  Outcome outcome = run_within(module, plan, arguments, options);
  if (!std::holds_alternative<LimitExceeded>(outcome)) return outcome;
  // Few modules are large, and whether one is takes a walk over it: so it is asked of those that did not get along with the usual limits.
  InterpretOptions wider = options;
  wider.limits = limits_of(module, arguments);
  return wider.limits == options.limits ? outcome : run_within(module, plan, arguments, wider);
}

}  // namespace passdiff
