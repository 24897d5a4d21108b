// A module: functions of Relax in order, functions of TensorIR, virtual devices, meshes of devices, attributes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ir/expr.h"
#include "core/ir/sharding.h"
#include "core/ir/tir/prim_func.h"

namespace passdiff {

// A virtual device. It changes no value; types say on which one a tensor is.
struct VDevice {
  std::string target = "llvm";  // TVM's target kind, e.g. "llvm", "cuda"
  int id = 0;
  std::string memory_scope = "global";
  bool operator==(const VDevice&) const = default;
};

struct GlobalFunction {
  std::string name;
  FunctionPtr function;
  bool is_public = true;  // public functions carry the attribute global_symbol in TVM; we derive it
};

// A function of TensorIR, as LegalizeOps and what follows it make them. Its name differs from those of the other functions.
struct GlobalPrimFunc {
  std::string name;
  tir::PrimFuncPtr function;
  bool is_public = true;
};

struct Module {
  std::vector<GlobalFunction> functions;
  std::vector<VDevice> vdevices;
  NamedAttrs attrs;
  std::vector<GlobalPrimFunc> prim_funcs = {};
  std::vector<DeviceMesh> meshes = {};

  const GlobalFunction* find(std::string_view name) const;
  const GlobalPrimFunc* find_prim_func(std::string_view name) const;
};

// Whether TVMScript can use the name for a function or a variable: it is a Python identifier and no keyword.
bool is_identifier(std::string_view name);
// The number of bindings in all functions, including those of branches and local functions.
int count_bindings(const Module& module);

}  // namespace passdiff
