#include "passes/native/trusted.h"

#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace passdiff {

std::optional<Module> by_native_passes(const Module& module, const Pipeline& passes) {
  const std::unique_ptr<Subject> native = make_native_subject();
  std::vector<TransformReply> replies = native->transform(module, std::span(&passes, 1), {.subject_well_formed = false});
  auto* transformed = std::get_if<Transformed>(&replies.front().result);
  if (transformed == nullptr || transformed->unchanged) return std::nullopt;
  return std::move(transformed->target);
}

}  // namespace passdiff
