#include "core/ops/op.h"
#include "core/form/builder.h"
#include "core/form/form_checker.h"
#include "core/form/signature.h"
#include "core/tensor/tensor.h"

namespace passdiff {

bool FormChecker::dim(const Dim& dim) {
  if (dim.is_static()) return true;
  const SymVarNode* unbound = nullptr;
  for_each_sym_var(dim, [&](const SymVar& var) {
    if (scope_.state(var.get()) != ScopeState::open) unbound = var.get();
  });
  return unbound == nullptr ||
         fail("form.undefined-symbol", unbound->name + " is not defined by a parameter or match_cast");
}

bool FormChecker::shape(const Shape& shape) {
  for (const Dim& one : shape) {
    if (!dim(one)) return false;
  }
  return true;
}

void FormChecker::define_symbols(const Type& type) {
  symbols_.clear();
  collect_defined(type, symbols_);
  for (const SymVar& var : symbols_) {
    if (scope_.state(var.get()) != ScopeState::open) scope_.open(var.get());
  }
}

bool FormChecker::function_type(const FuncType& func) {
  const std::size_t mark = scope_.mark();
  if (func.params) {
    for (const Type& param : *func.params) define_symbols(param);
    for (const Type& param : *func.params) {
      if (!type(param)) return false;
    }
  }
  if (!type(func.result)) return false;
  scope_.close(mark);
  return true;
}

bool FormChecker::type(const Type& type) {
  if (const TensorType* tensor = type.as_tensor()) {
    if (tensor->vdevice) {
      const auto devices = static_cast<int>(module_.vdevices.size());
      if (*tensor->vdevice < 0 || *tensor->vdevice >= devices) {
        return fail("form.vdevice",
                    "vdevice " + std::to_string(*tensor->vdevice) + " of " + std::to_string(devices));
      }
    }
    return !tensor->shape || shape(*tensor->shape);
  }
  if (const ShapeType* values = type.as_shape()) return !values->values || shape(*values->values);
  if (const TupleType* tuple = type.as_tuple()) {
    for (const Type& field : tuple->fields) {
      if (!this->type(field)) return false;
    }
    return true;
  }
  const FuncType* func = type.as_func();
  return func == nullptr || function_type(*func);
}

const Type* FormChecker::signature(const std::string& name) {
  const GlobalFunction* found = module_.find(name);
  if (found == nullptr) return nullptr;
  std::optional<Type>& type = signatures_[static_cast<std::size_t>(found - module_.functions.data())];
  if (!type) type = type_of(*found->function);
  return &*type;
}

bool FormChecker::call_type(const ExprPtr& expr, const Call& call) {
  Result<Type> inferred = object_type();
  if (const OpDef* op = called_op(call)) {
    for (const AttrValue& value : call.attrs) {
      const VDeviceRef* ref = std::get_if<VDeviceRef>(&value);
      if (ref != nullptr &&
          (ref->index < 0 || static_cast<std::size_t>(ref->index) >= module_.vdevices.size())) {
        return fail("form.vdevice", "vdevice " + std::to_string(ref->index) + " of " +
                                        std::to_string(module_.vdevices.size()));
      }
    }
    if (expr->inferred) return true;
    inferred = infer_call(*op, call.args, call.attrs);
  } else if (const GlobalRef* global = std::get_if<GlobalRef>(&call.callee)) {
    const Type* type = signature(global->name);
    if (type == nullptr) return fail("form.unknown-global", "there is no function " + global->name);
    inferred = call_result_type(*type->as_func(), call.args);
  } else if (const ExprPtr* callee = std::get_if<ExprPtr>(&call.callee)) {
    const FuncType* func = (*callee)->type.as_func();
    if (func == nullptr) return fail("form.wrong-type", "a callee has type " + to_string((*callee)->type));
    inferred = call_result_type(*func, call.args);
  } else {
    inferred = extern_result_type(call.type_args);
  }
  if (!inferred) {
    const bool arity = inferred.error().code == "type.arity";
    return fail(arity ? "form.arity" : "form.wrong-type", inferred.error().message);
  }
  if (compatible(expr->type, *inferred)) return true;
  return fail("form.wrong-type",
              "a call is declared " + to_string(expr->type) + ", inferred is " + to_string(*inferred));
}

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

bool tuple_fits(const Tuple& tuple, const TupleType& type) {
  if (tuple.fields.size() != type.fields.size()) return false;
  for (std::size_t i = 0; i < type.fields.size(); ++i) {
    if (!compatible(type.fields[i], tuple.fields[i]->type)) return false;
  }
  return true;
}

// Does the node itself show that the declared type is wrong?
bool fits(const ExprPtr& expr) {
  const Type& type = expr->type;
  if (type.is_object()) return true;
  if (const Constant* constant = as<Constant>(expr)) {
    const TensorType* tensor = type.as_tensor();
    return constant->tensor != nullptr && tensor != nullptr && is_of_type(*constant->tensor, *tensor);
  }
  if (const Tuple* tuple = as<Tuple>(expr))
    return type.as_tuple() != nullptr && tuple_fits(*tuple, *type.as_tuple());
  if (const TupleGetItem* item = as<TupleGetItem>(expr)) {
    const TupleType* tuple = item->tuple->type.as_tuple();
    return tuple != nullptr && item->index >= 0 &&
           static_cast<std::size_t>(item->index) < tuple->fields.size() &&
           compatible(type, tuple->fields[static_cast<std::size_t>(item->index)]);
  }
  if (const ShapeExpr* shape = as<ShapeExpr>(expr)) {
    const ShapeType* declared = type.as_shape();
    return declared != nullptr && (declared->rank == kUnknownRank ||
                                   static_cast<std::size_t>(declared->rank) == shape->values.size());
  }
  if (const PrimValue* prim = as<PrimValue>(expr))
    return type.as_prim() != nullptr && type.as_prim()->dtype == prim->dtype;
  return true;
}

}  // namespace

bool FormChecker::leaf_type(const ExprPtr& expr) {
  if (const GlobalRef* global = as<GlobalRef>(expr)) {
    const Type* type = signature(global->name);
    if (type == nullptr) return fail("form.unknown-global", "there is no function " + global->name);
    if (compatible(expr->type, *type)) return true;
  } else if (fits(expr)) {
    return true;
  }
  return fail("form.wrong-type", "an expression has type " + to_string(expr->type));
}

}  // namespace passdiff
