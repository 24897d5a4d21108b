#include "oracle/features.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/ir/queries.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/text/text.h"
#include "oracle/edit.h"

namespace passdiff {
namespace {

using WordSet = std::set<std::string>;

void add_dtype(DType dtype, WordSet& words) {
  switch (row_of(dtype).kind) {
    case DTypeKind::boolean:
      words.insert("bool");
      return;
    case DTypeKind::signed_int:
    case DTypeKind::unsigned_int:
      words.insert("integer");
      return;
    case DTypeKind::floating:
      if (dtype == DType::float64) words.insert("float64");
      if (row_of(dtype).bits < 32) words.insert("narrow-float");
      return;
  }
}

void add_tensor(const TensorType& tensor, WordSet& words) {
  if (tensor.dtype) add_dtype(*tensor.dtype, words);
  if (tensor.vdevice) words.insert("vdevice");
  if (!tensor.shape) {
    words.insert("unknown-shape");
    return;
  }
  if (tensor.shape->empty()) words.insert("scalar");
  for (const Dim& dim : *tensor.shape) {
    if (!dim.is_static()) words.insert("symbolic-dim");
    if (dim.is_static() && dim.value() == 0) words.insert("empty");
  }
}

void add_type(const Type& type, WordSet& words) {
  if (const TensorType* tensor = type.as_tensor()) add_tensor(*tensor, words);
  if (const TupleType* tuple = type.as_tuple()) {
    words.insert("tuple");
    for (const Type& field : tuple->fields) add_type(field, words);
  }
}

// Whether axes are named in another order than theirs, which compilers tend to forget.
bool names_axes_out_of_order(std::string_view name, const AttrValue& value) {
  const auto* axes = std::get_if<std::vector<std::int64_t>>(&value);
  return name == "axes" && axes != nullptr && !std::is_sorted(axes->begin(), axes->end());
}

void add_attributes(const Call& call, WordSet& words) {
  const OpDef* op = called_op(call);
  if (op == nullptr) return;
  const auto params = op->attributes();
  for (std::size_t i = 0; i < params.size() && i < call.attrs.size(); ++i) {
    const bool plain = params[i].default_value ? *params[i].default_value == call.attrs[i] : !names_axes_out_of_order(params[i].name, call.attrs[i]);
    if (!plain)
      words.insert(fmt::format("{}.{}", script_name(*op), params[i].name));
  }
}

// The kinds that are structure, and no computation.
bool is_structure(std::string_view kind) {
  return kind == "call-global" || kind == "call-local" || kind == "call-extern" || kind == "if" || kind == "local-function" ||
         kind == "tuple";
}

// Whether a function of the graph is named: what is named may be called.
bool names_a_function(const ExprPtr& expr, const Module& module) {
  const GlobalRef* named = as<GlobalRef>(expr);
  return named != nullptr && module.find(named->name) != nullptr;
}

void add_value(const ExprPtr& value, const Module& module, WordSet& words) {
  const std::string_view kind = operation_kind(value);
  if (is_structure(kind)) words.emplace(kind);
  if (names_a_function(value, module)) words.insert("call-global");
  if (const Call* call = as<Call>(value)) {
    add_attributes(*call, words);
    for (const ExprPtr& arg : call->args) {
      if (as<Constant>(arg) != nullptr) words.insert("constant");
      if (names_a_function(arg, module)) words.insert("call-global");
    }
  }
}

void add_function(const Function& function, const Module& module, WordSet& words) {
  for (const Var& param : function.params) add_type(param->type, words);
  VarSet used;
  collect_uses(function.body, used);
  for_each_binding(function.body, [&](const Binding& binding) {
    if (binding.match_cast) words.insert("match-cast");
    if (!used.contains(binding.var.get())) words.insert("dead-code");
    add_type(binding.var->type, words);
    add_value(binding.value, module, words);
  });
}

}  // namespace

std::string general_kind(const std::string& kind) {
  const OpDef* op = find_op("relax." + kind);
  if (op == nullptr || !op->elementwise) return kind;
  return op->operand_count() == 1 ? "unary" : "binary";
}

std::set<std::string> features_of(const Module& module) {
  WordSet words;
  for (const GlobalFunction& global : module.functions) add_function(*global.function, module, words);
  return words;
}

std::set<std::string> structure_of(const Module& module) {
  WordSet words = features_of(module);
  const auto of_names = [](const std::string& word) { return word == "match-cast" || word == "symbolic-dim"; };
  std::erase_if(words, [&](const std::string& word) { return !(is_structure(word) || of_names(word)) || word == "tuple"; });
  return words;
}

std::set<std::string> operations_of(const Module& module) {
  WordSet kinds;
  for (const GlobalFunction& global : module.functions) {
    for_each_binding(global.function->body, [&](const Binding& binding) {
      const std::string_view kind = operation_kind(binding.value);
      if (!kind.empty() && !is_structure(kind)) kinds.emplace(kind);
    });
  }
  WordSet words;
  for (const std::string& kind : kinds) words.insert("op " + (kinds.size() > 1 ? general_kind(kind) : kind));
  return words;
}

}  // namespace passdiff
