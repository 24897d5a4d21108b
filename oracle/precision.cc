#include "oracle/precision.h"

#include <unordered_map>

#include "core/check.h"
#include "core/ir/walk.h"

namespace passdiff {
namespace {

using Path = OutputPrecision::Path;

// The narrower of two; nothing is wider than all.
std::optional<DType> narrower(std::optional<DType> a, std::optional<DType> b) {
  if (!a || !b) return a ? a : b;
  return row_of(*a).mantissa <= row_of(*b).mantissa ? a : b;
}

// The float with the fewest digits of those that TVM has arithmetic for.
DType narrowest_of_all() {
  std::optional<DType> narrowest;
  for (const DType dtype : drawn_dtypes()) {
    if (is_float(dtype)) narrowest = narrower(narrowest, dtype);
  }
  return *narrowest;
}

// The narrowest float in a type; a tensor of unknown dtype may be of any.
std::optional<DType> narrowest_in(const Type& type) {
  if (const auto* tensor = type.as_tensor()) {
    if (!tensor->dtype) return narrowest_of_all();
    return is_float(*tensor->dtype) ? tensor->dtype : std::nullopt;
  }
  std::optional<DType> narrowest;
  if (const auto* tuple = type.as_tuple()) {
    for (const Type& field : tuple->fields) narrowest = narrower(narrowest, narrowest_in(field));
  }
  return narrowest;
}

// Each result of a function of TensorIR is taken for as narrow as any of its parameters.
std::optional<DType> narrowest_in(const tir::PrimFunc& function) {
  std::optional<DType> narrowest;
  for (const tir::Param& param : function.params) {
    const auto* buffer = std::get_if<tir::Buffer>(&param);
    const tir::ScalarType& type = buffer != nullptr ? (*buffer)->dtype : std::get<tir::Var>(param)->type;
    if (type.is_number() && is_float(type.dtype)) narrowest = narrower(narrowest, type.dtype);
  }
  return narrowest;
}

bool is_op_call(const Call& call) {
  return std::holds_alternative<const Op*>(call.callee);
}

std::optional<DType> narrowest_of_ops(const SeqExpr& seq) {
  std::optional<DType> narrowest;
  for_each_expr(seq, [&](const ExprPtr& expr) {
    const Call* call = as<Call>(expr);
    if (call != nullptr && is_op_call(*call)) narrowest = narrower(narrowest, narrowest_in(expr->type));
  });
  return narrowest;
}

class Analysis {
 public:
  explicit Analysis(const Module& module) : module_(module) {}

  Path of_sequence(const SeqExpr& seq) {
    for_each_binding<Enter::none>(seq, [&](const Binding& binding) { paths_[binding.var.get()] = of(binding.value); });
    return of(seq.result);
  }

 private:
  Path of(const ExprPtr& expr) {
    return match(
        expr, [&](const Var& var) { return of_variable(var); },
        [&](const Call& call) { return of_call(call, expr->type); },
        [&](const Tuple& tuple) {
          Path path;
          for (const ExprPtr& field : tuple.fields) {
            path.fields.push_back(of(field));
            path.narrowest = narrower(path.narrowest, path.fields.back().narrowest);
          }
          return path;
        },
        [&](const TupleGetItem& item) {
          const Path tuple = of(item.tuple);
          const auto index = static_cast<std::size_t>(item.index);
          return index < tuple.fields.size() ? tuple.fields[index] : Path{tuple.narrowest, {}};
        },
        [&](const If& branches) {
          const Path one = of_sequence(*branches.then_branch);
          const Path other = of_sequence(*branches.else_branch);
          return Path{narrower(one.narrowest, other.narrowest), {}};
        },
        [&](const OneOf<GlobalRef, ExternFunc, FunctionPtr> auto&) { return Path{anywhere(), {}}; },
        [](const OneOf<Constant, ShapeExpr, PrimValue, StringImm, DataTypeImm> auto&) { return Path(); });
  }

  Path of_variable(const Var& var) {
    const auto found = paths_.find(var.get());
    return found == paths_.end() ? Path() : found->second;
  }

  // What a function that is called computes is taken for as narrow as anything in the module.
  Path of_call(const Call& call, const Type& type) {
    Path path{is_op_call(call) ? narrowest_in(type) : anywhere(), {}};
    for (const ExprPtr& arg : call.args) path.narrowest = narrower(path.narrowest, of(arg).narrowest);
    return path;
  }

  std::optional<DType> anywhere() const {
    std::optional<DType> narrowest;
    for (const GlobalFunction& global : module_.functions)
      narrowest = narrower(narrowest, narrowest_of_ops(global.function->body));
    return narrowest;
  }

  const Module& module_;
  std::unordered_map<const VarNode*, Path> paths_;
};

}  // namespace

OutputPrecision::OutputPrecision(const Module& module, std::string_view entry) {
  if (const GlobalPrimFunc* prim_func = module.find_prim_func(entry)) {
    result_.narrowest = narrowest_in(*prim_func->function);
    return;
  }
  const GlobalFunction* function = module.find(entry);
  CHECK(function != nullptr) << entry;
  result_ = Analysis(module).of_sequence(function->function->body);
}

std::optional<DType> OutputPrecision::at(const std::vector<int>& position) const {
  const Path* path = &result_;
  for (const int index : position) {
    if (static_cast<std::size_t>(index) >= path->fields.size()) break;
    path = &path->fields[static_cast<std::size_t>(index)];
  }
  return path->narrowest;
}

}  // namespace passdiff
