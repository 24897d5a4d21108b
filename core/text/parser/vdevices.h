// Virtual devices: how a module declares them and how its functions name them.
#pragma once

#include <string_view>
#include <vector>

#include "core/ir/module.h"
#include "core/result.h"
#include "core/text/parser/nodes.h"

namespace passdiff {

// The entries of one kind in I.module_global_infos({"vdevice": [...], "mesh": [...]}).
Result<std::vector<NodeIndex>> parse_global_infos(const Nodes& nodes, NodeIndex call, std::string_view kind);
// I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]}). Fails with parse.vdevice, as all of these do.
Result<std::vector<VDevice>> parse_vdevices(const Nodes& nodes, NodeIndex call);
// One of the module's virtual devices: "llvm:1:global" is the second of that target, "vdevice:1" the second of all.
// Also I.vdevice(...) as in the declaration, and R.device(1, 0), R.cpu(0), tvm.cuda(): the first that stands for
// that runtime device. "cuda:-1:global", as TVM prints a device that the module does not list, is added to `vdevices`.
Result<VDeviceRef> parse_vdevice_ref(const Nodes& nodes, std::vector<VDevice>& vdevices, NodeIndex node);

}  // namespace passdiff
