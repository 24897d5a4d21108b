// LazyTransformParams: a function that transforms weights fetches them one by one from the host (get_item), frees them after
// their last use, and passes each result to the host as soon as nothing else needs it (set_item).
//
// Where targets differ from TVM's:
// - TVM requires that the tuple of results is written out and bound to a variable (issue 17269), sets nothing if the result is
//   no variable, and refuses dataflow blocks. This pass takes any result tuple apart at the end, and makes dataflow blocks plain.
// - This pass fetches a weight before its first use; TVM fetches it wherever it is taken out of the tuple of weights. If the
//   tuple is used as a whole, this pass builds it again; TVM leaves it unbound.
// - Shapes and scalars among the weights are fetched, too, and define symbolic dims by match_cast; TVM keeps them as parameters.
// - TVM frees weights only if they come in one tuple, and frees a variable even if others hold the same value. This pass
//   frees every fetched tensor and tuple once, after the last use of any variable that holds it.
// - The target is declared to return an empty tuple, as it does; TVM declares that it returns any object.
// - Functions that others of the module call keep their signature for them (keep_callers).
#include <algorithm>

#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "core/ops/op.h"
#include "core/form/builder.h"
#include "passes/native/moved_params.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace native::lazy_transform_params {
namespace {

constexpr std::string_view kSuffix = "transform_params";

struct Faults {
  bool tuple_must_be_written_out = false;
  bool index_by_order = false;
  bool repeated_once = false;
  bool weight_not_set = false;
  bool whole_tuple_unbound = false;
  bool dataflow_kept = false;
  bool last_result_first = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::tuple_must_be_written_out, "lazy-transform-params/tuple-must-be-written-out",
     "fails where the tuple comes from another function (apache/tvm issue 17269)", "transforms"},
    {&Faults::index_by_order, "lazy-transform-params/index-by-order",
     "items are numbered in the order in which they are fetched", "outputs-refine"},
    {&Faults::repeated_once, "lazy-transform-params/repeated-once",
     "a result that is returned twice is set once", "outputs-refine"},
    {&Faults::weight_not_set, "lazy-transform-params/weight-not-set",
     "a weight that is returned as it came is not set", "outputs-refine"},
    {&Faults::whole_tuple_unbound, "lazy-transform-params/whole-tuple-unbound",
     "the tuple of weights is fetched by field only, and unbound where it is used whole", "well-formed"},
    {&Faults::dataflow_kept, "lazy-transform-params/dataflow-kept",
     "get_item and set_item are called inside dataflow blocks", "well-formed"},
    {&Faults::last_result_first, "lazy-transform-params/last-result-first",
     "results are counted from the last one", "outputs-refine"},
};

bool calls_host(const SeqExpr& body) {
  return any_binding<Enter::none>(body, [](const Binding& binding) {
    const auto* call = as<Call>(binding.value);
    const auto* callee = call == nullptr ? nullptr : std::get_if<ExternFunc>(&call->callee);
    return callee != nullptr && (callee->name == "get_item" || callee->name == "set_item");
  });
}

// Whether the pass is to change the function: it transforms weights and is not lazy yet.
bool is_transform(const GlobalFunction& global) {
  return global.is_public && global.name.ends_with(kSuffix) && !calls_host(global.function->body);
}

Binding call_host(std::string_view name, std::vector<ExprPtr> args, std::string var) {
  return {make_var(std::move(var), object_type()),
          call_extern(std::string(name), std::move(args), {object_type()}), std::nullopt};
}

// Makes one function lazy. Its bindings are kept in a single list, without dataflow blocks.
class Lazily {
 public:
  Lazily(const Function& source, const Faults& faults)
      : source_(source), faults_(faults), inputs_(count_inputs(source)) {}

  FunctionPtr make() {
    bindings_ = plain_bindings(source_.body, result_);
    const auto weights = std::span(source_.params).subspan(inputs_);
    if (weights.size() == 1 && weights[0]->type.as_tuple() != nullptr) {
      take_apart(weights[0]);
    } else {
      for (const Var& weight : weights) add_item(weight);
    }
    set_results();
    auto function = std::make_shared<Function>(source_);
    function->params.resize(inputs_);
    const SeqExpr eager{{{.dataflow = false, .bindings = std::move(bindings_)}}, make_tuple({})};
    function->body = bind_before_use(eager, function->params, moved_);
    finish(*function);
    return function;
  }

 private:
  void add_item(const Var& var);
  void take_apart(const Var& tuple);
  void take_items(const Var& tuple);
  void set_results();
  void set_result(std::int64_t index, const ExprPtr& value);
  std::vector<ExprPtr> results();
  std::size_t place_of(const ExprPtr& value) const;
  const Binding* find_binding(const Var& var) const;
  bool is_used(const Var& var) const;
  bool is_moved(const ExprPtr& value) const;
  void finish(Function& function) const;
  void free_items(std::vector<Binding>& bindings) const;

  const Function& source_;
  const Faults& faults_;
  std::size_t inputs_;
  std::vector<Binding> bindings_;
  ExprPtr result_;
  std::vector<MovedParam> moved_;
  std::size_t items_ = 0;  // how many entries of moved_, the first ones, are fetched by get_item
  std::int64_t fetched_ = 0;
  std::vector<std::pair<std::size_t, Binding>> set_after_;  // a call of set_item, and after how many bindings it comes
};

// Notes that the variable is fetched from the host, as the item of the next index.
void Lazily::add_item(const Var& var) {
  const auto index = static_cast<std::int64_t>(items_++);
  const auto fetch = [this, index, name = var->name](std::vector<Binding>& into, bool) {
    const std::int64_t asked = faults_.index_by_order ? fetched_++ : index;
    into.push_back(call_host("get_item", {make_prim(asked)}, name + "_untyped"));
    return var_expr(into.back().var);
  };
  moved_.push_back({var, fetch, true, {}});
}

// Fetches each field of the tuple of weights into a variable of its own: one that the field was bound to, or a new one.
void Lazily::take_apart(const Var& tuple) {
  const std::vector<Type>& fields = tuple->type.as_tuple()->fields;
  std::vector<Var> items(fields.size());
  Substitution by;
  std::vector<Binding> rest;
  for (Binding& binding : bindings_) {
    binding.value = substitute(binding.value, by);
    const auto* item = as<TupleGetItem>(binding.value);
    const Var* from = item == nullptr ? nullptr : as<Var>(item->tuple);
    if (from == nullptr || *from != tuple || binding.match_cast) {
      rest.push_back(std::move(binding));
      continue;
    }
    const auto field = static_cast<std::size_t>(item->index);
    if (items[field] == nullptr && equal(binding.var->type, fields[field])) {
      items[field] = binding.var;
    } else if (items[field] != nullptr && equal(binding.var->type, items[field]->type)) {
      by.vars.set(binding.var.get(), var_expr(items[field]));
    } else {
      rest.push_back(std::move(binding));
    }
  }
  bindings_ = std::move(rest);
  result_ = substitute(result_, by);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i] == nullptr) items[i] = make_var(tuple->name + "_" + std::to_string(i), fields[i]);
    add_item(items[i]);
  }
  take_items(tuple);
  if (faults_.whole_tuple_unbound) return;
  std::vector<ExprPtr> parts;
  std::vector<std::size_t> needs;
  for (std::size_t i = 0; i < items.size(); ++i) {
    parts.push_back(var_expr(items[i]));
    needs.push_back(i);
  }
  moved_.push_back({tuple, [parts](auto&, bool) { return make_tuple(parts); }, false, needs});
}

// Replaces what still takes a field out of the tuple (inside of branches and local functions, or once more) by the field's
// variable.
void Lazily::take_items(const Var& tuple) {
  const auto replace = [&](const ExprPtr& expr) -> std::optional<ExprPtr> {
    const auto* item = as<TupleGetItem>(expr);
    const Var* from = item == nullptr ? nullptr : as<Var>(item->tuple);
    if (from == nullptr || *from != tuple) return std::nullopt;
    return var_expr(moved_[static_cast<std::size_t>(item->index)].var);
  };
  for (Binding& binding : bindings_) binding.value = replace_parts(binding.value, replace);
}

const Binding* Lazily::find_binding(const Var& var) const {
  const auto found = std::find_if(bindings_.begin(), bindings_.end(),
                                  [&](const Binding& binding) { return binding.var == var; });
  return found == bindings_.end() ? nullptr : &*found;
}

bool Lazily::is_used(const Var& var) const {
  return std::any_of(bindings_.begin(), bindings_.end(),
                     [&](const Binding& binding) { return uses(binding.value, var.get()); });
}

// The fields of the tuple that is returned, taken apart if it is not written out. The tuple's own binding is removed if nothing
// else needs it.
std::vector<ExprPtr> Lazily::results() {
  const Var* var = as<Var>(result_);
  const Binding* binding = var == nullptr ? nullptr : find_binding(*var);
  if (binding != nullptr && !binding->match_cast && as<Tuple>(binding->value) != nullptr) {
    result_ = binding->value;
    if (!is_used(*var)) bindings_.erase(bindings_.begin() + (binding - bindings_.data()));
  }
  if (const auto* tuple = as<Tuple>(result_)) return tuple->fields;
  std::vector<ExprPtr> fields;
  const std::size_t count = result_->type.as_tuple()->fields.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto item = make_tuple_get_item(result_, static_cast<int>(i));
    CHECK(item.ok()) << item.error().message;
    bindings_.push_back({make_var("result_" + std::to_string(i), (*item)->type), *item, std::nullopt});
    fields.push_back(var_expr(bindings_.back().var));
  }
  return fields;
}

// After how many bindings the value is computed and no longer used by others.
std::size_t Lazily::place_of(const ExprPtr& value) const {
  const Var* var = as<Var>(value);
  if (var == nullptr) return bindings_.size();
  std::optional<std::size_t> place;
  for (std::size_t i = 0; i < bindings_.size(); ++i) {
    if (bindings_[i].var == *var || uses(bindings_[i].value, var->get())) place = i + 1;
  }
  return place.value_or(bindings_.size());
}

bool Lazily::is_moved(const ExprPtr& value) const {
  const Var* var = as<Var>(value);
  return var != nullptr && std::any_of(moved_.begin(), moved_.end(),
                                       [&](const MovedParam& param) { return param.var == *var; });
}

void Lazily::set_result(std::int64_t index, const ExprPtr& value) {
  Binding call = call_host("set_item", {make_prim(index), value}, "_");
  set_after_.emplace_back(place_of(value), std::move(call));
}

void Lazily::set_results() {
  const std::vector<ExprPtr> values = results();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (faults_.weight_not_set && is_moved(values[i])) continue;
    const auto repeats = [&](const ExprPtr& later) {
      const Var* a = as<Var>(values[i]);
      const Var* b = as<Var>(later);
      return a != nullptr && b != nullptr && *a == *b;
    };
    if (faults_.repeated_once &&
        std::any_of(values.begin() + static_cast<std::ptrdiff_t>(i) + 1, values.end(), repeats))
      continue;
    const std::size_t index = faults_.last_result_first ? values.size() - 1 - i : i;
    set_result(static_cast<std::int64_t>(index), values[i]);
  }
  std::vector<Binding> merged;
  for (std::size_t i = 0; i <= bindings_.size(); ++i) {
    for (const auto& [place, call] : set_after_) {
      if (place == i) merged.push_back(call);
    }
    if (i < bindings_.size()) merged.push_back(bindings_[i]);
  }
  bindings_ = std::move(merged);
}

// Whether values of this type are freed: tensors and tuples are; shapes, scalars and callbacks hold little memory.
bool is_freed(const Type& type) {
  return type.as_tensor() != nullptr || type.as_tuple() != nullptr;
}

// Adds a call that frees each fetched item after the last use of it through any variable.
void Lazily::free_items(std::vector<Binding>& bindings) const {
  PointerMap<std::size_t> item_of;
  std::vector<std::size_t> last(items_, 0);
  for (std::size_t i = 0; i < items_; ++i) item_of.set(moved_[i].var.get(), i);
  for (std::size_t at = 0; at < bindings.size(); ++at) {
    const Binding& binding = bindings[at];
    if (const Var* same = as<Var>(binding.value)) {
      if (const std::size_t* item = item_of.find(same->get())) item_of.set(binding.var.get(), *item);
    }
    for_each_use(binding.value, [&](const Var& use) {
      if (const std::size_t* item = item_of.find(use.get())) last[*item] = at + 1;
    });
  }
  const OpDef* kill = find_op("relax.vm.kill_object");
  std::vector<Binding> result;
  for (std::size_t at = 0; at <= bindings.size(); ++at) {
    for (std::size_t item = 0; at > 0 && item < items_; ++item) {
      if (last[item] != at || !is_freed(moved_[item].var->type)) continue;
      auto call = make_call(*kill, {var_expr(moved_[item].var)}, {});
      CHECK(call.ok()) << call.error().message;
      result.push_back({make_var("_", (*call)->type), *call, std::nullopt});
    }
    if (at < bindings.size()) result.push_back(std::move(bindings[at]));
  }
  bindings = std::move(result);
}

void Lazily::finish(Function& function) const {
  const std::vector<Block>& before = source_.body.blocks;
  Block all{.dataflow = faults_.dataflow_kept && !before.empty() && before[0].dataflow, .bindings = {}};
  for_each_binding<Enter::none>(function.body,
                                [&](const Binding& binding) { all.bindings.push_back(binding); });
  free_items(all.bindings);
  function.body.blocks.clear();
  if (!all.bindings.empty()) function.body.blocks.push_back(std::move(all));
  function.result_type = tuple_type({});
  function.pure = false;
  function.attrs.erase("relax.force_pure");
}

bool is_written_out(const Function& function) {
  const Var* result = as<Var>(function.body.result);
  if (result == nullptr) return as<Tuple>(function.body.result) != nullptr;
  const Binding* binding = binding_of(function.body, result->get());
  return binding != nullptr && as<Tuple>(binding->value) != nullptr;
}

std::optional<Error> refuse(const GlobalFunction& global, const Faults& faults) {
  if (global.function->body.result->type.as_tuple() == nullptr) {
    return Error{"native.no-tuple", global.name + ": a transformation returns a tuple"};
  }
  if (faults.tuple_must_be_written_out && !is_written_out(*global.function)) {
    return Error{"native.tuple-not-written-out", global.name + ": the tuple is not written out"};
  }
  return std::nullopt;
}

Result<Module> run(const Module& module, NativeRun& run) {
  if (run.options != "{}") return Error{"options.unknown", "LazyTransformParams: takes no options"};
  const Faults faults = switched_on(kFaults, run);
  Module result = keep_callers(module, is_transform);
  for (GlobalFunction& global : result.functions) {
    if (!is_transform(global)) continue;
    TRY_VOID(refuse(global, faults));
    global.function = Lazily(*global.function, faults).make();
  }
  return result;
}

bool applies(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(), [](const GlobalFunction& global) {
    return is_transform(global) || (global.is_public && global.function->attrs.contains("num_input"));
  });
}

}  // namespace
}  // namespace native::lazy_transform_params

NativePass lazy_transform_params() {
  using namespace native::lazy_transform_params;
  return {.pass = {.name = "LazyTransformParams",
                   .contract = {.convention = Convention::lazy_transform_params,
                                .idempotent = false,
                                .rejections = {"native.no-tuple"},
                                .needs = {"LiftTransformParams"},
                                .alters = {kAltersPurity, "relax.force_pure", "num_input"}},
                   .applies = applies,
                   .source = "passes/native/lazy_transform_params.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
