// LazyGetInput: a public function asks a callback for its weights, by index and name, when it first uses
// them.
//
// Where targets differ from TVM's: TVM asks at every use, then merges the calls by EliminateCommonSubexpr over the whole
// function and removes dead bindings; this pass asks once, before the first use, and leaves the rest of the body alone. A weight
// that only a branch or a local function uses is asked for before that branch or function. A weight whose symbolic dims are
// mentioned before it is used is asked for at that mention. A function that others of the module call keeps its signature for
// them (keep_callers); TVM leaves such calls broken.
#include "core/form/builder.h"
#include "core/ir/rewriter.h"
#include "passes/native/moved_params.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace native::lazy_get_input {
namespace {

struct Faults {
  bool index_counts_inputs = false;
  bool last_weight_first = false;
  bool cast_omitted = false;
  bool asked_after_use = false;
  bool nested_use_overlooked = false;
  bool dims_overlooked = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::index_counts_inputs, "lazy-get-input/index-counts-inputs",
     "the callback is asked for a weight by its place among all parameters", "outputs-refine"},
    {&Faults::last_weight_first, "lazy-get-input/last-weight-first", "weights are counted from the last one",
     "outputs-refine"},
    {&Faults::cast_omitted, "lazy-get-input/cast-omitted",
     "what the callback returns is used without a match_cast", "well-formed"},
    {&Faults::asked_after_use, "lazy-get-input/asked-after-use",
     "a weight is bound behind the binding that uses it first", "well-formed"},
    {&Faults::nested_use_overlooked, "lazy-get-input/nested-use-overlooked",
     "a weight that only a branch or a local function uses is never asked for", "well-formed"},
    {&Faults::dims_overlooked, "lazy-get-input/dims-overlooked",
     "the result type keeps symbolic dims that only a weight defined", "well-formed"},
};

Var make_callback() {
  return make_var("fget_param", func_type({prim_type(DType::int64), object_type()}, object_type()));
}

class Getter {
 public:
  Getter(const Function& source, const Faults& faults)
      : source_(source), faults_(faults), inputs_(count_inputs(source)), callback_(make_callback()) {}

  FunctionPtr make() const {
    auto result = std::make_shared<Function>(source_);
    result->params.resize(inputs_);
    result->params.push_back(callback_);
    std::vector<MovedParam> moved;
    Substitution by;
    for (std::size_t i = inputs_; i < source_.params.size(); ++i) {
      Var var = source_.params[i];
      if (faults_.cast_omitted) {
        var = make_var(var->name, object_type());
        by.vars.set(source_.params[i].get(), var_expr(var));
      }
      moved.push_back({var, fetcher(i), !faults_.cast_omitted, {}});
    }
    result->body = bind_before_use(
        substitute(source_.body, by), result->params, std::move(moved),
        {.nested_ignored = faults_.nested_use_overlooked, .after_first_use = faults_.asked_after_use});
    if (!faults_.dims_overlooked)
      result->result_type = result_type_without(source_.result_type, result->params);
    result->attrs["num_input"] = static_cast<std::int64_t>(inputs_ + 1);
    return result;
  }

 private:
  std::int64_t index_of(std::size_t param) const {
    if (faults_.index_counts_inputs) return static_cast<std::int64_t>(param);
    if (faults_.last_weight_first) return static_cast<std::int64_t>(source_.params.size() - 1 - param);
    return static_cast<std::int64_t>(param - inputs_);
  }

  std::function<ExprPtr(std::vector<Binding>&, bool)> fetcher(std::size_t param) const {
    return [this, param](std::vector<Binding>& into, bool dataflow) {
      const std::string& name = source_.params[param]->name;
      const ExprPtr text = make_expr(StringImm{name}, object_type());
      auto call = call_function(var_expr(callback_), {make_prim(index_of(param)), text});
      CHECK(call.ok()) << call.error().message;
      if (faults_.cast_omitted) return *std::move(call);
      const Var untyped = make_var(name + "_untyped", object_type(), dataflow);
      into.push_back({untyped, *std::move(call), std::nullopt});
      return var_expr(untyped);
    };
  }

  const Function& source_;
  const Faults& faults_;
  std::size_t inputs_;
  Var callback_;
};

Result<Module> run(const Module& module, NativeRun& run) {
  if (run.options != "{}") return Error{"options.unknown", "LazyGetInput: takes no options"};
  const Faults faults = switched_on(kFaults, run);
  Module result = keep_callers(module, [](const GlobalFunction&) { return true; });
  for (GlobalFunction& global : result.functions) {
    if (global.is_public) global.function = Getter(*global.function, faults).make();
  }
  return result;
}

}  // namespace
}  // namespace native::lazy_get_input

NativePass lazy_get_input() {
  using namespace native::lazy_get_input;
  return {.pass = {.name = "LazyGetInput",
                   .contract = {.convention = Convention::lazy_get_input,
                                .idempotent = false,
                                .alters = {kAltersPurity, "relax.force_pure", "num_input"}},
                   .source = "passes/native/lazy_get_input.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
