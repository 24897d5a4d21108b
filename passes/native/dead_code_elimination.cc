// DeadCodeElimination: removes bindings that nothing uses, and functions that nothing reaches.
// Targets equal TVM's after both were tidied up (fuzz/agreement.h).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "passes/native/native_pass.h"
#include "passes/native/same_computation.h"

namespace passdiff {
namespace native::dead_code_elimination {
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

// Walks bindings from the last to the first: one stays if something after it uses its variable, or if it has an effect.
class Cleaner : public BindingRewriter {
 public:
  Cleaner(const Module& module, const Faults& faults) : module_(module), faults_(faults) {}

  FunctionPtr clean(const FunctionPtr& function) {
    mark(function->body);
    return finds_unneeded_ ? this->function(function) : function;
  }

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    return needed_.find(&old) == nullptr || BindingRewriter::binding(old, to);
  }

  // Plain blocks between which no block is left are joined.
  bool seq(const SeqExpr& old, SeqExpr& fresh) override {
    BindingRewriter::seq(old, fresh);
    join_plain_blocks(fresh);
    return true;
  }

 private:
  void mark(const SeqExpr& seq) {
    mark_uses(seq.result);
    for_each_binding_reversed(seq, [&](const Binding& binding) {
      if (!is_needed(binding)) {
        finds_unneeded_ = true;
        return;
      }
      needed_.set(&binding, true);
      mark_value(binding.value);
    });
  }

  // A match_cast may trap and may define symbolic dims.
  bool is_needed(const Binding& binding) const {
    if (live_.find(binding.var.get()) != nullptr) return true;
    if (binding.match_cast) return !faults_.match_cast_removed;
    return is_impure(module_, binding.value);
  }

  // Marks what the value uses. Branches and local functions were cleaned before: what is left in them is needed.
  void mark_value(const ExprPtr& value) {
    for_each_operand(*value, [&](const ExprPtr& operand) { mark_uses(operand); });
    if (const Var* var = as<Var>(value)) live_.set(var->get(), true);
    const bool forgets = faults_.branch_uses_missed && as<If>(value) != nullptr;
    const auto outside = forgets ? live_ : PointerMap<bool>();
    for_each_seq(*value, [&](const SeqExpr& seq) { mark(seq); });
    if (forgets) live_ = outside;
  }

  void mark_uses(const ExprPtr& expr) {
    for_each_use(expr, [&](const Var& var) { live_.set(var.get(), true); });
  }

  const Module& module_;
  const Faults& faults_;
  PointerMap<bool> live_;
  PointerMap<bool> needed_;  // the bindings that stay
  bool finds_unneeded_ = false;
};

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The names given, public functions, and the functions that these call or mention; with `deep` also those that the latter call,
// and so on.
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
  const nlohmann::json document = TRY(parse_json(text));
  if (!document.is_object()) return Error{"options.type", "DeadCodeElimination: the options are no object"};
  for (const auto& [key, value] : document.items()) {
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
  const Names entries = TRY(read_options(run.options));
  const Faults faults = switched_on(kFaults, run);
  Module result{.functions = {}, .vdevices = module.vdevices, .attrs = module.attrs, .prim_funcs = {}, .meshes = module.meshes};
  for (const GlobalFunction& function : module.functions) {
    result.functions.push_back(
        {function.name, Cleaner(module, faults).clean(function.function), function.is_public});
  }
  // Counted after the removal of dead bindings: a call in one reaches nothing.
  const Names kept = reachable(result, entries, !faults.callee_of_callee_removed);
  std::erase_if(result.functions, [&](const GlobalFunction& f) { return !contains(kept, f.name); });
  for (const GlobalPrimFunc& f : module.prim_funcs) {
    if (f.is_public || contains(kept, f.name)) result.prim_funcs.push_back(f);
  }
  return result;
}

}  // namespace
}  // namespace native::dead_code_elimination

FunctionPtr remove_unused_bindings(const Module& module, const FunctionPtr& function) {
  using namespace native::dead_code_elimination;
  const Faults none;
  return Cleaner(module, none).clean(function);
}

NativePass dead_code_elimination() {
  using namespace native::dead_code_elimination;
  return {.pass = {.name = "DeadCodeElimination", .source = "passes/native/dead_code_elimination.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
