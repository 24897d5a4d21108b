#include "core/form/signature.h"

#include <algorithm>
#include <string>

#include "core/ir/walk.h"

namespace passdiff {
namespace {

template <class T>
bool contains(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// What symbolic dims of the parameters stand for in a call. A signature has few: a list beats a map.
using DeducedDims = std::vector<std::pair<SymVar, Dim>>;

// Matches the arguments of one call against the parameters.
class Matcher {
 public:
  // False if a value of the argument's type cannot, or need not, be one of the parameter's (kFailL0 and kFailL1 of
  // TVM's TypeBaseCheck). Shapes that may turn out to differ are accepted: they are checked at run time.
  bool accepts(const Type& param, const Type& arg) {
    return match(
        param, [](const ObjectType&) { return true; },
        [&](const TensorType& tensor) { return accepts(tensor, arg.as_tensor()); },
        [&](const TupleType& tuple) { return accepts(tuple, arg.as_tuple()); },
        [&](const ShapeType& shape) { return accepts(shape, arg.as_shape()); },
        [&](const PrimType& prim) { return arg.as_prim() != nullptr && arg.as_prim()->dtype == prim.dtype; },
        [&](const FuncType&) { return arg.as_func() != nullptr && compatible(param, arg); });
  }

  std::optional<Error> mismatch(std::span<const Type> params, std::span<const ExprPtr> args) {
    if (params.size() != args.size()) {
      return Error{"type.arity", "call: " + std::to_string(args.size()) + " arguments for " + std::to_string(params.size()) + " parameters"};
    }
    for (std::size_t i = 0; i < params.size(); ++i) {
      if (accepts(params[i], args[i]->type)) continue;
      return Error{"type.argument", "call: argument " + std::to_string(i) + " has type " + to_string(args[i]->type) + " where " +
                                        to_string(params[i]) + " is expected"};
    }
    return std::nullopt;
  }

  std::optional<Dim> lookup(const SymVar& var) const {
    for (const auto& [bound, value] : dims_) {
      if (bound == var) return value;
    }
    return std::nullopt;
  }
  const DeducedDims& dims() const { return dims_; }

 private:
  bool accepts(const TensorType& param, const TensorType* arg) {
    if (arg == nullptr) return false;
    if (param.dtype && param.dtype != arg->dtype) return false;
    if (param.rank != kUnknownRank && param.rank != arg->rank) return false;
    if (param.vdevice && param.vdevice != arg->vdevice) return false;
    if (param.sharding && arg->sharding && param.sharding != arg->sharding) return false;
    return !param.shape || !arg->shape || deduce(*param.shape, *arg->shape);
  }
  bool accepts(const ShapeType& param, const ShapeType* arg) {
    if (arg == nullptr) return false;
    if (param.rank != kUnknownRank && param.rank != arg->rank) return false;
    return !param.values || !arg->values || deduce(*param.values, *arg->values);
  }
  bool accepts(const TupleType& param, const TupleType* arg) {
    if (arg == nullptr || param.fields.size() != arg->fields.size()) return false;
    for (std::size_t i = 0; i < param.fields.size(); ++i) {
      if (!accepts(param.fields[i], arg->fields[i])) return false;
    }
    return true;
  }
  bool deduce(const Shape& param, const Shape& arg) {
    if (param.size() != arg.size()) return false;
    for (std::size_t i = 0; i < param.size(); ++i) {
      if (const SymVar* var = param[i].as_var()) {
        if (!lookup(*var)) dims_.emplace_back(*var, arg[i]);
      } else if (param[i].is_static() && arg[i].is_static() && param[i].value() != arg[i].value()) {
        return false;
      }
    }
    return true;
  }

  DeducedDims dims_;
};

bool shape_kept(const Shape& shape, const std::function<bool(const SymVar&)>& keep) {
  bool kept = true;
  for (const Dim& dim : shape) {
    if (dim.is_static()) continue;
    for_each_sym_var(dim, [&](const SymVar& var) { kept = kept && keep(var); });
  }
  return kept;
}

}  // namespace

Result<Type> call_result_type(const FuncType& signature, std::span<const ExprPtr> args) {
  const Type result = signature.result;
  if (!signature.params) return result;
  Matcher matcher;
  if (auto error = matcher.mismatch(*signature.params, args)) return *std::move(error);
  if (!has_symbolic_dims(result)) return result;
  const Type known =
      erase_symbols(result, [&](const SymVar& var) { return matcher.lookup(var).has_value(); });
  return substitute(known, [&](const SymVar& var) { return matcher.lookup(var); });
}

DeducedDims deduce_dims(std::span<const Var> params, std::span<const ExprPtr> args) {
  std::vector<Type> types;
  for (const Var& param : params) types.push_back(param->type);
  Matcher matcher;
  if (matcher.mismatch(types, args)) return {};
  return matcher.dims();
}

Type extern_result_type(const std::vector<Type>& type_args) {
  if (type_args.empty()) return object_type();
  return type_args.size() == 1 ? type_args.front() : tuple_type(type_args);
}

Type erase_symbols(const Type& type, const std::function<bool(const SymVar&)>& keep) {
  return match(
      type,
      [&](const TensorType& tensor) {
        if (!tensor.shape || shape_kept(*tensor.shape, keep)) return type;
        TensorType erased = tensor;
        erased.rank = static_cast<int>(tensor.shape->size());
        erased.shape.reset();
        return Type(std::move(erased));
      },
      [&](const ShapeType& shape) {
        if (!shape.values || shape_kept(*shape.values, keep)) return type;
        return Type(ShapeType{.values = std::nullopt, .rank = static_cast<int>(shape.values->size())});
      },
      [&](const TupleType& tuple) {
        TupleType erased;
        for (const Type& field : tuple.fields) erased.fields.push_back(erase_symbols(field, keep));
        return Type(std::move(erased));
      },
      [&](const OneOf<ObjectType, PrimType, FuncType> auto&) { return type; });
}

void collect_defined(const Type& type, std::vector<SymVar>& into) {
  const auto add = [&into](const std::optional<Shape>& shape) {
    for (std::size_t i = 0; shape && i < shape->size(); ++i) {
      const SymVar* var = (*shape)[i].as_var();
      if (var != nullptr && !contains(into, *var)) into.push_back(*var);
    }
  };
  match(
      type, [&](const TensorType& tensor) { add(tensor.shape); },
      [&](const ShapeType& shape) { add(shape.values); },
      [&](const TupleType& tuple) {
        for (const Type& field : tuple.fields) collect_defined(field, into);
      },
      [](const OneOf<ObjectType, PrimType, FuncType> auto&) {});
}

Type branch_type(const SeqExpr& branch) {
  const Type& type = branch.result->type;
  if (!has_symbolic_dims(type)) return type;
  // A match_cast may mention a symbolic dim from outside of the branch. If a type bound before mentions it, it is
  // known to be from outside; if none does, its shapes are made unknown without need, which is sound.
  std::vector<SymVar> defined;
  std::vector<SymVar> outer;
  for_each_binding<Enter::none>(branch, [&](const Binding& binding) {
    if (binding.match_cast) {
      std::vector<SymVar> here;
      collect_defined(*binding.match_cast, here);
      for (const SymVar& var : here) {
        if (!contains(outer, var) && !contains(defined, var)) defined.push_back(var);
      }
    }
    const Type& seen = binding.match_cast ? binding.value->type : binding.var->type;
    for_each_sym_var(seen, [&](const SymVar& var) {
      if (!contains(defined, var) && !contains(outer, var)) outer.push_back(var);
    });
  });
  return erase_symbols(type, [&](const SymVar& var) { return !contains(defined, var); });
}

Type result_type_of(std::span<const Var> params, const SeqExpr& body) {
  const Type& type = body.result->type;
  if (!has_symbolic_dims(type)) return type;
  std::vector<SymVar> defined;
  for (const Var& param : params) collect_defined(param->type, defined);
  return erase_symbols(type, [&](const SymVar& var) { return contains(defined, var); });
}

bool is_condition(const Type& type) {
  if (const PrimType* prim = type.as_prim()) return prim->dtype == DType::boolean;
  const TensorType* tensor = type.as_tensor();
  return tensor != nullptr && (tensor->rank == 0 || tensor->rank == kUnknownRank) && tensor->dtype.value_or(DType::boolean) == DType::boolean;
}

Type type_of(const tir::PrimFunc& function) {
  Type result = function.result.is_number() ? prim_type(function.result.dtype) : tuple_type({});
  return FuncType{.params = std::nullopt, .result = std::move(result), .pure = function.result.is_number()};
}

}  // namespace passdiff
