// Structural equality and hash. Both walk a canonical encoding of the module: a sequence of words in which
// variables are numbers in the order of their first occurrence. Alpha-equivalent modules, and only these,
// have equal encodings.
#include "core/ir/structural.h"

#include <algorithm>

#include "core/ir/tir/structural.h"
#include "core/ir/walk.h"
#include "core/ir/words.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// Says what the next words are. Every part of variable length is preceded by its length, so that no two different modules have
// the same encoding.
enum class Tag : std::uint64_t {
  no_value,
  object,
  tensor_type,
  tuple_type,
  shape_type,
  prim_type,
  func_type,
  static_dim,
  sym_var,
  binary_dim,
  var,
  constant,
  call,
  tuple,
  tuple_get_item,
  shape_expr,
  prim_value,
  string_imm,
  dtype_imm,
  global_ref,
  extern_func,
  if_expr,
  function,
  binding,
  match_cast,
  block,
  seq,
  module_,
  op,
  callee_expr,
  missing,
  // Tags that modules without distributed tensors never have.
  distributed_tensor,
  distributed_constant,
  distributed_module,
};

class Encoder : public Words {
 public:
  void module(const Module& m);
  void head(const Module& m);
  void function(const Function& f);

 private:
  void tag(Tag value) { word(static_cast<std::uint64_t>(value)); }
  void named(Tag tag, std::string_view name);
  void integers(const std::vector<std::int64_t>& values);
  void dim(const Dim& value);
  void shape(const Shape& value);
  void optional_shape(const std::optional<Shape>& value);
  void sharding(Tag tag, const Sharding& value);
  void type(const Type& value);
  void func(const FuncType& value);
  void expr(const ExprPtr& value);
  void exprs(const std::vector<ExprPtr>& values);
  void types(const std::vector<Type>& values);
  void callee(const Callee& value);
  void call(const Call& value);
  void prim(const PrimValue& value);
  void constant(const Constant& value);
  void definition(const Var& value);
  void binding(const Binding& value);
  void seq(const SeqExpr& value);
};

void Encoder::named(Tag what, std::string_view name) {
  tag(what);
  text(name);
}

void Encoder::integers(const std::vector<std::int64_t>& values) {
  size(values.size());
  for (const std::int64_t value : values) integer(value);
}

void Encoder::dim(const Dim& value) {
  if (value.is_static()) {
    tag(Tag::static_dim);
    return integer(value.value());
  }
  if (const SymVar* var = value.as_var()) {
    tag(Tag::sym_var);
    return identity(var->get());
  }
  const auto& binary = std::get<DimBinary>(value.node()->node);
  tag(Tag::binary_dim);
  word(static_cast<std::uint64_t>(binary.op));
  dim(binary.lhs);
  dim(binary.rhs);
}

void Encoder::shape(const Shape& value) {
  size(value.size());
  for (const Dim& one : value) dim(one);
}

void Encoder::optional_shape(const std::optional<Shape>& value) {
  if (!value) return tag(Tag::missing);
  tag(Tag::shape_expr);
  shape(*value);
}

void Encoder::sharding(Tag what, const Sharding& value) {
  tag(what);
  integer(value.mesh);
  size(value.placement.size());
  for (const int axis : value.placement) integer(axis);
}

void Encoder::types(const std::vector<Type>& values) {
  size(values.size());
  for (const Type& value : values) type(value);
}

void Encoder::func(const FuncType& value) {
  tag(Tag::func_type);
  word(value.pure ? 1 : 0);
  word(value.params ? 1 : 0);
  if (value.params) types(*value.params);
  type(value.result);
}

void Encoder::type(const Type& value) {
  match(
      value, [&](const ObjectType&) { tag(Tag::object); },
      [&](const TensorType& tensor) {
        if (tensor.sharding) sharding(Tag::distributed_tensor, *tensor.sharding);
        tag(Tag::tensor_type);
        optional_shape(tensor.shape);
        integer(tensor.rank);
        integer(tensor.dtype ? static_cast<std::int64_t>(*tensor.dtype) : -1);
        integer(tensor.vdevice.value_or(-1));
      },
      [&](const TupleType& tuple) {
        tag(Tag::tuple_type);
        types(tuple.fields);
      },
      [&](const ShapeType& shape_value) {
        tag(Tag::shape_type);
        optional_shape(shape_value.values);
        integer(shape_value.rank);
      },
      [&](const PrimType& prim_value) {
        tag(Tag::prim_type);
        word(static_cast<std::uint64_t>(prim_value.dtype));
      },
      [&](const FuncType& func_value) { func(func_value); });
}

void Encoder::exprs(const std::vector<ExprPtr>& values) {
  size(values.size());
  for (const ExprPtr& value : values) expr(value);
}

void Encoder::callee(const Callee& value) {
  match(
      value,
      [&](const Op* op) {
        tag(Tag::op);
        text(op->name);
      },
      [&](const GlobalRef& global) { named(Tag::global_ref, global.name); },
      [&](const ExternFunc& external) { named(Tag::extern_func, external.name); },
      [&](const ExprPtr& called) {
        tag(Tag::callee_expr);
        expr(called);
      });
}

void Encoder::call(const Call& value) {
  tag(Tag::call);
  callee(value.callee);
  exprs(value.args);
  size(value.attrs.size());
  for (const AttrValue& one : value.attrs) attr(one);
  types(value.type_args);
}

void Encoder::prim(const PrimValue& value) {
  tag(Tag::prim_value);
  word(static_cast<std::uint64_t>(value.dtype));
  if (const double* real = std::get_if<double>(&value.value)) {
    tag(Tag::no_value);
    return number(*real);
  }
  dim(std::get<Dim>(value.value));
}

void Encoder::constant(const Constant& value) {
  tag(Tag::constant);
  word(static_cast<std::uint64_t>(value.tensor->dtype));
  size(value.tensor->rank());
  for (const std::int64_t extent : value.tensor->shape()) integer(extent);
  std::visit(
      [this](const auto& array) {
        for (const auto element : array.storage()) {
          if constexpr (std::is_same_v<std::decay_t<decltype(element)>, double>) {
            number(element);
          } else {
            word(static_cast<std::uint64_t>(element));
          }
        }
      },
      value.tensor->values);
}

void Encoder::expr(const ExprPtr& value) {
  if (value == nullptr) return tag(Tag::missing);
  match(
      value,
      [&](const Var& var) {
        tag(Tag::var);
        identity(var.get());
      },
      [&](const Constant& node) {
        const TensorType* type = value->type.as_tensor();
        if (type != nullptr && type->sharding) sharding(Tag::distributed_constant, *type->sharding);
        constant(node);
      },
      [&](const Call& node) { call(node); },
      [&](const Tuple& tuple) {
        tag(Tag::tuple);
        exprs(tuple.fields);
      },
      [&](const TupleGetItem& item) {
        tag(Tag::tuple_get_item);
        integer(item.index);
        expr(item.tuple);
      },
      [&](const ShapeExpr& node) {
        tag(Tag::shape_expr);
        shape(node.values);
      },
      [&](const PrimValue& node) { prim(node); },
      [&](const StringImm& string) { named(Tag::string_imm, string.value); },
      [&](const DataTypeImm& dtype) {
        tag(Tag::dtype_imm);
        word(static_cast<std::uint64_t>(dtype.value));
      },
      [&](const GlobalRef& global) { named(Tag::global_ref, global.name); },
      [&](const ExternFunc& external) { named(Tag::extern_func, external.name); },
      [&](const If& branches) {
        tag(Tag::if_expr);
        expr(branches.condition);
        seq(*branches.then_branch);
        seq(*branches.else_branch);
      },
      [&](const FunctionPtr& local) { function(*local); });
}

void Encoder::definition(const Var& value) {
  identity(value.get());
  word(value->dataflow ? 1 : 0);
  type(value->type);
}

void Encoder::binding(const Binding& value) {
  tag(value.match_cast ? Tag::match_cast : Tag::binding);
  if (value.match_cast) type(*value.match_cast);
  // The variable is numbered before its value, since a local function may call itself.
  definition(value.var);
  expr(value.value);
}

void Encoder::seq(const SeqExpr& value) {
  tag(Tag::seq);
  size(value.blocks.size());
  for (const Block& block : value.blocks) {
    tag(Tag::block);
    word(block.dataflow ? 1 : 0);
    size(block.bindings.size());
    for (const Binding& one : block.bindings) binding(one);
  }
  expr(value.result);
}

void Encoder::function(const Function& f) {
  tag(Tag::function);
  size(f.params.size());
  for (const Var& param : f.params) definition(param);
  type(f.result_type);
  word(f.pure ? 1 : 0);
  attrs(f.attrs);
  seq(f.body);
}

// Functions of the same name, as an ill-formed module may have, keep their order: pointers into one vector compare so.
template <class Global>
std::vector<const Global*> by_name(const std::vector<Global>& globals) {
  std::vector<const Global*> sorted;
  for (const Global& global : globals) sorted.push_back(&global);
  std::sort(sorted.begin(), sorted.end(), [](const Global* a, const Global* b) {
    return a->name != b->name ? a->name < b->name : a < b;
  });
  return sorted;
}

// What a module has beside its functions.
void Encoder::head(const Module& m) {
  if (!m.meshes.empty()) {
    tag(Tag::distributed_module);
    size(m.meshes.size());
    for (const DeviceMesh& mesh : m.meshes) {
      integers(mesh.shape);
      integers(mesh.device_ids);
      word(mesh.is_range ? 1 : 0);
    }
  }
  tag(Tag::module_);
  attrs(m.attrs);
  size(m.vdevices.size());
  for (const VDevice& device : m.vdevices) {
    text(device.target);
    integer(device.id);
    text(device.memory_scope);
  }
}

void Encoder::module(const Module& m) {
  head(m);
  const auto global_functions = by_name(m.functions);
  size(global_functions.size());
  for (const GlobalFunction* global : global_functions) {
    text(global->name);
    word(global->is_public ? 1 : 0);
    function(*global->function);
  }
  const auto prim_funcs = by_name(m.prim_funcs);
  size(prim_funcs.size());
  for (const GlobalPrimFunc* global : prim_funcs) {
    text(global->name);
    word(global->is_public ? 1 : 0);
    tir::encode(*global->function, *this);
  }
}

std::vector<std::uint64_t> encode(const Module& module) {
  Encoder encoder;
  encoder.module(module);
  return encoder.words();
}

std::vector<std::uint64_t> encode_head(const Module& module) {
  Encoder encoder;
  encoder.head(module);
  return encoder.words();
}

template <class Global>
bool are_same(const std::vector<Global>& a, const std::vector<Global>& b) {
  return std::ranges::equal(
      a, b, [](const Global& x, const Global& y) { return x.function == y.function && x.is_public == y.is_public && x.name == y.name; });
}

}  // namespace

bool structural_equal(const Module& a, const Module& b) {
  if (are_same(a.functions, b.functions) && are_same(a.prim_funcs, b.prim_funcs)) return encode_head(a) == encode_head(b);
  return encode(a) == encode(b);
}

// Whether two functions differ in something that is seen without encoding them, as most different functions do: in the number of
// parameters, or in what kinds of expressions their bindings have, one after the other.
static bool differ_at_sight(const Function& a, const Function& b) {
  const auto alike = [](const Binding& x, const Binding& y) {
    return x.value == nullptr || y.value == nullptr || x.value->node.index() == y.value->node.index();
  };
  return a.params.size() != b.params.size() || !std::ranges::equal(a.body.blocks, b.body.blocks, [&](const Block& x, const Block& y) {
           return std::ranges::equal(x.bindings, y.bindings, alike);
         });
}

bool structural_equal(const Function& a, const Function& b) {
  if (&a == &b) return true;
  if (differ_at_sight(a, b)) return false;
  Encoder left;
  Encoder right;
  left.function(a);
  right.function(b);
  return left.words() == right.words();
}

std::uint64_t structural_hash(const Module& module) {
  Encoder encoder;
  encoder.module(module);
  return encoder.hash();
}

std::uint64_t StructuralHashes::of(const Module& module) {
  Encoder encoder;
  encoder.head(module);
  const auto add = [&](const auto& global, const auto& encode_function) {
    encoder.text(global.name);
    encoder.word(global.is_public ? 1 : 0);
    const auto [known, is_new] = functions_.try_emplace(global.function, 0);
    if (is_new) {
      Encoder alone;
      encode_function(*global.function, alone);
      known->second = alone.hash();
    }
    encoder.word(known->second);
  };
  encoder.size(module.functions.size());
  for (const GlobalFunction* global : by_name(module.functions)) add(*global, [](const Function& function, Encoder& out) { out.function(function); });
  encoder.size(module.prim_funcs.size());
  for (const GlobalPrimFunc* global : by_name(module.prim_funcs))
    add(*global, [](const tir::PrimFunc& function, Encoder& out) { tir::encode(function, out); });
  return encoder.hash();
}

}  // namespace passdiff
