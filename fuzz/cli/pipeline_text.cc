#include "fuzz/cli/pipeline_text.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "core/documents/json.h"
#include "fuzz/cases/drawn_case.h"

namespace passdiff {
namespace {

// Where the first pass of the text, with its options, ends: at a comma outside of braces and strings.
std::size_t end_of_call(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ',' && depth == 0) {
      return i;
    }
  }
  return text.size();
}

Result<PassCall> parse_call(std::string_view text, const Subject& subject) {
  const std::size_t colon = text.find(':');
  PassCall call{std::string(text.substr(0, colon)), "{}"};
  const Result<const Pass*> pass = drivable_pass(subject, call.name);
  if (!pass) return Error{"usage.pass", pass.error().message};
  if (colon == std::string_view::npos) return call;
  call.options = text.substr(colon + 1);
  const auto options = parse_json(call.options);
  if (!options || !options->is_object()) {
    return Error{"usage.pass", fmt::format("{}: `{}` is no JSON object of options", call.name, call.options)};
  }
  return call;
}

}  // namespace

Result<Pipeline> parse_pipeline(std::string_view text, const Subject& subject) {
  Pipeline pipeline;
  while (!text.empty()) {
    const std::size_t end = end_of_call(text);
    pipeline.push_back(TRY(parse_call(text.substr(0, end), subject)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return pipeline;
}

}  // namespace passdiff
