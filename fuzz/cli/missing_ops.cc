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
constexpr std::string_view kClosure =
    "makes or calls a closure of the virtual machine; local functions stand for closures here";
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
    {"relax.call_dps_packed", kForeign},
    {"relax.call_inplace_packed", kForeign},
    {"relax.call_pure_packed", kForeign},
    {"relax.call_py_func", kForeign},
    {"relax.call_tir", kForeign},
    {"relax.call_tir_inplace", kForeign},
    {"relax.call_tir_with_grad", kForeign},
    {"relax.invoke_closure", kClosure},
    {"relax.invoke_pure_closure", kClosure},
    {"relax.make_closure", kClosure},
    {"relax.print", "writes to the host's output and returns nothing"},
    {"relax.assert_op", "stops the host's program and returns nothing"},
    {"relax.null_value", "is no tensor but a null object of the runtime"},
};

std::string_view reason_of(std::string_view name) {
  for (const Reason& reason : kReasons) {
    if (reason.name.ends_with('.') ? name.starts_with(reason.name) : name == reason.name) return reason.why;
  }
  return "not yet";
}

}  // namespace

std::vector<MissingOp> missing_ops(std::span<const std::string> names) {
  std::vector<MissingOp> missing;
  for (const std::string& name : names) {
    if (name.starts_with("relax.") && find_op(name) == nullptr) missing.push_back({name, reason_of(name)});
  }
  std::sort(missing.begin(), missing.end(),
            [](const MissingOp& a, const MissingOp& b) { return a.name < b.name; });
  return missing;
}

}  // namespace passdiff
