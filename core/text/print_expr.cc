#include <fmt/format.h>

#include <algorithm>

#include "core/form/devices.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"
#include "core/text/printer.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

constexpr std::string_view kTypes = "ty_args";
constexpr std::string_view kOneType = "out_ty";  // the keyword of calls that declare one type, where others declare several

// TVM's constructors of these calls take the declared type before such an operand.
bool stands_by_name(const OpDef& op, const Param& param) {
  return param.kind == ParamKind::format || (op.type_args == kOneType && param.optional);
}

// TVMScript has constants and calls of its own for what makes distributed tensors.
bool is_distributed(const Type& type) {
  return any_field(type, [](const Type& field) { return field.as_tensor() != nullptr && field.as_tensor()->sharding; });
}

}  // namespace

std::string_view script_name(const Op& op) {
  std::string_view name = op.name;
  constexpr std::string_view kDialect = "relax.";
  if (name.starts_with(kDialect)) name.remove_prefix(kDialect.size());
  return name;
}

std::string PrintContext::prim(const PrimValue& value) {
  if (const double* number = std::get_if<double>(&value.value)) {
    return fmt::format("R.prim_value(T.{}({}))", dtype_name(value.dtype),
                       float_literal(*number, value.dtype));
  }
  const Dim& integer = std::get<Dim>(value.value);
  if (value.dtype == DType::int64) return "R.prim_value(" + dim(integer) + ")";
  if (value.dtype == DType::boolean) {
    if (!integer.is_static()) return "R.prim_value(" + dim(integer) + ")";
    return integer.value() != 0 ? "R.prim_value(True)" : "R.prim_value(False)";
  }
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

std::string PrintContext::attr(const Param& param, const AttrValue& value) {
  return match(
      value, [](const std::same_as<DType> auto& dtype) { return quote(dtype_name(dtype)); },
      [&](const VDeviceRef& ref) {
        return param.kind == ParamKind::attr_device ? device(ref) : quote(vdevice(ref.index));
      },
      [&](const OneOf<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                      AttrList, AttrMap, IndexMap, MeshRef> auto&) { return attr_literal(value); });
}

// One operand of a call of the op; nothing for the one that stands after all others, by its name.
std::optional<std::string> PrintContext::positional(const OpDef& op, std::size_t at, const ExprPtr& value) {
  const std::span<const Param> operands = op.operands();
  const ParamKind kind = at < operands.size() ? operands[at].kind : operands.back().kind;
  if (at < operands.size() && stands_by_name(op, operands[at])) return std::nullopt;
  switch (kind) {
    case ParamKind::callee:
      if (const ExternFunc* external = as<ExternFunc>(value)) return quote(external->name);
      return expr(value);
    case ParamKind::tensor:  // TVM gives a bare integer a dtype of its own where the op takes tensors or scalars
    case ParamKind::values:
      return expr(value);
    default:
      return operand(value);
  }
}

std::string PrintContext::types(const OpDef& op, const std::vector<Type>& declared) {
  std::vector<std::string> all;
  const bool one = op.type_args == kOneType && declared.size() == 1;
  const TupleType* fields = one ? declared.front().as_tuple() : nullptr;
  const bool several = fields != nullptr && fields->fields.size() > 1 &&
                       std::ranges::all_of(fields->fields, [](const Type& field) { return field.as_tensor() != nullptr; });
  for (const Type& each : several ? fields->fields : declared) all.push_back(type(each));
  if (several) return fmt::format("{}=[{}]", op.type_args, fmt::join(all, ", "));
  return fmt::format("{}={}", op.type_args.empty() ? kTypes : op.type_args, one ? all.front() : tuple_literal(all));
}

std::string PrintContext::op_call(const OpDef& op, const Call& call) {
  const bool distributed = op.name == "relax.call_tir" && std::ranges::any_of(call.type_args, is_distributed);
  std::string out = fmt::format("R.{}{}(", distributed ? "dist." : "", script_name(op));
  std::string_view separator;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const std::optional<std::string> printed = positional(op, i, call.args[i]);
    if (!printed) continue;
    out += separator;
    out += *printed;
    separator = ", ";
  }
  const std::span<const Param> operands = op.operands();
  for (std::size_t i = 0; i < operands.size() && i < call.args.size(); ++i) {
    if (!stands_by_name(op, operands[i])) continue;
    out += fmt::format("{}{}={}", separator, operands[i].name, expr(call.args[i]));
    separator = ", ";
  }
  const std::span<const Param> params = op.attributes();
  for (std::size_t i = 0; i < params.size() && i < call.attrs.size(); ++i) {
    if (!params[i].in_text) continue;
    const bool absent = std::holds_alternative<std::monostate>(call.attrs[i]);
    if (absent && params[i].default_value == call.attrs[i]) continue;
    out += fmt::format("{}{}={}", separator, params[i].name, attr(params[i], call.attrs[i]));
    separator = ", ";
  }
  if (!call.type_args.empty()) out += std::string(separator) + types(op, call.type_args);
  return out + ")";
}

std::string PrintContext::function_call(std::string_view callee, std::vector<std::string> args,
                                        const Call& call) {
  for (const ExprPtr& arg : call.args) args.push_back(expr(arg));
  if (!call.type_args.empty()) {
    std::vector<std::string> types;
    for (const Type& one : call.type_args) types.push_back(type(one));
    args.push_back(fmt::format("{}={}", kTypes, tuple_literal(types)));
  }
  return fmt::format("{}({})", callee, fmt::join(args, ", "));
}

std::string PrintContext::call(const Call& call) {
  return match(
      call.callee, [&](const Op*) { return op_call(*called_op(call), call); },
      [&](const GlobalRef& global) { return function_call("cls." + global.name, {}, call); },
      [&](const ExprPtr& value) { return function_call(expr(value), {}, call); },
      [&](const ExternFunc& external) {
        return function_call("R.call_packed", {quote(external.name)}, call);
      });
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
      [&](const Constant& constant) {
        if (!is_distributed(any->type)) return constant_literal(*constant.tensor, plain_tvm);
        return fmt::format("R.dist.const({}, {})", list_literal(*constant.tensor), type(any->type));
      },
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
