// What values do not show: attributes, purity, public functions, virtual devices.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/ir/queries.h"
#include "oracle/check_row.h"
#include "oracle/pipeline_contract.h"

namespace passdiff {
namespace {

using Lost = std::optional<Error>;  // a stable code, and what the target lacks

Lost lost_attribute(const NamedAttrs& before, const NamedAttrs& after, const Contract& contract,
                    const std::string& where) {
  for (const auto& [name, value] : before) {
    if (contract.may_alter(name)) continue;
    const auto kept = after.find(name);
    if (kept == after.end()) return Error{"kept.attribute " + name, where + " loses its attribute " + name};
    if (kept->second != value) return Error{"kept.attribute " + name, where + ": another value of attribute " + name};
  }
  return std::nullopt;
}

// The virtual device that a tensor type names; null: none.
const VDevice* device_of(const Module& module, const Type& type) {
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !tensor->vdevice) return nullptr;
  const auto index = static_cast<std::size_t>(*tensor->vdevice);
  return index < module.vdevices.size() ? &module.vdevices[index] : nullptr;
}

// Whether a tensor in the first type is on a virtual device on which that in the second is not.
bool loses_device(const Module& source, const Type& before, const Module& target, const Type& after) {
  const TupleType* fields = before.as_tuple();
  const TupleType* others = after.as_tuple();
  if (fields != nullptr && others != nullptr && fields->fields.size() == others->fields.size()) {
    for (std::size_t i = 0; i < fields->fields.size(); ++i) {
      if (loses_device(source, fields->fields[i], target, others->fields[i])) return true;
    }
    return false;
  }
  const VDevice* device = device_of(source, before);
  if (device == nullptr || after.as_tensor() == nullptr) return false;
  const VDevice* other = device_of(target, after);
  return other == nullptr || *other != *device;
}

Lost lost_device(const CheckContext& context, const GlobalFunction& before, const Function& after) {
  const Module& source = context.test.module;
  const auto lost = [&](const Type& old_type, const Type& new_type) {
    return loses_device(source, old_type, *context.target, new_type);
  };
  const auto error = [&](const std::string& what) {
    return Error{"kept.vdevice", before.name + ": " + what + " leaves its virtual device"};
  };
  const Function& function = *before.function;
  if (lost(function.result_type, after.result_type)) return error("the result");
  if (context.contract.changes_calls() || function.params.size() != after.params.size()) return std::nullopt;
  for (std::size_t i = 0; i < function.params.size(); ++i) {
    if (lost(function.params[i]->type, after.params[i]->type)) return error("parameter " + function.params[i]->name);
  }
  return std::nullopt;
}

// What the target lacks of one function of the source. A private one may vanish.
Lost lost_of_function(const CheckContext& context, const GlobalFunction& before) {
  const Contract& contract = context.contract.joined;
  const GlobalFunction* after = context.target->find(before.name);
  if (after == nullptr || (before.is_public && !after->is_public)) {
    if (!before.is_public || contract.may_alter(kAltersFunctions)) return std::nullopt;
    return Error{"kept.function", "no public function is called " + before.name};
  }
  if (Lost lost = lost_attribute(before.function->attrs, after->function->attrs, contract, before.name)) return lost;
  if (before.function->pure != after->function->pure && !contract.may_alter(kAltersPurity))
    return Error{"kept.purity", before.name + (after->function->pure ? " becomes pure" : " is pure no longer")};
  return contract.may_alter(kAltersVDevices) ? std::nullopt : lost_device(context, before, *after->function);
}

// The virtual devices, by index, that calls whose results are used name: where values are moved to, or hinted to be.
std::set<std::size_t> named_devices(const Module& module) {
  std::set<std::size_t> named;
  const auto note = [&](const ExprPtr& expr) {
    const Call* call = as<Call>(expr);
    if (call == nullptr) return;
    for (const AttrValue& attr : call->attrs)
      for_each_vdevice(attr, [&](VDeviceRef device) { named.insert(static_cast<std::size_t>(device.index)); });
  };
  for (const GlobalFunction& global : module.functions) {
    VarSet used;
    collect_uses(global.function->body.result, used);
    for_each_binding_reversed(global.function->body, [&](const Binding& binding) {
      if (!used.contains(binding.var.get())) return;
      collect_uses(binding.value, used);
      for_each_expr(binding.value, note);
    });
  }
  return named;
}

Lost lost_move(const Module& source, const Module& target) {
  const std::set<std::size_t> after = named_devices(target);
  for (const std::size_t index : named_devices(source)) {
    if (index >= source.vdevices.size()) continue;
    const VDevice& device = source.vdevices[index];
    const bool kept = std::any_of(after.begin(), after.end(), [&](std::size_t other) {
      return other < target.vdevices.size() && target.vdevices[other] == device;
    });
    if (!kept)
      return Error{"kept.move", fmt::format("no value is put on {}:{} any longer", device.target, device.id)};
  }
  return std::nullopt;
}

Lost lost_of_module(const CheckContext& context) {
  const Module& source = context.test.module;
  const Module& target = *context.target;
  const Contract& contract = context.contract.joined;
  if (Lost lost = lost_attribute(source.attrs, target.attrs, contract, "the module")) return lost;
  for (const GlobalFunction& function : source.functions) {
    if (Lost lost = lost_of_function(context, function)) return lost;
  }
  if (contract.may_alter(kAltersVDevices)) return std::nullopt;
  for (const VDevice& device : source.vdevices) {
    if (std::find(target.vdevices.begin(), target.vdevices.end(), device) == target.vdevices.end())
      return Error{"kept.vdevices", fmt::format("the module loses the virtual device {}:{}", device.target, device.id)};
  }
  return lost_move(source, target);
}

std::optional<Verdict> judge(const CheckContext& context) {
  if (context.unchanged || context.target == nullptr) return std::nullopt;
  const Lost lost = lost_of_module(context);
  if (!lost) return std::nullopt;
  return Verdict{.symptom = Symptom::not_kept, .stage = Stage::check, .site = lost->code, .detail = lost->message};
}

}  // namespace

std::vector<Check> surroundings_rows() {
  return {{.name = "surroundings-kept",
           .promise = "attributes, purity, public functions and virtual devices are kept, or become what the contract says",
           .after = "outputs-refine",
           .judge = judge}};
}

}  // namespace passdiff
