// Steps that cut bindings off: those behind the bug, whose operands become the result, and those before it,
// whose values become parameters.
#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "core/form/builder.h"
#include "core/form/signature.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

// What a sequence uses outside of the bindings of these variables.
void collect_kept_uses(const SeqExpr& seq, const VarSet& gone, VarSet& used) {
  for_each_binding<Enter::none>(seq, [&](const Binding& binding) {
    if (gone.contains(binding.var.get())) return;
    for_each_expr<Enter::none>(binding.value, [&](const ExprPtr& part) {
      if (const Var* var = as<Var>(part)) used.insert(var->get());
    });
    for_each_seq(*binding.value, [&](const SeqExpr& inner) { collect_kept_uses(inner, gone, used); });
  });
  collect_uses(seq.result, used);
}
VarSet kept_uses(const TestCase& test, const VarSet& gone) {
  VarSet used;
  for (const GlobalFunction& f : test.module.functions) collect_kept_uses(f.function->body, gone, used);
  return used;
}

// Finds what can stand for the variables of bindings that are cut.
class StandIns {
 public:
  explicit StandIns(const TestCase& test)
      : test_(test),
        values_(trace(test)),
        symbols_(symbol_values(test)),
        dependent_(input_dependent(test)),
        widened_(test) {
    for (const Var& param : entry_of(test).function->params) {
      std::vector<SymVar> defined;
      collect_defined(param->type, defined);
      for (const SymVar& symbol : defined) defined_.insert(symbol.get());
    }
  }

  // A new parameter that holds the value which the variable had. Inside of branches, local functions and
  // other functions, which may not be executed, a constant of zeros; where sizes are symbolic, a parameter of
  // zeros. Nothing if there is no such value.
  std::optional<ExprPtr> make(const BindingSite& site) {
    const Type& type = site.binding->var->type;
    const bool in_entry = site.function->name == test_.entry;
    if (!in_entry || site.nested) {
      if (auto constant = zeros_of(type)) return constant;
      if (!in_entry) return std::nullopt;
    }
    const auto value = value_of(site);
    if (!value) return std::nullopt;
    auto exact = static_type_of(*value);
    if (!exact) return std::nullopt;  // a function
    exact = as_declared(type).value_or(*exact);
    const Var param = make_var(site.binding->var->name, *exact);
    const bool weight = entry_of(test_).function->attrs.contains("num_input") && !site.nested &&
                        !dependent_.contains(site.binding->var.get());
    widened_ = with_parameter(widened_, param, *value, weight);
    return var_expr(param);
  }

  // The case with the new parameters.
  const TestCase& widened() const { return widened_; }

 private:
  std::optional<Value> value_of(const BindingSite& site) const {
    if (values_) {
      const auto found = values_->find(site.binding->var.get());
      if (found != values_->end()) return found->second;
    }
    return zero_value(site.binding->var->type, symbols_);
  }
  // The type as a parameter can have it: sizes that the parameters do not define are new symbolic dims.
  // Nothing if the type does not tell its shape.
  std::optional<Type> as_declared(const Type& type) const {
    if (type.as_tensor() == nullptr || !type.as_tensor()->shape) return std::nullopt;
    return replace_tensors(type, [&](TensorType tensor) {
      for (Dim& dim : *tensor.shape) {
        bool known = true;
        for_each_sym_var(dim, [&](const SymVar& var) { known &= defined_.contains(var.get()); });
        if (!known) dim = Dim(make_sym_var("k"));
      }
      return tensor;
    });
  }

  const TestCase& test_;
  std::optional<VarValues> values_;
  SymbolValues symbols_;
  VarSet dependent_;
  TestCase widened_;
  std::unordered_set<const SymVarNode*> defined_;
};

// Cuts bindings: one that nothing else uses goes, for another a parameter or a constant stands. Where neither
// can, it stays, as local functions that are called do.
std::optional<TestCase> cut(const TestCase& test, const std::vector<BindingSite>& sites) {
  VarSet gone;
  for (const BindingSite& site : sites) gone.insert(site.binding->var.get());
  StandIns stand_ins(test);
  std::unordered_map<const VarNode*, ExprPtr> replaced;
  for (bool settled = false; !settled;) {
    settled = true;
    const VarSet used = kept_uses(test, gone);
    for (const BindingSite& site : sites) {
      const VarNode* var = site.binding->var.get();
      if (!gone.contains(var) || !used.contains(var) || replaced.contains(var)) continue;
      if (auto stand_in = stand_ins.make(site)) {
        replaced.emplace(var, *std::move(stand_in));
      } else {
        gone.erase(var);  // what it uses is used now
        settled = false;
      }
    }
  }
  if (gone.empty()) return std::nullopt;
  return rebuilt(
      stand_ins.widened(),
      {.replace = [&](const Binding& b) -> std::optional<ExprPtr> {
         const auto found = replaced.find(b.var.get());
         return found == replaced.end() ? std::nullopt : std::optional(found->second);
       },
       .remove =
           [&](const Binding& b) { return gone.contains(b.var.get()) && !replaced.contains(b.var.get()); }});
}

std::optional<TestCase> cut_range(const TestCase& test, std::size_t first, std::size_t last) {
  const std::vector<BindingSite> sites = all_bindings(test);
  return cut(test, {sites.begin() + static_cast<std::ptrdiff_t>(first),
                    sites.begin() + static_cast<std::ptrdiff_t>(last)});
}

std::size_t count_top(const TestCase& test) {
  return top_bindings(test).size();
}
// Removes the bindings from `first` to the last one. The result becomes what the others bind and none of them
// uses.
std::optional<TestCase> cut_behind(const TestCase& test, std::size_t first, std::size_t last) {
  const auto bindings = top_bindings(test);
  if (first == 0 || last != bindings.size()) return std::nullopt;
  VarSet used;
  for (std::size_t i = 0; i < first; ++i) collect_uses(bindings[i]->value, used);
  std::vector<ExprPtr> results;
  VarSet returned;
  for (std::size_t i = 0; i < first; ++i) {
    const Var& var = bindings[i]->var;
    if (used.contains(var.get()) || var->type.as_func() != nullptr) continue;
    results.push_back(var_expr(var));
    returned.insert(var.get());
  }
  if (results.empty()) return std::nullopt;
  Function function = *entry_of(test).function;
  function.body.result = results.size() == 1 ? results.front() : make_tuple(std::move(results));
  VarSet gone;
  for (std::size_t i = first; i < last; ++i) gone.insert(bindings[i]->var.get());
  const TestCase shorter = with_entry(test, std::move(function));
  return rebuilt(shorter, {.remove = [&](const Binding& b) { return gone.contains(b.var.get()); },
                           .expose = [&](const Var& v) { return returned.contains(v.get()); }});
}

constexpr RangeStep kCutBehind{"cut-behind", count_top, cut_behind};
constexpr RangeStep kCut{"cut", count_bindings_of_all, cut_range};

}  // namespace

std::optional<TestCase> with_operands_as_result(const TestCase& test, std::size_t binding, const std::string& function) {
  TestCase inside = test;
  inside.entry = function;
  const auto bindings = top_bindings(inside);
  const Var result = bindings.at(binding)->var;
  std::vector<ExprPtr> operands;
  VarSet seen;
  for_each_use(bindings[binding]->value, [&](const Var& var) {
    if (var->type.as_func() == nullptr && seen.insert(var.get()).second) operands.push_back(var_expr(var));
  });
  if (operands.empty()) return std::nullopt;
  Function shorter = *entry_of(inside).function;
  shorter.body.result = var_expr(result);
  VarSet gone;
  for (std::size_t i = binding + 1; i < bindings.size(); ++i) gone.insert(bindings[i]->var.get());
  const ExprPtr tuple = make_tuple(std::move(operands));
  auto part = rebuilt(with_entry(inside, std::move(shorter)),
                      {.rewrite = [&](const Binding& b) { return b.var == result ? std::optional(tuple) : std::nullopt; },
                       .remove = [&](const Binding& b) { return gone.contains(b.var.get()); },
                       .expose = [&](const Var& var) { return var == result; }});
  if (part) part->entry = test.entry;
  return part;
}

const RangeStep& cut_behind_step() {
  return kCutBehind;
}

const RangeStep& cut_step() {
  return kCut;
}

RangeSteps cut_steps() {
  static constexpr std::array kSteps = {kCutBehind, kCut};
  return kSteps;
}

}  // namespace passdiff
