// RealizeVDevice: replaces hints by copies between virtual devices, or by nothing where the value is there already, and writes
// into types where values are.
//
// Where targets differ from TVM's:
// - Functions that the module itself mentions keep their signatures, so that their callers stay well-typed; TVM changes them and
//   leaves the calls alone. Local functions keep theirs in both.
// - All types follow from the parameters' by inference.
#include <algorithm>

#include "core/ops/known_attrs.h"
#include "core/form/builder.h"
#include "core/form/devices.h"
#include "core/ir/queries.h"
#include "passes/native/native_pass.h"
#include "passes/native/splice.h"

namespace passdiff {
namespace native::realize_vdevice {
namespace {

struct Faults {
  bool input_mutated = false;
  bool first_device = false;
  bool hint_dropped = false;
  bool calls_not_updated = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::input_mutated, "realize-vdevice/input-mutated",
     "the module that the pass is given is changed, too (apache/tvm issue 17205)", "input-untouched"},
    {&Faults::first_device, "realize-vdevice/first-device", "every copy goes to the module's first device",
     "well-formed"},
    {&Faults::hint_dropped, "realize-vdevice/hint-dropped",
     "a hint goes wherever its operand has a device, be it another one", "well-formed"},
    {&Faults::calls_not_updated, "realize-vdevice/calls-not-updated",
     "parameters of called functions are given devices that the callers know nothing of, as in TVM",
     "well-formed"},
};

const Call* as_call_of(const ExprPtr& expr, const OpDef* op) {
  const auto* call = as<Call>(expr);
  const OpDef* callee = call == nullptr ? nullptr : called_op(*call);
  return callee != nullptr && callee == op ? call : nullptr;
}

const OpDef* hint_op() {
  static const OpDef* const kHint = find_op("relax.hint_on_device");
  return kHint;
}
const OpDef* copy_op() {
  static const OpDef* const kCopy = find_op("relax.to_vdevice");
  return kCopy;
}

// The first device of the module that is of the hinted device's kind and number, in the hinted memory.
std::optional<int> hinted_device(const Module& module, const Call& hint) {
  const auto attrs = read_attrs<HintOnDeviceAttrs>(hint.attrs);
  const VDevice& named = module.vdevices[static_cast<std::size_t>(attrs.dst_vdevice.vdevice.index)];
  const auto found = std::find_if(module.vdevices.begin(), module.vdevices.end(), [&](const VDevice& device) {
    const bool same_kind =
        device.target == named.target ||
        (device_type(device.target) != 0 && device_type(device.target) == device_type(named.target));
    return same_kind && device.id == named.id && device.memory_scope == attrs.memory_scope;
  });
  if (found == module.vdevices.end()) return std::nullopt;
  return static_cast<int>(found - module.vdevices.begin());
}

std::optional<int> device_of(const Type& type) {
  const TensorType* tensor = type.as_tensor();
  return tensor == nullptr ? std::nullopt : tensor->vdevice;
}

// Finds out which variables must be on which device. The devices of hints' results and of declared types spread to all values
// that meet them in one operation; after that, the devices that hints give to their operands do.
class Placement {
 public:
  explicit Placement(const Module& module) : module_(module) {}

  // Infers the places in a function. False if a hint names a device that the module does not have.
  bool infer(const Function& function) {
    if (!visit(function)) return false;
    for (const auto& [var, device] : said_) place(var, device);
    spread();
    for (const auto& [var, device] : hinted_) place(var, device);
    spread();
    return true;
  }

  const int* find(const Var& var) const { return places_.find(var.get()); }
  bool has_hints() const { return has_hints_; }

 private:
  bool visit(const Function& function) {
    for (const Var& param : function.params) say_type(param);
    if (!visit(function.body)) return false;
    say_result(function.body.result, function.result_type);
    return true;
  }

  bool visit(const SeqExpr& seq) {
    return for_each_binding<Enter::none>(
        seq, [&](const Binding& binding) { return visit(binding) ? Walk::on : Walk::stop; });
  }

  bool visit(const Binding& binding) {
    values_.set(binding.var.get(), binding.value);
    if (const Call* hint = as_call_of(binding.value, hint_op())) return visit_hint(binding.var, *hint);
    say_type(binding.var);
    if (as_call_of(binding.value, copy_op()) != nullptr) return true;
    return match(
        binding.value,
        [&](const FunctionPtr& function) {
          link_all(binding.var, function->body.result);
          return visit(*function);
        },
        [&](const If& branches) {
          link_all(binding.var, branches.condition);
          for (const auto& branch : {branches.then_branch, branches.else_branch}) {
            if (!visit(*branch)) return false;
            link_all(binding.var, branch->result);
          }
          return true;
        },
        [&](const OneOf<Var, Constant, Call, Tuple, TupleGetItem, ShapeExpr, PrimValue, StringImm, DataTypeImm,
                        GlobalRef, ExternFunc> auto&) {
          link_all(binding.var, binding.value);
          return true;
        });
  }

  bool visit_hint(const Var& var, const Call& hint) {
    has_hints_ = true;
    const std::optional<int> device = hinted_device(module_, hint);
    if (!device) return false;
    said_.emplace_back(var.get(), *device);
    if (const Var* operand = as<Var>(hint.args[0])) hinted_.emplace_back(operand->get(), *device);
    return true;
  }

  void say_type(const Var& var) {
    if (const auto device = device_of(var->type)) said_.emplace_back(var.get(), *device);
  }

  // The declared type of the function's result places the variables that the result consists of.
  void say_result(ExprPtr result, const Type& type) {
    if (const TupleType* tuple = type.as_tuple()) {
      while (const Var* var = as<Var>(result)) {
        const ExprPtr* value = values_.find(var->get());
        if (value == nullptr) return;
        result = *value;
      }
      const auto* fields = as<Tuple>(result);
      if (fields == nullptr) return;
      for (std::size_t i = 0; i < std::min(fields->fields.size(), tuple->fields.size()); ++i)
        say_result(fields->fields[i], tuple->fields[i]);
    } else if (const Var* var = as<Var>(result)) {
      if (const auto device = device_of(type)) said_.emplace_back(var->get(), *device);
    }
  }

  void link_all(const Var& var, const ExprPtr& value) {
    if (var->type.as_prim() != nullptr) return;
    for_each_use(value, [&](const Var& used) {
      if (used->type.as_prim() != nullptr) return;
      link(var.get(), used.get());
      link(used.get(), var.get());
    });
  }

  void link(const VarNode* from, const VarNode* to) {
    const std::vector<const VarNode*>* known = links_.find(from);
    std::vector<const VarNode*> links = known == nullptr ? std::vector<const VarNode*>() : *known;
    links.push_back(to);
    links_.set(from, std::move(links));
  }

  // The first place of a variable holds, so that a hint outweighs the type of its operand.
  void place(const VarNode* var, int device) {
    if (places_.find(var) != nullptr) return;
    places_.set(var, device);
    pending_.push_back(var);
  }

  void spread() {
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      const auto* linked = links_.find(pending_[i]);
      if (linked == nullptr) continue;
      for (const VarNode* var : *linked) place(var, *places_.find(pending_[i]));
    }
    pending_.clear();
  }

  const Module& module_;
  PointerMap<ExprPtr> values_;
  PointerMap<std::vector<const VarNode*>> links_;
  std::vector<std::pair<const VarNode*, int>> said_;
  std::vector<std::pair<const VarNode*, int>> hinted_;
  PointerMap<int> places_;
  std::vector<const VarNode*> pending_;
  bool has_hints_ = false;
};

class Realizer : public BodyCopier {
 public:
  Realizer(const Module& module, const Placement& placement, const Faults& faults)
      : BodyCopier(module), placement_(placement), faults_(faults) {}

  // The rewritten function; null if one value would have to be on two devices.
  FunctionPtr realize(const FunctionPtr& function, bool change_signature) {
    if (change_signature) params_ = &function->params;
    return BodyCopier::function(function);
  }

  ExprPtr expr(const ExprPtr& old) override {
    const Call* hint = as_call_of(old, hint_op());
    if (hint == nullptr) return BodyCopier::expr(old);
    const ExprPtr operand = expr(hint->args[0]);
    const int device = *hinted_device(module(), *hint);
    if (operand == nullptr || device_of(operand->type) == device) return operand;
    const Result<ExprPtr> copy = make_call(*copy_op(), {operand}, {VDeviceRef{device}});
    if (!copy) return nullptr;
    if (!faults_.first_device) return *copy;
    return make_expr(Call{copy_op(), {operand}, {VDeviceRef{0}}, {}}, (*copy)->type);
  }

 protected:
  Type param_type(const Var& param) override {
    Type type = BodyCopier::param_type(param);
    const bool changes = params_ != nullptr && std::count(params_->begin(), params_->end(), param) > 0;
    const int* place = placement_.find(param);
    if (type.as_tensor() == nullptr || !changes || place == nullptr) return type;
    TensorType placed = *type.as_tensor();
    placed.vdevice = *place;
    return placed;
  }

  Type result_type(const Function& function, const Type& body) override {
    return params_ == &function.params ? with_devices_of(function.result_type, body) : function.result_type;
  }

  bool binding(const Binding& old, BlockSink& to) override {
    const Call* hint = as_call_of(old.value, hint_op());
    if (!faults_.hint_dropped || hint == nullptr || old.match_cast) return BodyCopier::binding(old, to);
    const ExprPtr operand = expr(hint->args[0]);
    if (!device_of(operand->type)) return BodyCopier::binding(old, to);
    TensorType type = *operand->type.as_tensor();
    type.vdevice = hinted_device(module(), *hint);
    to.add({define(old.var, type), operand, std::nullopt});
    return true;
  }

 private:
  static Type with_devices_of(const Type& type, const Type& from) {
    if (type.as_tensor() != nullptr && from.as_tensor() != nullptr) {
      TensorType tensor = *type.as_tensor();
      tensor.vdevice = from.as_tensor()->vdevice;
      return tensor;
    }
    if (type.as_tuple() == nullptr || from.as_tuple() == nullptr) return type;
    TupleType tuple = *type.as_tuple();
    for (std::size_t i = 0; i < std::min(tuple.fields.size(), from.as_tuple()->fields.size()); ++i)
      tuple.fields[i] = with_devices_of(tuple.fields[i], from.as_tuple()->fields[i]);
    return tuple;
  }

  const Placement& placement_;
  const Faults& faults_;
  const std::vector<Var>* params_ = nullptr;  // the parameters whose types are to say where they are
};

// Whether any parameter is to get a device.
bool places_params(const Function& function, const Placement& placement) {
  return std::any_of(function.params.begin(), function.params.end(), [&](const Var& param) {
    return param->type.as_tensor() != nullptr && !device_of(param->type) && placement.find(param) != nullptr;
  });
}

Result<Module> realize(const Module& module, const Faults& faults) {
  Module result = module;
  for (GlobalFunction& function : result.functions) {
    Placement placement(module);
    if (!placement.infer(*function.function))
      return Error{"native.unknown-device", function.name + ": a hint names a device that the module lacks"};
    const bool change_signature = faults.calls_not_updated || !is_referenced(module, function.name);
    if (!placement.has_hints() && !(change_signature && places_params(*function.function, placement)))
      continue;
    FunctionPtr realized = Realizer(module, placement, faults).realize(function.function, change_signature);
    if (realized == nullptr)
      return Error{"native.conflicting-devices", function.name + ": two devices are demanded of one value"};
    function.function = std::move(realized);
  }
  return result;
}

Result<Module> run(const Module& module, NativeRun& run) {
  if (run.options != "{}") return Error{"options.unknown", "RealizeVDevice takes no options"};
  if (module.vdevices.empty()) return module;  // no type and no hint names a device
  const Faults faults = switched_on(kFaults, run);
  Result<Module> result = realize(module, faults);
  if (result && faults.input_mutated) const_cast<Module&>(module) = *result;
  return result;
}

}  // namespace
}  // namespace native::realize_vdevice

NativePass realize_vdevice() {
  using namespace native::realize_vdevice;
  return {.pass = {.name = "RealizeVDevice",
                   .contract = {.rejections = {"native.conflicting-devices", "native.unknown-device"},
                                .alters = {kAltersVDevices}},
                   .source = "passes/native/realize_vdevice.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
