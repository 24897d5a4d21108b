// Steps that let one variable stand for several operands: parameters of one type become one, constants become
// parameters.
#include <algorithm>
#include <array>
#include <utility>

#include "core/ir/rewriter.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

// Replaces the uses of these parameters by the first parameter of the same type.
std::optional<TestCase> merge_params(const TestCase& test, std::size_t first, std::size_t last) {
  const std::vector<Var> params = entry_of(test).function->params;
  TestCase result = test;
  // Each later parameter is bound to the earlier one at the top of the body, and these bindings are then
  // replaced.
  Block aliases;
  for (std::size_t i = last; i-- > first;) {
    const auto end = params.begin() + static_cast<std::ptrdiff_t>(i);
    const auto same =
        std::find_if(params.begin(), end, [&](const Var& p) { return equal(p->type, params[i]->type); });
    if (same == end) continue;
    aliases.bindings.push_back({params[i], var_expr(*same), std::nullopt});
    Function function = *entry_of(result).function;
    const bool input = static_cast<std::int64_t>(i) < inputs_of(function);
    if (input && function.attrs.contains("num_input")) function.attrs["num_input"] = inputs_of(function) - 1;
    function.params.erase(function.params.begin() + static_cast<std::ptrdiff_t>(i));
    result = with_entry(result, std::move(function));
    result.arguments.erase(result.arguments.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (aliases.bindings.empty()) return std::nullopt;
  VarSet merged;
  for (const Binding& alias : aliases.bindings) merged.insert(alias.var.get());
  Function function = *entry_of(result).function;
  function.body.blocks.insert(function.body.blocks.begin(), std::move(aliases));
  return rebuilt(with_entry(result, std::move(function)), {.replace = [&](const Binding& b) {
                   return merged.contains(b.var.get()) ? std::optional(b.value) : std::nullopt;
                 }});
}

// A constant, and the function that it stands in.
struct ConstantSite {
  const GlobalFunction* function;
  ExprPtr constant;
};
std::vector<ConstantSite> constants_of(const TestCase& test) {
  std::vector<ConstantSite> sites;
  for (const GlobalFunction& f : test.module.functions) {
    for_each_expr(f.function->body, [&](const ExprPtr& expr) {
      if (as<Constant>(expr) != nullptr) sites.push_back({&f, expr});
    });
  }
  return sites;
}
std::size_t count_constants(const TestCase& test) {
  return constants_of(test).size();
}

class Replacer : public Rewriter {
 public:
  explicit Replacer(const std::unordered_map<const Expr*, ExprPtr>& by) : by_(by) {}
  ExprPtr expr(const ExprPtr& old) override {
    const auto found = by_.find(old.get());
    return found == by_.end() ? parts(old) : found->second;
  }

 private:
  const std::unordered_map<const Expr*, ExprPtr>& by_;
};

// Puts parameters of the function in the place of constants of the same type.
std::optional<TestCase> constants_to_params(const TestCase& test, std::size_t first, std::size_t last) {
  const std::vector<ConstantSite> sites = constants_of(test);
  std::unordered_map<const Expr*, ExprPtr> by;
  for (std::size_t i = first; i < last; ++i) {
    for (const Var& param : sites[i].function->function->params) {
      if (equal(param->type, sites[i].constant->type)) by.emplace(sites[i].constant.get(), var_expr(param));
    }
  }
  if (by.empty()) return std::nullopt;
  TestCase result = test;
  Replacer replacer(by);
  for (GlobalFunction& f : result.module.functions) f.function = replacer.function(f.function);
  return rebuilt(result, {});
}

}  // namespace

RangeSteps operand_steps() {
  static constexpr std::array kSteps = {
      RangeStep{"merge-params", count_params, merge_params},
      RangeStep{"constants-to-params", count_constants, constants_to_params},
  };
  return kSteps;
}

}  // namespace passdiff
