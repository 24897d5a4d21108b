#include "passes/tvm/adapter/transform.h"

#include <time.h>

#include <algorithm>
#include <exception>
#include <list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/compiler.h"
#include "passes/tvm/adapter/constants.h"
#include "passes/tvm/adapter/encode.h"
#include "passes/tvm/adapter/report.h"
#include "passes/tvm/adapter/worker.h"

namespace passdiff {
namespace {

using nlohmann::json;

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// With `types`, the checker infers the type of each expression anew, which takes it most of its time.
bool is_well_formed(const ObjectRef& module, bool types) {
  return call(compiler().functions.check_well_formed, module, types).cast<bool>();
}

// What the compiler's checker says of a module that it refuses; empty where it gives no reason.
std::string complaint_about(const ObjectRef& module, bool types) {
  try {
    call(compiler().functions.well_formed, module, types);
  } catch (const ffi::Error& error) {
    return error.message();
  }
  return {};
}

// A module as the compiler has it, and its document as it was when the module was made: a later pass may change the module in place.
struct Held {
  ObjectRef module{nullptr};
  std::vector<std::uint8_t> document;
  std::string unreadable{};  // why it has no document
};

Held held(ObjectRef module, KnownPrimFuncs* known) {
  try {
    std::vector<std::uint8_t> document = encode_module(module, known);
    return {std::move(module), std::move(document)};
  } catch (const Unreadable& unreadable) {
    return {std::move(module), {}, unreadable.what()};
  }
}

// Throws a Refusal if the compiler's own checker does not accept the source.
void check_source(const ObjectRef& module, bool trusts_types) {
  if (is_well_formed(module, !trusts_types)) return;
  const std::string message = complaint_about(module, !trusts_types);
  throw Refusal("IllFormedSource", message.empty() ? "the compiler's checker refuses the source" : message);
}

// Whether the reply says that a pass failed, or made what the checker refuses.
bool accuses(const json& results) {
  return std::ranges::any_of(results, [](const json& result) {
    const auto form = result.find("well_formed");
    return result["ok"] == false || (form != result.end() && *form == false);
  });
}

// The passes that made a module of the source, those left out that changed nothing. Passes are functions of modules, so that pipelines
// which begin alike share what comes of it.
using Prefix = std::vector<const ffi::Object*>;

struct Step {
  ObjectRef pass;              // kept, so that no other pass takes its address
  std::optional<Held> made;    // none where the pass changed nothing, or failed
  std::exception_ptr failure;  // null where it did not fail
};

// What the checker says of a module.
struct Form {
  json well_formed;  // null where the checker itself failed, so that it says nothing
  std::string complaint;
};

Form form_of(const ObjectRef& module, bool trusts_types) {
  Form form;
  try {
    const bool well_formed = is_well_formed(module, !trusts_types);
    form.well_formed = well_formed;
    if (!well_formed) form.complaint = complaint_about(module, !trusts_types);
  } catch (const ffi::Error&) {
  }
  return form;
}

// What the checker looks at, by address. It looks into functions of Relax alone: of others, at what their names stand for.
using CheckedParts = std::vector<const ffi::Object*>;
CheckedParts checked_parts(const ObjectRef& module) {
  const Fields& f = compiler().fields;
  CheckedParts parts = {f.module_infos.object(module.get()).get(), f.module_attrs.object(module.get()).get()};
  for (const auto& [global, function] : f.module_functions(module.get()).cast<ffi::Map<ObjectRef, ObjectRef>>()) {
    parts.push_back(global.get());
    parts.push_back(f.type.object(global.get()).get());
    parts.push_back(compiler().node(function) == Node::prim_func ? nullptr : function.get());
  }
  return parts;
}

struct CheckedModule {
  ObjectRef module;  // kept, so that no other object takes the address of a part
  Form form;
};

// A source and all that passes made of it. Requests for one source follow each other: the passes alone, then in pipelines, and once more
// for each check that asks for a further run.
struct KnownSource {
  std::vector<std::uint8_t> request;  // the document that it was built of
  Held source;
  std::map<Prefix, Step> steps;
  std::map<std::vector<std::uint8_t>, Form> forms;  // by the modules' documents
  std::map<CheckedParts, CheckedModule> checked;    // the same, by what is looked at
  KnownPrimFuncs prim_funcs;
  // Of the requests that it is for.
  bool interprets_constants = false;
  bool trusts_types = false;
  bool accepted = false;  // the compiler's checker accepts the source

  bool is_of(const TransformRequest& other) const {
    return source.module.defined() && other.interprets_constants == interprets_constants && other.trusts_types == trusts_types &&
           std::equal(request.begin(), request.end(), other.document.begin(), other.document.end());
  }
};

std::string_view view_of(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The sources of the last requests. A check that runs passes over a target comes between two that run them over its source.
class KnownSources {
 public:
  // The source of the request; an empty one, not built yet, if it is new.
  KnownSource& of(const TransformRequest& request) {
    const auto found = std::find_if(sources_.begin(), sources_.end(), [&](const KnownSource& known) { return known.is_of(request); });
    if (found != sources_.end()) {
      sources_.splice(sources_.begin(), sources_, found);
    } else {
      sources_.emplace_front();
      if (sources_.size() > kKept) sources_.pop_back();
    }
    return sources_.front();
  }

 private:
  static constexpr std::size_t kKept = 4;
  std::list<KnownSource> sources_;  // the latest first
};

KnownSources& known_sources() {
  static KnownSources instance;
  return instance;
}

class Transformation {
 public:
  explicit Transformation(const TransformRequest& request)
      : request_(request), known_(request.module.defined() ? unshared_ : known_sources().of(request)) {}
  std::vector<std::uint8_t> reply();

 private:
  void take_source();
  std::optional<json> objection_to_source(const json& results);
  std::vector<std::uint8_t> refused(const json& error) const;
  void run_all(json& results);
  void begin_with(ObjectRef module);
  ObjectRef build_source() const { return build_module(request_.document, request_.trusts_types ? BuiltTypes::trusted : BuiltTypes::declared); }
  json run_pipeline(std::int32_t index);
  void run_passes(const Passes& passes, json& result);
  ObjectRef run(const ObjectRef& pass, const ObjectRef& module);
  Step first_run(const ObjectRef& pass, const Held& before);
  const Held& step(const ObjectRef& pass, const Held& before, Prefix& prefix);
  ObjectRef run_again(const Passes& passes, const ObjectRef& module);
  ObjectRef run_together(const Passes& passes, std::size_t first, const ObjectRef& module);
  json told_of(const Held& target);
  Held hold(ObjectRef module) { return held(std::move(module), watches_ ? nullptr : &known_.prim_funcs); }
  Form known_form_of(const Held& target);
  Form form_by_parts(const Held& target);
  json snapshot(const Held& held);
  bool source_mutated();
  bool steps_mutated();
  std::size_t add_body(std::vector<std::uint8_t> body) {
    bodies_.push_back(std::move(body));
    return bodies_.size();
  }

  const TransformRequest& request_;
  KnownSource unshared_;  // where the caller built the module, to whose parts options refer
  KnownSource& known_;
  std::vector<std::vector<std::uint8_t>> bodies_;
  // What the reply says of targets, by their documents: where two pipelines make equal modules, it is said again. Not by the object: a later
  // pass may have changed that in place.
  std::map<std::string_view, json> told_;  // views of bodies_
  std::set<const Held*> given_;            // what earlier passes made and a pass of this request was given
  bool watches_ = false;                   // whether to see what is changed in place: then nothing that is known by its address counts
  std::int32_t pipeline_ = 0;
  std::int32_t pass_ = 0;
  double seconds_ = 0;
};

ObjectRef Transformation::run(const ObjectRef& pass, const ObjectRef& module) {
  worker().at(request_.id, pipeline_, pass_);
  const double start = cpu_seconds();
  struct Stop {
    double start;
    double& total;
    ~Stop() { total += cpu_seconds() - start; }
  } stop{start, seconds_};
  const ConstantsOf constants(request_.interprets_constants ? std::optional(request_.id) : std::nullopt);
  return call(compiler().functions.run_pass, pass, module).cast<ObjectRef>();
}

json Transformation::snapshot(const Held& held) {
  if (!held.unreadable.empty()) return nullptr;
  return add_body(held.document);
}

Step Transformation::first_run(const ObjectRef& pass, const Held& before) {
  try {
    Held made = hold(run(pass, before.module));
    const bool unchanged = made.unreadable.empty() && made.document == before.document;
    return {pass, unchanged ? std::nullopt : std::optional(std::move(made)), nullptr};
  } catch (...) {
    return {pass, std::nullopt, std::current_exception()};
  }
}

// What a pass makes of the module that the passes of `prefix` made, to which it is added if it changes something.
const Held& Transformation::step(const ObjectRef& pass, const Held& before, Prefix& prefix) {
  prefix.push_back(pass.get());
  auto known = known_.steps.find(prefix);
  if (known == known_.steps.end()) {
    if (&before != &known_.source) given_.insert(&before);
    known = known_.steps.emplace(prefix, first_run(pass, before)).first;
  }
  if (known->second.failure) std::rethrow_exception(known->second.failure);
  if (known->second.made) return *known->second.made;
  prefix.pop_back();
  return before;
}

// The last pass, whatever an earlier run of it made.
ObjectRef Transformation::run_again(const Passes& passes, const ObjectRef& module) {
  pass_ = static_cast<std::int32_t>(passes.size()) - 1;
  return run(passes[passes.size() - 1], module);
}

// The passes from `first` on.
ObjectRef Transformation::run_together(const Passes& passes, std::size_t first, const ObjectRef& module) {
  const Passes last(passes.begin() + static_cast<std::ptrdiff_t>(first), passes.end());
  const auto all = call(compiler().functions.sequential, last, 0, "sequential", Passes(), false).cast<ObjectRef>();
  pass_ = static_cast<std::int32_t>(first);
  ObjectRef target = run(all, module);
  pass_ = static_cast<std::int32_t>(passes.size()) - 1;
  return target;
}

void Transformation::run_passes(const Passes& passes, json& result) {
  const Held* made = &known_.source;
  json snapshots = json::array();
  const std::size_t anew = std::min(passes.size(), request_.again ? 1 : request_.together);
  const std::size_t shared = passes.size() - anew;
  Prefix prefix;
  for (std::size_t i = 0; i < shared; ++i) {
    pass_ = static_cast<std::int32_t>(i);
    made = &step(passes[static_cast<std::int64_t>(i)], *made, prefix);
    if (request_.snapshots) snapshots.push_back(snapshot(*made));
  }
  Held last;
  if (anew > 0) {
    if (made != &known_.source) given_.insert(made);
    last = hold(request_.again ? run_again(passes, made->module) : run_together(passes, shared, made->module));
    made = &last;
    if (request_.snapshots) snapshots.push_back(snapshot(*made));
  }
  if (request_.snapshots) result["snapshots"] = std::move(snapshots);
  result.update(told_of(*made));
}

Form Transformation::known_form_of(const Held& target) {
  if (!target.unreadable.empty()) return form_of(target.module, request_.trusts_types);
  const auto known = known_.forms.find(target.document);
  return known != known_.forms.end() ? known->second : known_.forms.emplace(target.document, form_by_parts(target)).first->second;
}

// Passes over TensorIR leave the functions of Relax as they are.
Form Transformation::form_by_parts(const Held& target) {
  if (watches_) return form_of(target.module, request_.trusts_types);
  const auto [known, is_new] = known_.checked.try_emplace(checked_parts(target.module), CheckedModule{target.module, {}});
  if (is_new) known->second.form = form_of(target.module, request_.trusts_types);
  return known->second.form;
}

// "unchanged", "module" or "unreadable", "well_formed", and "complaint" where that is false.
json Transformation::told_of(const Held& target) {
  if (target.unreadable.empty()) {
    if (target.document == known_.source.document) return {{"unchanged", true}, {"well_formed", true}};  // the source is, and the target equals it
    const auto told = told_.find(view_of(target.document));
    if (told != told_.end()) return told->second;
  }
  json fields = {{"well_formed", nullptr}};
  if (target.unreadable.empty()) {
    fields["module"] = add_body(target.document);
  } else {
    fields["unreadable"] = target.unreadable;
  }
  if (request_.well_formed) {
    const Form form = known_form_of(target);
    fields["well_formed"] = form.well_formed;
    if (form.well_formed == false) fields["complaint"] = form.complaint;
  }
  if (target.unreadable.empty()) told_.emplace(view_of(bodies_.back()), fields);
  return fields;
}

bool Transformation::source_mutated() {
  try {
    return encode_module(known_.source.module) != known_.source.document;
  } catch (const Unreadable&) {
    return true;
  }
}

// Whether a pass changed the module that it was given, which an earlier one had made, in place: what further passes make of that counts for
// nothing. These modules share functions, as they are now.
bool Transformation::steps_mutated() {
  KnownPrimFuncs now;
  return std::ranges::any_of(given_, [&now](const Held* held) {
    if (!held->unreadable.empty()) return false;
    try {
      return encode_module(held->module, &now) != held->document;
    } catch (const Unreadable&) {
      return true;
    }
  });
}

json Transformation::run_pipeline(std::int32_t index) {
  const Any pipeline = request_.pipelines[index];
  if (const auto refused = pipeline.as<ffi::String>()) return json::parse(std::string(*refused));
  const auto passes = pipeline.cast<Passes>();
  pipeline_ = index;
  pass_ = 0;
  seconds_ = 0;
  json result = {{"ok", true}};
  if (std::optional<json> error = attempt([&] { run_passes(passes, result); })) {
    result = {{"ok", false}, {"error", std::move(*error)}, {"pass_index", pass_}};
  }
  result["pass_seconds"] = seconds_;
  result["input_mutated"] = false;
  return result;
}

// Runs the pipelines one after the other. To see whether a pass changes the source, or a module on the way, its document must be made anew: where
// that is asked for, after each pipeline, and a source that was changed, or whose targets were, is built again.
void Transformation::run_all(json& results) {
  const auto pipelines = static_cast<std::int32_t>(request_.pipelines.size());
  for (std::int32_t i = 0; i < pipelines; ++i) {
    json result = run_pipeline(i);
    const bool mutated = watches_ && source_mutated();
    if (mutated) result["input_mutated"] = true;
    if (mutated || (watches_ && steps_mutated())) begin_with(build_source());
    results.push_back(std::move(result));
  }
}

void Transformation::take_source() {
  if (known_.source.module.defined()) return;
  begin_with(request_.module.defined() ? request_.module : build_source());
}

void Transformation::begin_with(ObjectRef module) {
  known_ = {};
  std::vector<std::uint8_t> document = encode_module(module);
  if (!request_.trusts_types) check_source(module, false);
  known_.source = {std::move(module), std::move(document)};
  known_.accepted = !request_.trusts_types;
  given_.clear();
  known_.request.assign(request_.document.begin(), request_.document.end());
  known_.interprets_constants = request_.interprets_constants;
  known_.trusts_types = request_.trusts_types;
}

// A source whose types are trusted is checked only before it speaks against a pass.
std::optional<json> Transformation::objection_to_source(const json& results) {
  if (known_.accepted || !accuses(results)) return std::nullopt;
  std::optional<json> objection = attempt([&] { check_source(known_.source.module, request_.trusts_types); });
  known_.accepted = !objection;
  if (objection) known_ = {};
  return objection;
}

std::vector<std::uint8_t> Transformation::refused(const json& error) const {
  return make_frame(to_text({{"id", request_.id}, {"built", false}, {"error", error}}), {});
}

std::vector<std::uint8_t> Transformation::reply() {
  worker().at(request_.id, -1, -1);
  if (const std::optional<json> error = attempt([&] { take_source(); })) return refused(*error);
  json header = {{"id", request_.id}, {"built", true}};
  json& results = header["results"] = json::array();
  run_all(results);
  if (source_mutated() || steps_mutated()) {  // by which of them? Passes that do so are few
    results = json::array();
    bodies_.clear();
    told_.clear();
    begin_with(build_source());
    watches_ = true;
    run_all(results);
  }
  if (const std::optional<json> error = objection_to_source(results)) return refused(*error);
  return make_frame(to_text(header), bodies_);
}

}  // namespace

std::vector<std::uint8_t> transform(const TransformRequest& request) {
  return Transformation(request).reply();
}

}  // namespace passdiff
