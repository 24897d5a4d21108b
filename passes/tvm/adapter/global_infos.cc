#include "passes/tvm/adapter/global_infos.h"

#include <map>

#include "passes/tvm/adapter/build_types.h"
#include "passes/tvm/adapter/encode.h"
#include "passes/tvm/adapter/encode_types.h"

namespace passdiff {
namespace {

// The kind of a part of the compiler's placements that says which axis is split.
constexpr std::int64_t kSharding = 0;

}  // namespace

ObjectRef make_vdevice(std::string_view target, std::int64_t id, std::string_view scope) {
  static std::map<std::string, Any, std::less<>> targets;  // parsing one is slow
  auto known = targets.find(target);
  if (known == targets.end())
    known = targets.emplace(target, call(compiler().functions.target, string_of(target))).first;
  return call(compiler().functions.vdevice, known->second, id, string_of(scope)).cast<ObjectRef>();
}

ObjectRef make_mesh(const DeviceMesh& mesh) {
  const Functions& f = compiler().functions;
  const auto count = static_cast<std::int64_t>(mesh.device_ids.size());
  Any range;
  if (mesh.is_range && count > 0)
    range = call(f.range, int_imm(DType::int32, mesh.device_ids.front()), int_imm(DType::int32, count), nullptr);
  const ffi::Array<std::int64_t> ids(mesh.device_ids.begin(), mesh.device_ids.end());
  return call(f.device_mesh, ffi::Shape(mesh.shape), ids, range).cast<ObjectRef>();
}

ObjectRef make_placement(const Placement& placement) {
  return call(compiler().functions.placement_from_text, ffi::String(to_string(placement))).cast<ObjectRef>();
}

DeviceMesh mesh_of(const ObjectRef& mesh) {
  const Fields& f = compiler().fields;
  DeviceMesh result;
  for (const std::int64_t size : f.mesh_shape(mesh.get()).cast<ffi::Shape>()) result.shape.push_back(size);
  for (const std::int64_t id : f.mesh_ids(mesh.get()).cast<ffi::Array<std::int64_t>>()) result.device_ids.push_back(id);
  result.is_range = f.mesh_range.object(mesh.get()).defined();
  return result;
}

Placement placement_of(const ObjectRef& placement) {
  const Fields& f = compiler().fields;
  Placement result;
  for (const ObjectRef& spec : f.placement_specs(placement.get()).cast<Objects>()) {
    const bool split = f.spec_kind(spec.get()).cast<std::int64_t>() == kSharding;
    result.push_back(split ? static_cast<int>(f.spec_axis(spec.get()).cast<std::int64_t>()) : kReplica);
  }
  return result;
}

int mesh_index(const GlobalInfoObjects& infos, const ObjectRef& mesh) {
  const auto count = static_cast<std::int64_t>(infos.meshes.size());
  for (std::int64_t i = 0; i < count; ++i) {
    if (infos.meshes[i].same_as(mesh)) return static_cast<int>(i);
  }
  const DeviceMesh wanted = mesh_of(mesh);
  for (std::int64_t i = 0; i < count; ++i) {
    if (mesh_of(infos.meshes[i]) == wanted) return static_cast<int>(i);
  }
  throw Unreadable("mesh that the module does not have");
}

}  // namespace passdiff
