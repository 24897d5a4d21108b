// Steps that simplify bindings wherever they stand, branches, and what branches, local functions and called
// functions return.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/form/builder.h"
#include "core/ir/rewriter.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

std::size_t count_all(const TestCase& test) {
  return all_bindings(test).size();
}

// An expression that can stand for the binding's variable: what is cast, an operand of the same type, the
// variable that it is bound to, or the field that is taken out of a tuple which is written out.
std::optional<ExprPtr> stand_in_for(const TestCase& test, const Binding& binding) {
  if (binding.match_cast || as<Var>(binding.value) != nullptr) return binding.value;
  if (const Call* call = as<Call>(binding.value)) {
    for (const ExprPtr& arg : call->args) {
      if (as<Var>(arg) != nullptr && equal(arg->type, binding.var->type)) return arg;
    }
  }
  const TupleGetItem* get = as<TupleGetItem>(binding.value);
  const Var* tuple_var = get == nullptr ? nullptr : as<Var>(get->tuple);
  if (tuple_var == nullptr) return std::nullopt;
  for (const BindingSite& other : all_bindings(test)) {
    const Tuple* tuple = other.binding->var == *tuple_var ? as<Tuple>(other.binding->value) : nullptr;
    if (tuple != nullptr) return tuple->fields[static_cast<std::size_t>(get->index)];
  }
  return std::nullopt;
}

std::optional<TestCase> bypass_any(const TestCase& test, std::size_t i) {
  const Binding* target = all_bindings(test)[i].binding;
  const auto stand_in = stand_in_for(test, *target);
  if (!stand_in) return std::nullopt;
  VarSet shown;
  if (!target->var->dataflow) collect_uses(*stand_in, shown);
  return rebuilt(test, {.replace = [&](const Binding& b) { return &b == target ? stand_in : std::nullopt; },
                        .expose = [&](const Var& v) { return shown.contains(v.get()); }});
}

// Puts the blocks of a branch where the binding of the If stands, which then takes the branch's result.
class BranchInliner : public BindingRewriter {
 public:
  BranchInliner(const Binding& target, const SeqExpr& taken) : target_(target), taken_(taken) {}

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    if (old.var != target_.var) return BindingRewriter::binding(old, to);
    const bool dataflow = to.in_dataflow();
    if (!blocks(taken_, to)) return false;
    to.begin_block(dataflow);
    to.add({old.var, taken_.result, std::nullopt});
    return true;
  }

 private:
  const Binding& target_;
  const SeqExpr& taken_;
};

// Replaces an If by one of its branches: even candidates by the first, odd ones by the second.
std::size_t count_branches(const TestCase& test) {
  return 2 * count_all(test);
}
std::optional<TestCase> inline_branch(const TestCase& test, std::size_t i) {
  const Binding* target = all_bindings(test)[i / 2].binding;
  const If* branch = as<If>(target->value);
  if (branch == nullptr) return std::nullopt;
  BranchInliner inliner(*target, i % 2 == 0 ? *branch->then_branch : *branch->else_branch);
  TestCase result = test;
  for (GlobalFunction& f : result.module.functions) f.function = inliner.function(f.function);
  return rebuilt(result, {});
}

// A sequence that is not the entry function's own, and a variable of it that may be its result.
struct InnerResult {
  const SeqExpr* seq;
  Var var;
};
void collect_inner(const SeqExpr& seq, const std::vector<Var>& params, std::vector<InnerResult>& into) {
  for (const Var& param : params) into.push_back({&seq, param});
  for_each_binding<Enter::none>(seq, [&](const Binding& binding) { into.push_back({&seq, binding.var}); });
}
std::vector<InnerResult> inner_results(const TestCase& test) {
  std::vector<InnerResult> results;
  for (const GlobalFunction& f : test.module.functions) {
    if (f.name != test.entry) collect_inner(f.function->body, f.function->params, results);
  }
  for (const BindingSite& site : all_bindings(test)) {
    const auto* local = as<FunctionPtr>(site.binding->value);
    if (local != nullptr) collect_inner((*local)->body, (*local)->params, results);
    for_each_seq<Enter::branches>(*site.binding->value,
                                  [&](const SeqExpr& seq) { collect_inner(seq, {}, results); });
  }
  return results;
}
std::size_t count_inner_results(const TestCase& test) {
  return inner_results(test).size();
}

using NewResults = std::unordered_map<const SeqExpr*, Var>;

// Gives sequences another result.
class ResultChanger : public BindingRewriter {
 public:
  explicit ResultChanger(const NewResults& results) : results_(results) {}
  bool seq(const SeqExpr& old, SeqExpr& fresh) override {
    if (!BindingRewriter::seq(old, fresh)) return false;
    const auto found = results_.find(&old);
    if (found != results_.end()) fresh.result = var_expr(found->second);
    return true;
  }

 private:
  const NewResults& results_;
};
std::optional<TestCase> with_results(const TestCase& test, const NewResults& results) {
  TestCase result = test;
  ResultChanger changer(results);
  for (GlobalFunction& f : result.module.functions) f.function = changer.function(f.function);
  const auto returned = [&](const Var& var) {
    return std::any_of(results.begin(), results.end(),
                       [&](const auto& entry) { return entry.second == var; });
  };
  return rebuilt(result, {.expose = returned});
}

// Makes a branch, a local function or one that is called return another of its variables.
std::optional<TestCase> return_other(const TestCase& test, std::size_t i) {
  const InnerResult target = inner_results(test)[i];
  const Var* returned = as<Var>(target.seq->result);
  if (target.var->type.as_func() != nullptr || (returned != nullptr && *returned == target.var))
    return std::nullopt;
  return with_results(test, {{target.seq, target.var}});
}

// An If, or any other binding, and a parameter of the function that it is in.
struct BindingAndParam {
  BindingSite site;
  Var param;
};
std::vector<BindingAndParam> bindings_and_params(const TestCase& test) {
  std::vector<BindingAndParam> pairs;
  for (const BindingSite& site : all_bindings(test)) {
    for (const Var& param : site.function->function->params) pairs.push_back({site, param});
  }
  return pairs;
}
std::size_t count_bindings_and_params(const TestCase& test) {
  return bindings_and_params(test).size();
}

// Makes both branches of an If return the parameter.
std::optional<TestCase> both_return(const TestCase& test, std::size_t i) {
  const auto [site, param] = bindings_and_params(test)[i];
  const If* branches = as<If>(site.binding->value);
  if (branches == nullptr) return std::nullopt;
  return with_results(test, {{branches->then_branch.get(), param}, {branches->else_branch.get(), param}});
}

// Two variables of one type, bound in one branch of an If each, which may be the branches' results.
std::vector<NewResults> branch_results(const TestCase& test) {
  std::vector<NewResults> results;
  for (const BindingSite& site : all_bindings(test)) {
    const If* branches = as<If>(site.binding->value);
    if (branches == nullptr) continue;
    for_each_binding<Enter::none>(*branches->then_branch, [&](const Binding& a) {
      for_each_binding<Enter::none>(*branches->else_branch, [&](const Binding& b) {
        if (a.var->type.as_func() != nullptr || !equal(a.var->type, b.var->type)) return;
        results.push_back({{branches->then_branch.get(), a.var}, {branches->else_branch.get(), b.var}});
      });
    });
  }
  return results;
}
std::size_t count_branch_results(const TestCase& test) {
  return branch_results(test).size();
}
std::optional<TestCase> branches_return(const TestCase& test, std::size_t i) {
  return with_results(test, branch_results(test)[i]);
}

// Binds the variable to a parameter of the same type.
std::optional<TestCase> bind_param(const TestCase& test, std::size_t i) {
  const auto [site, param] = bindings_and_params(test)[i];
  const Binding* target = site.binding;
  if (as<Var>(target->value) != nullptr || target->match_cast || !equal(param->type, target->var->type))
    return std::nullopt;
  const ExprPtr value = var_expr(param);
  return rebuilt(test, {.rewrite = [&](const Binding& b) {
                   return &b == target ? std::optional(value) : std::nullopt;
                 }});
}

// Binds the variable to zeros, in branches, local functions and other functions than the entry: forget-value has
// parameters for the others.
std::optional<TestCase> bind_zeros(const TestCase& test, std::size_t i) {
  const BindingSite site = all_bindings(test)[i];
  const Binding* target = site.binding;
  const bool at_top = !site.nested && site.function->name == test.entry;
  if (at_top || as<Constant>(target->value) != nullptr || target->match_cast) return std::nullopt;
  const auto zeros = zeros_of(target->var->type);
  if (!zeros) return std::nullopt;
  return rebuilt(
      test, {.rewrite = [&](const Binding& b) { return &b == target ? zeros : std::nullopt; }});
}

}  // namespace

ReduceSteps nested_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"inline-branch", count_branches, inline_branch},
      ReduceStep{"bypass-any", count_all, bypass_any},
      ReduceStep{"bind-param", count_bindings_and_params, bind_param},
      ReduceStep{"bind-zeros", count_all, bind_zeros},
      ReduceStep{"return-other", count_inner_results, return_other},
      ReduceStep{"both-return", count_bindings_and_params, both_return},
      ReduceStep{"branches-return", count_branch_results, branches_return},
  };
  return kSteps;
}

}  // namespace passdiff
