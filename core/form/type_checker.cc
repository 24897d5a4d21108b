#include "core/form/type_checker.h"

#include <algorithm>

#include "core/form/builder.h"
#include "core/form/signature.h"
#include "core/form/well_formed.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

bool is_of_type(const Tensor& tensor, const TensorType& type) {
  if (type.dtype && *type.dtype != tensor.dtype) return false;
  if (type.rank != kUnknownRank && static_cast<std::size_t>(type.rank) != tensor.rank()) return false;
  if (!type.shape) return true;
  const std::vector<std::int64_t> sizes = tensor.shape();
  if (type.shape->size() != sizes.size()) return false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Dim& dim = (*type.shape)[i];
    if (dim.is_static() && dim.value() != sizes[i]) return false;
  }
  return true;
}

// Could a value made of these parts have the type that the expression declares?
bool fits(const Constant& constant, const Type& type) {
  const TensorType* tensor = type.as_tensor();
  return constant.tensor != nullptr && tensor != nullptr && is_of_type(*constant.tensor, *tensor);
}
bool fits(const Tuple& tuple, const Type& type) {
  const TupleType* declared = type.as_tuple();
  return declared != nullptr && std::equal(declared->fields.begin(), declared->fields.end(), tuple.fields.begin(),
                                           tuple.fields.end(), [](const Type& field, const ExprPtr& value) {
                                             return compatible(field, value->type);
                                           });
}
bool fits(const TupleGetItem& item, const Type& type) {
  const TupleType* tuple = item.tuple->type.as_tuple();
  const auto index = static_cast<std::size_t>(item.index);
  return tuple != nullptr && item.index >= 0 && index < tuple->fields.size() &&
         compatible(type, tuple->fields[index]);
}
bool fits(const ShapeExpr& shape, const Type& type) {
  const ShapeType* declared = type.as_shape();
  return declared != nullptr &&
         (declared->rank == kUnknownRank || static_cast<std::size_t>(declared->rank) == shape.values.size());
}
bool fits(const PrimValue& prim, const Type& type) {
  return type.as_prim() != nullptr && type.as_prim()->dtype == prim.dtype;
}

}  // namespace

std::optional<Error> TypeChecker::dim(const Dim& dim) {
  if (dim.is_static()) return std::nullopt;
  const SymVarNode* unbound = nullptr;
  for_each_sym_var(dim, [&](const SymVar& var) {
    if (scope_.state(var.get()) != ScopeState::open) unbound = var.get();
  });
  if (unbound == nullptr) return std::nullopt;
  return Error{"form.undefined-symbol", unbound->name + " is not defined by a parameter or match_cast"};
}

std::optional<Error> TypeChecker::shape(const Shape& shape) {
  for (const Dim& one : shape) TRY_VOID(dim(one));
  return std::nullopt;
}

void TypeChecker::define_symbols(const Type& type) {
  symbols_.clear();
  collect_defined(type, symbols_);
  for (const SymVar& var : symbols_) {
    if (scope_.state(var.get()) != ScopeState::open) scope_.open(var.get());
  }
}

std::optional<Error> TypeChecker::vdevice(int index) const {
  const auto count = static_cast<int>(module_.vdevices.size());
  if (index >= 0 && index < count) return std::nullopt;
  return Error{"form.vdevice", "vdevice " + std::to_string(index) + " of " + std::to_string(count)};
}

std::optional<Error> TypeChecker::mesh(int index) const {
  const auto count = static_cast<int>(module_.meshes.size());
  if (index >= 0 && index < count) return std::nullopt;
  return Error{"form.mesh", "mesh " + std::to_string(index) + " of " + std::to_string(count)};
}

// As TVM's constructor of the type has it. Two dims of a mesh may split one axis, and sizes need not be divisible.
std::optional<Error> TypeChecker::sharding(const TensorType& tensor) const {
  TRY_VOID(mesh(tensor.sharding->mesh));
  const Placement& placement = tensor.sharding->placement;
  const std::size_t dims = module_.meshes[static_cast<std::size_t>(tensor.sharding->mesh)].shape.size();
  if (placement.size() != dims)
    return Error{"form.mesh", "a placement on " + std::to_string(placement.size()) + " dims of a mesh of " + std::to_string(dims)};
  if (std::ranges::all_of(placement, [&](int axis) { return axis < tensor.rank || axis == kReplica; })) return std::nullopt;
  return Error{"form.mesh", "a placement splits an axis that the tensor does not have"};
}

std::optional<Error> TypeChecker::function_type(const FuncType& func) {
  const std::size_t mark = scope_.mark();
  if (func.params) {
    for (const Type& param : *func.params) define_symbols(param);
    for (const Type& param : *func.params) TRY_VOID(type(param));
  }
  TRY_VOID(type(func.result));
  scope_.close(mark);
  return std::nullopt;
}

std::optional<Error> TypeChecker::type(const Type& any) {
  using Fault = std::optional<Error>;
  return match(
      any, [](const OneOf<ObjectType, PrimType> auto&) { return Fault(); },
      [this](const TensorType& tensor) -> Fault {
        if (tensor.vdevice) TRY_VOID(vdevice(*tensor.vdevice));
        if (tensor.sharding) TRY_VOID(sharding(tensor));
        return tensor.shape ? shape(*tensor.shape) : std::nullopt;
      },
      [this](const ShapeType& type) { return type.values ? shape(*type.values) : std::nullopt; },
      [this](const TupleType& tuple) -> Fault {
        for (const Type& field : tuple.fields) TRY_VOID(type(field));
        return std::nullopt;
      },
      [this](const FuncType& func) { return function_type(func); });
}

Result<Type> TypeChecker::signature(const std::string& name) {
  if (const GlobalPrimFunc* prim_func = module_.find_prim_func(name)) return type_of(*prim_func->function);
  const GlobalFunction* found = module_.find(name);
  if (found == nullptr) return Error{"form.unknown-global", "there is no function " + name};
  std::optional<Type>& type = signatures_[static_cast<std::size_t>(found - module_.functions.data())];
  if (!type) type = type_of(*found->function);
  return *type;
}

Result<Type> TypeChecker::inferred(const Call& call) {
  return match(
      call.callee, [&](const Op*) { return infer_call(*called_op(call), call.args, call.attrs, call.type_args); },
      [&](const GlobalRef& global) -> Result<Type> {
        const Type type = TRY(signature(global.name));
        return call_result_type(*type.as_func(), call.args);
      },
      [&](const ExprPtr& callee) -> Result<Type> {
        const FuncType* func = callee->type.as_func();
        if (func == nullptr) return Error{std::string(kWrongType), "a callee has type " + to_string(callee->type)};
        return call_result_type(*func, call.args);
      },
      [&](const ExternFunc&) { return Result<Type>(extern_result_type(call.type_args)); });
}

std::optional<Error> TypeChecker::call(const ExprPtr& expr, const Call& call) {
  for (const AttrValue& value : call.attrs) {
    std::optional<Error> fault;
    for_each_vdevice(value, [&](VDeviceRef ref) {
      if (!fault) fault = vdevice(ref.index);
    });
    TRY_VOID(std::move(fault));
    if (const auto* ref = std::get_if<MeshRef>(&value)) TRY_VOID(mesh(ref->index));
  }
  if (expr->inferred) return std::nullopt;
  const Result<Type> type = inferred(call);
  if (!type) {
    const std::string& code = type.error().code;
    if (code.starts_with("form.")) return type.error();
    return Error{code == "type.arity" ? "form.arity" : std::string(kWrongType), type.error().message};
  }
  if (compatible(expr->type, *type)) return std::nullopt;
  return Error{std::string(kWrongType),
               "a call is declared " + to_string(expr->type) + ", inferred is " + to_string(*type)};
}

std::optional<Error> TypeChecker::held(const ExprPtr& expr) {
  const bool fitting = TRY(match(
      expr,
      [&](const OneOf<Constant, Tuple, TupleGetItem, ShapeExpr, PrimValue> auto& node) -> Result<bool> {
        return expr->type.is_object() || fits(node, expr->type);
      },
      [&](const GlobalRef& global) -> Result<bool> {
        return compatible(expr->type, TRY(signature(global.name)));
      },
      [](const OneOf<Var, Call, StringImm, DataTypeImm, ExternFunc, If, FunctionPtr> auto&) -> Result<bool> {
        return true;
      }));
  if (fitting) return std::nullopt;
  return Error{std::string(kWrongType), "an expression has type " + to_string(expr->type)};
}

}  // namespace passdiff
