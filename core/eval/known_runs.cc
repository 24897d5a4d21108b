#include "core/eval/known_runs.h"

#include <utility>

#include "core/ir/tir/structural.h"

namespace passdiff {
namespace {

// Some calls of a real model's kernels.
constexpr std::size_t kMostBytes = std::size_t{1} << 28;

std::size_t bytes_of(const std::string& arguments, const KnownRun& run) {
  std::size_t bytes = arguments.size();
  for (const KnownRun::Written& written : run.written)
    bytes += static_cast<std::size_t>(written.elements.size()) * sizeof(double) + written.flags.size();
  return bytes;
}

}  // namespace

KnownRuns::Entry& KnownRuns::entry_of(const tir::PrimFuncPtr& function) {
  return entries_.try_emplace(function.get(), Entry{function}).first->second;
}

KnownRuns::Runs& KnownRuns::runs_of(const tir::PrimFuncPtr& function) {
  Entry& entry = entry_of(function);
  if (entry.runs == nullptr) {
    Words words;
    tir::encode_behaviour(*function, words);
    entry.runs = &runs_[words.words()];
  }
  return *entry.runs;
}

std::shared_ptr<const tir::Program> KnownRuns::program_of(const tir::PrimFuncPtr& function) const {
  const auto found = entries_.find(function.get());
  return found == entries_.end() ? nullptr : found->second.program;
}

void KnownRuns::keep(const tir::PrimFuncPtr& function, std::shared_ptr<const tir::Program> program) {
  entry_of(function).program = std::move(program);
}

const KnownRun* KnownRuns::find(const tir::PrimFuncPtr& function, const std::string& arguments) {
  const Runs& runs = runs_of(function);
  const auto run = runs.find(arguments);
  if (run == runs.end()) return nullptr;
  ++found_;
  return &run->second;
}

void KnownRuns::keep(const tir::PrimFuncPtr& function, std::string arguments, KnownRun run) {
  const std::size_t bytes = bytes_of(arguments, run);
  if (bytes_ + bytes > kMostBytes) return;
  bytes_ += bytes;
  runs_of(function).emplace(std::move(arguments), std::move(run));
}

}  // namespace passdiff
