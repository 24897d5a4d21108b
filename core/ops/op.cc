#include "core/ops/op.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ops/attributes.h"

namespace passdiff {
namespace {

std::vector<OpDef> sorted_ops() {
  std::vector<OpDef> all = joined_ops();
  std::sort(all.begin(), all.end(), [](const OpDef& a, const OpDef& b) { return a.name < b.name; });
  return all;
}

std::optional<Error> check_arity(const OpDef& op, std::span<const ExprPtr> args, const Attrs& attrs) {
  const std::span<const Param> operands = op.operands();
  const bool any_number = !operands.empty() && operands.back().kind == ParamKind::values;
  if (args.size() > operands.size() && !any_number) {
    return Error{"type.arity",
                 fmt::format("{}: {} operands, at most {} allowed", op.name, args.size(), operands.size())};
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool may_lack = operands[i].optional || operands[i].kind == ParamKind::values;
    if (i >= args.size() ? !may_lack : args[i] == nullptr) {
      return Error{"type.arity", fmt::format("{}: operand `{}` is missing", op.name, operands[i].name)};
    }
  }
  for (std::size_t i = operands.size(); i < args.size(); ++i) {
    if (args[i] == nullptr) return Error{"type.arity", fmt::format("{}: operand {} is missing", op.name, i)};
  }
  const std::span<const Param> attributes = op.attributes();
  if (attrs.size() != attributes.size()) {
    return Error{"type.arity",
                 fmt::format("{}: {} attributes, not {}", op.name, attrs.size(), attributes.size())};
  }
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (!takes(attributes[i], attrs[i])) {
      return Error{"type.attribute",
                   fmt::format("{}: attribute `{}` is of the wrong kind", op.name, attributes[i].name)};
    }
  }
  return std::nullopt;
}

bool takes_word(const Param& param, std::string_view word) {
  return param.words.empty() || std::find(param.words.begin(), param.words.end(), word) != param.words.end();
}

bool is_number(const AttrValue& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

bool is_numbers(const AttrValue& value) {
  const auto* list = std::get_if<AttrList>(&value);
  return list == nullptr ? std::holds_alternative<std::vector<std::int64_t>>(value)
                         : std::all_of(list->items.begin(), list->items.end(), is_number);
}

// Whether TVM's inference looks at types that a call of the op declares: that of unary and binary ops and of convolutions does, which asks them
// for the virtual device of the result.
bool heeds_declared(const OpDef& op) {
  return op.elementwise || op.name.starts_with("relax.nn.conv");
}

// The type of a call for which a pass has chosen the virtual device of the result, as passes do for targets with several kinds of memory: its
// operands may then lie on different ones. All else that is declared is inferred anew.
Result<Type> infer_with_vdevice(const OpDef& op, std::span<const ExprPtr> args, const Attrs& attrs, const Type& declared) {
  if (!heeds_declared(op)) return op.infer(args, attrs);
  std::vector<ExprPtr> anywhere;
  anywhere.reserve(args.size());
  for (const ExprPtr& arg : args)
    anywhere.push_back(std::make_shared<const Expr>(Expr{arg->node, without_vdevices(arg->type), arg->inferred}));
  Type type = TRY(op.infer(anywhere, attrs));
  const TensorType* result = type.as_tensor();
  const TensorType* chosen = declared.as_tensor();
  if (result == nullptr || chosen == nullptr) return type;
  TensorType placed = *result;
  placed.vdevice = chosen->vdevice;
  return Type(std::move(placed));
}

// How the result of an op on distributed tensors is spread hangs on how its loops run over them (TVM's dist.FInferType). The ops that spread
// tensors say it themselves; of others the types of variables do.
Result<Type> infer_with_sharding(const OpDef& op, std::span<const ExprPtr> args, const Attrs& attrs) {
  Type type = TRY(op.infer(args, attrs));
  return op.name.starts_with("relax.dist.") ? type : without_shardings(type);
}

}  // namespace

bool takes(const Param& param, const AttrValue& value) {
  if (std::holds_alternative<std::monostate>(value)) return param.optional;
  switch (param.kind) {
    case ParamKind::attr_bool:
      return std::holds_alternative<bool>(value);
    case ParamKind::attr_int:
      return std::holds_alternative<std::int64_t>(value);
    case ParamKind::attr_float:
      return std::holds_alternative<double>(value);
    case ParamKind::attr_number:
      return std::holds_alternative<bool>(value) || is_number(value);
    case ParamKind::attr_floats:
      return is_numbers(value);
    case ParamKind::attr_index_map:
      return std::holds_alternative<IndexMap>(value);
    case ParamKind::attr_map:
      return std::holds_alternative<AttrMap>(value);
    case ParamKind::attr_ints:
      return std::holds_alternative<Ints>(value);
    case ParamKind::attr_string:
      return std::holds_alternative<std::string>(value) && takes_word(param, std::get<std::string>(value));
    case ParamKind::attr_dtype:
      return std::holds_alternative<DType>(value);
    case ParamKind::attr_vdevice:
    case ParamKind::attr_device:
      return std::holds_alternative<VDeviceRef>(value);
    case ParamKind::attr_mesh:
      return std::holds_alternative<MeshRef>(value);
    case ParamKind::attr_int_or_ints:
      return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<Ints>(value);
    default:
      return false;
  }
}

std::size_t OpDef::operand_count() const {
  std::size_t count = 0;
  while (count < params.size() && is_operand(params[count].kind)) ++count;
  return count;
}

const OpDef* called_op(const Call& call) {
  const Op* const* op = std::get_if<const Op*>(&call.callee);
  return op == nullptr ? nullptr : static_cast<const OpDef*>(*op);
}

const OpDef* called_op(const ExprPtr& expr) {
  const Call* call = as<Call>(expr);
  return call == nullptr ? nullptr : called_op(*call);
}

std::span<const OpDef> all_ops() {
  static const std::vector<OpDef> ops = sorted_ops();
  return ops;
}

const OpDef* find_op(std::string_view name) {
  const std::span<const OpDef> ops = all_ops();
  const auto found =
      std::lower_bound(ops.begin(), ops.end(), name,
                       [](const OpDef& op, std::string_view wanted) { return op.name < wanted; });
  return found != ops.end() && found->name == name ? &*found : nullptr;
}

Attrs default_attrs(const OpDef& op) {
  Attrs attrs;
  for (const Param& param : op.attributes()) {
    CHECK(param.default_value.has_value()) << op.name << ": " << param.name << " has no default";
    attrs.push_back(*param.default_value);
  }
  return attrs;
}

Result<Type> infer_call(const OpDef& op, std::span<const ExprPtr> args, const Attrs& attrs,
                        const std::vector<Type>& type_args) {
  if (std::optional<Error> error = check_arity(op, args, attrs)) return *std::move(error);
  if (op.infer_declared != nullptr) return op.infer_declared(args, type_args);
  if (type_args.empty()) return infer_with_sharding(op, args, attrs);
  if (type_args.size() == 1) return infer_with_vdevice(op, args, attrs, type_args.front());
  return Error{"type.arity", fmt::format("{}: declares {} types", op.name, type_args.size())};
}

Result<ExprPtr> make_call(const OpDef& op, std::vector<ExprPtr> args, Attrs attrs, std::vector<Type> type_args) {
  if (op.complete != nullptr) {
    TRY_VOID(check_arity(op, args, attrs));
    attrs = op.complete(attrs);
  }
  Type type = TRY(infer_call(op, args, attrs, type_args));
  Call call{&op, std::move(args), std::move(attrs), std::move(type_args)};
  return ExprPtr(std::make_shared<const Expr>(Expr{std::move(call), std::move(type), true}));
}

}  // namespace passdiff
