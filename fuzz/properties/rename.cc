#include "fuzz/properties/rename.h"

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

struct AttrChange {
  AttrValue operator()(std::monostate) const { return std::int64_t{1}; }
  AttrValue operator()(bool flag) const { return !flag; }
  AttrValue operator()(std::int64_t value) const { return value == 0 ? 1 : value / 2; }
  AttrValue operator()(double value) const { return value == 1 ? 2.0 : 1.0; }
  AttrValue operator()(const std::string& text) const { return text + "_"; }
  AttrValue operator()(DType dtype) const { return dtype == DType::int8 ? DType::uint8 : DType::int8; }
  AttrValue operator()(const VDeviceRef& device) const { return VDeviceRef{device.index + 1}; }
  AttrValue operator()(std::vector<std::int64_t> list) const {
    list.push_back(1);
    return list;
  }
};

Type other_type(const Type& type) {
  if (const TensorType* tensor = type.as_tensor()) {
    TensorType other = *tensor;
    other.dtype = tensor->dtype == DType::int8 ? DType::uint8 : DType::int8;
    return other;
  }
  return type.is_object() ? prim_type(DType::int64) : object_type();
}

// The tensor with another first element, or with another dtype if it has no elements.
Tensor other_element(Tensor tensor) {
  if (tensor.size() == 0)
    return zeros(other_type(tensor_type({}, tensor.dtype)).as_tensor()->dtype.value(), tensor.shape());
  std::visit([](auto& values) { values.data()[0] = values.data()[0] == 1 ? 0 : 1; }, tensor.values);
  return tensor;
}
bool starts_with_zero(const Tensor& tensor) {
  return is_float(tensor.dtype) && tensor.size() > 0 && tensor.floats().data()[0] == 0;
}
Tensor negated_zero(Tensor tensor) {
  double& first = std::get<Tensor::Floats>(tensor.values).data()[0];
  first = -first;
  return tensor;
}

class Copier {
 public:
  static constexpr std::size_t kNoChange = std::numeric_limits<std::size_t>::max();
  enum class Names : std::uint8_t { fresh, kept };
  explicit Copier(std::size_t change, Names names = Names::fresh) : change_(change), names_(names) {}

  Module module(const Module& old) {
    Module copy{.functions = {}, .vdevices = old.vdevices, .attrs = named_attrs(old.attrs)};
    for (VDevice& device : copy.vdevices) {
      if (here()) device.memory_scope += "_";
    }
    for (const GlobalFunction& f : old.functions) {
      GlobalFunction& fresh = copy.functions.emplace_back(f);
      if (here()) fresh.name += "_";
      if (here()) fresh.is_public = !fresh.is_public;
      fresh.function = function(*f.function);
    }
    return copy;
  }
  std::size_t places() const { return place_; }

 private:
  bool here() { return place_++ == change_; }
  std::string name(const char* prefix, std::size_t number, const std::string& old) const {
    return names_ == Names::kept ? old : prefix + std::to_string(number);
  }

  Dim dim(const Dim& old) {
    return substitute(old, [this](const SymVar& var) -> std::optional<Dim> { return Dim(symbol(var)); });
  }
  SymVar symbol(const SymVar& old) {
    SymVar& fresh = symbols_[old.get()];
    if (fresh == nullptr) fresh = make_sym_var(name("s", symbols_.size(), old->name));
    return fresh;
  }
  Shape shape(const Shape& old) {
    Shape copy;
    for (const Dim& one : old) copy.push_back(dim(one));
    return copy;
  }
  Type type(const Type& old) {
    return substitute(old, [this](const SymVar& var) -> std::optional<Dim> { return Dim(symbol(var)); });
  }
  Var define(const Var& old) {
    Type declared = type(old->type);
    if (here()) declared = other_type(declared);
    Var fresh = make_var(name("r", vars_.size(), old->name), std::move(declared), old->dataflow);
    vars_.insert_or_assign(old.get(), fresh);
    return fresh;
  }
  AttrValue attr(const AttrValue& old) { return here() ? std::visit(AttrChange(), old) : old; }
  NamedAttrs named_attrs(const NamedAttrs& old) {
    NamedAttrs copy;
    for (const auto& [name, value] : old) copy.emplace(name, attr(value));
    return copy;
  }

  FunctionPtr function(const Function& old) {
    Function copy;
    for (const Var& param : old.params) copy.params.push_back(define(param));
    copy.attrs = named_attrs(old.attrs);
    copy.pure = here() ? !old.pure : old.pure;
    copy.body = seq(old.body);
    copy.result_type = type(old.result_type);
    return std::make_shared<const Function>(std::move(copy));
  }
  SeqExpr seq(const SeqExpr& old) {
    SeqExpr copy;
    for (const Block& block : old.blocks) {
      Block& fresh = copy.blocks.emplace_back(Block{.dataflow = block.dataflow, .bindings = {}});
      if (here()) fresh.dataflow = !fresh.dataflow;
      for (const Binding& binding : block.bindings) {
        if (here()) continue;
        fresh.bindings.push_back(this->binding(binding));
      }
    }
    copy.result = expr(old.result);
    return copy;
  }
  Binding binding(const Binding& old) {
    Binding copy;
    // The variable is defined before the value is copied, since a local function may call itself.
    copy.var = define(old.var);
    copy.value = expr(old.value);
    if (old.match_cast) copy.match_cast = type(*old.match_cast);
    return copy;
  }

  std::vector<ExprPtr> exprs(const std::vector<ExprPtr>& old) {
    std::vector<ExprPtr> copy;
    for (const ExprPtr& one : old) copy.push_back(expr(one));
    return copy;
  }
  ExprPtr expr(const ExprPtr& old) {
    return std::visit([&](const auto& node) { return make_expr(this->node(node), type(old->type)); },
                      old->node);
  }

  Var node(const Var& old) {
    const auto found = vars_.find(old.get());
    return found == vars_.end() ? old : found->second;
  }
  Constant node(const Constant& old) {
    if (here()) return {make_tensor(other_element(*old.tensor))};
    if (starts_with_zero(*old.tensor) && here()) return {make_tensor(negated_zero(*old.tensor))};
    return old;
  }
  Call node(const Call& old) {
    Call copy{.callee = callee(old.callee), .args = exprs(old.args), .attrs = {}, .type_args = {}};
    for (const AttrValue& one : old.attrs) copy.attrs.push_back(attr(one));
    for (const Type& one : old.type_args) copy.type_args.push_back(type(one));
    if (old.args.size() >= 2 && differ(old.args[0], old.args[1]) && here())
      std::swap(copy.args[0], copy.args[1]);
    return copy;
  }
  static bool differ(const ExprPtr& a, const ExprPtr& b) {
    const Var* left = as<Var>(a);
    const Var* right = as<Var>(b);
    return left != nullptr && right != nullptr && *left != *right;
  }
  Callee callee(const Callee& old) {
    if (const auto* value = std::get_if<ExprPtr>(&old)) return expr(*value);
    return old;
  }
  Tuple node(const Tuple& old) { return {exprs(old.fields)}; }
  TupleGetItem node(const TupleGetItem& old) { return {expr(old.tuple), here() ? old.index + 1 : old.index}; }
  ShapeExpr node(const ShapeExpr& old) {
    ShapeExpr copy{shape(old.values)};
    if (here()) copy.values.emplace_back(1);
    return copy;
  }
  PrimValue node(const PrimValue& old) {
    if (const double* real = std::get_if<double>(&old.value))
      return {old.dtype, here() ? (*real == 1 ? 2.0 : 1.0) : *real};
    const Dim copy = dim(std::get<Dim>(old.value));
    return {old.dtype, here() ? copy + Dim(1) : copy};
  }
  If node(const If& old) {
    return {expr(old.condition), std::make_shared<const SeqExpr>(seq(*old.then_branch)),
            std::make_shared<const SeqExpr>(seq(*old.else_branch))};
  }
  FunctionPtr node(const FunctionPtr& old) { return function(*old); }
  StringImm node(const StringImm& old) { return {here() ? old.value + "_" : old.value}; }
  template <class Leaf>
  Leaf node(const Leaf& old) {
    return old;
  }

  std::size_t change_;
  Names names_;
  std::size_t place_ = 0;
  std::unordered_map<const VarNode*, Var> vars_;
  std::unordered_map<const SymVarNode*, SymVar> symbols_;
};

}  // namespace

Module renamed(const Module& module) {
  return Copier(Copier::kNoChange).module(module);
}

Module copied(const Module& module) {
  return Copier(Copier::kNoChange, Copier::Names::kept).module(module);
}

std::size_t count_changes(const Module& module) {
  Copier copier(Copier::kNoChange);
  (void)copier.module(module);
  return copier.places();
}

Module with_change(const Module& module, std::size_t place) {
  return Copier(place).module(module);
}

}  // namespace passdiff
