#include "fuzz/cli/missing_ops.h"

#include <algorithm>

#include "core/ops/op.h"

namespace passdiff {
namespace {

struct Reason {
  std::string_view name;  // of an op; of a namespace, if it ends in a dot
  std::string_view why;
};
constexpr std::string_view kForeign =
    "calls a function of the host or of another dialect, which is no op with a meaning of its own";
constexpr std::string_view kStorage = "places a tensor in memory, which no value shows";
constexpr Reason kReasons[] = {
    {"relax.vm.", "an instruction of the virtual machine, which lowering makes"},
    {"relax.ccl.", "communicates between several devices"},
    {"relax.dist.", "places tensors on a mesh of several devices"},
    {"relax.builtin.alloc_tensor", kStorage},
    {"relax.memory.alloc_storage", kStorage},
    {"relax.memory.alloc_tensor", kStorage},
    {"relax.memory.kill_storage", kStorage},
    {"relax.memory.kill_tensor", kStorage},
    {"relax.call_builtin_with_ctx", kForeign},
    {"relax.call_py_func", kForeign},
    {"relax.call_tir", kForeign},
    {"relax.call_tir_inplace", kForeign},
    {"relax.call_tir_with_grad", kForeign},
};

std::string_view reason_of(std::string_view name) {
  for (const Reason& reason : kReasons) {
    if (reason.name.ends_with('.') ? name.starts_with(reason.name) : name == reason.name) return reason.why;
  }
  return "not yet";
}

// Whether calls of the op can be evaluated or performed here. Some of the others have a row, so that modules that hold them can
// be read.
bool has_meaning(const std::string& name) {
  if (find_op(name) == nullptr) return false;
  return std::ranges::none_of(kReasons, [&](const Reason& reason) {
    return reason.name.ends_with('.') ? name.starts_with(reason.name) : name == reason.name;
  });
}

}  // namespace

std::vector<MissingOp> missing_ops(std::span<const std::string> names) {
  std::vector<MissingOp> missing;
  for (const std::string& name : names) {
    if (name.starts_with("relax.") && !has_meaning(name)) missing.push_back({name, reason_of(name)});
  }
  std::sort(missing.begin(), missing.end(),
            [](const MissingOp& a, const MissingOp& b) { return a.name < b.name; });
  return missing;
}

}  // namespace passdiff
