// Steps that make symbolic dims and unknown shapes static.
#include <algorithm>
#include <array>
#include <utility>

#include "oracle/reduction/steps.h"
#include "oracle/reduction/types.h"

namespace passdiff {
namespace {

// The symbolic dims that the entry function's parameters define, in order.
std::vector<SymVar> symbols_of(const TestCase& test) {
  std::vector<SymVar> symbols;
  for (const Var& param : entry_of(test).function->params) {
    for_each_sym_var(param->type, [&](const SymVar& var) {
      if (std::find(symbols.begin(), symbols.end(), var) == symbols.end()) symbols.push_back(var);
    });
  }
  return symbols;
}
TensorPtr unchanged(const TensorPtr& tensor) {
  return tensor;
}
std::optional<TestCase> with_symbols(const TestCase& test,
                                     const std::function<std::optional<Dim>(const SymVar&)>& replace) {
  return with_dims(test, [&](const Dim& dim) { return substitute(dim, replace); }, unchanged);
}
// All symbolic dims become the sizes that the arguments give them.
std::optional<TestCase> make_static(const TestCase& test, std::size_t) {
  const SymbolValues values = symbol_values(test);
  if (values.empty()) return std::nullopt;
  return with_symbols(test, [&](const SymVar& var) -> std::optional<Dim> {
    const auto found = values.find(var.get());
    return found == values.end() ? std::nullopt : std::optional(Dim(found->second));
  });
}
std::size_t count_symbols(const TestCase& test) {
  return symbols_of(test).size();
}
std::optional<TestCase> make_one_static(const TestCase& test, std::size_t i) {
  const SymVar symbol = symbols_of(test)[i];
  const SymbolValues values = symbol_values(test);
  const auto found = values.find(symbol.get());
  if (found == values.end()) return std::nullopt;
  return with_symbols(test, [&](const SymVar& var) {
    return var == symbol ? std::optional(Dim(found->second)) : std::nullopt;
  });
}
// Gives a symbolic dim a smaller value, the smallest last.
constexpr std::array<std::int64_t, 3> kValues = {3, 2, 1};
std::size_t count_values(const TestCase& test) {
  return kValues.size() * symbols_of(test).size();
}
std::optional<TestCase> shrink_symbol(const TestCase& test, std::size_t i) {
  const SymVar symbol = symbols_of(test)[i / kValues.size()];
  SymbolValues values = symbol_values(test);
  const auto found = values.find(symbol.get());
  if (found == values.end() || found->second <= kValues[i % kValues.size()]) return std::nullopt;
  found->second = kValues[i % kValues.size()];
  TestCase result = test;
  fit_arguments(result, values);
  return result;
}
// Makes a symbolic dim the first one that has the same value.
std::optional<TestCase> merge_symbol(const TestCase& test, std::size_t i) {
  const std::vector<SymVar> symbols = symbols_of(test);
  const SymbolValues values = symbol_values(test);
  const auto value_of = [&](const SymVar& var) {
    const auto found = values.find(var.get());
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  const auto end = symbols.begin() + static_cast<std::ptrdiff_t>(i);
  const auto first = std::find_if(symbols.begin(), end,
                                  [&](const SymVar& s) { return value_of(s) == value_of(symbols[i]); });
  if (first == end) return std::nullopt;
  return with_symbols(
      test, [&](const SymVar& var) { return var == symbols[i] ? std::optional(Dim(*first)) : std::nullopt; });
}
// Gives a parameter the exact type of its argument.
std::optional<TestCase> exact_param(const TestCase& test, std::size_t i) {
  const Var param = entry_of(test).function->params[i];
  const auto exact = static_type_of(test.arguments[i]);
  if (!exact || equal(*exact, param->type, VDevices::ignore)) return std::nullopt;
  return rebuilt(test, {.param_type = [&](const Var& p) { return p == param ? *exact : p->type; }});
}

}  // namespace

ReduceSteps symbol_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"make-static", count_one, make_static},
      ReduceStep{"make-one-static", count_symbols, make_one_static},
      ReduceStep{"shrink-symbol", count_values, shrink_symbol},
      ReduceStep{"merge-symbol", count_symbols, merge_symbol},
      ReduceStep{"exact-param", count_params, exact_param},
  };
  return kSteps;
}

}  // namespace passdiff
