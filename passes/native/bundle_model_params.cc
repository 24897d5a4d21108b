// BundleModelParams: the weights of a function with num_input become one tuple parameter.
//
// Where targets differ from TVM's: TVM takes a weight out of the tuple anew at each use; this pass does so once, before the first
// use (before the branch or local function that uses it, not inside; TVM leaves some weights unbound that a local function uses).
// TVM also changes functions that others of the module call, and leaves those calls broken; this pass changes public functions
// and keeps their callers right (keep_callers).
#include <nlohmann/json.hpp>

#include "core/form/builder.h"
#include "core/documents/json.h"
#include "core/ir/queries.h"
#include "passes/native/moved_params.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace native::bundle_model_params {
namespace {

struct Faults {
  bool index_counts_inputs = false;
  bool fields_reversed = false;
  bool nested_use_overlooked = false;
  bool input_mutated = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::index_counts_inputs, "bundle-model-params/index-counts-inputs",
     "a weight's field is its place among all parameters", "well-formed"},
    {&Faults::fields_reversed, "bundle-model-params/fields-reversed", "the tuple holds the last weight first",
     "outputs-refine"},
    {&Faults::nested_use_overlooked, "bundle-model-params/nested-use-overlooked",
     "a weight that only a branch or a local function uses is not taken out of the tuple", "well-formed"},
    {&Faults::input_mutated, "bundle-model-params/input-mutated",
     "the module that is given is changed itself", "input-untouched"},
};

class Bundler {
 public:
  Bundler(const Function& source, const std::string& name, const Faults& faults)
      : source_(source), faults_(faults), inputs_(static_cast<std::size_t>(*num_input(source))) {
    std::vector<Type> fields(count());
    for (std::size_t i = 0; i < count(); ++i) fields[field_of(i)] = source.params[inputs_ + i]->type;
    bundle_ = make_var(name, tuple_type(std::move(fields)));
  }

  FunctionPtr make() const {
    auto result = std::make_shared<Function>(source_);
    result->params.resize(inputs_);
    result->params.push_back(bundle_);
    std::vector<MovedParam> moved;
    for (std::size_t i = 0; i < count(); ++i) {
      moved.push_back({source_.params[inputs_ + i], [this, i](auto&, bool) { return item(i); }, false, {}});
    }
    result->body = bind_before_use(source_.body, result->params, std::move(moved),
                                   {.nested_ignored = faults_.nested_use_overlooked});
    return result;
  }

 private:
  std::size_t count() const { return source_.params.size() - inputs_; }
  std::size_t field_of(std::size_t weight) const {
    return faults_.fields_reversed ? count() - 1 - weight : weight;
  }

  ExprPtr item(std::size_t weight) const {
    const std::size_t field = field_of(weight) + (faults_.index_counts_inputs ? inputs_ : 0);
    return make_expr(TupleGetItem{var_expr(bundle_), static_cast<int>(field)},
                     source_.params[inputs_ + weight]->type);
  }

  const Function& source_;
  const Faults& faults_;
  std::size_t inputs_;
  Var bundle_;
};

Result<std::string> read_name(std::string_view text) {
  std::string name = "model_params";
  if (text == "{}") return name;
  const nlohmann::json document = TRY(parse_json(text));
  if (!document.is_object()) return Error{"options.type", "BundleModelParams: the options are no object"};
  for (const auto& [key, value] : document.items()) {
    if (key != "param_tuple_name" || !(value.is_string() || value.is_null())) {
      return Error{"options.unknown", "BundleModelParams: no such option: " + key};
    }
    if (value.is_string()) name = value.get<std::string>();
  }
  if (!is_identifier(name))
    return Error{"options.name", "BundleModelParams: no name of a parameter: " + name};
  return name;
}

Result<Module> run(const Module& module, NativeRun& run) {
  const std::string name = TRY(read_name(run.options));
  const Faults faults = switched_on(kFaults, run);
  const auto has_weights = [](const GlobalFunction& f) { return num_input(*f.function) != nullptr; };
  Module result = keep_callers(module, has_weights);
  for (GlobalFunction& global : result.functions) {
    if (global.is_public && has_weights(global))
      global.function = Bundler(*global.function, name, faults).make();
  }
  if (faults.input_mutated) const_cast<Module&>(module) = result;
  return result;
}

std::string draw_options(Choices& choices, const Module&) {
  return choices.one_in(4) ? R"({"param_tuple_name": "weights"})" : "{}";
}

}  // namespace
}  // namespace native::bundle_model_params

NativePass bundle_model_params() {
  using namespace native::bundle_model_params;
  return {.pass = {.name = "BundleModelParams",
                   .contract = {.convention = Convention::bundle_model_params, .idempotent = false},
                   .draw_options = draw_options,
                   .source = "passes/native/bundle_model_params.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
