#include "fuzz/properties/rename.h"

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/ir/rewriter.h"
#include "core/ir/walk.h"
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
  AttrValue operator()(AttrList list) const {
    list.items.emplace_back(1.0);
    return list;
  }
  AttrValue operator()(AttrMap map) const {
    map.entries["other"] = true;
    return map;
  }
  AttrValue operator()(IndexMap map) const {
    map.indices.emplace_back(0);
    return map;
  }
  AttrValue operator()(const MeshRef& mesh) const { return MeshRef{mesh.index + 1}; }
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

class Copier : public Rewriter {
 public:
  static constexpr std::size_t kNoChange = std::numeric_limits<std::size_t>::max();
  enum class Names : std::uint8_t { fresh, kept };
  explicit Copier(std::size_t change, Names names = Names::fresh) : change_(change), names_(names) {}

  Module module(const Module& old) {
    Module copy{.functions = {}, .vdevices = old.vdevices, .attrs = named_attrs(old.attrs), .prim_funcs = {}, .meshes = old.meshes};
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

  ExprPtr expr(const ExprPtr& old) override {
    return match(
        old,
        [&](const Var& var) {
          const auto found = vars_.find(var.get());
          return make_expr(found == vars_.end() ? var : found->second, type(old->type));
        },
        [&](const Constant& constant) { return make_expr(changed(constant), type(old->type)); },
        [&](const OneOf<Call, Tuple, TupleGetItem, ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef,
                        ExternFunc, If, FunctionPtr> auto&) { return parts(old); });
  }

 protected:
  bool remakes_all() const override { return true; }

  ExprPtr remake(const ExprPtr& old, ExprNode node) override {
    return match(
        node,
        [&](const OneOf<Call, TupleGetItem, ShapeExpr, PrimValue, StringImm> auto& copy) {
          return Rewriter::remake(old, changed(copy));
        },
        [&](const OneOf<Var, Constant, Tuple, DataTypeImm, GlobalRef, ExternFunc, If, FunctionPtr> auto& copy) {
          return Rewriter::remake(old, copy);
        });
  }

  FunctionPtr function(const FunctionPtr& old) override { return function(*old); }

  bool block(const Block& old, BlockSink& to) override {
    to.begin_block(here() ? !old.dataflow : old.dataflow);
    for (const Binding& one : old.bindings) {
      if (!here()) binding(one, to);
    }
    return true;
  }

  bool binding(const Binding& old, BlockSink& to) override {
    // Before the value: a local function may call itself.
    Var var = define(old.var);
    ExprPtr value = expr(old.value);
    std::optional<Type> cast;
    if (old.match_cast) cast = type(*old.match_cast);
    to.add({std::move(var), std::move(value), std::move(cast)});
    return true;
  }

  Dim dim(const Dim& old) override {
    return substitute(old, [this](const SymVar& var) -> std::optional<Dim> { return Dim(symbol(var)); });
  }
  Type type(const Type& old) override {
    return substitute(old, [this](const SymVar& var) -> std::optional<Dim> { return Dim(symbol(var)); });
  }

 private:
  bool here() { return place_++ == change_; }
  std::string name(const char* prefix, std::size_t number, const std::string& old) const {
    return names_ == Names::kept ? old : prefix + std::to_string(number);
  }

  SymVar symbol(const SymVar& old) {
    SymVar& fresh = symbols_[old.get()];
    if (fresh == nullptr) fresh = make_sym_var(name("s", symbols_.size(), old->name));
    return fresh;
  }
  Var define(const Var& old) {
    Type declared = type(old->type);
    if (here()) declared = other_type(declared);
    Var fresh = make_var(name("r", vars_.size(), old->name), std::move(declared), old->dataflow);
    vars_.insert_or_assign(old.get(), fresh);
    return fresh;
  }
  AttrValue attr(const AttrValue& old) { return here() ? match(old, AttrChange()) : old; }
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
    seq(old.body, copy.body);
    copy.result_type = type(old.result_type);
    return std::make_shared<const Function>(std::move(copy));
  }
  Constant changed(const Constant& old) {
    if (here()) return {make_tensor(other_element(*old.tensor))};
    if (starts_with_zero(*old.tensor) && here()) return {make_tensor(negated_zero(*old.tensor))};
    return old;
  }
  Call changed(Call copy) {
    for (AttrValue& one : copy.attrs) one = attr(one);
    if (copy.args.size() >= 2 && differ(copy.args[0], copy.args[1]) && here())
      std::swap(copy.args[0], copy.args[1]);
    return copy;
  }
  static bool differ(const ExprPtr& a, const ExprPtr& b) {
    const Var* left = as<Var>(a);
    const Var* right = as<Var>(b);
    return left != nullptr && right != nullptr && *left != *right;
  }
  TupleGetItem changed(TupleGetItem copy) {
    if (here()) ++copy.index;
    return copy;
  }
  ShapeExpr changed(ShapeExpr copy) {
    if (here()) copy.values.emplace_back(1);
    return copy;
  }
  PrimValue changed(PrimValue copy) {
    if (!here()) return copy;
    if (double* real = std::get_if<double>(&copy.value)) {
      *real = *real == 1 ? 2.0 : 1.0;
    } else {
      copy.value = std::get<Dim>(copy.value) + Dim(1);
    }
    return copy;
  }
  StringImm changed(StringImm copy) {
    if (here()) copy.value += "_";
    return copy;
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
