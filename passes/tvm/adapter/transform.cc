#include "passes/tvm/adapter/transform.h"

#include <time.h>

#include <algorithm>
#include <list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/compiler.h"
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

bool is_well_formed(const ObjectRef& module) {
  return call(compiler().functions.check_well_formed, module, true).cast<bool>();
}

// What the compiler's checker says of a module that it refuses; empty where it gives no reason.
std::string complaint_about(const ObjectRef& module) {
  try {
    call(compiler().functions.well_formed, module, true);
  } catch (const ffi::Error& error) {
    return error.message();
  }
  return {};
}

// The source module as the compiler has it: built, accepted by the compiler's own checker, and as a document.
struct Source {
  ObjectRef module{nullptr};
  std::vector<std::uint8_t> encoded;
};

Source make_source(ObjectRef module) {
  Source source;
  source.module = std::move(module);
  source.encoded = encode_module(source.module);
  if (is_well_formed(source.module)) return source;
  const std::string message = complaint_about(source.module);
  throw Refusal("IllFormedSource", message.empty() ? "the compiler's checker refuses the source" : message);
}

// The passes that pipelines begin with. Passes are functions of modules, so that pipelines which begin alike share what comes of it.
using Prefix = std::vector<const ffi::Object*>;

struct Made {
  ObjectRef module;
  ObjectRef last_pass;  // kept, so that no other pass takes its address
};

// What the checker says of a module.
struct Form {
  json well_formed;  // null where the checker itself failed, so that it says nothing
  std::string complaint;
};

Form form_of(const ObjectRef& module) {
  Form form;
  try {
    const bool well_formed = is_well_formed(module);
    form.well_formed = well_formed;
    if (!well_formed) form.complaint = complaint_about(module);
  } catch (const ffi::Error&) {
  }
  return form;
}

// A source and all that passes made of it. Requests for one source follow each other: the passes alone, then in pipelines, and once more
// for each check that asks for a further run.
struct KnownSource {
  std::vector<std::uint8_t> document;
  Source source;
  std::map<Prefix, Made> made;
  std::map<std::vector<std::uint8_t>, Form> forms;  // by the modules' documents

  bool is_of(std::span<const std::uint8_t> other) const {
    return source.module.defined() && std::equal(document.begin(), document.end(), other.begin(), other.end());
  }
};

// The sources of the last requests. A check that runs passes over a target comes between two that run them over its source.
class KnownSources {
 public:
  // The source of this document; an empty one, not built yet, if it is new.
  KnownSource& of(std::span<const std::uint8_t> document) {
    const auto found = std::find_if(sources_.begin(), sources_.end(), [&](const KnownSource& known) { return known.is_of(document); });
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
      : request_(request), known_(request.module.defined() ? unshared_ : known_sources().of(request.document)) {}
  std::vector<std::uint8_t> reply();

 private:
  void take_source();
  void run_all(bool watches_source, json& results);
  void begin_with(ObjectRef module);
  json run_pipeline(std::int32_t index);
  void run_passes(const Passes& passes, json& result);
  ObjectRef run(const ObjectRef& pass, const ObjectRef& module);
  ObjectRef run_or_known(const ObjectRef& pass, const ObjectRef& module, Prefix& prefix, bool may_be_known);
  ObjectRef run_together(const Passes& passes, std::size_t first, const ObjectRef& module);
  void report_target(const ObjectRef& target, json& result);
  json told_of(const ObjectRef& target);
  const Form& known_form_of(const ObjectRef& target, const std::vector<std::uint8_t>& document);
  json snapshot(const ObjectRef& module);
  bool source_mutated();
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
  return call(compiler().functions.run_pass, pass, module).cast<ObjectRef>();
}

json Transformation::snapshot(const ObjectRef& module) {
  try {
    return add_body(encode_module(module));
  } catch (const Unreadable&) {
    return nullptr;
  }
}

// What a pass makes of the module that the passes of `prefix` made, to which it is added.
ObjectRef Transformation::run_or_known(const ObjectRef& pass, const ObjectRef& module, Prefix& prefix, bool may_be_known) {
  prefix.push_back(pass.get());
  const auto known = known_.made.find(prefix);
  if (known != known_.made.end() && may_be_known) return known->second.module;
  ObjectRef made = run(pass, module);
  if (known == known_.made.end()) known_.made.emplace(prefix, Made{made, pass});
  return made;
}

ObjectRef Transformation::run_together(const Passes& passes, std::size_t first, const ObjectRef& module) {
  const Passes last(passes.begin() + static_cast<std::ptrdiff_t>(first), passes.end());
  const auto all = call(compiler().functions.sequential, last, 0, "sequential", Passes(), false).cast<ObjectRef>();
  const auto length = static_cast<std::int32_t>(last.size());
  pass_ = static_cast<std::int32_t>(passes.size()) - std::max(length, 1);
  ObjectRef target = run(all, module);
  pass_ += std::max(length, 1) - 1;
  return target;
}

void Transformation::run_passes(const Passes& passes, json& result) {
  ObjectRef target = known_.source.module;
  json snapshots = json::array();
  const std::size_t alone = passes.size() - std::min(passes.size(), request_.together);
  Prefix prefix;
  for (std::size_t i = 0; i < alone; ++i) {
    pass_ = static_cast<std::int32_t>(i);
    target = run_or_known(passes[static_cast<std::int64_t>(i)], target, prefix, !request_.again || i + 1 < passes.size());
    if (request_.snapshots) snapshots.push_back(snapshot(target));
  }
  if (request_.together > 0) target = run_together(passes, alone, target);
  if (request_.snapshots) result["snapshots"] = std::move(snapshots);
  report_target(target, result);
}

const Form& Transformation::known_form_of(const ObjectRef& target, const std::vector<std::uint8_t>& document) {
  const auto known = known_.forms.find(document);
  return known != known_.forms.end() ? known->second : known_.forms.emplace(document, form_of(target)).first->second;
}

// "unchanged", "module" or "unreadable", "well_formed", and "complaint" where that is false.
json Transformation::told_of(const ObjectRef& target) {
  json fields;
  std::string_view document;
  try {
    std::vector<std::uint8_t> encoded = encode_module(target);
    if (encoded == known_.source.encoded) return {{"unchanged", true}, {"well_formed", true}};  // the source is, and the target equals it
    const auto known = told_.find({reinterpret_cast<const char*>(encoded.data()), encoded.size()});
    if (known != told_.end()) return known->second;
    fields["module"] = add_body(std::move(encoded));
    document = {reinterpret_cast<const char*>(bodies_.back().data()), bodies_.back().size()};
  } catch (const Unreadable& unreadable) {
    fields["unreadable"] = unreadable.what();
  }
  fields["well_formed"] = nullptr;
  if (request_.well_formed) {
    const Form form = document.empty() ? form_of(target) : known_form_of(target, bodies_.back());
    fields["well_formed"] = form.well_formed;
    if (form.well_formed == false) fields["complaint"] = form.complaint;
  }
  if (!document.empty()) told_.emplace(document, fields);
  return fields;
}

void Transformation::report_target(const ObjectRef& target, json& result) {
  result.update(told_of(target));
}

bool Transformation::source_mutated() {
  try {
    return encode_module(known_.source.module) != known_.source.encoded;
  } catch (const Unreadable&) {
    return true;
  }
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

// Runs the pipelines one after the other. To see whether a pass changes the source, its document must be made anew: where that is asked for,
// after each pipeline, and a source that was changed is built again.
void Transformation::run_all(bool watches_source, json& results) {
  const auto pipelines = static_cast<std::int32_t>(request_.pipelines.size());
  for (std::int32_t i = 0; i < pipelines; ++i) {
    json result = run_pipeline(i);
    if (watches_source && source_mutated()) {
      result["input_mutated"] = true;
      begin_with(build_module(request_.document));
    }
    results.push_back(std::move(result));
  }
}

void Transformation::take_source() {
  if (known_.source.module.defined()) return;
  begin_with(request_.module.defined() ? request_.module : build_module(request_.document));
}

void Transformation::begin_with(ObjectRef module) {
  known_ = {};
  known_.source = make_source(std::move(module));
  known_.document.assign(request_.document.begin(), request_.document.end());
}

std::vector<std::uint8_t> Transformation::reply() {
  worker().at(request_.id, -1, -1);
  json header = {{"id", request_.id}};
  const std::optional<json> error = attempt([&] { take_source(); });
  header["built"] = !error;
  if (error) {
    header["error"] = *error;
    return make_frame(to_text(header), {});
  }
  json& results = header["results"] = json::array();
  run_all(false, results);
  if (source_mutated()) {  // by which of them? Passes that do so are few
    results = json::array();
    bodies_.clear();
    told_.clear();
    begin_with(build_module(request_.document));
    run_all(true, results);
  }
  return make_frame(to_text(header), bodies_);
}

}  // namespace

std::vector<std::uint8_t> transform(const TransformRequest& request) {
  return Transformation(request).reply();
}

}  // namespace passdiff
