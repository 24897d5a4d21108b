#include <fmt/format.h>

#include "core/form/devices.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"
#include "core/text/printer.h"

namespace passdiff {
namespace {

// The Python function of an op is named as the op without the dialect: R.nn.relu makes calls of relax.nn.relu.
std::string_view short_name(const Op& op) {
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

// An operand of an op. Integers need no R.prim_value: R.strided_slice(x, (0,), (0,), (2,)).
std::string PrintContext::operand(const ExprPtr& value) {
  if (const PrimValue* scalar = as<PrimValue>(value)) {
    const Dim* integer = std::get_if<Dim>(&scalar->value);
    return integer != nullptr && scalar->dtype == DType::int64 ? dim(*integer) : prim(*scalar);
  }
  const Tuple* fields = as<Tuple>(value);
  if (fields == nullptr || fields->fields.empty()) return expr(value);
  std::vector<std::string> operands;
  for (const ExprPtr& field : fields->fields) operands.push_back(operand(field));
  return tuple_literal(operands);
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
    const VDeviceRef* hint =
        params[i].kind == ParamKind::attr_device ? std::get_if<VDeviceRef>(&call.attrs[i]) : nullptr;
    out += fmt::format("{}{}={}", separator, params[i].name,
                       hint != nullptr ? device(*hint) : attr(call.attrs[i]));
    separator = ", ";
  }
  return out + ")";
}

std::string PrintContext::call(const Call& call) {
  if (const OpDef* op = called_op(call)) return op_call(*op, call);
  const std::string callee = match(
      call.callee, [](const Op* op) { return "R." + std::string(short_name(*op)); },
      [](const GlobalRef& global) { return "cls." + global.name; },
      [this](const ExprPtr& value) { return expr(value); },
      [](const ExternFunc&) { return std::string("R.call_packed"); });
  std::vector<std::string> args;
  if (const ExternFunc* external = std::get_if<ExternFunc>(&call.callee)) args.push_back(quote(external->name));
  for (const ExprPtr& arg : call.args) args.push_back(expr(arg));
  if (!call.type_args.empty()) {
    std::vector<std::string> types;
    for (const Type& one : call.type_args) types.push_back(type(one));
    args.push_back("ty_args=" + tuple_literal(types));
  }
  return fmt::format("{}({})", callee, fmt::join(args, ", "));
}

std::string PrintContext::tuple(const Tuple& tuple) {
  if (tuple.fields.empty()) return "R.tuple()";
  std::vector<std::string> fields;
  for (const ExprPtr& field : tuple.fields) fields.push_back(expr(field));
  return tuple_literal(fields);
}

std::string PrintContext::expr(const ExprPtr& any) {
  return match(
      any, [this](const Var& variable) { return var(variable); },
      [this](const Constant& constant) { return constant_literal(*constant.tensor, plain_tvm); },
      [this](const Call& one) { return call(one); },
      [this](const Tuple& one) { return tuple(one); },
      [this](const TupleGetItem& item) { return fmt::format("{}[{}]", expr(item.tuple), item.index); },
      [this](const ShapeExpr& one) { return "R.shape([" + shape(one.values, DimStyle::plain) + "])"; },
      [this](const PrimValue& scalar) { return prim(scalar); },
      [](const StringImm& text) { return "R.str(" + quote(text.value) + ")"; },
      [](const DataTypeImm& dtype) { return "R.dtype(" + quote(dtype_name(dtype.value)) + ")"; },
      [](const GlobalRef& global) { return "cls." + global.name; },
      [](const ExternFunc& external) { return "R.ExternFunc(" + quote(external.name) + ")"; },
      // Statements in TVMScript: print.cc writes them where they are bound. Inside of expressions, where they stand
      // in ill-formed modules alone, Python's nearest expressions do.
      [this](const If& branches) {
        return fmt::format("({} if {} else {})", expr(branches.then_branch->result), expr(branches.condition),
                           expr(branches.else_branch->result));
      },
      [this](const FunctionPtr& function) {
        std::vector<std::string> params;
        for (const Var& param : function->params) params.push_back(var(param));
        return fmt::format("(lambda {}: {})", fmt::join(params, ", "), expr(function->body.result));
      });
}

}  // namespace passdiff
