#include "core/gen/operands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/form/builder.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::int64_t kMaxNewElements = 128;

bool same_dim(const Dim& a, const Dim& b) {
  if (a.is_static() && b.is_static()) return a.value() == b.value();
  if (a.is_static() != b.is_static()) return false;
  return a.node() == b.node() || proven_equal(a, b);
}

bool same_shape(const Shape& a, const Shape& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same_dim);
}

// Numbers at which ops do something else. A tensor gets those of one kind, so that not every sum is NaN.
std::vector<double> special_floats(Choices& choices, DType dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const DTypeRow& row = row_of(dtype);
  const double tiny = std::ldexp(1.0, row.min_exponent);  // the smallest normal number
  const double largest = std::ldexp(2 - std::ldexp(1.0, -row.mantissa), 1 - row.min_exponent);
  switch (choices.index(5)) {
    case 0:
      return {-0.0, 0.0};
    case 1:
      return {std::numeric_limits<double>::quiet_NaN(), kInfinity};
    case 2:
      return {-kInfinity, kInfinity, -0.0};
    case 3:
      return {largest, -largest};
    default:
      return {tiny, -tiny / 2, tiny / 4};
  }
}

// Every other element becomes a special one: of integers the least, the largest and minus one.
void make_special(Choices& choices, Tensor& tensor) {
  const auto replace = [&](auto& values, const auto& specials) {
    for (std::size_t i = 0; i < values.size(); i += 2) values.data()[i] = specials[i / 2 % specials.size()];
  };
  const DType dtype = tensor.dtype;
  if (auto* floats = std::get_if<Tensor::Floats>(&tensor.values)) {
    std::vector<double> specials = special_floats(choices, dtype);
    for (double& special : specials) special = round_to(dtype, special);
    replace(*floats, specials);
  } else if (auto* ints = std::get_if<Tensor::Ints>(&tensor.values)) {
    if (dtype == DType::boolean) return;
    replace(*ints, std::array{int_min(dtype), scalar_max(dtype), std::int64_t{-1}});
  } else {
    auto& uints = std::get<Tensor::UInts>(tensor.values);
    const std::uint64_t largest = int_max(dtype);
    replace(uints, std::array{largest, std::uint64_t{0}, largest / 2 + 1});
  }
}

std::string parameter_name(Origin origin, std::size_t number) {
  std::string name(origin == Origin::weight ? "w" : "x");
  if (number > 0) name += std::to_string(number);
  return name;
}

}  // namespace

bool Operands::matches(Entry& entry, const Want& want) const {
  const TensorType* type = entry.tensor;
  if (type == nullptr) return false;
  if (want.dtype.has_value() && *type->dtype != *want.dtype) return false;
  if (want.float_only && !is_float(*type->dtype)) return false;
  if (want.numeric_only && *type->dtype == DType::boolean) return false;
  const int rank = static_cast<int>(type->shape->size());
  if (rank < want.min_rank.value_or(0) || rank > want.max_rank.value_or(rank)) return false;
  if (want.shape.has_value() && !same_shape(*type->shape, *want.shape)) return false;
  const Tensor& value = entry.shown.value.tensor();
  if (want.fill.fill == Fill::small) {
    if (!entry.small.has_value()) entry.small = fits(value, want.fill);
    return *entry.small || draft_.config.wild;
  }
  // Library functions such as exp differ between machines in the last digit: no decision may depend on it.
  return !entry.provenance.inexact && fits(value, want.fill);
}

Entry* Operands::choose_matching(Choices& choices, const Want& want) {
  const KnownValues::Candidates matching =
      values_.latest([&](Entry& entry) { return matches(entry, want); });
  Entry* chosen = matching.pick(choices);
  if (chosen == nullptr || chosen->uses == 0 || matching.count == 1) return chosen;
  // A value that nothing uses yet is preferred, so that the graph is connected.
  for (std::size_t i = 0; i < matching.count; ++i) {
    Entry* const other = matching.found[i];
    if (other->uses == 0 && other->origin == Origin::computed) return choices.one_in(3) ? chosen : other;
  }
  return chosen;
}

std::optional<ScopeEntry> Operands::tensor(Choices& choices, const Want& want) {
  if (choices.index(16) < draft_.config.reuse_of_16) {
    if (const Entry* entry = choose_matching(choices, want)) return entry->shown;
  }
  if (std::optional<ScopeEntry> made = new_tensor(choices, want)) return made;
  if (const Entry* entry = choose_matching(choices, want)) return entry->shown;
  return std::nullopt;
}

std::optional<ScopeEntry> Operands::existing(Choices& choices,
                                                 const std::function<bool(const ScopeEntry&)>& fits) {
  // Generation rules read shapes, and decide by integers: tensors of unknown shape and inexact integers are left out.
  const Entry* entry = choose(choices, [&](const Entry& candidate) {
    if (candidate.shown.expr->type.as_tensor() != nullptr && candidate.tensor == nullptr) return false;
    if (candidate.provenance.inexact && candidate.tensor != nullptr && !is_float(*candidate.tensor->dtype))
      return false;
    return fits(candidate.shown);
  });
  if (entry == nullptr) return std::nullopt;
  return entry->shown;
}

DType Operands::new_dtype(Choices& choices, const Want& want) {
  if (want.dtype.has_value()) return *want.dtype;
  if (want.fill.fill == Fill::booleans) return DType::boolean;
  if (want.fill.fill == Fill::indices) return choices.one_in(3) ? DType::int32 : DType::int64;
  if (want.float_only) return float_dtype(choices);
  const DType drawn = dtype(choices);
  return want.numeric_only && drawn == DType::boolean ? DType::float32 : drawn;
}

Origin Operands::new_origin(Choices& choices) const {
  const std::size_t drawn = choices.index(16);
  const std::size_t first_constant = 16 - draft_.config.constants_of_16;
  if (drawn >= first_constant) return Origin::constant;
  return drawn >= first_constant - draft_.config.weights_of_16 ? Origin::weight : Origin::input;
}

std::optional<ScopeEntry> Operands::new_tensor(Choices& choices, const Want& want) {
  const DType dtype = new_dtype(choices, want);
  if (want.fill.fill == Fill::indices && (is_float(dtype) || want.fill.limit <= 0)) return std::nullopt;
  const Origin origin = new_origin(choices);
  const Shape dims = want.shape.has_value()
                         ? *want.shape
                         : shape(choices, want.min_rank.value_or(0), want.max_rank.value_or(5));
  const ExprPtr made = fresh(choices, origin, dtype, dims, want.fill);
  if (made == nullptr) return std::nullopt;
  return entries().back().shown;
}

ExprPtr Operands::fresh(Choices& choices, Origin origin, DType dtype, const Shape& shape, FillSpec fill) {
  const std::vector<std::int64_t> dims = sizes(shape);
  std::int64_t elements = 1;
  for (const std::int64_t dim : dims) elements *= dim;
  if (elements > kMaxNewElements) return nullptr;
  std::optional<int> vdevice;
  if (vdevice_count() > 0 && origin != Origin::constant && choices.one_in(5)) {
    vdevice = static_cast<int>(choices.index(static_cast<std::size_t>(vdevice_count())));
  }
  Tensor tensor = filled_tensor(choices, dtype, dims, fill);
  if (draft_.config.wild && fill.fill == Fill::small && choices.flip()) make_special(choices, tensor);
  return add_tensor(origin, shape, std::move(tensor), vdevice);
}

// Makes a constant if no parameter may be made any more, a parameter if no constant may or the shape is symbolic.
ExprPtr Operands::add_tensor(Origin origin, const Shape& shape, Tensor tensor, std::optional<int> vdevice) {
  const bool constants_left = function_.constants < draft_.config.max_tensors && is_static(shape);
  const bool parameters_left = function_.inputs.size() + function_.weights.size() < draft_.config.max_tensors;
  if (!constants_left && !parameters_left) return nullptr;
  if ((origin == Origin::constant && constants_left) || !parameters_left) return constant(std::move(tensor));
  Type type = tensor_type(shape, tensor.dtype, vdevice);
  return parameter(origin, std::move(type), make_tensor(std::move(tensor)));
}

ExprPtr Operands::constant(Tensor tensor) {
  ExprPtr expr = make_constant(std::move(tensor));
  ++function_.constants;
  values_.add({.shown = {expr, as<Constant>(expr)->tensor}, .var = nullptr, .origin = Origin::constant});
  return expr;
}

// Are all of its symbolic dims defined by parameters?
bool Operands::may_be_parameter(const Type& type) const {
  bool defined = true;
  for_each_sym_var(type, [&](const SymVar& var) {
    const auto symbol = std::find_if(function_.symbols.begin(), function_.symbols.end(),
                                     [&](const Symbol& known) { return known.var == var; });
    defined = defined && symbol != function_.symbols.end() && symbol->of_parameter;
  });
  return defined;
}

// For a new parameter of a function that is being made for a call: the caller gets the same parameter and passes it
// on.
bool Operands::pass_on_from_caller(const Type& type, const Value& value) {
  Type outside = substitute(type, [this](const SymVar& var) -> std::optional<Dim> {
    for (const Symbol& symbol : function_.symbols) {
      if (symbol.var == var) return symbol.outside;
    }
    return std::nullopt;
  });
  ExprPtr argument = function_.caller->parameter(Origin::input, std::move(outside), value);
  if (argument == nullptr) return false;
  function_.arguments.push_back(std::move(argument));
  return true;
}

ExprPtr Operands::parameter(Origin origin, Type type, Value value) {
  if (outer_ != nullptr) {
    ExprPtr expr = outer_->parameter(origin, std::move(type), std::move(value));
    if (expr != nullptr) values_.add(outer_->entries().back());
    return expr;
  }
  if (has_symbols() && !may_be_parameter(type)) return nullptr;
  if (function_.caller != nullptr) {
    origin = Origin::input;
    if (!pass_on_from_caller(type, value)) return nullptr;
  }
  std::vector<Parameter>& list = origin == Origin::weight ? function_.weights : function_.inputs;
  auto var = std::make_shared<VarNode>(VarNode{parameter_name(origin, list.size()), type, false});
  ExprPtr expr = make_expr(Var(var), std::move(type));
  list.push_back({var, value});
  values_.add({.shown = {expr, std::move(value)},
               .var = std::move(var),
               .origin = origin,
               .provenance = {.inexact = false, .lifted = origin == Origin::weight}});
  return expr;
}

ExprPtr Operands::parameter_for(Type type, const Entry& value, ExprPtr argument,
                                    std::vector<Var>* closure_params) {
  const std::size_t number = closure_params != nullptr ? closure_params->size() : function_.inputs.size();
  std::string name = closure_params != nullptr ? "p" + std::to_string(function_.next_var++)
                                               : parameter_name(Origin::input, number);
  auto var = std::make_shared<VarNode>(VarNode{std::move(name), type, false});
  ExprPtr expr = make_expr(Var(var), std::move(type));
  if (closure_params != nullptr) {
    closure_params->push_back(var);
  } else {
    function_.inputs.push_back({var, value.shown.value});
    function_.arguments.push_back(std::move(argument));
  }
  values_.add({.shown = {expr, value.shown.value},
             .var = std::move(var),
             .origin = Origin::input,
             .provenance = {.inexact = value.provenance.inexact, .lifted = false}});
  return expr;
}

void Operands::roll_back(const Mark& mark) {
  // Bodies around and callers have got the same parameters and constants: there they stay, unused.
  if (outer_ != nullptr || function_.caller != nullptr) return;
  function_.inputs.resize(mark.inputs);
  function_.weights.resize(mark.weights);
  for (const Entry& entry : entries().subspan(mark.entries)) {
    if (entry.origin == Origin::constant) --function_.constants;
  }
  values_.forget_from(mark.entries);
}

ExprPtr Operands::want(Choices& choices, DType dtype, Shape shape, FillSpec fill) {
  Want want;
  want.dtype = dtype;
  want.shape = std::move(shape);
  want.fill = fill;
  std::optional<ScopeEntry> entry = tensor(choices, want);
  return entry.has_value() ? entry->expr : nullptr;
}

ExprPtr Operands::any_tensor(Choices& choices, int min_rank, int max_rank, bool float_only) {
  Want want;
  want.min_rank = min_rank;
  want.max_rank = max_rank;
  want.float_only = float_only;
  want.numeric_only = true;
  std::optional<ScopeEntry> entry = tensor(choices, want);
  return entry.has_value() ? entry->expr : nullptr;
}

Shape Operands::shape(Choices& choices, int min_rank, int max_rank) {
  constexpr int kRanks[] = {2, 2, 3, 1, 2, 2, 3, 4, 2, 1, 2, 3, 0, 2, 5, 3, 2, 1, 2, 4};
  const int rank = std::clamp(choices.pick(kRanks), min_rank, std::max(min_rank, std::min(max_rank, 5)));
  Shape shape;
  shape.reserve(static_cast<std::size_t>(rank));
  std::int64_t elements = 1;
  const bool square = rank >= 2 && choices.one_in(4);
  for (int i = 0; i < rank; ++i) {
    if (square && i > 0 && shape[0].is_static() && elements * shape[0].value() <= kMaxNewElements) {
      elements *= shape[0].value();
      shape.push_back(shape[0]);
      continue;
    }
    std::int64_t size = dim(choices);
    if (has_symbols() && !choices.one_in(2)) {
      const Symbol& symbol = choices.pick(function_.symbols);
      if (symbol.of_parameter && elements * symbol.value <= kMaxNewElements) {
        elements *= symbol.value;
        shape.emplace_back(symbol.var);
        continue;
      }
    }
    if (elements * size > kMaxNewElements / 2) size = elements * 2 > kMaxNewElements ? 1 : 2;
    elements *= size;
    shape.emplace_back(size);
  }
  return shape;
}

bool Operands::allow_undefined(Choices& choices) {
  if (!draft_.config.undefined || draft_.undefined || !choices.flip()) return false;
  intend_undefined_ = true;
  return true;
}

}  // namespace passdiff
