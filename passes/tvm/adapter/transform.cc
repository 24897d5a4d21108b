#include "passes/tvm/adapter/transform.h"

#include <time.h>

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

class Transformation {
 public:
  explicit Transformation(const TransformRequest& request) : request_(request) {}
  std::vector<std::uint8_t> reply();

 private:
  void run_all(bool watches_source, json& results);
  void forget_source();
  json run_pipeline(std::int32_t index);
  void run_passes(const Passes& passes, json& result);
  ObjectRef run(const ObjectRef& pass, const ObjectRef& module);
  void report_target(const ObjectRef& target, json& result);
  json told_of(const ObjectRef& target);
  json snapshot(const ObjectRef& module);
  bool source_mutated();
  std::size_t add_body(std::vector<std::uint8_t> body) {
    bodies_.push_back(std::move(body));
    return bodies_.size();
  }

  // The passes that pipelines begin with. Passes are functions of modules, so that pipelines which begin alike share what comes of it.
  using Prefix = std::vector<const ffi::Object*>;

  const TransformRequest& request_;
  Source source_;
  std::map<Prefix, ObjectRef> made_;
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

void Transformation::run_passes(const Passes& passes, json& result) {
  ObjectRef target = source_.module;
  json snapshots = json::array();
  if (request_.sequential) {
    target =
        run(call(compiler().functions.sequential, passes, 0, "sequential", Passes(), false).cast<ObjectRef>(),
            target);
    pass_ = static_cast<std::int32_t>(passes.size()) - 1;
  } else {
    Prefix prefix;
    for (const ObjectRef& pass : passes) {
      pass_ = static_cast<std::int32_t>(prefix.size());
      prefix.push_back(pass.get());
      const auto known = made_.find(prefix);
      target = known != made_.end() ? known->second : run(pass, target);
      if (known == made_.end() && prefix.size() < passes.size()) made_.emplace(prefix, target);
      if (request_.snapshots) snapshots.push_back(snapshot(target));
    }
  }
  if (request_.snapshots) result["snapshots"] = std::move(snapshots);
  report_target(target, result);
}

// "unchanged", "module" or "unreadable", "well_formed", and "complaint" where that is false.
json Transformation::told_of(const ObjectRef& target) {
  json fields;
  std::string_view document;
  try {
    std::vector<std::uint8_t> encoded = encode_module(target);
    if (encoded == source_.encoded) return {{"unchanged", true}, {"well_formed", true}};  // the source is, and the target equals it
    const auto known = told_.find({reinterpret_cast<const char*>(encoded.data()), encoded.size()});
    if (known != told_.end()) return known->second;
    fields["module"] = add_body(std::move(encoded));
    document = {reinterpret_cast<const char*>(bodies_.back().data()), bodies_.back().size()};
  } catch (const Unreadable& unreadable) {
    fields["unreadable"] = unreadable.what();
  }
  fields["well_formed"] = nullptr;
  if (request_.well_formed) {
    try {
      const bool well_formed = is_well_formed(target);
      fields["well_formed"] = well_formed;
      if (!well_formed) fields["complaint"] = complaint_about(target);
    } catch (const ffi::Error&) {  // the checker itself failed, so that it says nothing of the target
    }
  }
  if (!document.empty()) told_.emplace(document, fields);
  return fields;
}

void Transformation::report_target(const ObjectRef& target, json& result) {
  result.update(told_of(target));
}

bool Transformation::source_mutated() {
  try {
    return encode_module(source_.module) != source_.encoded;
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
      forget_source();
    }
    results.push_back(std::move(result));
  }
}

void Transformation::forget_source() {
  source_ = make_source(build_module(request_.document));
  made_.clear();
}

std::vector<std::uint8_t> Transformation::reply() {
  worker().at(request_.id, -1, -1);
  json header = {{"id", request_.id}};
  const std::optional<json> error = attempt([&] {
    source_ = make_source(request_.module.defined() ? request_.module : build_module(request_.document));
  });
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
    forget_source();
    run_all(true, results);
  }
  return make_frame(to_text(header), bodies_);
}

}  // namespace

std::vector<std::uint8_t> transform(const TransformRequest& request) {
  return Transformation(request).reply();
}

}  // namespace passdiff
