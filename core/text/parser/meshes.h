// Meshes of devices: how a module declares them and how its functions name them.
#pragma once

#include <vector>

#include "core/ir/module.h"
#include "core/result.h"
#include "core/text/parser/nodes.h"

namespace passdiff {

// I.module_global_infos({"mesh": [R.device_mesh((2, 2), I.Range(0, 4))]}). Fails with parse.mesh, as all of these do.
Result<std::vector<DeviceMesh>> parse_meshes(const Nodes& nodes, NodeIndex call);
// One of the module's meshes: "mesh[1]" is the second. R.device_mesh(...), as in the declaration, is added to `meshes` if it is not among them.
Result<MeshRef> parse_mesh_ref(const Nodes& nodes, std::vector<DeviceMesh>& meshes, NodeIndex node);
// "S[0], R".
Result<Placement> parse_placement(const Nodes& nodes, NodeIndex node);

}  // namespace passdiff
