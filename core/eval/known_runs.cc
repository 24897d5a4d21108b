#include "core/eval/known_runs.h"

#include <utility>

namespace passdiff {
namespace {

// What a run leaves behind is about as large as what describes its arguments.
constexpr std::size_t kMostBytes = std::size_t{1} << 25;

}  // namespace

std::shared_ptr<const tir::Program> KnownRuns::program_of(const tir::PrimFuncPtr& function) const {
  const auto found = entries_.find(function.get());
  return found == entries_.end() ? nullptr : found->second.program;
}

void KnownRuns::keep(const tir::PrimFuncPtr& function, std::shared_ptr<const tir::Program> program) {
  entries_.try_emplace(function.get(), Entry{function, std::move(program), {}});
}

const KnownRun* KnownRuns::find(const tir::PrimFuncPtr& function, const std::string& arguments) {
  const auto entry = entries_.find(function.get());
  if (entry == entries_.end()) return nullptr;
  const auto run = entry->second.runs.find(arguments);
  if (run == entry->second.runs.end()) return nullptr;
  ++found_;
  return &run->second;
}

void KnownRuns::keep(const tir::PrimFuncPtr& function, std::string arguments, KnownRun run) {
  const auto entry = entries_.find(function.get());
  if (entry == entries_.end() || bytes_ + arguments.size() > kMostBytes) return;
  bytes_ += arguments.size();
  entry->second.runs.emplace(std::move(arguments), std::move(run));
}

}  // namespace passdiff
