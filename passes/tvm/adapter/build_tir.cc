#include "passes/tvm/adapter/build_tir.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/match.h"
#include "passes/tvm/adapter/buffers.h"
#include "passes/tvm/adapter/encode_types.h"
#include "passes/tvm/adapter/tir_layout.h"
#include "passes/tvm/adapter/tir_names.h"

namespace passdiff {
namespace {

ObjectRef prim_type(DLDataType dtype) {
  return call(compiler().functions.prim_type, dtype).cast<ObjectRef>();
}

ObjectRef pointer_to(const ObjectRef& type) {
  return call(compiler().functions.pointer_type, type, ffi::String("global")).cast<ObjectRef>();
}

// Of a pointer the document does not say to what.
ObjectRef type_of_scalar(const tir::ScalarType& type) {
  return type.kind == tir::ScalarType::Kind::handle ? pointer_to(prim_type(kVoid)) : prim_type(dl_dtype_of(type));
}

const ffi::Function& binary_function(tir::BinaryOp op) {
  static const auto functions = [] {
    std::array<ffi::Function, tir::kBinaryOps> found;
    found.fill(ffi::Function(nullptr));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::string name(binary_op_name(static_cast<tir::BinaryOp>(i)));
      found[i] = require_function({"prim." + name, "tirx." + name});
    }
    return found;
  }();
  return functions[static_cast<std::size_t>(op)];
}

// The constructor of the class that stands for this intrinsic on bits; null for other intrinsics.
ffi::Function bitwise_function(std::string_view intrinsic) {
  for (const auto& [name, of] : kBitwise) {
    if (of == intrinsic) return find_function({"prim." + std::string(name)});  // before 0.27 they are intrinsics here, too
  }
  return ffi::Function(nullptr);
}

// The full name of the op of an intrinsic; empty if the compiler has none.
std::string op_of_intrinsic(std::string_view intrinsic) {
  static const auto known = [] {
    std::set<std::string, std::less<>> names;
    for (const ffi::String& name : call(compiler().functions.op_names).cast<ffi::Array<ffi::String>>())
      names.insert(std::string(name));
    return names;
  }();
  for (const std::string_view space : kTirNamespaces) {
    std::string name = std::string(space);
    if (is_packed_call(intrinsic)) name += kPackedPrefix;
    name += intrinsic;
    if (known.contains(name)) return name;
  }
  return known.contains(intrinsic) ? std::string(intrinsic) : std::string();
}

// The type of the address of an element of a buffer, or of a variable.
ObjectRef address_type(const ObjectRef& of) {
  const Compiler& c = compiler();
  const ObjectRef buffer = c.node(of) == Node::tensor_load ? c.fields.load_source.object(of.get()) : of;
  const ObjectRef type = type_of(buffer);
  if (c.node(type) == Node::buffer_type) return call(c.functions.buffer_pointer_type, buffer).cast<ObjectRef>();
  return pointer_to(type);
}

// The type of the result of an intrinsic. Of a pointer the document does not say to what: for some the operands tell.
ObjectRef result_type(std::string_view name, const tir::ScalarType& type, const Objects& args) {
  const Compiler& c = compiler();
  if (type.kind != tir::ScalarType::Kind::handle) return type_of_scalar(type);
  if (name == kAddressOf && args.size() == 1) return address_type(args[0]);
  bool to_sizes = name == kMakeShape;
  if (name == kStructGet && args.size() == 3 && c.node(args[2]) == Node::int_imm) {
    const auto field = c.fields.int_value(args[2].get()).cast<std::int64_t>();
    to_sizes = field == kShapeField || field == kStridesField;
  }
  return to_sizes ? pointer_to(prim_type(dl_dtype(DType::int64))) : type_of_scalar(type);
}

// Whether the function is of the dialect whose buffers have no layout; in others a buffer has one even if none is written.
bool has_no_layouts(const PrimFuncDocument& document, GlobalInfos infos) {
  Cursor at = document.attrs;
  const Result<NamedAttrs> attrs = read_attrs(at, infos);
  if (!attrs) return false;
  const auto flag = attrs->find("s_tir");
  return flag != attrs->end() && flag->second == AttrValue(true);
}

}  // namespace

TirFunction::TirFunction(ModuleScope& scope, const PrimFuncDocument& document)
    : PrimFuncReader(document, scope.infos.counts()),
      scope_(scope),
      types_(scope.infos, {}),
      global_(call(compiler().functions.global_var, string_of(document.name)).cast<ObjectRef>()) {}

Result<ObjectRef> TirFunction::build() {
  ObjectRef built = TRY(read());
  call(compiler().functions.update_type, global_, type_of(built));
  return built;
}

// The document does not say to what a pointer points: a variable that is bound to one gets its type from the value, later.
ObjectRef TirFunction::make_variable(const ScalarVariableDocument& declared) {
  const Functions& f = compiler().functions;
  const bool pointer = declared.type.kind == tir::ScalarType::Kind::handle;
  if (pointer) return make(f.var, string_of(declared.name), call(f.type_missing).cast<ObjectRef>());
  return new_variable(declared.name, declared.type);
}

ObjectRef TirFunction::new_variable(std::string_view name, const tir::ScalarType& type) const {
  return make(compiler().functions.var, string_of(name), type_of_scalar(type));
}

ObjectRef TirFunction::settled(const ObjectRef& variable, const ObjectRef& pointer) const {
  const Compiler& c = compiler();
  if (has_type(variable)) return variable;
  const ObjectRef type = pointer.defined() ? type_of(pointer) : ObjectRef(nullptr);
  call(c.functions.update_type, variable,
       c.node(type) == Node::pointer_type ? type : type_of_scalar(tir::kHandle));
  return variable;
}

Result<ObjectRef> TirFunction::make_buffer(BufferParts parts) {
  if (!parts.axis_separators.empty()) return parts.at.error("json.field", "this compiler has no axis separators");
  const Functions& f = compiler().functions;
  const ObjectRef layout = layout_of(parts.shape);
  const ObjectRef type = make(f.buffer_type, string_of(parts.scope), type_of_scalar(parts.dtype), parts.shape,
                              parts.strides, parts.elem_offset, parts.data_alignment, parts.offset_factor, layout,
                              Objects());
  return make(f.buffer_var, string_of(parts.name), type);
}

ObjectRef TirFunction::layout_of(const Objects& shape) const {
  return has_no_layouts(document(), scope_.infos.counts()) ? ObjectRef(nullptr) : default_layout(shape);
}

ObjectRef TirFunction::make_string(std::string_view value) {
  return make(compiler().functions.scalar_string, string_of(value));
}

ObjectRef TirFunction::make_binary(tir::BinaryOp op, ObjectRef lhs, ObjectRef rhs) {
  return make(binary_function(op), lhs, rhs);
}

ObjectRef TirFunction::make_not(ObjectRef operand) {
  return make(compiler().functions.negation, operand);
}

ObjectRef TirFunction::make_select(ObjectRef condition, ObjectRef on_true, ObjectRef on_false) {
  return make(compiler().functions.select, condition, on_true, on_false);
}

ObjectRef TirFunction::make_cast(const tir::ScalarType& type, ObjectRef operand) {
  return make(compiler().functions.cast, type_of_scalar(type), operand);
}

Result<ObjectRef> TirFunction::make_load(const Cursor& at, ObjectRef buffer, Objects indices, ObjectRef predicate) {
  const Compiler& c = compiler();
  if (c.fields.load_predicate) return make(c.functions.buffer_load, buffer, indices, predicate);
  if (predicate.defined()) return at.error("json.field", "this compiler has no predicates of loads");
  return make(c.functions.buffer_load, buffer, indices);
}

ObjectRef TirFunction::make_ramp(ObjectRef base, ObjectRef stride, int lanes) {
  return make(compiler().functions.ramp, base, stride, int_imm(DType::int32, lanes));
}

ObjectRef TirFunction::make_broadcast(ObjectRef value, int lanes) {
  return make(compiler().functions.broadcast, value, int_imm(DType::int32, lanes));
}

ObjectRef TirFunction::make_shuffle(Objects vectors, Objects indices) {
  return make(compiler().functions.shuffle, vectors, indices);
}

ObjectRef TirFunction::make_let(ObjectRef variable, ObjectRef value, ObjectRef body) {
  return make(compiler().functions.let, settled(variable, value), value, body);
}

ObjectRef TirFunction::call_of(const ObjectRef& callee, std::string_view intrinsic, const tir::ScalarType& type, const Objects& args) const {
  const ObjectRef made = intrinsic.empty() ? type_of_scalar(type) : result_type(intrinsic, type, args);
  return make(compiler().functions.typed_call, made, callee, args, ObjectRef(nullptr), Objects());
}

Result<ObjectRef> TirFunction::make_intrinsic(const Cursor& at, std::string_view name, const tir::ScalarType& type,
                                              Objects args) {
  if (const ffi::Function bitwise = bitwise_function(name); bitwise != nullptr) {
    if (args.size() != (name == kBitwiseNot ? 1U : 2U))
      return at.error("json.type", std::string(name) + " of " + std::to_string(args.size()) + " operands");
    return args.size() == 1 ? make(bitwise, args[0]) : make(bitwise, args[0], args[1]);
  }
  const std::string op = op_of_intrinsic(name);
  if (op.empty()) return at.error("json.unknown-op", "no intrinsic is called \"" + std::string(name) + "\"");
  return call_of(compiler().op(op).op, name, type, args);
}

Result<ObjectRef> TirFunction::make_function_call(const Cursor& at, std::string_view name, const tir::ScalarType& type,
                                                  Objects args) {
  for (const auto& function : scope_.prim_funcs) {
    if (function->document().name == name) return call_of(function->global(), {}, type, args);
  }
  return at.error("json.name", "no function of TensorIR is called " + std::string(name));
}

ObjectRef TirFunction::make_buffer_data(ObjectRef buffer) {
  return call(compiler().functions.buffer_data, buffer).cast<ObjectRef>();
}

Any TirFunction::annotations(const NamedAttrs& attrs) {
  ffi::Map<ffi::String, Any> map;
  for (const auto& [name, value] : attrs) map.Set(name, types_.attr(value));
  return map;
}

ObjectRef TirFunction::range(const Range& range) const {
  return make(compiler().functions.range, range.min, range.extent);
}

ObjectRef TirFunction::region(const Region& region) const {
  Objects ranges;
  for (const Range& one : region.ranges) ranges.push_back(range(one));
  return call(compiler().functions.buffer_region, region.buffer, ranges).cast<ObjectRef>();
}

Objects TirFunction::regions(const std::vector<Region>& list) const {
  Objects result;
  for (const Region& one : list) result.push_back(region(one));
  return result;
}

ObjectRef TirFunction::make_loop(LoopParts parts) {
  const Functions& f = compiler().functions;
  ObjectRef thread(nullptr);
  if (!parts.thread_tag.empty()) {
    const ObjectRef var = new_variable("iter", scalar_type_of_value(parts.var));
    thread = make(f.iter_var, ObjectRef(nullptr), var, kThreadIndex, string_of(parts.thread_tag));
  }
  return make(f.loop, parts.var, parts.range.min, parts.range.extent, static_cast<std::int64_t>(parts.kind),
              parts.body, thread, annotations(parts.annotations), parts.step);
}

ObjectRef TirFunction::make_while(ObjectRef condition, ObjectRef body) {
  return make(compiler().functions.while_loop, condition, body);
}

ObjectRef TirFunction::make_seq(Objects stmts) {
  return make(compiler().functions.seq_stmt, stmts);
}

ObjectRef TirFunction::make_branch(ObjectRef condition, ObjectRef then_case, ObjectRef else_case) {
  return make(compiler().functions.if_then_else, condition, then_case, else_case);
}

ObjectRef TirFunction::make_evaluate(ObjectRef value) {
  return make(compiler().functions.evaluate, value);
}

ObjectRef TirFunction::make_bind(ObjectRef variable, ObjectRef value) {
  return make(compiler().functions.bind, settled(variable, value), value);
}

Result<ObjectRef> TirFunction::make_store(const Cursor& at, ObjectRef buffer, Objects indices, ObjectRef value,
                                          ObjectRef predicate) {
  const Compiler& c = compiler();
  if (c.fields.store_predicate) return make(c.functions.buffer_store, buffer, value, indices, predicate);
  if (predicate.defined()) return at.error("json.field", "this compiler has no predicates of stores");
  return make(c.functions.buffer_store, buffer, value, indices);
}

ObjectRef TirFunction::make_alloc_buffer(ObjectRef buffer, NamedAttrs annotations) {
  return make(compiler().functions.alloc_buffer, buffer, this->annotations(annotations));
}

ObjectRef TirFunction::make_decl_buffer(ObjectRef buffer, ObjectRef data) {
  return make(compiler().functions.decl_buffer, buffer, data);
}

// A thread's variable stands in an IterVar, whose domain is as large as the statement says.
ObjectRef TirFunction::make_attr(AttrParts parts) {
  const Functions& f = compiler().functions;
  Any node;
  match(
      parts.node, [](const std::monostate&) {}, [&](const std::string_view& text) { node = string_of(text); },
      [&](const std::int64_t& number) { node = number; },
      [&](const Param& param) { node = param.var ? use(*param.var) : *param.buffer; });
  if (!parts.thread_tag.empty()) {
    const ObjectRef var = node.cast<ObjectRef>();
    const DType index = dtype_of(dtype_of_number(var.get())).value_or(DType::int32);
    const ObjectRef domain = range({int_imm(index, 0), parts.value});
    node = make(f.iter_var, domain, var, kThreadIndex, string_of(parts.thread_tag));
  }
  return make(f.attr_stmt, node, string_of(parts.key), parts.value, parts.body);
}

ObjectRef TirFunction::make_assert(ObjectRef condition, std::string_view kind,
                                   std::vector<std::string_view> message_parts) {
  Objects message;
  for (const std::string_view part : message_parts) message.push_back(make_string(part));
  return make(compiler().functions.assert_stmt, condition, make_string(kind), message);
}

ObjectRef TirFunction::make_return(ObjectRef value) {
  return make(compiler().functions.return_stmt, value);
}

ObjectRef TirFunction::make_break() {
  return make(compiler().functions.break_stmt);
}

ObjectRef TirFunction::make_continue() {
  return make(compiler().functions.continue_stmt);
}

ObjectRef TirFunction::make_block(BlockParts parts) {
  const Functions& f = compiler().functions;
  Objects axes;
  for (const Axis& axis : parts.axes) {
    const auto* kind = std::ranges::find(kIterKinds, axis.kind, &std::pair<tir::IterKind, std::int64_t>::first);
    axes.push_back(make(f.iter_var, range(axis.domain), axis.var, kind->second, ffi::String()));
  }
  Objects matches;
  for (const Match& match : parts.match_buffers)
    matches.push_back(call(f.match_buffer, match.buffer, region(match.source)).cast<ObjectRef>());
  const ObjectRef block = make(f.block, axes, regions(parts.reads), regions(parts.writes), string_of(parts.name),
                               parts.body, parts.init, parts.alloc_buffers, matches, annotations(parts.annotations));
  return make(f.block_realize, parts.values, parts.predicate, block);
}

Result<ObjectRef> TirFunction::make_function(std::vector<Param> params, NamedAttrs attrs, ObjectRef body) {
  const Functions& f = compiler().functions;
  const ffi::String name = string_of(document().name);
  const auto target = attrs.find("target");
  Any made_target;
  if (target != attrs.end()) {
    if (const auto* text = std::get_if<std::string>(&target->second)) {
      made_target = call(f.target, ffi::String(*text));
      attrs.erase(target);
    }
  }
  const ObjectRef dict = make_dict_attrs(attrs, types_, document().is_public ? &name : nullptr, made_target);
  return new_function(params, body, dict);
}

ObjectRef TirFunction::new_function(const std::vector<Param>& params, const ObjectRef& body, const ObjectRef& attrs) {
  const Functions& f = compiler().functions;
  Objects vars;
  for (const Param& param : params) vars.push_back(param.var ? use(*param.var) : *param.buffer);
  const bool returns = document().result != tir::kNoValue;
  return make(f.prim_func, vars, body, returns ? type_of_scalar(document().result) : make(f.unit_type, Objects()), attrs);
}

}  // namespace passdiff
