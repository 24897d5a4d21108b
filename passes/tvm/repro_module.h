// A module as a class of TVMScript that stands in a program, for repro.py.
#pragma once

#include <string>

#include "core/ir/module.h"

namespace passdiff {

// The class `Module` with its decorator, and before it what it refers to by name: symbolic sizes of functions of
// TensorIR, virtual devices. It needs I, R and T, and np, tvm and relax if it mentions them.
//
// What TVM's parser refuses of print_for_tvm is said otherwise: R.inspect, which the parser does not know, as a
// call of the op; and virtual devices in local functions, where it does not find those of the module by name, as
// Python objects. Two dataflow blocks in a row, which TVM's normaliser merges, become one. Bindings say their types
// only if one of them declares another than is inferred.
std::string module_class(const Module& module);
bool has_local_function(const Module& module);
// Whether the module holds a relax.hint_on_device, which TVM's build leaves as it is, and so does not compile.
bool has_device_hint(const Module& module);

}  // namespace passdiff
