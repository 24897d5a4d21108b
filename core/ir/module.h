// A module: functions in order, virtual devices, attributes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/ir/expr.h"

namespace passdiff {

// A virtual device. It changes no value; passes move annotations about.
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

struct Module {
  std::vector<GlobalFunction> functions;
  std::vector<VDevice> vdevices;
  NamedAttrs attrs;

  const GlobalFunction* find(std::string_view name) const;
};

// Names of functions and variables that make sense in TVMScript: Python identifiers that are no keywords.
bool is_identifier(std::string_view name);
// Bindings of all functions, nested ones and branches of Ifs included.
int count_bindings(const Module& module);

}  // namespace passdiff
