// Shorter options for the passes of a pipeline.
#include <string>

#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "oracle/reduction/steps.h"

namespace passdiff {

namespace {

using nlohmann::json;

// The options without any, without one key, or with one that is empty or has one key less.
std::vector<json> with_fewer(const json& options) {
  std::vector<json> shorter = {json::object()};
  for (const auto& [key, value] : options.items()) {
    json fewer = options;
    fewer.erase(key);
    if (options.size() > 1) shorter.push_back(fewer);
    if (!value.is_structured() || value.empty()) continue;
    fewer[key] = value.is_object() ? json::object() : json::array();
    shorter.push_back(fewer);
    for (const auto& [inner, ignored] : value.items()) {
      fewer[key] = value;
      if (value.is_object()) fewer[key].erase(inner);
      if (value.is_array()) fewer[key].erase(static_cast<std::size_t>(std::stoul(inner)));
      shorter.push_back(fewer);
    }
  }
  return shorter;
}

}  // namespace

std::vector<Pipeline> with_fewer_options(const Pipeline& pipeline) {
  std::vector<Pipeline> shorter;
  for (std::size_t i = 0; i < pipeline.size(); ++i) {
    const auto options = parse_json(pipeline[i].options);
    if (!options || !options->is_object() || options->empty()) continue;
    for (const json& fewer : with_fewer(*options)) {
      shorter.push_back(pipeline);
      shorter.back()[i].options = fewer.dump();
    }
  }
  return shorter;
}

}  // namespace passdiff
