#include "oracle/reduce.h"

#include <utility>

#include "core/form/well_formed.h"
#include "core/ir/walk.h"
#include "core/tensor/tensor.h"
#include "oracle/reduce_steps.h"

namespace passdiff {
namespace {

std::int64_t elements_of(const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) return static_cast<std::int64_t>((*tensor)->size()) + 1;
  if (const TupleValue* tuple = value.as_tuple()) {
    std::int64_t sum = 1;
    for (const Value& field : tuple->fields) sum += elements_of(field);
    return sum;
  }
  return 1;
}

class Reduction {
 public:
  Reduction(TestCase test, Pipeline pipeline, const StillShows& still_shows, const ReduceOptions& options)
      : best_{std::move(test), std::move(pipeline), 0}, still_shows_(still_shows), options_(options) {}

  Reduced run() && {
    bool progress = true;
    while (progress && budget_left()) {
      progress = drop_passes();
      progress |= take(without_dead_parts(best_.test));
      for (const ReduceStep& step : structure_steps()) progress |= exhaust(step);
      for (const ReduceStep& step : function_steps()) progress |= exhaust(step);
      for (const ReduceStep& step : nested_steps()) progress |= exhaust(step);
      for (const ReduceStep& step : value_steps()) progress |= exhaust(step);
    }
    return std::move(best_);
  }

 private:
  bool budget_left() const { return best_.checks < options_.max_checks; }

  bool shows(const TestCase& test, const Pipeline& pipeline) {
    ++best_.checks;
    return still_shows_(test, pipeline);
  }

  // Takes the candidate if it is smaller and still shows the finding.
  bool take(TestCase candidate) {
    if (size_of(candidate) >= size_of(best_.test) || !budget_left()) return false;
    if (well_formed(candidate.module)) return false;
    if (!shows(candidate, best_.pipeline)) return false;
    best_.test = std::move(candidate);
    return true;
  }

  // Tries the last candidates of the step first: the last bindings of a module are needed least.
  bool exhaust(const ReduceStep& step) {
    bool progress = false;
    for (std::size_t i = step.count(best_.test); i > 0 && budget_left();) {
      i = std::min(i, step.count(best_.test));  // the smaller case may have fewer candidates
      if (i == 0) break;
      --i;
      std::optional<TestCase> candidate = step.make(best_.test, i);
      if (!candidate) continue;
      // First without its dead parts; as it is where the finding needs them.
      TestCase clean = without_dead_parts(*candidate);
      if (take(std::move(clean)) || take(*std::move(candidate))) progress = true;
    }
    return progress;
  }

  bool drop_passes() {
    bool progress = false;
    for (std::size_t i = best_.pipeline.size(); i-- > 0 && best_.pipeline.size() > 1 && budget_left();) {
      Pipeline shorter = best_.pipeline;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
      if (!shows(best_.test, shorter)) continue;
      best_.pipeline = std::move(shorter);
      progress = true;
    }
    return progress;
  }

  Reduced best_;
  const StillShows& still_shows_;
  const ReduceOptions& options_;
};

// Weights of the parts in size_of(): one binding less is worth any number of elements.
constexpr std::int64_t kBindingWeight = 1'000'000;
constexpr std::int64_t kFunctionWeight = 400'000;
constexpr std::int64_t kParamWeight = 50'000;
constexpr std::int64_t kCallWeight = 100'000;       // a call is worse than a parameter: the bug may need no op
constexpr std::int64_t kDecorationWeight = 20'000;  // attributes, vdevices, blocks
constexpr std::int64_t kElementWeight = 16;

std::int64_t expression_weight(const SeqExpr& seq);

std::int64_t weight_of(const Constant& constant) {
  std::int64_t sum = kElementWeight * (4 + static_cast<std::int64_t>(constant.tensor->size()));
  for (std::size_t i = 0; i < constant.tensor->size(); ++i) {
    const double v = as_double(*constant.tensor, i);
    sum += v == 0 ? 0 : v == 1 ? 1 : 2;
  }
  return sum;
}

std::int64_t weight_of(const ExprPtr& expr) {
  return match(
      expr,
      [](const Tuple& tuple) {
        std::int64_t sum = 8;
        for (const ExprPtr& field : tuple.fields) sum += 8 + weight_of(field);
        return sum;
      },
      [](const Constant& constant) { return weight_of(constant); },
      [](const Call& call) {
        std::int64_t sum = kCallWeight;
        for (const ExprPtr& arg : call.args) sum += 2 + weight_of(arg);
        for (const AttrValue& attr : call.attrs) sum += std::holds_alternative<std::monostate>(attr) ? 0 : 1;
        return sum;
      },
      [](const If& branches) {
        return kBindingWeight + expression_weight(*branches.then_branch) + expression_weight(*branches.else_branch);
      },
      [](const FunctionPtr& inner) {
        return kFunctionWeight + expression_weight(inner->body) +
               kParamWeight * static_cast<std::int64_t>(inner->params.size());
      },
      [](const OneOf<Var, TupleGetItem, ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef, ExternFunc> auto&) {
        return std::int64_t{0};
      });
}

std::int64_t expression_weight(const SeqExpr& seq) {
  std::int64_t sum = weight_of(seq.result) + kDecorationWeight * static_cast<std::int64_t>(seq.blocks.size());
  for_each_binding<Enter::none>(
      seq, [&](const Binding& binding) { sum += kBindingWeight + weight_of(binding.value); });
  return sum;
}

// The weight of a type: dtypes other than float32 and symbolic dims are complications.
std::int64_t type_weight(const Type& type) {
  if (const TensorType* tensor = type.as_tensor()) {
    std::int64_t sum = tensor->dtype == DType::float32 ? 0 : 200;
    if (tensor->vdevice) sum += kDecorationWeight;
    if (tensor->shape) {
      for (const Dim& dim : *tensor->shape)
        sum += dim.is_static() ? 4 * std::min<std::int64_t>(dim.value(), 1000) + 4 : 5000;
    }
    return sum;
  }
  if (const TupleType* tuple = type.as_tuple()) {
    std::int64_t sum = 100;
    for (const Type& field : tuple->fields) sum += 100 + type_weight(field);
    return sum;
  }
  return 50;
}

std::int64_t nonzero_weight(const Value& value) {
  std::int64_t sum = 0;
  if (const TensorPtr* tensor = value.as_tensor()) {
    for (std::size_t i = 0; i < (*tensor)->size(); ++i) {
      const double v = as_double(**tensor, i);
      sum += v == 0 ? 0 : v == 1 ? 1 : 2;
    }
  } else if (const TupleValue* tuple = value.as_tuple()) {
    for (const Value& field : tuple->fields) sum += nonzero_weight(field);
  }
  return sum;
}

}  // namespace

std::int64_t size_of(const TestCase& test) {
  std::int64_t size = 0;
  for (const GlobalFunction& f : test.module.functions) {
    size += kFunctionWeight + expression_weight(f.function->body);
    size += kDecorationWeight * static_cast<std::int64_t>(f.function->attrs.size());
    for (const Var& param : f.function->params) size += kParamWeight + type_weight(param->type);
  }
  size +=
      kDecorationWeight * static_cast<std::int64_t>(test.module.vdevices.size() + test.module.attrs.size());
  for (const Value& argument : test.arguments)
    size += kElementWeight * elements_of(argument) + nonzero_weight(argument);
  return size;
}

Reduced reduce(TestCase test, Pipeline pipeline, const StillShows& still_shows,
               const ReduceOptions& options) {
  return Reduction(std::move(test), std::move(pipeline), still_shows, options).run();
}

}  // namespace passdiff
