#include "fuzz/properties/pipeline.h"

#include <span>
#include <utility>
#include <vector>

#include "fuzz/cases/drawn_case.h"

namespace passdiff {

Pipeline pipeline_of(const Subject& subject, std::string_view name, const Module& module, Choices& choices) {
  const Pass* const pass = find_pass(subject, name);
  std::vector<Pipeline> pipelines = draw_pipelines(std::span(&pass, 1), choices, module);
  return pipelines.empty() ? Pipeline{} : std::move(pipelines.front());
}

CheckOptions every_check() {
  return {.confirm = false, .sampling = Sampling::every_case()};
}

}  // namespace passdiff
