// LazySetOutput: a public function passes its outputs to a callback, by index, and returns an empty tuple.
//
// Where targets differ from TVM's: TVM calls the callback right after the binding of an output. So does this pass in plain
// blocks; for an output of a dataflow block it calls the callback after the block, since an impure call inside is ill-formed
// (TVM's stands there). The attribute relax.force_pure is removed, since the function is no longer pure. A function that others
// of the module call keeps its signature for them (keep_callers); TVM leaves such calls broken.
#include "core/ir/rewriter.h"
#include "core/form/builder.h"
#include "passes/native/moved_params.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace native::lazy_set_output {
namespace {

struct Faults {
  bool last_output_first = false;
  bool parameter_skipped = false;
  bool repeated_once = false;
  bool unbound_skipped = false;
  bool inner_tuple_spread = false;
  bool still_pure = false;
  bool inside_dataflow = false;
  bool callback_last = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::last_output_first, "lazy-set-output/last-output-first", "outputs are counted from the last one",
     "outputs-refine"},
    {&Faults::parameter_skipped, "lazy-set-output/parameter-skipped",
     "an output that is a parameter is not set", "outputs-refine"},
    {&Faults::repeated_once, "lazy-set-output/repeated-once", "an output that is returned twice is set once",
     "outputs-refine"},
    {&Faults::unbound_skipped, "lazy-set-output/unbound-skipped", "an output that is no variable is not set",
     "outputs-refine"},
    {&Faults::inner_tuple_spread, "lazy-set-output/inner-tuple-spread",
     "the fields of a tuple among the outputs are set one by one", "outputs-refine"},
    {&Faults::still_pure, "lazy-set-output/still-pure", "the function is still declared pure", "well-formed"},
    {&Faults::inside_dataflow, "lazy-set-output/inside-dataflow",
     "the callback is called inside a dataflow block", "well-formed"},
    {&Faults::callback_last, "lazy-set-output/callback-last",
     "the callback is the last parameter, behind the weights", "outputs-refine"},
};

struct Output {
  std::int64_t index = 0;
  ExprPtr value;
};

class Setter : public Rewriter {
 public:
  Setter(const Function& source, const Faults& faults)
      : source_(source),
        faults_(faults),
        callback_(make_var("fset_output", func_type({prim_type(DType::int64), object_type()}, tuple_type({}),
                                                    /*pure=*/false))) {
    collect_outputs();
  }

  FunctionPtr make() {
    auto result = std::make_shared<Function>(source_);
    add_parameter(*result);
    BlockSink body;
    if (!faults_.parameter_skipped) {
      for (const Var& param : source_.params) set(param, body);
    }
    blocks(source_.body, body);
    body.continue_plain();
    for (const Output& output : outputs_) {
      if (as<Var>(output.value) == nullptr) body.add(call(output));
    }
    result->body = body.finish(make_tuple({}));
    result->result_type = tuple_type({});
    if (!faults_.still_pure) {
      result->pure = false;
      result->attrs.erase("relax.force_pure");
    }
    return result;
  }

 protected:
  bool block(const Block& old, BlockSink& to) override {
    if (old.dataflow) {
      to.begin_block(true);
    } else {
      to.continue_plain();
    }
    const bool inside = !old.dataflow || faults_.inside_dataflow;
    for (const Binding& binding : old.bindings) {
      to.add(binding);
      if (inside) set(binding.var, to);
    }
    if (inside) return true;
    to.continue_plain();
    for (const Binding& binding : old.bindings) set(binding.var, to);
    return true;
  }

 private:
  void collect_outputs() {
    const auto* tuple = as<Tuple>(source_.body.result);
    if (tuple == nullptr) {
      outputs_.push_back({0, source_.body.result});
      return;
    }
    for (const ExprPtr& field : tuple->fields) {
      const auto* inner = as<Tuple>(field);
      if (inner == nullptr || !faults_.inner_tuple_spread) {
        collect(field);
        continue;
      }
      for (const ExprPtr& part : inner->fields) collect(part);
    }
    if (!faults_.last_output_first) return;
    for (Output& output : outputs_)
      output.index = static_cast<std::int64_t>(outputs_.size()) - 1 - output.index;
  }

  void collect(const ExprPtr& value) {
    const auto index = static_cast<std::int64_t>(outputs_.size() + skipped_);
    const Var* var = as<Var>(value);
    bool skip = faults_.unbound_skipped && var == nullptr;
    for (const Output& other : outputs_) {
      const Var* known = as<Var>(other.value);
      skip |= faults_.repeated_once && var != nullptr && known != nullptr && *var == *known;
    }
    if (skip) {
      ++skipped_;
    } else {
      outputs_.push_back({index, value});
    }
  }

  // The callback is a parameter before the weights: it is known only when the function is called, so that it is an input.
  void add_parameter(Function& function) const {
    const auto entry = function.attrs.find("num_input");
    auto* inputs = entry == function.attrs.end() ? nullptr : std::get_if<std::int64_t>(&entry->second);
    auto& params = function.params;
    const bool last = inputs == nullptr || faults_.callback_last;
    params.insert(last ? params.end() : params.begin() + static_cast<std::ptrdiff_t>(*inputs), callback_);
    if (inputs != nullptr) ++*inputs;
  }

  Binding call(const Output& output) const {
    auto call = call_function(var_expr(callback_), {make_prim(output.index), output.value});
    CHECK(call.ok()) << call.error().message;
    return {make_var("_void", (*call)->type), *std::move(call), std::nullopt};
  }

  // Adds a call of the callback for every output that is this variable.
  void set(const Var& var, BlockSink& to) const {
    for (const Output& output : outputs_) {
      const Var* bound = as<Var>(output.value);
      if (bound != nullptr && *bound == var) to.add(call(output));
    }
  }

  const Function& source_;
  const Faults& faults_;
  Var callback_;
  std::vector<Output> outputs_;
  std::size_t skipped_ = 0;
};

Result<Module> run(const Module& module, NativeRun& run) {
  if (run.options != "{}") return Error{"options.unknown", "LazySetOutput: takes no options"};
  const Faults faults = switched_on(kFaults, run);
  Module result = keep_callers(module, [](const GlobalFunction&) { return true; });
  for (GlobalFunction& global : result.functions) {
    if (global.is_public) global.function = Setter(*global.function, faults).make();
  }
  return result;
}

}  // namespace
}  // namespace native::lazy_set_output

NativePass lazy_set_output() {
  using namespace native::lazy_set_output;
  return {.pass = {.name = "LazySetOutput",
                   .contract = {.convention = Convention::lazy_set_output,
                                .idempotent = false,
                                .alters = {kAltersPurity, "relax.force_pure", "num_input"}},
                   .source = "passes/native/lazy_set_output.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
