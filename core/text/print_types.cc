#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/check.h"
#include "core/ir/walk.h"
#include "core/text/printer.h"

namespace passdiff {
namespace {

// Names that have a meaning in TVM's parser, beside Python's keywords.
constexpr std::array<std::string_view, 18> kReserved = {
    "I", "R",    "T",      "Tx",      "ir",  "tir",   "tirx",     "relax", "tvm",
    "_", "Axis", "Module", "TypeVar", "cls", "float", "metadata", "self",  "type"};

bool is_reserved(std::string_view name) {
  return std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end();
}

constexpr int kComparisonPrecedence = 1;
constexpr int kSumPrecedence = 2;
constexpr int kProductPrecedence = 3;

struct Operator {
  std::string_view text;
  int precedence;  // 0: a function
};

Operator operator_of(DimOp op) {
  switch (op) {
    case DimOp::add:
      return {" + ", kSumPrecedence};
    case DimOp::subtract:
      return {" - ", kSumPrecedence};
    case DimOp::multiply:
      return {" * ", kProductPrecedence};
    case DimOp::floor_divide:
      return {" // ", kProductPrecedence};
    case DimOp::floor_mod:
      return {" % ", kProductPrecedence};
    case DimOp::minimum:
      return {"T.min", 0};
    case DimOp::maximum:
      return {"T.max", 0};
    case DimOp::equal:
      return {" == ", kComparisonPrecedence};
    case DimOp::not_equal:
      return {" != ", kComparisonPrecedence};
    case DimOp::less:
      return {" < ", kComparisonPrecedence};
    case DimOp::less_equal:
      return {" <= ", kComparisonPrecedence};
    case DimOp::greater:
      return {" > ", kComparisonPrecedence};
    case DimOp::greater_equal:
      return {" >= ", kComparisonPrecedence};
  }
  CHECK(false) << "a DimOp out of range";
  return {};
}

}  // namespace

std::string to_identifier(std::string_view wanted) {
  std::string name;
  for (const char c : wanted) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name.insert(0, "v");
  if (!is_identifier(name) || is_reserved(name)) name += "_";
  return name == "__" ? "v_" : name;
}

bool is_printable_name(std::string_view name) {
  return is_identifier(name) && !is_reserved(name);
}

const std::string& PrintNames::of(const void* node, std::string_view wanted) {
  const auto found = names_.find(node);
  if (found != names_.end()) return found->second;
  const std::string base = is_printable_name(wanted) ? std::string(wanted) : to_identifier(wanted);
  std::string name = base;
  for (int i = 1; !used_.insert(name).second; ++i) name = base + "_" + std::to_string(i);
  return names_.emplace(node, std::move(name)).first->second;
}

bool has_empty_shape(const Type& type) {
  return any_field(type, [](const Type& field) {
    const ShapeType* shape = field.as_shape();
    return shape != nullptr && shape->values && shape->values->empty();
  });
}

std::string PrintContext::dim(const Dim& value) {
  return dim(value, 0);
}

std::string PrintContext::dim(const Dim& value, int precedence) {
  if (value.is_static()) return std::to_string(value.value());
  if (const SymVar* symbol = value.as_var()) return names.of(symbol->get(), (*symbol)->name);
  const DimBinary& binary = std::get<DimBinary>(value.node()->node);
  const Operator op = operator_of(binary.op);
  if (op.precedence == 0) return fmt::format("{}({}, {})", op.text, dim(binary.lhs, 0), dim(binary.rhs, 0));
  std::string text = dim(binary.lhs, op.precedence);
  text += op.text;
  text += dim(binary.rhs, op.precedence + 1);
  return op.precedence < precedence ? "(" + text + ")" : text;
}

std::string PrintContext::shape(const Shape& values, DimStyle style) {
  std::string out;
  for (const Dim& value : values) {
    if (!out.empty()) out += ", ";
    // A variable of a function around is declared there; in quotes it would be another one.
    const SymVar* symbol = value.as_var();
    const bool outer = symbol != nullptr && declared_symbols.contains(symbol->get());
    out += style == DimStyle::quoted && !value.is_static() && !outer ? quote(dim(value)) : dim(value);
  }
  return out;
}

std::string PrintContext::tensor(const TensorType& type, DimStyle style) {
  std::vector<std::string> fields;
  if (type.shape) {
    const bool single = type.shape->size() == 1;
    fields.push_back("(" + shape(*type.shape, style) + (single ? ",)" : ")"));
  }
  if (type.dtype) fields.push_back(fmt::format("dtype=\"{}\"", dtype_name(*type.dtype)));
  if (type.vdevice && !type.sharding) fields.push_back("vdevice=" + quote(vdevice(*type.vdevice)));
  if (type.sharding) {
    fields.push_back("device_mesh=" + quote(mesh_name(type.sharding->mesh)));
    fields.push_back("placement=" + quote(to_string(type.sharding->placement)));
  }
  if (!type.shape && type.rank != kUnknownRank) fields.push_back(fmt::format("ndim={}", type.rank));
  return fmt::format("R.{}({})", type.sharding ? "DTensor" : "Tensor", fmt::join(fields, ", "));
}

std::string PrintContext::callable(const FuncType& func, DimStyle style) {
  const std::string result = type(func.result, style);
  const std::string_view pure = func.pure ? "True" : "False";
  if (!func.params) return fmt::format("R.Callable(ret={}, purity={})", result, pure);
  std::vector<std::string> params;
  for (const Type& param : *func.params) params.push_back(type(param, style));
  return fmt::format("R.Callable({}, {}, {})", tuple_literal(params), result, pure);
}

std::string PrintContext::tuple(const TupleType& tuple, DimStyle style) {
  std::vector<std::string> fields;
  for (const Type& field : tuple.fields) fields.push_back(type(field, style));
  return fmt::format("R.Tuple({})", fmt::join(fields, ", "));
}

std::string PrintContext::type(const Type& any, DimStyle style) {
  return match(
      any, [](const ObjectType&) { return std::string("R.Object"); },
      [&](const TensorType& one) { return tensor(one, style); },
      [&](const TupleType& one) { return tuple(one, style); },
      [&](const ShapeType& one) {
        if (one.values) return "R.Shape([" + shape(*one.values, style) + "])";
        return one.rank == kUnknownRank ? "R.Shape" : fmt::format("R.Shape(ndim={})", one.rank);
      },
      [](const PrimType& one) { return fmt::format("R.Prim(\"{}\")", dtype_name(one.dtype)); },
      [&](const FuncType& one) { return callable(one, style); });
}

std::string mesh_name(int index) {
  return fmt::format("mesh[{}]", index);
}

std::string PrintContext::vdevice(int index) const {
  const auto wanted = static_cast<std::size_t>(index);
  if (module == nullptr || index < 0 || wanted >= module->vdevices.size())
    return fmt::format("vdevice:{}", index);
  const VDevice& device = module->vdevices[wanted];
  int ordinal = 0;
  for (std::size_t i = 0; i < wanted; ++i) ordinal += module->vdevices[i].target == device.target ? 1 : 0;
  return fmt::format("{}:{}:{}", device.target, ordinal, device.memory_scope);
}

}  // namespace passdiff
