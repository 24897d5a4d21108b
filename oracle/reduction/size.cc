// The order in which reduction calls one test case smaller than another.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/ir/queries.h"
#include "core/ir/tir/mutator.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"
#include "oracle/reduction/reduce.h"

namespace passdiff {
namespace {

// One binding less is worth any number of elements. One that is computed for nothing counts as two and a
// half: a bug in what nobody uses is one that nobody has.
constexpr std::int64_t kBindingWeight = 1'000'000;
constexpr std::int64_t kDeadWeight = 1'500'000;
constexpr std::int64_t kFunctionWeight = 400'000;
constexpr std::int64_t kCallWeight = 100'000;  // a call is worse than a parameter: the bug may need no op
constexpr std::int64_t kParamWeight = 50'000;  // a field of a parameter that is a tuple counts as much
constexpr std::int64_t kDecorationWeight = 20'000;  // attributes of functions, vdevices, blocks, tuples
constexpr std::int64_t kDataflowWeight = 5'000;
constexpr std::int64_t kOutputWeight = 1'000;  // of a variable that its dataflow block gives out
constexpr std::int64_t kCastWeight = 10'000;
constexpr std::int64_t kElementWeight = 16;
constexpr std::int64_t kSymbolWeight = 5'000;   // of a dim that is no number
constexpr std::int64_t kUnknownWeight = 8'000;  // of a type that does not tell its shape
constexpr std::int64_t kLargest = 1'000;        // larger numbers count as this one
// Functions of TensorIR.
constexpr std::int64_t kPrimFuncWeight = 300'000;
constexpr std::int64_t kStatementWeight = 30'000;
constexpr std::int64_t kIdleStoreWeight = 100'000;  // of a store to a buffer that nothing reads
constexpr std::int64_t kExprWeight = 300;

std::int64_t weight_of_number(double value) {
  if (!std::isfinite(value)) return 40;
  if (value == 0 || value == 1) return value == 0 ? 0 : 1;
  const std::int64_t sign = value < 0 ? 1 : 0;
  if (value != std::trunc(value)) return sign + (value * 2 == std::trunc(value * 2) ? 6 : 12);
  return sign + (std::abs(value) <= 8 ? 2 : 4);
}

std::int64_t weight_of_integer(std::int64_t value) {
  const std::int64_t capped = std::clamp(value, -kLargest, kLargest);
  return std::abs(capped) + (capped < 0 ? 1 : 0);
}

std::int64_t weight_of(const Tensor& tensor) {
  std::int64_t sum = kElementWeight * (static_cast<std::int64_t>(tensor.size()) + 1);
  for (std::size_t i = 0; i < tensor.size(); ++i) sum += weight_of_number(as_double(tensor, i));
  return sum;
}

std::int64_t weight_of(const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) return weight_of(**tensor);
  std::int64_t sum = kElementWeight;
  if (const TupleValue* tuple = value.as_tuple()) {
    for (const Value& field : tuple->fields) sum += weight_of(field);
  }
  return sum;
}

// A size of 1 is the plainest; 0 makes another kind of case.
std::int64_t weight_of(const Dim& dim) {
  if (dim.is_static()) return 4 * weight_of_integer(dim.value() == 0 ? 10 : dim.value());
  return dim.as_var() == nullptr ? kSymbolWeight + 1'000 : kSymbolWeight;
}

std::int64_t weight_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return 0;
    case DType::int32:
    case DType::boolean:
      return 100;
    case DType::int64:
      return 150;
    default:
      return 200;
  }
}

std::int64_t weight_of(const Shape& shape) {
  std::int64_t sum = 0;
  for (const Dim& dim : shape) sum += 40 + weight_of(dim);
  return sum;
}

std::int64_t weight_of(const Type& type) {
  return match(
      type,
      [](const TensorType& tensor) {
        std::int64_t sum = tensor.dtype ? weight_of(*tensor.dtype) : kUnknownWeight;
        if (tensor.vdevice) sum += kDecorationWeight;
        return sum + (tensor.shape ? weight_of(*tensor.shape) : kUnknownWeight);
      },
      [](const TupleType& tuple) {
        std::int64_t sum = kDecorationWeight;
        for (const Type& field : tuple.fields) sum += kParamWeight + weight_of(field);
        return sum;
      },
      [](const ShapeType& shape) { return 300 + (shape.values ? weight_of(*shape.values) : kUnknownWeight); },
      [](const PrimType& prim) { return 100 + weight_of(prim.dtype); },
      [](const FuncType&) { return kParamWeight; }, [](const ObjectType&) { return kUnknownWeight; });
}

std::int64_t weight_of(const AttrValue& value) {
  constexpr std::int64_t kEntryWeight = 30;
  return 1 + match(
                 value, [](std::int64_t number) { return weight_of_integer(number); },
                 [](double number) { return number == 1 ? 0 : 1 + weight_of_number(number); },
                 [](const std::vector<std::int64_t>& list) {
                   if (list.empty()) return 3 * kEntryWeight;  // no axes at all is another kind of call
                   std::int64_t sum = kEntryWeight * static_cast<std::int64_t>(list.size());
                   for (std::int64_t number : list) sum += weight_of_integer(number);
                   return sum;
                 },
                 [](const AttrList& list) { return static_cast<std::int64_t>(list.items.size()); },
                 [](const AttrMap& map) { return static_cast<std::int64_t>(map.entries.size()); },
                 [](DType dtype) { return weight_of(dtype); },
                 [](const OneOf<std::monostate, bool, std::string, VDeviceRef, IndexMap, MeshRef> auto&) {
                   return std::int64_t{0};
                 });
}

// Attributes that have their defaults weigh less than others.
std::int64_t weight_of_attributes(const Call& call) {
  constexpr std::int64_t kNotDefault = 20;
  const OpDef* op = called_op(call);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < call.attrs.size(); ++i) {
    const auto params = op == nullptr ? std::span<const Param>() : op->attributes();
    const bool is_default = i < params.size() && params[i].default_value == call.attrs[i];
    if (!is_default && !std::holds_alternative<std::monostate>(call.attrs[i])) sum += kNotDefault;
    sum += weight_of(call.attrs[i]);
  }
  return sum;
}

std::int64_t weight_of(const SeqExpr& seq);

std::int64_t weight_of(const Function& function) {
  std::int64_t sum = kFunctionWeight + weight_of(function.body) + weight_of(function.result_type) / 4;
  sum += kDecorationWeight * static_cast<std::int64_t>(function.attrs.size());
  for (const Var& param : function.params) sum += kParamWeight + weight_of(param->type);
  return sum;
}

std::int64_t weight_of(const ExprPtr& expr) {
  return match(
      expr,
      [](const Tuple& tuple) {
        std::int64_t sum = 8;
        for (const ExprPtr& field : tuple.fields) sum += 8 + weight_of(field);
        return sum;
      },
      [](const Constant& constant) { return 3 * kElementWeight + weight_of(*constant.tensor); },
      [](const Call& call) {
        std::int64_t sum = kCallWeight + weight_of_attributes(call);
        for (const ExprPtr& arg : call.args) sum += 2 + weight_of(arg);
        for (const Type& type : call.type_args) sum += weight_of(type);
        return sum;
      },
      [](const If& branches) {
        return kBindingWeight + weight_of(branches.condition) + weight_of(*branches.then_branch) +
               weight_of(*branches.else_branch);
      },
      [](const FunctionPtr& inner) { return weight_of(*inner); },
      [](const ShapeExpr& shape) { return weight_of(shape.values) / 4; },
      [](const PrimValue& prim) {
        if (const auto* dim = std::get_if<Dim>(&prim.value)) return weight_of(*dim) / 4;
        return weight_of_number(std::get<double>(prim.value));
      },
      [](const OneOf<Var, TupleGetItem, StringImm, DataTypeImm, GlobalRef, ExternFunc> auto&) {
        return std::int64_t{0};
      });
}

// Goes over blocks, not bindings alone: their number counts, and how many of them are dataflow blocks.
std::int64_t weight_of(const SeqExpr& seq) {
  std::int64_t sum = weight_of(seq.result);
  for (const Block& block : seq.blocks) sum += kDecorationWeight + (block.dataflow ? kDataflowWeight : 0);
  for_each_binding<Enter::none>(seq, [&](const Binding& binding, const Block& block) {
    sum += kBindingWeight + weight_of(binding.value) + (binding.match_cast ? kCastWeight : 0);
    if (block.dataflow && !binding.var->dataflow) sum += kOutputWeight;
  });
  return sum;
}

// The bindings, those inside of others among them, whose values reach neither the result of their sequence
// nor an effect.
std::int64_t count_dead(const Module& module, const SeqExpr& seq) {
  std::int64_t dead = 0;
  VarSet live;
  collect_uses(seq.result, live);
  for_each_binding_reversed(seq, [&](const Binding& binding) {
    // A match_cast may define the sizes of what follows.
    const bool needed =
        live.contains(binding.var.get()) || binding.match_cast || is_impure(module, binding.value);
    if (needed) collect_uses(binding.value, live);
    if (!needed) ++dead;
    for_each_seq(*binding.value, [&](const SeqExpr& inner) { dead += count_dead(module, inner); });
  });
  return dead;
}

std::int64_t weight_of(const tir::Expr& expr) {
  if (const auto* number = tir::as<tir::IntImm>(expr)) return kExprWeight + weight_of_integer(number->value);
  if (const auto* number = tir::as<tir::FloatImm>(expr)) return kExprWeight + weight_of_number(number->value);
  return 2 * kExprWeight;
}

// The stores to buffers of the function's own that nothing reads.
std::int64_t count_idle_stores(const tir::PrimFunc& function) {
  std::unordered_set<const tir::BufferNode*> read;
  std::vector<const tir::BufferNode*> stored;
  for (const tir::Param& param : function.params) {
    if (const auto* buffer = std::get_if<tir::Buffer>(&param)) read.insert(buffer->get());
  }
  tir::for_each_nested(
      function.body,
      [&](const tir::Stmt& stmt) {
        if (const auto* store = tir::as<tir::BufferStore>(stmt)) stored.push_back(store->buffer.get());
      },
      [&](const tir::Expr& expr) {
        tir::for_each_buffer(expr, [&](const tir::Buffer& buffer) { read.insert(buffer.get()); });
      });
  return std::count_if(stored.begin(), stored.end(),
                       [&](const auto* buffer) { return !read.contains(buffer); });
}

std::int64_t weight_of(const tir::PrimFunc& function) {
  std::int64_t sum = kPrimFuncWeight + kDecorationWeight * static_cast<std::int64_t>(function.attrs.size());
  sum += kParamWeight * static_cast<std::int64_t>(function.params.size());
  sum += kIdleStoreWeight * count_idle_stores(function);
  const auto add_buffer = [&](const tir::Buffer& buffer) {
    for (const tir::Expr& size : buffer->shape) sum += weight_of(size);
  };
  const auto add_annotations = [&](const tir::Annotations& annotations) {
    sum += kExprWeight * static_cast<std::int64_t>(annotations.size());
  };
  for (const tir::Param& param : function.params) {
    if (const auto* buffer = std::get_if<tir::Buffer>(&param)) add_buffer(*buffer);
  }
  tir::for_each_nested(
      function.body,
      [&](const tir::Stmt& stmt) {
        if (tir::as<tir::Seq>(stmt) == nullptr) sum += kStatementWeight;
        if (const auto* loop = tir::as<tir::For>(stmt)) {
          add_annotations(loop->annotations);
          sum += loop->kind == tir::ForKind::serial ? 0 : 2 * kExprWeight;
          const auto* extent = tir::as<tir::IntImm>(loop->extent);
          if (extent != nullptr && extent->value == 0) sum += kStatementWeight;  // it never runs
        }
        if (const auto* alloc = tir::as<tir::AllocBuffer>(stmt)) add_buffer(alloc->buffer);
        if (const auto* realize = tir::as<tir::SBlockRealize>(stmt)) {
          const tir::SBlock& block = realize->block;
          add_annotations(block.annotations);
          sum += kStatementWeight *
                 static_cast<std::int64_t>(block.alloc_buffers.size() + block.match_buffers.size());
          sum += kExprWeight * static_cast<std::int64_t>(block.iter_vars.size());
          for (const tir::Buffer& buffer : block.alloc_buffers) add_buffer(buffer);
        }
      },
      [&](const tir::Expr& expr) { sum += weight_of(expr); });
  return sum;
}

std::int64_t count_symbols(const Module& module) {
  std::unordered_set<const SymVarNode*> symbols;
  for (const GlobalFunction& f : module.functions) {
    for (const Var& param : f.function->params)
      for_each_sym_var(param->type, [&](const SymVar& var) { symbols.insert(var.get()); });
  }
  return static_cast<std::int64_t>(symbols.size());
}

}  // namespace

std::int64_t size_of(const TestCase& test) {
  const Module& module = test.module;
  std::int64_t size = kSymbolWeight * count_symbols(module);
  for (const GlobalFunction& f : module.functions)
    size += weight_of(*f.function) + kDeadWeight * count_dead(module, f.function->body);
  for (const GlobalPrimFunc& f : module.prim_funcs) size += weight_of(*f.function);
  size += kDecorationWeight * static_cast<std::int64_t>(module.vdevices.size() + module.attrs.size());
  for (const Value& argument : test.arguments) size += weight_of(argument);
  return size;
}

}  // namespace passdiff
