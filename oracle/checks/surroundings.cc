// What values do not show: attributes, purity, public functions, virtual devices.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/ir/queries.h"
#include "core/ops/op.h"
#include "oracle/check_row.h"
#include "oracle/pipeline_contract.h"

namespace passdiff {
namespace checks::surroundings {
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

std::vector<std::size_t> devices_named_by(const ExprPtr& expr) {
  std::vector<std::size_t> result;
  if (called_op(expr) == nullptr) return result;
  for (const AttrValue& attr : as<Call>(expr)->attrs)
    for_each_vdevice(attr, [&](VDeviceRef device) { result.push_back(static_cast<std::size_t>(device.index)); });
  return result;
}

// Whether what the function returns is made of values on several virtual devices that no call has moved. Inference names the device of one of
// them, or none: which, depends on how an operation is written.
bool mixes_devices(const Function& function) {
  std::map<const VarNode*, std::set<std::int64_t>> made_of;
  const auto collect = [&](const ExprPtr& expr) {
    std::set<std::int64_t> devices;
    for_each_use(expr, [&](const Var& var) {
      const TensorType* tensor = var->type.as_tensor();
      if (tensor != nullptr && tensor->vdevice) devices.insert(*tensor->vdevice);
      const std::set<std::int64_t>& inherited = made_of[var.get()];
      devices.insert(inherited.begin(), inherited.end());
    });
    return devices;
  };
  for_each_binding<Enter::none>(function.body, [&](const Binding& binding) {
    if (devices_named_by(binding.value).empty()) made_of[binding.var.get()] = collect(binding.value);
  });
  return collect(function.body.result).size() > 1;
}

Lost lost_device(const CheckContext& context, const GlobalFunction& before, const Function& after) {
  const Module& source = context.test.module;
  if (source.vdevices.empty()) return std::nullopt;
  const auto lost = [&](const Type& old_type, const Type& new_type) {
    return loses_device(source, old_type, *context.target, new_type);
  };
  const auto error = [&](const std::string& what) {
    return Error{"kept.vdevice", before.name + ": " + what + " leaves its virtual device"};
  };
  const Function& function = *before.function;
  // A private function may be called otherwise, and lose a result that nobody uses. Symbolic variables of two modules are never the same.
  const bool same_result = before.is_public || compatible(function.result_type, after.result_type);
  const bool keeps_result = same_result && !mixes_devices(function);
  // A lowered function may declare a device that the allocation which it returns does not: inference takes it from there.
  const bool only_declared = loses_device(source, function.result_type, source, function.body.result->type);
  if (keeps_result && !only_declared && lost(function.result_type, after.result_type)) return error("the result");
  // A pass may leave the declared type as it was and return a value without the device: whoever asks for types again takes it from there.
  if (keeps_result && lost(function.body.result->type, after.body.result->type)) return error("what it returns");
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

// How often the calls whose results are used are made, by op.
using CallCounts = std::map<const OpDef*, std::size_t>;

// The virtual devices, by index, on which calls put values, each with the ops of the calls that use such a value.
struct Moves {
  CallCounts calls;
  std::map<std::size_t, std::set<const OpDef*>> users;
  // Some value on the device leaves its function, or goes where no op says what becomes of it.
  std::set<std::size_t> escaping;
};

void note_use(Moves& moves, std::size_t device, const ExprPtr& user) {
  const OpDef* op = called_op(user);
  if (op == nullptr)
    moves.escaping.insert(device);
  else
    moves.users[device].insert(op);
}

// Adds the moves of one body. Bindings are visited from the last to the first, so that a dead one is known as such.
void note_moves(Moves& moves, const Module& module, const SeqExpr& body) {
  VarSet used;
  std::map<const VarNode*, std::vector<ExprPtr>> users;
  const auto note_uses = [&](const ExprPtr& user) {
    collect_uses(user, used);
    for_each_use(user, [&](const Var& var) { users[var.get()].push_back(user); });
  };
  note_uses(body.result);
  for_each_binding_reversed(body, [&](const Binding& binding) {
    if (!used.contains(binding.var.get()) && !is_impure(module, binding.value)) return;
    note_uses(binding.value);
    if (const OpDef* op = called_op(binding.value)) ++moves.calls[op];
    for (const std::size_t device : devices_named_by(binding.value)) {
      for (const ExprPtr& user : users[binding.var.get()]) note_use(moves, device, user);
    }
  });
}

Moves moves_of(const Module& module) {
  Moves moves;
  for (const GlobalFunction& global : module.functions) note_moves(moves, module, global.function->body);
  return moves;
}

bool is_named(const Moves& moves, std::size_t device) {
  return moves.users.contains(device) || moves.escaping.contains(device);
}

// Where a value was put on a device, every op that used it is called as often as before, and no value is put there any longer:
// the move was lost. Where a use vanished too, the move may have become dead.
Lost lost_move(const Module& source, const Module& target) {
  const Moves before = moves_of(source);
  if (before.users.empty()) return std::nullopt;
  const Moves after = moves_of(target);
  const auto count = [](const Moves& moves, const OpDef* op) {
    const auto found = moves.calls.find(op);
    return found == moves.calls.end() ? 0 : found->second;
  };
  const auto is_kept = [&](const VDevice& device) {
    for (std::size_t i = 0; i < target.vdevices.size(); ++i)
      if (target.vdevices[i] == device && is_named(after, i)) return true;
    return false;
  };
  for (const auto& [index, users] : before.users) {
    if (index >= source.vdevices.size() || before.escaping.contains(index)) continue;
    const bool all_used = std::all_of(users.begin(), users.end(), [&](const OpDef* op) {
      return count(after, op) >= count(before, op);
    });
    const VDevice& device = source.vdevices[index];
    if (all_used && !is_kept(device))
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
  if (contract.may_alter(kAltersVDevices) || source.vdevices.empty()) return std::nullopt;
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
}  // namespace checks::surroundings

std::vector<Check> surroundings_rows() {
  using namespace checks::surroundings;
  return {{.name = "surroundings-kept",
           .promise = "attributes, purity, public functions and virtual devices are kept, or become what the contract says",
           .after = "outputs-refine",
           .judge = judge}};
}

}  // namespace passdiff
