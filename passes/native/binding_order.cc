#include "passes/native/binding_order.h"

#include <algorithm>

#include "core/form/signature.h"
#include "core/ir/queries.h"

namespace passdiff {
namespace {

// For each binding, the indices of the bindings whose variables or symbolic dims it uses itself.
std::vector<std::vector<std::size_t>> direct_needs(const std::vector<Binding>& bindings,
                                                   const PointerMap<Var>& symbols) {
  PointerMap<std::size_t> vars;
  for (std::size_t i = 0; i < bindings.size(); ++i) vars.set(bindings[i].var.get(), i);
  std::vector<std::vector<std::size_t>> needs(bindings.size());
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    const auto need = [&](const Var& var) {
      const std::size_t* place = vars.find(var.get());
      if (place != nullptr && *place != i) needs[i].push_back(*place);
    };
    for_each_use(bindings[i].value, need);
    for_each_symbol(bindings[i], [&](const SymVar& symbol) {
      if (const Var* definition = symbols.find(symbol.get())) need(*definition);
    });
  }
  return needs;
}

}  // namespace

PointerMap<Var> symbol_definitions(const std::vector<Binding>& bindings) {
  PointerMap<Var> found;
  PointerMap<bool> seen;
  for (const Binding& binding : bindings) {
    std::vector<SymVar> defined;
    if (binding.match_cast) collect_defined(*binding.match_cast, defined);
    for (const SymVar& symbol : defined) {
      if (seen.find(symbol.get()) == nullptr) found.set(symbol.get(), binding.var);
    }
    for_each_symbol(binding, [&](const SymVar& symbol) { seen.set(symbol.get(), true); });
  }
  return found;
}

std::vector<std::vector<bool>> transitive_needs(const std::vector<Binding>& bindings) {
  const auto direct = direct_needs(bindings, symbol_definitions(bindings));
  std::vector<std::vector<bool>> all(bindings.size(), std::vector<bool>(bindings.size()));
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    for (const std::size_t need : direct[i]) {
      all[i][need] = true;
      for (std::size_t k = 0; k < bindings.size(); ++k) {
        if (all[need][k]) all[i][k] = true;
      }
    }
  }
  return all;
}

std::vector<Binding> put_in_order(std::vector<Binding> bindings, const PointerMap<Var>& symbols) {
  const auto needs = direct_needs(bindings, symbols);
  std::vector<bool> placed(bindings.size());
  std::vector<Binding> result;
  const auto place_if_ready = [&](std::size_t i) {
    const bool ready =
        std::all_of(needs[i].begin(), needs[i].end(), [&](std::size_t need) { return placed[need]; });
    if (!ready || placed[i]) return false;
    placed[i] = true;
    result.push_back(bindings[i]);
    return true;
  };
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    if (!place_if_ready(i)) continue;
    for (std::size_t k = 0; k < i; ++k) place_if_ready(k);  // earlier bindings that waited for this one
  }
  for (std::size_t i = 0; i < bindings.size(); ++i) place_if_ready(i);
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    if (!placed[i]) result.push_back(bindings[i]);
  }
  return result;
}

}  // namespace passdiff
