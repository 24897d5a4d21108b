#include <fmt/format.h>

#include "core/ops/op.h"
#include "core/form/devices.h"
#include "core/text/printer.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// TVM's Python function of an op is its name without the dialect: relax.nn.relu is R.nn.relu.
std::string_view short_name(const OpDef& op) {
  std::string_view name = op.name;
  if (name.starts_with("relax.")) name.remove_prefix(6);
  return name;
}

}  // namespace

std::string PrintContext::prim(const PrimValue& value) {
  if (const double* number = std::get_if<double>(&value.value)) {
    return fmt::format("R.prim_value(T.{}({}))", dtype_name(value.dtype),
                       float_literal(*number, value.dtype));
  }
  const Dim& integer = std::get<Dim>(value.value);
  if (value.dtype == DType::int64) return "R.prim_value(" + dim(integer) + ")";
  if (value.dtype == DType::boolean)
    return integer.value() != 0 ? "R.prim_value(True)" : "R.prim_value(False)";
  return fmt::format("R.prim_value(T.{}({}))", dtype_name(value.dtype), dim(integer));
}

// An argument of an op. Integers stand bare, as in TVM: R.strided_slice(x, (0,), (0,), (2,)).
std::string PrintContext::operand(const ExprPtr& value) {
  if (const PrimValue* scalar = as<PrimValue>(value)) {
    const Dim* integer = std::get_if<Dim>(&scalar->value);
    return integer != nullptr && scalar->dtype == DType::int64 ? dim(*integer) : prim(*scalar);
  }
  const Tuple* tuple = as<Tuple>(value);
  if (tuple == nullptr || tuple->fields.empty()) return expr(value);
  std::string out = "(";
  for (const ExprPtr& field : tuple->fields) out += operand(field) + ", ";
  out.resize(out.size() - (tuple->fields.size() == 1 ? 1 : 2));
  return out + ")";
}

std::string PrintContext::device(VDeviceRef ref) const {
  if (module == nullptr || ref.index < 0 || static_cast<std::size_t>(ref.index) >= module->vdevices.size()) {
    return quote(vdevice(ref.index));
  }
  const VDevice& found = module->vdevices[static_cast<std::size_t>(ref.index)];
  return fmt::format("R.device(device_type={}, index={})", device_type(found.target), found.id);
}

std::string PrintContext::attr(const AttrValue& value) {
  if (const DType* dtype = std::get_if<DType>(&value)) return quote(dtype_name(*dtype));
  if (const VDeviceRef* device = std::get_if<VDeviceRef>(&value)) return quote(vdevice(device->index));
  return attr_literal(value);
}

std::string PrintContext::op_call(const OpDef& op, const Call& call) {
  std::string out = fmt::format("R.{}(", short_name(op));
  std::string_view separator;
  for (const ExprPtr& arg : call.args) {
    out += separator;
    out += operand(arg);
    separator = ", ";
  }
  const std::span<const Param> params = op.attributes();
  for (std::size_t i = 0; i < params.size() && i < call.attrs.size(); ++i) {
    const bool absent = std::holds_alternative<std::monostate>(call.attrs[i]);
    if (absent && params[i].default_value == call.attrs[i]) continue;
    // The one op whose attribute is a runtime device.
    const VDeviceRef* hint =
        op.name == "relax.hint_on_device" ? std::get_if<VDeviceRef>(&call.attrs[i]) : nullptr;
    out += fmt::format("{}{}={}", separator, params[i].name,
                       hint != nullptr ? device(*hint) : attr(call.attrs[i]));
    separator = ", ";
  }
  return out + ")";
}

std::string PrintContext::call(const Call& call) {
  if (const OpDef* op = called_op(call)) return op_call(*op, call);
  std::vector<std::string> args;
  std::string callee;
  if (const ExternFunc* external = std::get_if<ExternFunc>(&call.callee)) {
    callee = "R.call_packed";
    args.push_back(quote(external->name));
  } else if (const GlobalRef* global = std::get_if<GlobalRef>(&call.callee)) {
    callee = "cls." + global->name;
  } else {
    callee = expr(std::get<ExprPtr>(call.callee));
  }
  for (const ExprPtr& arg : call.args) args.push_back(expr(arg));
  if (!call.type_args.empty()) {
    std::string types;
    for (const Type& one : call.type_args) types += type(one) + ", ";
    types.resize(types.size() - (call.type_args.size() == 1 ? 1 : 2));
    args.push_back("ty_args=(" + types + ")");
  }
  return fmt::format("{}({})", callee, fmt::join(args, ", "));
}

std::string PrintContext::expr(const ExprPtr& any) {
  if (const Var* variable = as<Var>(any)) return var(*variable);
  if (const Constant* constant = as<Constant>(any)) return constant_literal(*constant->tensor, plain_tvm);
  if (const Call* one = as<Call>(any)) return call(*one);
  if (const TupleGetItem* item = as<TupleGetItem>(any))
    return fmt::format("{}[{}]", expr(item->tuple), item->index);
  if (const ShapeExpr* values = as<ShapeExpr>(any))
    return "R.shape([" + shape(values->values, DimStyle::plain) + "])";
  if (const PrimValue* scalar = as<PrimValue>(any)) return prim(*scalar);
  if (const StringImm* text = as<StringImm>(any)) return "R.str(" + quote(text->value) + ")";
  if (const DataTypeImm* dtype = as<DataTypeImm>(any))
    return "R.dtype(" + quote(dtype_name(dtype->value)) + ")";
  if (const GlobalRef* global = as<GlobalRef>(any)) return "cls." + global->name;
  if (const ExternFunc* external = as<ExternFunc>(any)) return "R.ExternFunc(" + quote(external->name) + ")";
  if (const Tuple* tuple = as<Tuple>(any)) {
    if (tuple->fields.empty()) return "R.tuple()";
    std::string out = "(";
    for (const ExprPtr& field : tuple->fields) out += expr(field) + ", ";
    out.resize(out.size() - (tuple->fields.size() == 1 ? 1 : 2));
    return out + ")";
  }
  // Statements in text: print.cc writes them where they are bound. Only messages come here.
  if (const If* branch = as<If>(any)) return "(if " + expr(branch->condition) + ")";
  return "(function)";
}

}  // namespace passdiff
