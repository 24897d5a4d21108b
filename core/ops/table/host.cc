// Ops that are no functions of their operands: calls of functions of the host, of TensorIR and of closures, effects, memory, and
// what workers do among each other. Inference follows src/relax/op/op.cc and src/relax/op/ccl/ccl.cc. The interpreter performs those that have a
// meaning (core/eval/host_ops.cc); memory, virtual machine and workers are the compiler's own.
#include "core/ops/attributes.h"
#include "core/ops/known_attrs.h"
#include "core/ops/row.h"

namespace passdiff {
namespace {

using Operands = std::span<const ExprPtr>;

struct HostParam {
  std::string_view name;
  ParamKind kind = ParamKind::tensor;
  bool optional = false;
};

OpDef host_op(std::string_view name, std::initializer_list<HostParam> operands, bool pure) {
  OpDef row{{name, pure}};
  for (const HostParam& operand : operands) row.params.push_back({operand.name, operand.kind, operand.optional});
  row.pass_made = true;
  row.generate = detail::generate_nothing;
  return row;
}

Type declared_type(const std::vector<Type>& declared) {
  if (declared.empty()) return object_type();
  return declared.size() == 1 ? declared.front() : tuple_type(declared);
}

// The result is what the call declares: a call of R.call_pure_packed, or of a closure.
OpDef declaring_op(std::string_view name, std::initializer_list<HostParam> operands, bool pure,
                   std::string_view keyword = "ty_args") {
  OpDef row = host_op(name, operands, pure);
  row.type_args = keyword;
  row.infer_declared = [](Operands, const std::vector<Type>& declared) -> Result<Type> {
    return declared_type(declared);
  };
  return row;
}

OpDef object_op(std::string_view name, std::initializer_list<HostParam> operands, bool pure = true) {
  OpDef row = host_op(name, operands, pure);
  row.infer = [](Operands, const Attrs&) -> Result<Type> { return object_type(); };
  return row;
}

OpDef void_op(std::string_view name, std::initializer_list<HostParam> operands) {
  OpDef row = host_op(name, operands, false);
  row.infer = [](Operands, const Attrs&) -> Result<Type> { return tuple_type({}); };
  return row;
}

// The tensor that an allocation makes, by the operands at `shape_at` and after it: a shape and a dtype.
template <std::size_t shape_at>
Result<Type> infer_allocated(Operands args, const std::vector<Type>&) {
  const ShapeType* shape = TRY(shape_operand(args, shape_at));
  const DataTypeImm* dtype = as<DataTypeImm>(args[shape_at + 1]);
  if (dtype == nullptr) return Error{"type.operand", "an allocation needs a dtype"};
  return Type(make_tensor_type(shape->values, shape->rank, dtype->value, {}));
}

// CallTIRRewrite declares types of the tensors that it allocates, which say no more than shape and dtype do.
template <std::size_t shape_at>
OpDef allocation_op(std::string_view name, std::initializer_list<HostParam> operands) {
  OpDef row = host_op(name, operands, true);
  row.type_args = "ty_args";
  row.infer_declared = infer_allocated<shape_at>;
  return row;
}

struct AllReduceAttrs {
  std::string op_type = "sum";
  bool in_group = true;
  static constexpr auto fields() {
    return std::tuple(field("op_type", &AllReduceAttrs::op_type), field("in_group", &AllReduceAttrs::in_group));
  }
};
struct AllGatherAttrs {
  std::int64_t num_workers = 1;
  bool in_group = true;
  static constexpr auto fields() {
    return std::tuple(required("num_workers", &AllGatherAttrs::num_workers),
                      field("in_group", &AllGatherAttrs::in_group));
  }
};
struct BroadcastAttrs {
  static constexpr auto fields() { return std::tuple(); }
};
struct ScatterAttrs {
  std::int64_t num_workers = 1;
  std::int64_t axis = 0;
  static constexpr auto fields() {
    return std::tuple(required("num_workers", &ScatterAttrs::num_workers), field("axis", &ScatterAttrs::axis));
  }
};
Result<Type> infer_gathered(Operands args, const Attrs& attrs) {
  TensorType type = *TRY(tensor_operand(args, 0));
  if (type.shape && !type.shape->empty())
    (*type.shape)[0] = (*type.shape)[0] * Dim(read_attrs<AllGatherAttrs>(attrs).num_workers);
  return Type(std::move(type));
}

Result<Type> infer_scattered(Operands args, const Attrs& attrs) {
  TensorType type = *TRY(tensor_operand(args, 0));
  const auto [num_workers, axis] = read_attrs<ScatterAttrs>(attrs);
  if (!type.shape || axis < 0 || axis >= static_cast<std::int64_t>(type.shape->size()))
    return Error{"type.operand",
                 "the shape of the operand is not known, or has no axis that can be split"};
  Dim& size = (*type.shape)[static_cast<std::size_t>(axis)];
  size = Dim::binary(DimOp::floor_divide, size, Dim(num_workers));
  return Type(std::move(type));
}

// Of a distributed tensor the whole stays as it is; of a tensor that each worker has, each keeps its part.
Result<Type> infer_shard(Operands args, const Attrs& attrs) {
  const TensorType& whole = *TRY(tensor_operand(args, 0));
  const Type part = TRY(infer_scattered(args, attrs));
  if (!whole.sharding) return part;
  TensorType spread = whole;
  spread.sharding->placement = {static_cast<int>(read_attrs<ScatterAttrs>(attrs).axis)};
  return Type(std::move(spread));
}

Result<Type> infer_same_tensor(Operands args, const Attrs&) {
  TRY(tensor_operand(args, 0));
  return args[0]->type;
}

template <class OpAttrs>
OpDef collective_op(std::string_view name, Result<Type> (*infer)(Operands, const Attrs&),
                    std::string_view attrs_class = {}) {
  OpDef row = host_op(name, {{"x"}}, true);
  append_params<OpAttrs>(row.params);
  row.infer = infer;
  row.attrs_class = attrs_class;
  return row;
}

OpDef null_value_op() {
  OpDef row = object_op("relax.null_value", {});
  row.eval = [](std::span<const Value>, const Attrs&, const Type&, EvalContext&) { return Value(); };
  return row;
}

// A call of a function of TensorIR on the fields of a tuple, with tensors for its results, and integers after these.
OpDef call_tir_op(std::string_view name, std::string_view attrs_class = {}) {
  OpDef row = declaring_op(name,
                           {{"func", ParamKind::callee}, {"args"}, {"tir_vars", ParamKind::shape, true}}, true, "out_ty");
  row.attrs_class = attrs_class;
  return row;
}
OpDef call_tir_inplace_op() {
  OpDef row = call_tir_op("relax.call_tir_inplace", "relax.attrs.CallTIRInplaceAttrs");
  append_params<InplaceAttrs>(row.params);
  return row;
}

struct WithGradAttrs {
  std::string te_grad_name;
  AttrMap te_grad_kwargs;
  static constexpr auto fields() {
    return std::tuple(required("te_grad_name", &WithGradAttrs::te_grad_name),
                      field("te_grad_kwargs", &WithGradAttrs::te_grad_kwargs));
  }
};
OpDef call_tir_with_grad_op() {
  OpDef row = call_tir_op("relax.call_tir_with_grad");
  append_params<WithGradAttrs>(row.params);
  return row;
}

OpDef inplace_op() {
  OpDef row = declaring_op("relax.call_inplace_packed",
                           {{"func", ParamKind::callee}, {"args", ParamKind::values}}, true);
  append_params<InplaceAttrs>(row.params);
  return row;
}

}  // namespace

std::vector<OpDef> host_rows() {
  constexpr ParamKind callee = ParamKind::callee;
  constexpr ParamKind values = ParamKind::values;
  constexpr ParamKind format = ParamKind::format;
  return {
      null_value_op(),
      void_op("relax.print", {{"format", format}, {"values", values}}),
      void_op("relax.assert_op", {{"condition"}, {"format", format}, {"values", values}}),
      declaring_op("relax.call_pure_packed", {{"func", callee}, {"args", values}}, true),
      inplace_op(),
      call_tir_op("relax.call_tir"),
      call_tir_inplace_op(),
      call_tir_with_grad_op(),
      declaring_op("relax.dist.call_tir_local_view", {{"func", callee}, {"args"}}, true, "out_ty"),
      void_op("relax.vm.call_tir_dyn", {{"func", callee}, {"args"}}),
      declaring_op("relax.call_dps_packed", {{"func", callee}, {"args"}}, true, "out_ty"),
      declaring_op("relax.call_builtin_with_ctx", {{"func", callee}, {"args"}}, false),
      declaring_op("relax.invoke_closure", {{"closure", callee}, {"args"}}, false),
      declaring_op("relax.invoke_pure_closure", {{"closure", callee}, {"args"}}, true),
      object_op("relax.make_closure", {{"func", callee}, {"args"}}),
      allocation_op<0>("relax.builtin.alloc_tensor",
                       {{"shape"}, {"dtype"}, {"runtime_device_index"}, {"storage_scope"}}),
      object_op("relax.memory.alloc_storage",
                {{"size"}, {"virtual_device_index"}, {"storage_scope"}, {"dtype"}}),
      allocation_op<2>("relax.memory.alloc_tensor",
                       {{"storage"}, {"offset"}, {"shape"}, {"dtype"}, {"runtime_device_ind"}}),
      void_op("relax.memory.kill_storage", {{"storage"}}),
      void_op("relax.memory.kill_tensor", {{"tensor"}}),
      void_op("relax.vm.kill_object", {{"obj"}}),
      object_op("relax.vm.alloc_storage",
                {{"shape"}, {"runtime_device_index"}, {"dtype"}, {"storage_scope"}}),
      allocation_op<2>("relax.vm.alloc_tensor",
                       {{"storage"}, {"offset"}, {"shape"}, {"dtype"}, {"runtime_device_ind"}}),
      collective_op<AllReduceAttrs>("relax.ccl.allreduce", infer_same_tensor),
      collective_op<AllGatherAttrs>("relax.ccl.allgather", infer_gathered, "relax.attrs.AllGatherAttrs"),
      collective_op<BroadcastAttrs>("relax.ccl.broadcast_from_worker0", infer_same_tensor),
      collective_op<ScatterAttrs>("relax.ccl.scatter_from_worker0", infer_scattered),
      collective_op<ScatterAttrs>("relax.dist.redistribute_replica_to_shard", infer_shard),
  };
}

}  // namespace passdiff
