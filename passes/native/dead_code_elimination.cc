// DeadCodeElimination: bindings that nothing uses, and functions that nothing reaches, go.
// Targets are TVM's, once both are tidied.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "passes/native/native_pass.h"
#include "passes/native/rewrite.h"

namespace passdiff {
namespace {

struct Faults {
  bool branch_uses_missed = false;
  bool match_cast_removed = false;
  bool callee_of_callee_removed = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::branch_uses_missed, "dead-code-elimination/branch-uses-missed",
     "a variable used only inside a branch counts as unused", "well-formed"},
    {&Faults::match_cast_removed, "dead-code-elimination/match-cast-removed",
     "an unused match_cast goes although it defines symbolic dims that are used", "well-formed"},
    {&Faults::callee_of_callee_removed, "dead-code-elimination/callee-of-callee-removed",
     "a private function that only another private function calls is removed", "well-formed"},
};

// From the end to the start: a binding stays if something after it uses its variable, or if it does more than
// bind.
class Cleaner {
 public:
  Cleaner(const Module& module, const Faults& faults) : module_(module), faults_(faults) {}

  FunctionPtr clean(const FunctionPtr& function) {
    SeqExpr body = clean_seq(function->body);
    if (!changed_) return function;
    auto result = std::make_shared<Function>(*function);
    result->body = std::move(body);
    return result;
  }

 private:
  SeqExpr clean_seq(const SeqExpr& seq) {
    SeqExpr result{{}, seq.result};
    for_each_use(seq.result, [&](const Var& var) { live_.set(var.get(), true); });
    for (auto block = seq.blocks.rbegin(); block != seq.blocks.rend(); ++block) {
      Block kept{block->dataflow, {}};
      for (auto binding = block->bindings.rbegin(); binding != block->bindings.rend(); ++binding) {
        if (is_needed(*binding)) {
          kept.bindings.push_back({binding->var, clean_value(binding->value), binding->match_cast});
        } else {
          changed_ = true;
        }
      }
      std::reverse(kept.bindings.begin(), kept.bindings.end());
      if (kept.bindings.empty()) continue;
      // Plain blocks with nothing left between them are one.
      if (!kept.dataflow && !result.blocks.empty() && !result.blocks.back().dataflow) {
        std::vector<Binding>& later = result.blocks.back().bindings;
        later.insert(later.begin(), kept.bindings.begin(), kept.bindings.end());
      } else {
        result.blocks.push_back(std::move(kept));
      }
    }
    std::reverse(result.blocks.begin(), result.blocks.end());
    return result;
  }

  // A match_cast may trap and may define symbolic dims.
  bool is_needed(const Binding& binding) const {
    if (live_.find(binding.var.get()) != nullptr) return true;
    if (binding.match_cast) return !faults_.match_cast_removed;
    return is_impure(module_, binding.value);
  }

  ExprPtr clean_value(const ExprPtr& value) {
    if (const auto* branch = as<If>(value)) return clean_branches(value, *branch);
    if (const auto* function = as<FunctionPtr>(value)) {
      auto copy = std::make_shared<Function>(**function);
      copy->body = clean_seq((*function)->body);
      return make_expr(FunctionPtr(std::move(copy)), value->type);
    }
    for_each_use(value, [&](const Var& var) { live_.set(var.get(), true); });
    return value;
  }

  ExprPtr clean_branches(const ExprPtr& value, const If& branch) {
    for_each_use(branch.condition, [&](const Var& var) { live_.set(var.get(), true); });
    const auto outside = live_;
    auto then_branch = std::make_shared<const SeqExpr>(clean_seq(*branch.then_branch));
    auto else_branch = std::make_shared<const SeqExpr>(clean_seq(*branch.else_branch));
    if (faults_.branch_uses_missed) live_ = outside;
    return make_expr(If{branch.condition, std::move(then_branch), std::move(else_branch)}, value->type);
  }

  const Module& module_;
  const Faults& faults_;
  PointerMap<bool> live_;
  bool changed_ = false;
};

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Public functions, the entries asked for, and what they call. `deep`: and what that calls, and so on.
Names reachable(const Module& module, Names names, bool deep) {
  for (const GlobalFunction& function : module.functions) {
    if (function.is_public && !contains(names, function.name)) names.push_back(function.name);
  }
  const std::size_t roots = names.size();
  for (std::size_t i = 0; i < (deep ? names.size() : roots); ++i) {
    const GlobalFunction* function = module.find(names[i]);
    if (function == nullptr) continue;
    for_each_global(function->function->body, [&](const std::string& name) {
      if (!contains(names, name)) names.push_back(name);
    });
  }
  return names;
}

Result<Names> read_options(std::string_view text) {
  Names entries;
  if (text == "{}") return entries;
  const auto document = parse_json(text);
  if (!document) return document.error();
  if (!document->is_object()) return Error{"options.type", "DeadCodeElimination: the options are no object"};
  for (const auto& [key, value] : document->items()) {
    const bool names = value.is_array() &&
                       std::all_of(value.begin(), value.end(), [](const auto& n) { return n.is_string(); });
    if (key != "entry_functions" || (!names && !value.is_null())) {
      return Error{"options.unknown", "DeadCodeElimination: no such option: " + key};
    }
    if (names) entries = value.template get<Names>();
  }
  return entries;
}

Result<Module> run(const Module& module, NativeRun& run) {
  const auto entries = read_options(run.options);
  if (!entries) return entries.error();
  const Faults faults = switched_on(kFaults, run);
  Module result{{}, module.vdevices, module.attrs};
  for (const GlobalFunction& function : module.functions) {
    result.functions.push_back(
        {function.name, Cleaner(module, faults).clean(function.function), function.is_public});
  }
  // Calls that were dead reach nothing.
  const Names kept = reachable(result, *entries, !faults.callee_of_callee_removed);
  std::erase_if(result.functions, [&](const GlobalFunction& f) { return !contains(kept, f.name); });
  return result;
}

}  // namespace

FunctionPtr remove_unused_bindings(const Module& module, const FunctionPtr& function) {
  const Faults none;
  return Cleaner(module, none).clean(function);
}

NativePass dead_code_elimination() {
  return {.pass = {.name = "DeadCodeElimination", .source = "passes/native/dead_code_elimination.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
