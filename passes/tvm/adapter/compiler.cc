#include "passes/tvm/adapter/compiler.h"

#include <map>
#include <utility>

namespace passdiff {
namespace {

constexpr std::pair<std::string_view, Node> kNodes[] = {
    {"ir.Var", Node::var},
    {"relax.expr.Var", Node::var},
    {"relax.expr.DataflowVar", Node::dataflow_var},
    {"tirx.Var", Node::symbol},
    {"tirx.SizeVar", Node::symbol},
    {"tir.Var", Node::symbol},
    {"tir.SizeVar", Node::symbol},
    {"ir.GenericConst", Node::constant},
    {"relax.expr.Constant", Node::constant},
    {"ir.IntImm", Node::int_imm},
    {"ir.FloatImm", Node::float_imm},
    {"relax.expr.PrimValue", Node::prim_value},
    {"ir.StringImm", Node::string_imm},
    {"relax.expr.StringImm", Node::string_imm},
    {"tirx.StringImm", Node::string_imm},
    {"relax.expr.DataTypeImm", Node::dtype_imm},
    {"ir.Call", Node::call},
    {"relax.expr.Call", Node::call},
    {"ir.Tuple", Node::tuple},
    {"relax.expr.Tuple", Node::tuple},
    {"ir.TupleGetItem", Node::get_item},
    {"relax.expr.TupleGetItem", Node::get_item},
    {"relax.expr.ShapeExpr", Node::shape},
    {"ir.GlobalVar", Node::global_var},
    {"relax.expr.ExternFunc", Node::extern_func},
    {"ir.Op", Node::op},
    {"relax.expr.If", Node::branch},
    {"relax.expr.Function", Node::function},
    {"relax.expr.SeqExpr", Node::seq},
    {"relax.expr.VarBinding", Node::var_binding},
    {"relax.expr.MatchCast", Node::match_cast},
    {"relax.expr.BindingBlock", Node::binding_block},
    {"relax.expr.DataflowBlock", Node::dataflow_block},
    {"relax.AnyType", Node::any_type},
    {"relax.ObjectStructInfo", Node::any_type},
    {"ir.StringType", Node::string_type},
    {"ir.Type", Node::missing_type},
    {"relax.TensorStructInfo", Node::tensor_type},
    {"relax.TensorType", Node::tensor_type},
    {"relax.TupleStructInfo", Node::tuple_type},
    {"ir.TupleType", Node::tuple_type},
    {"relax.ShapeStructInfo", Node::shape_type},
    {"relax.ShapeType", Node::shape_type},
    {"relax.PrimStructInfo", Node::prim_type},
    {"ir.PrimType", Node::prim_type},
    {"relax.FuncStructInfo", Node::func_type},
    {"relax.FuncType", Node::func_type},
    {"relax.PackedFuncType", Node::packed_func_type},
    {"relax.DTensorStructInfo", Node::distributed_type},
    {"relax.DTensorType", Node::distributed_type},
    {"relax.distributed.DeviceMesh", Node::device_mesh},
    {"relax.distributed.Placement", Node::placement},
    {"relax.VDevice", Node::vdevice},
    {"ir.VDevice", Node::vdevice},
    {"ir.PointerType", Node::pointer_type},
    {"tirx.BufferType", Node::buffer_type},
    {"tirx.Buffer", Node::buffer},
    {"tirx.Call", Node::scalar_call},
    {"ir.TensorLoad", Node::tensor_load},
    {"tirx.BufferLoad", Node::tensor_load},
    {"tirx.For", Node::loop},
    {"tirx.While", Node::while_loop},
    {"tirx.SeqStmt", Node::seq_stmt},
    {"tirx.IfThenElse", Node::if_then_else},
    {"tirx.Evaluate", Node::evaluate},
    {"tirx.Bind", Node::bind},
    {"tirx.BufferStore", Node::buffer_store},
    {"tirx.AllocBuffer", Node::alloc_buffer},
    {"tirx.DeclBuffer", Node::decl_buffer},
    {"tirx.AttrStmt", Node::attr_stmt},
    {"tirx.AssertStmt", Node::assert_stmt},
    {"tirx.Return", Node::return_stmt},
    {"tirx.Break", Node::break_stmt},
    {"tirx.Continue", Node::continue_stmt},
    {"s_tir.SBlockRealize", Node::block_realize},
    {"tirx.SBlockRealize", Node::block_realize},
    {"tirx.PrimFunc", Node::prim_func},
    {"tirx.IterVar", Node::iter_var},
    {"target.Target", Node::target},
    {"ir.DictAttrs", Node::dict_attrs},
    {kDeviceAttrs, Node::device_attrs},
    {"tirx.IndexMap", Node::index_map},
    {"tir.IndexMap", Node::index_map},
};

// Classes of scalar expressions. Depending on the version they are called prim.Cast or tirx.Cast.
constexpr std::pair<std::string_view, Node> kScalars[] = {
    {"Div", Node::logical_or_divide},
    {"Mod", Node::logical_or_divide},
    {"And", Node::logical_or_divide},
    {"Or", Node::logical_or_divide},
    {"LShift", Node::bitwise},
    {"RShift", Node::bitwise},
    {"BitwiseAnd", Node::bitwise},
    {"BitwiseOr", Node::bitwise},
    {"BitwiseXor", Node::bitwise},
    {"BitwiseNot", Node::bitwise},
    {"Not", Node::negation},
    {"Select", Node::select},
    {"Cast", Node::cast},
    {"Ramp", Node::ramp},
    {"Broadcast", Node::broadcast},
    {"Shuffle", Node::shuffle},
    {"Let", Node::let},
};

// Classes of arithmetic. Depending on the version they, and their constructors, are called prim.Add, tirx.Add or tir.Add.
constexpr std::pair<std::string_view, Node> kArithmetic[] = {
    {"Add", Node::add},
    {"Sub", Node::subtract},
    {"Mul", Node::multiply},
    {"FloorDiv", Node::floor_divide},
    {"FloorMod", Node::floor_mod},
    {"Min", Node::minimum},
    {"Max", Node::maximum},
    {"EQ", Node::equal},
    {"NE", Node::not_equal},
    {"LT", Node::less},
    {"LE", Node::less_equal},
    {"GT", Node::greater},
    {"GE", Node::greater_equal},
};

OpInfo look_up_op(std::string_view name) {
  const Compiler& c = compiler();
  OpInfo info;
  info.op = call(c.functions.get_op, ffi::String(std::string(name))).cast<ObjectRef>();
  if (c.fields.op_attrs_type) info.attrs_type = c.fields.op_attrs_type(info.op.get()).cast<ffi::String>();
  const auto inference = [&](const char* name) {
    const Any infer = call(c.functions.op_attr, info.op, name);
    return infer == nullptr ? ffi::Function(nullptr) : infer.cast<ffi::Function>();
  };
  info.infer_type = inference(c.has_struct_info ? "FInferStructInfo" : "FInferType");
  info.infer_distributed = inference(c.has_struct_info ? "dist.FInferStructInfo" : "dist.FInferType");
  return info;
}

}  // namespace

Compiler::Compiler() : arithmetic_(kDimOpNames.size(), ffi::Function(nullptr)) {
  const auto note = [&](std::string_view key, Node node) {
    const int32_t index = type_index_of(key);
    if (index < 0) return;
    if (nodes_.size() <= static_cast<std::size_t>(index))
      nodes_.resize(static_cast<std::size_t>(index) + 1, Node::unknown);
    nodes_[static_cast<std::size_t>(index)] = node;
  };
  has_struct_info = type_index_of("relax.TensorStructInfo") >= 0;
  for (const auto& [key, node] : kNodes) note(key, node);
  // In TVM before 0.26 the classes of these names are not the types of expressions, which StructInfo stands for.
  if (has_struct_info) {
    for (const char* key : {"relax.ShapeType", "ir.Type"}) note(key, Node::unknown);
    note("ir.TupleType", Node::no_value_type);
  }
  for (const auto& [name, node] : kScalars) {
    for (const char* space : {"prim.", "tirx."}) note(space + std::string(name), node);
  }
  for (const auto& [name, node] : kArithmetic) {
    for (const char* space : {"prim.", "tirx.", "tir."}) {
      const std::string key = space + std::string(name);
      note(key, node);
      auto& make = arithmetic_[static_cast<std::size_t>(dim_op_of(node))];
      if (make == nullptr) make = find_function({key});
    }
  }
}

Node Compiler::node(const ffi::Object* object) const {
  if (object == nullptr) return Node::unknown;
  const auto index = static_cast<std::size_t>(object->type_index());
  return index < nodes_.size() ? nodes_[index] : Node::unknown;
}

const OpInfo& Compiler::op(std::string_view name) const {
  static std::map<std::string, OpInfo, std::less<>> known;
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  return known.emplace(std::string(name), look_up_op(name)).first->second;
}

const Compiler& compiler() {
  static const Compiler& instance = *new Compiler;  // never destroyed: some of its functions are Python's, which ends before
  return instance;
}

}  // namespace passdiff
