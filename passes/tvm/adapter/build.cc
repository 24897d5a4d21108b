#include "passes/tvm/adapter/build.h"

#include <map>
#include <optional>

#include "passes/tvm/adapter/build_function.h"

namespace passdiff {
namespace {

Objects read_vdevices(Cursor at) {
  Objects devices;
  for (std::uint64_t left = at.array(); left > 0; --left) {
    if (at.array() != 3) throw DocumentError("a vdevice of another length");
    const std::string_view target = at.text();
    const std::int64_t id = at.integer();
    devices.push_back(make_vdevice(target, id, at.text()));
  }
  return devices;
}

Cursor field(const std::optional<Cursor>& found, const char* name) {
  if (!found) throw DocumentError(std::string("no field ") + name);
  return *found;
}

}  // namespace

ObjectRef build_module(std::string_view document) {
  Cursor at(document);
  std::optional<Cursor> functions_at;
  std::optional<Cursor> vdevices_at;
  std::optional<Cursor> attrs_at;
  for (std::uint64_t left = at.map(); left > 0; --left) {
    const std::string_view key = at.text();
    if (key == "functions") functions_at = at;
    if (key == "vdevices") vdevices_at = at;
    if (key == "attrs") attrs_at = at;
    at.skip();
  }
  const Objects vdevices = read_vdevices(field(vdevices_at, "vdevices"));
  ModuleScope scope{vdevices, call(compiler().functions.builder, nullptr).cast<ObjectRef>(), {}};
  Cursor list = field(functions_at, "functions");
  const std::uint64_t count = list.array();
  for (std::uint64_t i = 0; i < count; ++i) {
    scope.functions.push_back(std::make_unique<FunctionBuilder>(scope, FunctionDocument(list)));
    list.skip();
  }
  ffi::Map<ObjectRef, ObjectRef> functions;
  for (const auto& function : scope.functions) {
    if (functions.count(function->global()) > 0) throw DocumentError("two functions of one name");
    functions.Set(function->global(), function->build());
  }
  ffi::Map<ffi::String, Objects> infos;
  if (!vdevices.empty()) infos.Set("vdevice", vdevices);
  TypeBuilder types(vdevices, {});
  Cursor attrs = field(attrs_at, "attrs");
  return call(compiler().functions.module, functions, make_dict_attrs(attrs, types, nullptr), infos)
      .cast<ObjectRef>();
}

}  // namespace passdiff
