#include "passes/tvm/adapter/build.h"

#include <optional>
#include <set>

#include "passes/tvm/adapter/build_early_tir.h"
#include "passes/tvm/adapter/build_function.h"
#include "passes/tvm/adapter/build_tir.h"

namespace passdiff {

ModuleScope::ModuleScope(const GlobalInfoObjects& global_infos, ObjectRef block_builder, BuiltTypes built_types)
    : infos(global_infos), builder(std::move(block_builder)), types(built_types) {}
ModuleScope::~ModuleScope() = default;

namespace {

std::optional<Error> note_name(std::set<std::string_view>& names, std::string_view name) {
  if (names.insert(name).second) return std::nullopt;
  return Error{"json.name", "two functions are called " + std::string(name)};
}

Result<ObjectRef> build(std::span<const std::uint8_t> document, BuiltTypes types) {
  ModuleDocument outline = TRY(read_outline(document));
  const std::vector<FunctionDocument> relax_functions = TRY(read_functions(outline.functions));
  std::vector<PrimFuncDocument> prim_funcs;
  const std::size_t count = outline.prim_funcs.is_set() ? TRY(outline.prim_funcs.array()) : 0;
  while (prim_funcs.size() < count) prim_funcs.push_back(TRY(read_prim_func_outline(outline.prim_funcs)));
  GlobalInfoObjects made;
  for (const VDeviceDocument& device : outline.vdevices)
    made.vdevices.push_back(make_vdevice(device.target, device.id, device.memory_scope));
  for (const DeviceMesh& mesh : outline.meshes) made.meshes.push_back(make_mesh(mesh));
  ModuleScope scope(made, call(compiler().functions.builder, nullptr).cast<ObjectRef>(), types);
  std::set<std::string_view> names;
  for (const FunctionDocument& function : relax_functions) {
    TRY_VOID(note_name(names, function.name));
    scope.functions.push_back(std::make_unique<RelaxFunction>(scope, function));
  }
  for (const PrimFuncDocument& function : prim_funcs) {
    TRY_VOID(note_name(names, function.name));
    scope.prim_funcs.push_back(make_tir_function(scope, function));
  }
  ffi::Map<ObjectRef, ObjectRef> functions;
  // These come first: calls of them in Relax functions are typed by their types.
  for (const auto& function : scope.prim_funcs) functions.Set(function->global(), TRY(function->build()));
  for (const auto& function : scope.functions) functions.Set(function->global(), TRY(function->build()));
  ffi::Map<ffi::String, Objects> infos;
  if (!made.vdevices.empty()) infos.Set("vdevice", made.vdevices);
  if (!made.meshes.empty()) infos.Set("mesh", made.meshes);
  RelaxTypes attr_types(made, {});
  const ObjectRef attrs = make_dict_attrs(outline.attrs, attr_types, nullptr);
  return call(compiler().functions.module, functions, attrs, infos).cast<ObjectRef>();
}

}  // namespace

ObjectRef build_module(std::span<const std::uint8_t> document, BuiltTypes types) {
  Result<ObjectRef> module = build(document, types);
  if (!module) throw DocumentError(module.error().message);
  return *std::move(module);
}

}  // namespace passdiff
