#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <span>

#include <fmt/format.h>

#include "core/ir/queries.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"
#include "oracle/check.h"
#include "oracle/check_row.h"
#include "oracle/compare.h"
#include "oracle/execute.h"
#include "oracle/finite_differences.h"
#include "oracle/pipeline_contract.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"

namespace passdiff {
namespace checks::derivatives {
namespace {

// So many elements of each parameter are looked at, spread evenly over it: each takes four runs of the source.
constexpr std::size_t kMostElements = 12;
// By what share a derivative may be off, besides the error of the differences; and by what share of the loss, next to which derivatives are
// lost in scripts that compute differences with floats of 32 bits.
constexpr double kShare = 0.01;
constexpr double kShareOfLoss = 3e-4;

Verdict wrong(std::string site, std::string detail) {
  return {.symptom = Symptom::wrong_derivative, .stage = Stage::compare, .site = std::move(site), .detail = std::move(detail)};
}

// The scalar that is differentiated, in what the source returns; null if there is none.
const Tensor* differentiated(const Value& result, int target) {
  const Value* value = &result;
  if (const TupleValue* fields = result.as_tuple()) {
    if (target < 0 || static_cast<std::size_t>(target) >= fields->fields.size()) return nullptr;
    value = &fields->fields[static_cast<std::size_t>(target)];
  }
  const TensorPtr* tensor = value->as_tensor();
  return tensor != nullptr && (*tensor)->size() == 1 && is_float((*tensor)->dtype) ? tensor->get() : nullptr;
}

// By what a parameter may be multiplied: the shortest step of the differences, 2^-16 of one, times this is still a small one, for tanh, say.
constexpr double kLargestFactor = 16384;

// Whether differences tell derivatives of what is computed with these numbers.
bool is_moderate(const Value& value) {
  if (const TupleValue* tuple = value.as_tuple()) return std::ranges::all_of(tuple->fields, is_moderate);
  const TensorPtr* tensor = value.as_tensor();
  return tensor == nullptr || !is_float((*tensor)->dtype) ||
         std::ranges::all_of((*tensor)->floats(), [](double element) { return std::fabs(element) <= kLargestFactor; });
}

// Whether all that the source computes with of these arguments is moderate. Infinities and NaN that a branch leaves out, or relu makes zero of, come
// back in derivatives, with every tool that differentiates.
bool stays_moderate(const SourceRun& source, std::span<const Value> arguments) {
  bool moderate = std::ranges::all_of(arguments, is_moderate);
  const auto observe = [&moderate](std::span<const Value> operands, const Value& result) {
    moderate = moderate && std::ranges::all_of(operands, is_moderate) && is_moderate(result);
  };
  if (moderate) {
    run_plan(source.test().module, source.plan(), arguments, {.rounding = {.mode = RoundingMode::wide}, .observe = observe});
  }
  return moderate;
}

// In double precision, also where the program makes values narrower: a cast to fewer digits is a step function, but is differentiated as
// what it stands for.
constexpr Rounding kWide = {.mode = RoundingMode::wide, .least = DType::float64};

// The scalar as a function of one element of one argument, by how much that is moved, in wide arithmetic.
class LossAlongElement {
 public:
  LossAlongElement(const SourceRun& source, int target, std::size_t argument, std::size_t element)
      : source_(source), target_(target), argument_(argument), element_(element) {}

  std::optional<double> operator()(double step) const {
    std::vector<Value> arguments = source_.test().arguments;
    Tensor moved = arguments[argument_].tensor();
    std::get<Tensor::Floats>(moved.values).flat(element_) += step;
    arguments[argument_] = make_tensor(std::move(moved));
    const Outcome outcome =
        run_plan(source_.test().module, source_.plan(), arguments, {.rounding = kWide});
    const auto* returned = std::get_if<Returned>(&outcome);
    const Tensor* loss = returned == nullptr ? nullptr : differentiated(returned->value, target_);
    return loss == nullptr ? std::nullopt : std::optional(as_double(*loss, 0));
  }

 private:
  const SourceRun& source_;
  int target_;
  std::size_t argument_, element_;
};

// The arguments with each element of floats moved up, or down, by a small step of its own, so that what was equal, or zero, is not so here.
std::vector<Value> moved_aside(std::vector<Value> arguments, bool up) {
  std::size_t moved_before = 0;
  for (Value& argument : arguments) {
    const TensorPtr* tensor = argument.as_tensor();
    if (tensor == nullptr || !is_float((*tensor)->dtype)) continue;
    Tensor moved = **tensor;
    for (double& element : std::get<Tensor::Floats>(moved.values)) {
      const double share = std::fmod(static_cast<double>(++moved_before) * std::numbers::phi, 1) + 0.5;
      element += (up ? share : -share) * std::ldexp(std::max(1.0, std::fabs(element)), -10);
    }
    argument = make_tensor(std::move(moved));
  }
  return arguments;
}

// Whether the value of a parameter reaches an operand through which no derivative is taken.
bool reaches_constant_operand(const Function& function, const Var& param, std::span<const Derivatives::Operand> constant) {
  std::set<const VarNode*> reached = {param.get()};
  const auto depends = [&](const ExprPtr& expr) {
    bool found = false;
    for_each_use(expr, [&](const Var& var) { found = found || reached.contains(var.get()); });
    return found;
  };
  return any_binding<Enter::none>(function.body, [&](const Binding& binding) {
    if (!depends(binding.value)) return false;
    reached.insert(binding.var.get());
    const OpDef* op = called_op(binding.value);
    return op != nullptr && std::ranges::any_of(constant, [&](const Derivatives::Operand& operand) {
             const std::vector<ExprPtr>& args = as<Call>(binding.value)->args;
             return op->name == operand.op && operand.index < args.size() && depends(args[operand.index]);
           });
  });
}

class AdjointJudge {
 public:
  AdjointJudge(const CheckContext& context, const Derivatives& wanted, const SourceRun& source)
      : context_(context),
        wanted_(wanted),
        source_(source),
        adjoint_(wanted.of + std::string(kAdjointSuffix)),
        plan_(direct_plan(adjoint_, static_cast<int>(source.test().arguments.size()))) {}

  std::optional<Verdict> judge() const {
    const Outcome outcome = run({});
    const auto* returned = std::get_if<Returned>(&outcome);
    if (returned == nullptr) {
      if (std::holds_alternative<Unsupported>(outcome) || std::holds_alternative<LimitExceeded>(outcome)) return std::nullopt;
      const std::string detail = adjoint_ + " does not return: " + to_string(outcome);
      if (std::holds_alternative<Undefined>(outcome)) return confirmed_undefined(wrong("derivatives.undefined", detail));
      return confirmed(wrong("derivatives.run", detail), nullptr);
    }
    std::optional<Verdict> verdict = judge(returned->value);
    return verdict ? confirmed(*std::move(verdict), &returned->value) : verdict;
  }

 private:
  Outcome run(const Rounding& rounding) const {
    return run_plan(*context_.target, plan_, source_.test().arguments, {.rounding = rounding});
  }

  std::optional<Verdict> judge(const Value& result) const {
    const TupleValue* gradients = gradients_in(result);
    if (gradients == nullptr)
      return wrong("derivatives.type", adjoint_ + " does not return a tuple of the result and the tuple of the derivatives");
    // Not with what the source returns: passes before the one that differentiates may change that within their contracts.
    const Outcome original = run_plan(*context_.target, source_.plan(), source_.test().arguments);
    const Value& loss = result.tuple().fields[0];
    if (const auto* value = std::get_if<Returned>(&original); value != nullptr && !bit_equal(loss, value->value)) {
      return wrong("derivatives.value", fmt::format("{} returns {} where {} returns {}", adjoint_, to_string(loss),
                                                    wanted_.of, to_string(value->value)));
    }
    const std::vector<std::size_t> params = params_of_gradients();
    if (params.size() != gradients->fields.size()) {
      return wrong("derivatives.type", fmt::format("{} returns {} derivatives, {} were asked for", adjoint_,
                                                   gradients->fields.size(), params.size()));
    }
    const Outcome wide = run(kWide);
    const auto* returned = stays_moderate(source_, source_.test().arguments) ? std::get_if<Returned>(&wide) : nullptr;
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (std::optional<Verdict> verdict = judge_type(i, params[i], gradients->fields[i])) return verdict;
      if (returned == nullptr) continue;
      const Value& gradient = returned->value.tuple().fields[1].tuple().fields[i];
      if (std::optional<Verdict> verdict = judge_elements(i, params[i], gradient)) return verdict;
    }
    return std::nullopt;
  }

  // The derivatives, in what the adjoint returns; null if that has another form.
  static const TupleValue* gradients_in(const Value& result) {
    const TupleValue* both = result.as_tuple();
    return both == nullptr || both->fields.size() != 2 ? nullptr : both->fields[1].as_tuple();
  }

  // The indices of the parameters by which derivatives are asked for, in the order of the derivatives.
  std::vector<std::size_t> params_of_gradients() const {
    const std::vector<Var>& params = source_.test().module.find(wanted_.of)->function->params;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; !wanted_.by && i < params.size(); ++i) indices.push_back(i);
    for (const std::string& name : wanted_.by.value_or(std::vector<std::string>())) {
      const auto found = std::find_if(params.begin(), params.end(), [&](const Var& param) { return param->name == name; });
      if (found != params.end()) indices.push_back(static_cast<std::size_t>(found - params.begin()));
    }
    return indices;
  }

  std::string name_of_param(std::size_t param) const {
    return source_.test().module.find(wanted_.of)->function->params[param]->name;
  }

  std::optional<Verdict> judge_type(std::size_t index, std::size_t param, const Value& gradient) const {
    const TensorPtr* argument = source_.test().arguments[param].as_tensor();
    const TensorPtr* tensor = gradient.as_tensor();
    if (argument == nullptr) return std::nullopt;
    if (tensor != nullptr && (*tensor)->dtype == (*argument)->dtype && (*tensor)->shape() == (*argument)->shape()) return std::nullopt;
    return wrong("derivatives.type", fmt::format("the derivative by {} (number {}) is {}, the parameter is {}", name_of_param(param),
                                                 index, to_string(gradient, 0), to_string(source_.test().arguments[param], 0)));
  }

  std::optional<Verdict> judge_elements(std::size_t index, std::size_t param, const Value& gradient) const {
    const TensorPtr* argument = source_.test().arguments[param].as_tensor();
    if (argument == nullptr || !is_float((*argument)->dtype)) return std::nullopt;
    const Function& function = *source_.test().module.find(wanted_.of)->function;
    if (reaches_constant_operand(function, function.params[param], wanted_.constant)) return std::nullopt;
    const std::size_t size = (*argument)->size();
    const std::size_t stride = std::max<std::size_t>(1, (size + kMostElements - 1) / kMostElements);
    for (std::size_t element = 0; element < size; element += stride) {
      const double at = std::fabs(as_double(**argument, element));
      if (!std::isfinite(at)) continue;
      const std::optional<Slope> slope = slope_at_zero(LossAlongElement(source_, wanted_.target, param, element), std::max(1.0, at));
      if (!slope) continue;
      const double actual = as_double(gradient.tensor(), element);
      const double allowed = kShare * std::max(std::fabs(slope->value), std::fabs(actual)) +
                             kShareOfLoss * std::max(1.0, std::fabs(slope->height)) + 4 * slope->error;
      if (std::fabs(actual - slope->value) <= allowed) continue;
      if (!std::isfinite(actual) && is_finite_aside(index, element)) continue;
      return wrong("derivatives.slope", fmt::format("the derivative by {} (number {}), element {}: {:.6g} by finite differences, "
                                                    "{:.6g} by {}",
                                                    name_of_param(param), index, element, slope->value, actual, adjoint_));
    }
    return std::nullopt;
  }

  // Whether the derivative is finite beside the arguments, to both sides: these are a singular point of its formula, then, as base 0 and exponent
  // 0 are of power's, though the function itself is smooth there. Tools that differentiate leave such points to their users.
  bool is_finite_aside(std::size_t index, std::size_t element) const {
    return std::ranges::all_of(std::array{true, false}, [&](bool up) {
      const std::vector<Value> aside = moved_aside(source_.test().arguments, up);
      if (!stays_moderate(source_, aside)) return true;
      const Outcome outcome = run_plan(*context_.target, plan_, aside, {.rounding = kWide});
      const auto* returned = std::get_if<Returned>(&outcome);
      if (returned == nullptr) return true;
      const Value& gradient = returned->value.tuple().fields[1].tuple().fields[index];
      return std::isfinite(as_double(gradient.tensor(), element));
    });
  }

  // Further arguments are confirmed when they have become the case's own.
  bool asks_machine() const { return context_.options.confirm && &source_ == &context_.source; }
  Verdict confirmed(Verdict verdict, const Value* value) const {
    if (asks_machine()) context_.witness.confirm_result(context_.pipeline, plan_, value, verdict);
    return verdict;
  }
  Verdict confirmed_undefined(Verdict verdict) const {
    const auto wrong_slope = [this](const Value& measured) {
      std::optional<Verdict> seen = judge_slopes(measured);
      return seen ? std::optional(std::move(seen->detail)) : std::nullopt;
    };
    if (asks_machine()) context_.witness.confirm_undefined(context_.pipeline, plan_, wrong_slope, verdict);
    return verdict;
  }

  // Judges derivatives that the machine returned.
  std::optional<Verdict> judge_slopes(const Value& result) const {
    const TupleValue* gradients = gradients_in(result);
    const std::vector<std::size_t> params = params_of_gradients();
    if (gradients == nullptr || gradients->fields.size() != params.size() || !stays_moderate(source_, source_.test().arguments)) return std::nullopt;
    for (std::size_t i = 0; i < params.size(); ++i) {
      const bool fits = !judge_type(i, params[i], gradients->fields[i]);
      if (std::optional<Verdict> verdict = fits ? judge_elements(i, params[i], gradients->fields[i]) : std::nullopt) return verdict;
    }
    return std::nullopt;
  }

  const CheckContext& context_;
  const Derivatives& wanted_;
  const SourceRun& source_;
  std::string adjoint_;
  CallPlan plan_;
};

std::optional<Verdict> judge(const CheckContext& context) {
  if (context.contract.each.empty() || !context.contract.each.back().derivatives || context.contract.changes_calls()) return std::nullopt;
  const Derivatives& wanted = *context.contract.each.back().derivatives;
  if (context.target == nullptr || context.source.returned() == nullptr || wanted.of != context.test.entry) return std::nullopt;
  if (context.test.module.find(wanted.of) == nullptr || differentiated(context.source.returned()->value, wanted.target) == nullptr)
    return std::nullopt;
  const std::string adjoint = wanted.of + std::string(kAdjointSuffix);
  if (context.target->find(adjoint) == nullptr) {
    return Verdict{.symptom = Symptom::signature,
                   .stage = Stage::check,
                   .site = "convention.missing-function",
                   .detail = adjoint + ": the target has no such function"};
  }
  const auto judge_on = [&](const SourceRun& run) { return AdjointJudge(context, wanted, run).judge(); };
  const std::optional<Verdict> verdict = judge_on(context.source);
  return verdict ? verdict : context.further_finding(judge_on);
}

}  // namespace
}  // namespace checks::derivatives

std::vector<Check> derivatives_rows() {
  using namespace checks::derivatives;
  return {{.name = "derivatives",
           .promise = "the function that a differentiating pass adds returns the derivatives that finite differences of the source show",
           .after = "outputs-refine",
           .judge = judge}};
}

}  // namespace passdiff
