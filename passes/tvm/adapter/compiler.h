// All names of the compiler's classes, fields and functions that the adapter uses, for TVM 0.25 to 0.27. Nothing else in the adapter
// spells a name that differs between these versions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/dim_op.h"
#include "passes/tvm/adapter/ffi.h"

namespace passdiff {

// The classes of objects that a module may be made of.
enum class Node : std::uint8_t {
  unknown,
  // expressions
  var,
  dataflow_var,
  symbol,
  constant,
  int_imm,
  float_imm,
  prim_value,
  string_imm,
  dtype_imm,
  call,
  tuple,
  get_item,
  shape,
  global_var,
  extern_func,
  op,
  branch,
  function,
  seq,
  // arithmetic on dimensions
  add,
  subtract,
  multiply,
  floor_divide,
  floor_mod,
  minimum,
  maximum,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  // bindings and blocks
  var_binding,
  match_cast,
  binding_block,
  dataflow_block,
  // types
  any_type,
  string_type,
  missing_type,
  tensor_type,
  tuple_type,
  shape_type,
  prim_type,
  func_type,
  distributed_type,
  packed_func_type,
  pointer_type,
  buffer_type,
  // expressions of TensorIR, beside arithmetic and those above
  logical_or_divide,  // operations on two operands that dimensions lack
  bitwise,
  negation,
  select,
  cast,
  ramp,
  broadcast,
  shuffle,
  let,
  tensor_load,
  scalar_call,  // before 0.26; later calls of TensorIR and of Relax are of one class
  // statements of TensorIR
  loop,
  while_loop,
  seq_stmt,
  if_then_else,
  evaluate,
  bind,
  buffer_store,
  alloc_buffer,
  decl_buffer,
  attr_stmt,
  assert_stmt,
  return_stmt,
  break_stmt,
  continue_stmt,
  block_realize,
  // the rest
  prim_func,
  buffer,         // before 0.26; later buffers are variables
  no_value_type,  // before 0.26: the type of what returns nothing; later an empty tuple_type
  iter_var,
  target,
  vdevice,
  device_mesh,
  placement,
  dict_attrs,
  device_attrs,
  index_map,
};

constexpr bool is_arithmetic(Node node) {
  return node >= Node::add && node <= Node::greater_equal;
}
// The operator of an arithmetic node: both enums have the operators in the same order.
constexpr DimOp dim_op_of(Node node) {
  return static_cast<DimOp>(static_cast<int>(node) - static_cast<int>(Node::add));
}
static_assert(dim_op_of(Node::add) == DimOp::add && dim_op_of(Node::floor_mod) == DimOp::floor_mod &&
              dim_op_of(Node::greater_equal) == DimOp::greater_equal);

// The one class of attributes whose fields are not the parameters of the op's Python function, which takes a runtime device.
inline constexpr std::string_view kDeviceAttrs = "relax.attrs.HintOnDeviceAttrs";

// Fields of attributes that later versions lack. Documents lack them, too: only empty ones are read, and such are made.
inline constexpr std::array<std::string_view, 2> kListsOfOlderVersions = {"axis_separators", "input_axis_separators"};

// The function that passes call for code, so that a function of this name that is registered anew takes its place.
inline constexpr std::string_view kBuildFunction = "tirx.build";

struct Fields {
  Field type{{"ir.Expr", "ty"}, {"ir.RelaxExpr", "struct_info_"}};
  Field prim_dtype{{"ir.PrimExpr", "dtype"}};  // before 0.26; later the type of the expression has it
  Field var_name{{"ir.Var", "name"}, {"relax.expr.Var", "vid"}};
  Field id_name{{"relax.Id", "name_hint"}};
  Field symbol_name{{"tirx.Var", "name"}, {"tir.Var", "name"}, {"ir.Var", "name"}};
  Field const_value{{"ir.GenericConst", "value"}, {"relax.expr.Constant", "data"}};
  Field int_value{{"ir.IntImm", "value"}};
  Field float_value{{"ir.FloatImm", "value"}};
  Field prim_value{{"relax.expr.PrimValue", "value"}};
  Field string_value{{"ir.StringImm", "value"}, {"relax.expr.StringImm", "value"}};
  Field dtype_value{{"relax.expr.DataTypeImm", "value"}};
  Field call_op{{"ir.Call", "op"}, {"relax.expr.Call", "op"}};
  Field call_args{{"ir.Call", "args"}, {"relax.expr.Call", "args"}};
  Field call_attrs{{"ir.Call", "attrs"}, {"relax.expr.Call", "attrs"}};
  Field call_type_args{{"ir.Call", "ty_args"}, {"relax.expr.Call", "sinfo_args"}};
  Field tuple_fields{{"ir.Tuple", "fields"}, {"relax.expr.Tuple", "fields"}};
  Field get_tuple{{"ir.TupleGetItem", "tuple_value"}, {"relax.expr.TupleGetItem", "tuple_value"}};
  Field get_index{{"ir.TupleGetItem", "index"}, {"relax.expr.TupleGetItem", "index"}};
  Field shape_values{{"relax.expr.ShapeExpr", "values"}};
  Field global_name{{"ir.GlobalVar", "name_hint"}};
  Field extern_name{{"relax.expr.ExternFunc", "global_symbol"}};
  Field op_name{{"ir.Op", "name"}};
  Field op_attrs_type{{"ir.Op", "attrs_type_key"}};
  Field if_condition{{"relax.expr.If", "cond"}};
  Field if_true{{"relax.expr.If", "true_branch"}};
  Field if_false{{"relax.expr.If", "false_branch"}};
  Field function_params{{"relax.expr.Function", "params"}};
  Field function_body{{"relax.expr.Function", "body"}};
  Field function_result{{"relax.expr.Function", "ret_ty"}, {"relax.expr.Function", "ret_struct_info"}};
  Field function_pure{{"relax.expr.Function", "is_pure"}};
  Field function_attrs{{"ir.BaseFunc", "attrs"}};
  Field seq_blocks{{"relax.expr.SeqExpr", "blocks"}};
  Field seq_body{{"relax.expr.SeqExpr", "body"}};
  Field block_bindings{{"relax.expr.BindingBlock", "bindings"}};
  Field binding_var{{"relax.expr.Binding", "var"}};
  Field var_binding_value{{"relax.expr.VarBinding", "value"}};
  Field match_cast_value{{"relax.expr.MatchCast", "value"}};
  Field match_cast_type{{"relax.expr.MatchCast", "ty"}, {"relax.expr.MatchCast", "struct_info"}};
  Field tensor_shape{{"relax.TensorType", "shape"}, {"relax.TensorStructInfo", "shape"}};
  Field tensor_dtype{{"relax.TensorStructInfo", "dtype"}, {"relax.TensorType", "dtype"}};
  Field tensor_vdevice{{"relax.TensorType", "vdevice"}, {"relax.TensorStructInfo", "vdevice"}};
  Field tensor_ndim{{"relax.TensorStructInfo", "ndim"}, {"relax.TensorType", "ndim"}};
  Field distributed_tensor{{"relax.DTensorType", "tensor_ty"}, {"relax.DTensorStructInfo", "tensor_sinfo"}};
  Field distributed_mesh{{"relax.DTensorType", "device_mesh"}, {"relax.DTensorStructInfo", "device_mesh"}};
  Field distributed_placement{{"relax.DTensorType", "placement"}, {"relax.DTensorStructInfo", "placement"}};
  Field mesh_shape{{"relax.distributed.DeviceMesh", "shape"}};
  Field mesh_ids{{"relax.distributed.DeviceMesh", "device_ids"}};
  Field mesh_range{{"relax.distributed.DeviceMesh", "device_range"}};
  Field placement_specs{{"relax.distributed.Placement", "dim_specs"}};
  Field spec_axis{{"relax.distributed.PlacementSpec", "axis"}};
  Field spec_kind{{"relax.distributed.PlacementSpec", "kind"}};
  Field tuple_type_fields{{"relax.TupleStructInfo", "fields"}, {"ir.TupleType", "fields"}};
  Field shape_type_values{{"relax.ShapeStructInfo", "values"}, {"relax.ShapeType", "values"}};
  Field shape_type_ndim{{"relax.ShapeStructInfo", "ndim"}, {"relax.ShapeType", "ndim"}};
  Field prim_type_dtype{{"relax.PrimStructInfo", "dtype"}, {"ir.PrimType", "dtype"}};
  Field func_params{{"relax.FuncStructInfo", "params"}, {"relax.FuncType", "params"}};
  Field func_result{{"relax.FuncStructInfo", "ret"}, {"relax.FuncType", "ret"}};
  Field func_pure{{"relax.FuncStructInfo", "purity"}, {"relax.FuncType", "purity"}};
  Field vdevice_target{{"relax.VDevice", "target"}, {"ir.VDevice", "target"}};
  Field vdevice_id{{"relax.VDevice", "vdevice_id"}, {"ir.VDevice", "vdevice_id"}};
  Field vdevice_scope{{"relax.VDevice", "memory_scope"}, {"ir.VDevice", "memory_scope"}};
  Field target_kind{{"target.Target", "kind"}, {"Target", "kind"}};
  Field kind_name{{"target.TargetKind", "name"}, {"TargetKind", "name"}};
  Field kind_device_type{{"target.TargetKind", "default_device_type"}, {"TargetKind", "default_device_type"}};
  // The attributes that hold a runtime device, as two numbers.
  Field device_type{{kDeviceAttrs, "device_type"}, {kDeviceAttrs, "dev_type"}};
  Field device_id{{kDeviceAttrs, "index"}, {kDeviceAttrs, "dev_id"}};
  Field device_scope{{kDeviceAttrs, "memory_scope"}};
  Field dict{{"ir.DictAttrs", "__dict__"}};
  Field index_map_axes{{"tirx.IndexMap", "initial_indices"}, {"tir.IndexMap", "initial_indices"}};
  Field index_map_indices{{"tirx.IndexMap", "final_indices"}, {"tir.IndexMap", "final_indices"}};
  Field index_map_inverse{{"tirx.IndexMap", "inverse_index_map"}, {"tir.IndexMap", "inverse_index_map"}};
  // TensorIR: what 0.27 calls prim or s_tir was tirx before. Where buffers are objects of their own, before 0.26, these have the fields that later
  // their types have.
  Field scalar_call_op{{"ir.Call", "op"}, {"tirx.Call", "op"}};
  Field scalar_call_args{{"ir.Call", "args"}, {"tirx.Call", "args"}};
  Field scalar_call_attrs{{"ir.Call", "attrs"}, {"tirx.Call", "attrs"}};
  Field scalar_call_type_args{{"ir.Call", "ty_args"}};  // from 0.26 on
  Field scalar_type_dtype{{"ir.PrimType", "dtype"}};
  Field pointer_scope{{"ir.PointerType", "storage_scope"}};
  Field symbol_type{{"tirx.Var", "type_annotation"}};             // before 0.26
  Field prim_func_buffers{{"tirx.PrimFunc", "buffer_map"}};       // before 0.26
  Field buffer_name{{"tirx.Buffer", "name"}};                     // before 0.26
  Field buffer_data{{"tirx.Buffer", "data"}};                     // before 0.26
  Field buffer_kind{{"tirx.Buffer", "buffer_type"}};              // before 0.26
  Field buffer_separators{{"tirx.Buffer", "axis_separators"}};    // before 0.26
  Field prim_func_params{{"tirx.PrimFunc", "params"}};
  Field prim_func_result{{"tirx.PrimFunc", "ret_type"}};
  Field prim_func_body{{"tirx.PrimFunc", "body"}};
  Field buffer_dtype{{"tirx.BufferType", "dtype"}, {"tirx.Buffer", "dtype"}};
  Field buffer_scope{{"tirx.BufferType", "storage_scope"}};  // from 0.26 on
  Field buffer_shape{{"tirx.BufferType", "shape"}, {"tirx.Buffer", "shape"}};
  Field buffer_strides{{"tirx.BufferType", "strides"}, {"tirx.Buffer", "strides"}};
  Field buffer_offset{{"tirx.BufferType", "elem_offset"}, {"tirx.Buffer", "elem_offset"}};
  Field buffer_alignment{{"tirx.BufferType", "data_alignment"}, {"tirx.Buffer", "data_alignment"}};
  Field buffer_offset_factor{{"tirx.BufferType", "offset_factor"}, {"tirx.Buffer", "offset_factor"}};
  Field buffer_layout{{"tirx.BufferType", "layout"}, {"tirx.Buffer", "layout"}};
  Field buffer_address{{"tirx.BufferType", "allocated_addr"}, {"tirx.Buffer", "allocated_addr"}};
  Field scalar_string{{"ir.StringImm", "value"}, {"tirx.StringImm", "value"}};
  Field not_operand{{"prim.Not", "a"}, {"tirx.Not", "a"}};
  Field bitwise_not_operand{{"prim.BitwiseNot", "a"}};
  Field select_condition{{"prim.Select", "condition"}, {"tirx.Select", "condition"}};
  Field select_true{{"prim.Select", "true_value"}, {"tirx.Select", "true_value"}};
  Field select_false{{"prim.Select", "false_value"}, {"tirx.Select", "false_value"}};
  Field cast_value{{"prim.Cast", "value"}, {"tirx.Cast", "value"}};
  Field ramp_base{{"prim.Ramp", "base"}, {"tirx.Ramp", "base"}};
  Field ramp_stride{{"prim.Ramp", "stride"}, {"tirx.Ramp", "stride"}};
  Field ramp_lanes{{"prim.Ramp", "lanes"}, {"tirx.Ramp", "lanes"}};
  Field broadcast_value{{"prim.Broadcast", "value"}, {"tirx.Broadcast", "value"}};
  Field broadcast_lanes{{"prim.Broadcast", "lanes"}, {"tirx.Broadcast", "lanes"}};
  Field shuffle_vectors{{"prim.Shuffle", "vectors"}, {"tirx.Shuffle", "vectors"}};
  Field shuffle_indices{{"prim.Shuffle", "indices"}, {"tirx.Shuffle", "indices"}};
  Field let_var{{"prim.Let", "var"}, {"tirx.Let", "var"}};
  Field let_value{{"prim.Let", "value"}, {"tirx.Let", "value"}};
  Field let_body{{"prim.Let", "body"}, {"tirx.Let", "body"}};
  Field load_source{{"ir.TensorLoad", "source"}, {"tirx.BufferLoad", "buffer"}};
  Field load_indices{{"ir.TensorLoad", "indices"}, {"tirx.BufferLoad", "indices"}};
  Field load_predicate{{"tirx.BufferLoad", "predicate"}};  // before 0.27
  Field region_source{{"ir.TensorRegion", "source"}, {"tirx.BufferRegion", "buffer"}};
  Field region_ranges{{"ir.TensorRegion", "region"}, {"tirx.BufferRegion", "region"}};
  Field range_min{{"ir.Range", "min"}};
  Field range_extent{{"ir.Range", "extent"}};
  Field loop_var{{"tirx.For", "loop_var"}};
  Field loop_min{{"tirx.For", "min"}};
  Field loop_extent{{"tirx.For", "extent"}};
  Field loop_step{{"tirx.For", "step"}};
  Field loop_kind{{"tirx.For", "kind"}};
  Field loop_thread{{"tirx.For", "thread_binding"}};
  Field loop_annotations{{"tirx.For", "annotations"}};
  Field loop_body{{"tirx.For", "body"}};
  Field while_condition{{"tirx.While", "condition"}};
  Field while_body{{"tirx.While", "body"}};
  Field stmt_seq{{"tirx.SeqStmt", "seq"}};
  Field branch_condition{{"tirx.IfThenElse", "condition"}};
  Field branch_then{{"tirx.IfThenElse", "then_case"}};
  Field branch_else{{"tirx.IfThenElse", "else_case"}};
  Field evaluate_value{{"tirx.Evaluate", "value"}};
  Field bind_var{{"tirx.Bind", "var"}};
  Field bind_value{{"tirx.Bind", "value"}};
  Field store_buffer{{"tirx.BufferStore", "buffer"}};
  Field store_value{{"tirx.BufferStore", "value"}};
  Field store_indices{{"tirx.BufferStore", "indices"}};
  Field store_predicate{{"tirx.BufferStore", "predicate"}};  // before 0.27
  Field alloc_buffer{{"tirx.AllocBuffer", "buffer"}};
  Field alloc_annotations{{"tirx.AllocBuffer", "annotations"}};
  Field decl_buffer{{"tirx.DeclBuffer", "buffer"}};
  Field decl_data{{"tirx.DeclBuffer", "data"}};  // from 0.26 on
  Field attr_node{{"tirx.AttrStmt", "node"}};
  Field attr_key{{"tirx.AttrStmt", "attr_key"}};
  Field attr_value{{"tirx.AttrStmt", "value"}};
  Field attr_body{{"tirx.AttrStmt", "body"}};
  Field assert_condition{{"tirx.AssertStmt", "condition"}};
  Field assert_kind{{"tirx.AssertStmt", "error_kind"}};
  Field assert_message{{"tirx.AssertStmt", "message_parts"}};
  Field return_value{{"tirx.Return", "value"}};  // from 0.26 on
  Field realize_values{{"s_tir.SBlockRealize", "iter_values"}, {"tirx.SBlockRealize", "iter_values"}};
  Field realize_predicate{{"s_tir.SBlockRealize", "predicate"}, {"tirx.SBlockRealize", "predicate"}};
  Field realize_block{{"s_tir.SBlockRealize", "block"}, {"tirx.SBlockRealize", "block"}};
  Field block_axes{{"s_tir.SBlock", "iter_vars"}, {"tirx.SBlock", "iter_vars"}};
  Field block_reads{{"s_tir.SBlock", "reads"}, {"tirx.SBlock", "reads"}};
  Field block_writes{{"s_tir.SBlock", "writes"}, {"tirx.SBlock", "writes"}};
  Field block_name{{"s_tir.SBlock", "name_hint"}, {"tirx.SBlock", "name_hint"}};
  Field block_allocs{{"s_tir.SBlock", "alloc_buffers"}, {"tirx.SBlock", "alloc_buffers"}};
  Field block_matches{{"s_tir.SBlock", "match_buffers"}, {"tirx.SBlock", "match_buffers"}};
  Field block_annotations{{"s_tir.SBlock", "annotations"}, {"tirx.SBlock", "annotations"}};
  Field block_init{{"s_tir.SBlock", "init"}, {"tirx.SBlock", "init"}};
  Field block_body{{"s_tir.SBlock", "body"}, {"tirx.SBlock", "body"}};
  Field match_buffer{{"s_tir.MatchBufferRegion", "buffer"}, {"tirx.MatchBufferRegion", "buffer"}};
  Field match_source{{"s_tir.MatchBufferRegion", "source"}, {"tirx.MatchBufferRegion", "source"}};
  Field axis_domain{{"tirx.IterVar", "dom"}};
  Field axis_var{{"tirx.IterVar", "var"}};
  Field axis_kind{{"tirx.IterVar", "iter_type"}};
  Field axis_thread{{"tirx.IterVar", "thread_tag"}};
  Field module_functions{{"ir.IRModule", "functions"}};
  Field module_attrs{{"ir.IRModule", "attrs"}};
  Field module_infos{{"ir.IRModule", "global_infos"}};
};

struct Functions {
  ffi::Function var = require_function({"ir.Var", "relax.Var"});
  ffi::Function dataflow_var = require_function({"relax.DataflowVar"});
  ffi::Function symbol = find_function({"tirx.Var", "tir.Var"});  // none: a variable of a PrimType
  ffi::Function int_imm = require_function({"ir.IntImm"});
  ffi::Function max_value = find_function({"prim.max_value", "tirx.max_value", "tir.max_value"});
  ffi::Function float_imm = require_function({"ir.FloatImm"});
  ffi::Function prim_value = find_function({"relax.PrimValue"});  // none: numbers are expressions as they are
  ffi::Function string_imm = require_function({"ir.StringImm", "relax.StringImm"});
  ffi::Function dtype_imm = find_function({"relax.DataTypeImm"});  // none: a GenericConst
  ffi::Function generic_const = find_function({"ir.GenericConst"});
  ffi::Function tensor_const = require_function({"relax.MakeTensorConst", "relax.Constant"});
  ffi::Function typed_call = find_function({"ir.Call"});  // takes the result's type first
  ffi::Function untyped_call = find_function({"relax.Call"});
  ffi::Function tuple = require_function({"ir.Tuple", "relax.Tuple"});
  ffi::Function get_item = require_function({"ir.TupleGetItem", "relax.TupleGetItem"});
  ffi::Function shape = require_function({"relax.ShapeExpr"});
  ffi::Function global_var = require_function({"ir.GlobalVar"});
  ffi::Function extern_func = require_function({"relax.ExternFunc"});
  ffi::Function get_op = require_function({"ir.GetOp"});
  ffi::Function op_attr = require_function({"ir.OpGetAttr"});
  ffi::Function branch = require_function({"relax.If"});
  ffi::Function function = require_function({"relax.Function"});
  ffi::Function seq = require_function({"relax.SeqExpr"});
  ffi::Function var_binding = require_function({"relax.VarBinding"});
  ffi::Function match_cast = require_function({"relax.MatchCast"});
  ffi::Function binding_block = require_function({"relax.BindingBlock"});
  ffi::Function dataflow_block = require_function({"relax.DataflowBlock"});
  ffi::Function make_object = require_function({"ffi.MakeObjectFromPackedArgs"});
  ffi::Function module = require_function({"ir.IRModule"});
  ffi::Function vdevice = require_function({"relax.VDevice", "ir.VDevice"});
  ffi::Function target = require_function({"target.Target"});
  ffi::Function device_mesh = require_function({"relax.distributed.DeviceMesh"});
  ffi::Function placement_from_text = require_function({"relax.distributed.PlacementFromText"});
  ffi::Function distributed_type = require_function({"relax.distributed.DTensorType", "relax.distributed.DTensorStructInfo"});
  ffi::Function index_map = require_function({"tirx.IndexMap", "tir.IndexMap"});

  // TensorIR
  ffi::Function pointer_type = find_function({"ir.PointerType"});
  ffi::Function buffer_type = find_function({"tirx.BufferType"});  // this and the next from 0.26 on
  ffi::Function buffer_var = find_function({"tirx.BufferVar"});
  ffi::Function buffer = find_function({"tirx.Buffer"});           // this and the next before 0.26
  ffi::Function scalar_call = find_function({"tirx.Call"});
  ffi::Function unit_type = find_function({"ir.TupleType"});
  ffi::Function scalar_string = find_function({"ir.StringImm", "tirx.StringImm"});
  ffi::Function negation = find_function({"prim.Not", "tirx.Not"});
  ffi::Function select = find_function({"prim.Select", "tirx.Select"});
  ffi::Function cast = find_function({"prim.Cast", "tirx.Cast"});
  ffi::Function ramp = find_function({"prim.Ramp", "tirx.Ramp"});
  ffi::Function broadcast = find_function({"prim.Broadcast", "tirx.Broadcast"});
  ffi::Function shuffle = find_function({"prim.Shuffle", "tirx.Shuffle"});
  ffi::Function let = find_function({"prim.Let", "tirx.Let"});
  ffi::Function buffer_load = find_function({"tirx.BufferLoad"});
  ffi::Function buffer_data = find_function({"tirx.BufferData"});
  ffi::Function buffer_pointer_type = find_function({"tirx.BufferDataPointerType"});
  ffi::Function buffer_region = find_function({"tirx.BufferRegion"});
  ffi::Function range = find_function({"ir.Range_from_min_extent"});
  ffi::Function iter_var = find_function({"tirx.IterVar"});
  ffi::Function loop = find_function({"tirx.For"});
  ffi::Function while_loop = find_function({"tirx.While"});
  ffi::Function seq_stmt = find_function({"tirx.SeqStmt"});
  ffi::Function if_then_else = find_function({"tirx.IfThenElse"});
  ffi::Function evaluate = find_function({"tirx.Evaluate"});
  ffi::Function bind = find_function({"tirx.Bind"});
  ffi::Function buffer_store = find_function({"tirx.BufferStore"});
  ffi::Function alloc_buffer = find_function({"tirx.AllocBuffer"});
  ffi::Function decl_buffer = find_function({"tirx.DeclBuffer"});
  ffi::Function attr_stmt = find_function({"tirx.AttrStmt"});
  ffi::Function assert_stmt = find_function({"tirx.AssertStmt"});
  ffi::Function return_stmt = find_function({"tirx.Return"});
  ffi::Function break_stmt = find_function({"tirx.Break"});
  ffi::Function continue_stmt = find_function({"tirx.Continue"});
  ffi::Function block = find_function({"s_tir.SBlock", "tirx.SBlock"});
  ffi::Function block_realize = find_function({"s_tir.SBlockRealize", "tirx.SBlockRealize"});
  ffi::Function match_buffer = find_function({"s_tir.MatchBufferRegion", "tirx.MatchBufferRegion"});
  ffi::Function prim_func = find_function({"tirx.PrimFunc"});
  ffi::Function op_names = require_function({"ir.ListOpNames"});
  ffi::Function build = find_function({kBuildFunction});  // makes code of functions of TensorIR

  ffi::Function any_type = require_function({"relax.ObjectStructInfo", "relax.AnyType", "relax.ObjectType"});
  ffi::Function tensor_type = require_function({"relax.TensorStructInfo", "relax.TensorType"});
  ffi::Function tuple_type = require_function({"relax.TupleStructInfo", "ir.TupleType"});
  ffi::Function shape_type = require_function({"relax.ShapeStructInfo", "relax.ShapeType"});
  ffi::Function prim_struct_info = find_function({"relax.PrimStructInfoFromDtype"});
  ffi::Function prim_type = require_function({"ir.PrimType"});
  ffi::Function func_type = require_function({"relax.FuncStructInfo", "relax.FuncType"});
  ffi::Function opaque_func_type =
      require_function({"relax.FuncStructInfoOpaqueFunc", "relax.FuncTypeOpaqueFunc"});
  ffi::Function type_missing = find_function({"ir.TypeMissing"});

  ffi::Function is_base_of = require_function({"relax.TypeIsBaseOf", "relax.StructInfoIsBaseOf"});
  ffi::Function update_type = require_function({"relax.UpdateType", "relax.UpdateStructInfo"});
  ffi::Function type_lca = require_function({"relax.analysis.TypeLCA", "relax.analysis.StructInfoLCA"});
  ffi::Function erase = require_function({"relax.analysis.EraseToWellDefined"});
  ffi::Function derive_call_type =
      require_function({"relax.analysis.DeriveCallRetType", "relax.analysis.DeriveCallRetStructInfo"});
  ffi::Function builder = require_function({"relax.BlockBuilderCreate"});
  ffi::Function begin_scope = require_function({"relax.BlockBuilderBeginScope"});
  ffi::Function end_scope = require_function({"relax.BlockBuilderEndScope"});
  ffi::Function check_well_formed = require_function({"relax.analysis.check_well_formed"});
  ffi::Function well_formed = require_function({"relax.analysis.well_formed"});
  ffi::Function run_pass = require_function({"transform.RunPass"});
  ffi::Function sequential = require_function({"transform.Sequential"});
};

// What is needed to build calls of an op.
struct OpInfo {
  ObjectRef op{nullptr};
  std::string attrs_type;  // empty: no attributes, or the op does not tell their class
  ffi::Function infer_type{nullptr};
  ffi::Function infer_distributed{nullptr};  // for operands that are distributed tensors
};

class Compiler {
 public:
  Compiler();

  Fields fields;
  Functions functions;
  // The compiler is TVM before 0.26: types are StructInfo, numbers are wrapped in PrimValue, dtypes of types are plain.
  bool has_struct_info = false;

  Node node(const ffi::Object* object) const;
  Node node(const ObjectRef& object) const { return node(object.get()); }
  const ffi::Function& arithmetic(DimOp op) const { return arithmetic_[static_cast<std::size_t>(op)]; }
  // Throws an ffi::Error for an op that the compiler does not have.
  const OpInfo& op(std::string_view name) const;

 private:
  std::vector<Node> nodes_;  // by type index
  std::vector<ffi::Function> arithmetic_;  // by DimOp
};

// The names are looked up at the first use, which must come after the compiler is loaded.
const Compiler& compiler();

}  // namespace passdiff
