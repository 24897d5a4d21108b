#include "core/gen/recorded.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/choices/fill.h"
#include "core/eval/symbols.h"
#include "core/ir/walk.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::int64_t kManyElements = 1 << 22;
constexpr std::size_t kDrawBytes = 4096;
// Sizes of symbolic dims, of which each draw takes one for every variable of it, or another for each.
constexpr std::int64_t kSizes[] = {2, 3, 1, 4, 8, 16, 5, 6, 12, 32, 0};
constexpr int kUnknownRankDrawn = 2;  // of tensors whose types tell no rank
constexpr std::int64_t kLimits[] = {8, 1, 2,
                                    4};  // what integer elements stay below, so that they may be indices

// Draws the arguments of one call, but for those that are bound.
class ArgumentDraw {
 public:
  ArgumentDraw(Choices& choices, const BoundArguments& bound)
      : choices_(choices),
        bound_(bound),
        one_size_(!choices.one_in(3)),
        size_(choices.pick(kSizes)),
        limit_(choices.pick(kLimits)) {}

  // The arguments of the function in the order of its parameters. Bound values tell sizes of those that are drawn.
  Result<std::vector<Value>> arguments(const Function& function) {
    for (const Var& param : function.params) bind_sizes(*param);
    std::vector<Value> arguments;
    for (const Var& param : function.params) {
      const auto bound = bound_.values.find(param->name);
      Result<Value> drawn = bound == bound_.values.end() ? value(param->type) : bound->second;
      if (!drawn) return Error{drawn.error().code, fmt::format("parameter {}: {}", param->name, drawn.error().message)};
      arguments.push_back(*std::move(drawn));
    }
    return arguments;
  }

 private:
  void bind_sizes(const VarNode& param) {
    for_each_sym_var(param.type, [&](const SymVar& var) {
      const auto size = bound_.sizes.find(var->name);
      if (size != bound_.sizes.end()) symbols_.bind(var, size->second);
    });
    const auto bound = bound_.values.find(param.name);
    const Type* type = &param.type;
    if (bound != bound_.values.end()) bind_types({&bound->second, 1}, {&type, 1}, symbols_);
  }

  Result<Value> value(const Type& type) {
    if (const TensorType* tensor = type.as_tensor()) return tensor_value(*tensor);
    if (const TupleType* tuple = type.as_tuple()) return tuple_value(*tuple);
    if (const ShapeType* shape = type.as_shape()) {
      return Value(ShapeValue{TRY(sizes(shape->values, shape->rank))});
    }
    if (const PrimType* prim = type.as_prim()) return scalar_value(*prim);
    if (type.is_object()) return Value();  // the null object, which frontends pass on as their state of input and output
    return Error{"draw.type", fmt::format("no value of type {} can be drawn", to_string(type))};
  }

  Result<Value> tensor_value(const TensorType& type) {
    const std::vector<std::int64_t> shape = TRY(sizes(type.shape, type.rank));
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
      if (__builtin_mul_overflow(elements, size, &elements) || elements > Limits{}.total_elements) {
        return Error{"draw.size", fmt::format("a value of type {} is too large", to_string(type))};
      }
    }
    const DType dtype = type.dtype.value_or(DType::float32);
    // Integers may be indices, but for packed ones, which models have for weights.
    if (is_float(dtype) || is_packed(dtype)) return Value(make_tensor(filled_tensor(choices_, dtype, shape, {})));
    const bool is_bool = dtype == DType::boolean;
    const FillSpec fill{
        .fill = is_bool ? Fill::booleans : Fill::indices, .limit = limit_, .allow_negative = false};
    return Value(make_tensor(filled_tensor(choices_, dtype, shape, fill)));
  }

  Result<Value> tuple_value(const TupleType& type) {
    TupleValue tuple;
    for (const Type& field : type.fields) tuple.fields.push_back(TRY(value(field)));
    return Value(std::move(tuple));
  }

  Value scalar_value(const PrimType& type) {
    if (is_float(type.dtype))
      return Value(ScalarValue{type.dtype, static_cast<double>(choices_.integer(1, 4))});
    if (type.dtype == DType::boolean) return Value(ScalarValue{type.dtype, std::int64_t{choices_.flip()}});
    const std::int64_t size = one_size_ ? size_ : choices_.pick(kSizes);
    return Value(ScalarValue{type.dtype, std::min(size, scalar_max(type.dtype))});
  }

  Result<std::vector<std::int64_t>> sizes(const std::optional<Shape>& shape, int rank) {
    std::vector<std::int64_t> result;
    if (!shape) {
      const int count = rank == kUnknownRank ? kUnknownRankDrawn : rank;
      for (int i = 0; i < count; ++i) result.push_back(one_size_ ? size_ : choices_.pick(kSizes));
      return result;
    }
    for (const Dim& dim : *shape) {
      for_each_sym_var(dim, [&](const SymVar& var) { bind(var); });
      const auto size = symbols_.evaluate(dim);
      if (!size || *size < 0)
        return Error{"draw.size", fmt::format("the size {} cannot be drawn", to_string(dim))};
      result.push_back(*size);
    }
    return result;
  }

  void bind(const SymVar& var) {
    if (!symbols_.find(var)) symbols_.bind(var, one_size_ ? size_ : choices_.pick(kSizes));
  }

  Choices& choices_;
  const BoundArguments& bound_;
  bool one_size_;  // all sizes that are free are the same: then they fit each other
  std::int64_t size_;
  std::int64_t limit_;
  Symbols symbols_;
};

Result<std::vector<Value>> draw_once(const Function& function, const ArgumentOptions& options, std::uint64_t attempt) {
  const std::vector<std::uint8_t> bytes = campaign_bytes(options.seed, attempt, kDrawBytes);
  Choices choices(bytes);
  return ArgumentDraw(choices, options.bound).arguments(function);
}

// Lower is better: a run that returns and is defined, one that some other arguments may mend, anything else.
int rank_of(const Outcome& outcome) {
  if (const auto* returned = std::get_if<Returned>(&outcome)) return returned->overflows.empty() ? 0 : 1;
  return 2;
}

// Whether a size of the argument is free to be drawn.
bool has_free_size(const Type& type) {
  if (const TupleType* tuple = type.as_tuple()) return std::ranges::any_of(tuple->fields, has_free_size);
  const TensorType* tensor = type.as_tensor();
  return tensor == nullptr || !tensor->shape || !is_static(*tensor->shape);
}

// Whether another function of the module calls it, so that it is run where that one is.
bool is_called(const Module& module, const std::string& name) {
  return std::ranges::any_of(module.functions, [&](const GlobalFunction& other) {
    return other.name != name && any_binding(other.function->body, [&](const Binding& binding) {
             const Call* call = as<Call>(binding.value);
             const GlobalRef* callee = call == nullptr ? nullptr : std::get_if<GlobalRef>(&call->callee);
             return callee != nullptr && callee->name == name;
           });
  });
}

}  // namespace

Result<std::vector<Value>> draw_arguments(const Module& module, const std::string& function,
                                          const ArgumentOptions& options) {
  const GlobalFunction* found = module.find(function);
  CHECK(found != nullptr) << "the module has no function " << function;
  Result<std::vector<Value>> best = Error{"draw.size", "no sizes were found that fit each other"};
  int best_rank = std::numeric_limits<int>::max();
  for (std::uint64_t attempt = 0; attempt < options.attempts && best_rank > 0; ++attempt) {
    Result<std::vector<Value>> drawn = draw_once(*found->function, options, attempt);
    if (!drawn) {
      if (drawn.error().code == "draw.type") return drawn;
      continue;
    }
    std::int64_t elements = 0;
    for (const Value& argument : *drawn) elements += elements_of(argument);
    const Outcome outcome = interpret(module, function, *drawn, {.limits = options.limits});
    const int rank = rank_of(outcome);
    if (rank < best_rank) best = std::move(drawn);
    best_rank = std::min(rank, best_rank);
    if (elements > kManyElements) break;  // each further attempt would run a real model
    const auto free = [](const Var& param) { return has_free_size(param->type); };
    if (std::holds_alternative<LimitExceeded>(outcome) && std::ranges::none_of(found->function->params, free)) break;  // as others would
  }
  return best;
}

std::vector<TestCase> test_cases_of(const CaseFolder& content, std::uint64_t seed, std::vector<Error>& refused, const BoundBy& bound) {
  if (content.arguments_given) return {content.test};
  std::vector<TestCase> tests;
  for (const GlobalFunction& global : content.test.module.functions) {
    const bool asked = content.test.entry.empty() ? global.is_public : global.name == content.test.entry;
    if (!asked) continue;
    // An external code generator compiles it, and passes that serve the generator change how others of the module call it.
    if (content.test.entry.empty() && global.function->attrs.contains("Codegen")) {
      refused.push_back({"draw.codegen", global.name + ": a function for an external code generator"});
      continue;
    }
    // FuseTIR makes a function of TensorIR of it, which is called otherwise.
    if (content.test.entry.empty() && global.function->attrs.contains("Primitive") && is_called(content.test.module, global.name)) continue;
    ArgumentOptions options{.seed = seed};
    if (bound) options.bound = bound(global.name);
    Result<std::vector<Value>> arguments = draw_arguments(content.test.module, global.name, options);
    if (!arguments) {
      refused.push_back({arguments.error().code, global.name + ": " + arguments.error().message});
      continue;
    }
    tests.push_back({content.test.module, global.name, *std::move(arguments)});
  }
  return tests;
}

}  // namespace passdiff
