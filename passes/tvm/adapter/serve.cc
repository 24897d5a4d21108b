#include "passes/tvm/adapter/serve.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "passes/tvm/adapter/transform.h"

namespace passdiff {
namespace {

using nlohmann::json;

constexpr std::size_t kMostRemembered = 4096;

// Passes by their names and their options, as nlohmann::json writes these.
using KnownPasses = std::map<std::pair<std::string, std::string>, ObjectRef>;

KnownPasses& known_passes() {
  static auto& passes = *new KnownPasses;  // never destroyed: that would call into Python when this may have ended
  return passes;
}

ObjectRef find_pass(std::string name, std::string options) {
  const auto known = known_passes().find({std::move(name), std::move(options)});
  return known == known_passes().end() ? ObjectRef(nullptr) : known->second;
}

// The pipelines of the request; nothing if a pass is not known.
std::optional<ffi::Array<Any>> known_pipelines(const json& pipelines) {
  ffi::Array<Any> all;
  for (const json& pipeline : pipelines) {
    Passes passes;
    for (const json& pass : pipeline) {
      const ObjectRef known = find_pass(pass.at(0).get<std::string>(), pass.at(1).dump());
      if (!known.defined()) return std::nullopt;
      passes.push_back(known);
    }
    all.push_back(passes);
  }
  return all;
}

// The reply to the request; nothing if it needs Python, which also says what is wrong with one that cannot be read.
std::optional<std::vector<std::uint8_t>> reply_to(const Worker::Frame& frame) {
  const json request = json::parse(frame.front(), nullptr, false);
  try {
    if (!request.is_object() || request.value("do", "") != "transform") return std::nullopt;
    const std::optional<ffi::Array<Any>> pipelines = known_pipelines(request.at("pipelines"));
    if (!pipelines) return std::nullopt;
    return transform({.id = request.at("id").get<std::int64_t>(),
                      .document = frame.at(request.at("module").get<std::size_t>()),
                      .pipelines = *pipelines,
                      .snapshots = request.value("snapshots", false),
                      .well_formed = request.value("well_formed", false),
                      .again = request.value("again", false),
                      .together = request.value("together", std::size_t{0}),
                      .interprets_constants = request.value("interprets_constants", false),
                      .trusts_types = request.value("trusts_types", false)});
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

ObjectRef remembered_pass(std::string_view name, std::string_view options) {
  return find_pass(std::string(name), json::parse(options).dump());
}

void remember_pass(std::string_view name, std::string_view options, ObjectRef pass) {
  if (known_passes().size() >= kMostRemembered) known_passes().clear();
  known_passes().insert_or_assign({std::string(name), json::parse(options).dump()}, std::move(pass));
}

std::optional<Worker::Frame> serve(std::int64_t most) {
  for (std::int64_t served = 0; served < most; ++served) {
    Worker::Frame frame = worker().receive();
    const std::optional<std::vector<std::uint8_t>> reply = reply_to(frame);
    if (!reply) return frame;
    worker().send(*reply);
  }
  return std::nullopt;
}

}  // namespace passdiff
