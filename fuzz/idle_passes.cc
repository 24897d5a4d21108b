#include "fuzz/idle_passes.h"

namespace passdiff {
namespace {

struct IdlePass {
  std::string_view name, reason;
};
constexpr IdlePass kIdlePasses[] = {
    {"Normalize", "generated modules are in normal form already"},
    // src/relax/transform/normalize.cc: a function is renamed if its attribute global_symbol says another name than the module.
    {"NormalizeGlobalVar", "public functions are called as their global symbols are"},
    // src/relax/transform/allocate_workspace.cc looks for the attribute WorkspaceSize.
    {"AllocateWorkspace", "functions that need a workspace are made by external code generators alone"},
};

}  // namespace

std::string_view idle_because(std::string_view pass) {
  for (const IdlePass& idle : kIdlePasses) {
    if (idle.name == pass) return idle.reason;
  }
  return {};
}

}  // namespace passdiff
