// The virtual devices and meshes of one of the compiler's modules.
#pragma once

#include <span>
#include <string_view>

#include "core/documents/wire/module_document.h"
#include "passes/tvm/adapter/compiler.h"
#include "passes/tvm/adapter/tensors.h"

namespace passdiff {

using Objects = ffi::Array<ObjectRef>;

struct GlobalInfoObjects {
  Objects vdevices;
  Objects meshes;
  GlobalInfos counts() const { return {vdevices.size(), meshes.size()}; }
};

ObjectRef make_vdevice(std::string_view target, std::int64_t id, std::string_view scope);
ObjectRef make_mesh(const DeviceMesh& mesh);
ObjectRef make_placement(const Placement& placement);

// What the compiler's object for a mesh says.
DeviceMesh mesh_of(const ObjectRef& mesh);
Placement placement_of(const ObjectRef& placement);
// The index of a mesh among those of the module; throws Unreadable if it is not one of them.
int mesh_index(const GlobalInfoObjects& infos, const ObjectRef& mesh);

}  // namespace passdiff
