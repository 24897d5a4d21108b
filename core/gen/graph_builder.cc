#include "core/gen/graph_builder.h"

#include <algorithm>

#include "core/gen/magnitude.h"
#include "core/form/builder.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::int64_t kMaxElements = 1024;  // of one value: keeps a check at a few microseconds per binding

// Memory of entries, kept from one body to the next: a large allocation per case would cost more than a
// binding.
std::vector<Entry>& spare_entries() {
  thread_local std::vector<Entry> spare;
  return spare;
}

std::string numbered(const char* base, std::size_t number) {
  std::string name(base);
  if (number > 0) name += std::to_string(number);
  return name;
}

}  // namespace

GraphBuilder::GraphBuilder(CaseDraft& draft, FunctionDraft& function, GraphBuilder* outer)
    : draft_(draft), function_(function), outer_(outer) {
  entries_.swap(spare_entries());
  entries_.reserve(32);
  if (outer != nullptr) entries_.assign(outer->entries_.begin(), outer->entries_.end());
  calls_.reserve(16);
  operands_.reserve(4);
  begin_block(false);
}

GraphBuilder::~GraphBuilder() {
  entries_.clear();
  if (entries_.capacity() > spare_entries().capacity()) entries_.swap(spare_entries());
}

void GraphBuilder::begin_block(bool dataflow) {
  if (!blocks_.empty() && blocks_.back().bindings.empty()) blocks_.pop_back();
  dataflow_ = dataflow;
  // Two plain blocks in a row are one block: text cannot tell them apart.
  if (!dataflow && !blocks_.empty() && !blocks_.back().dataflow) return;
  block_ = function_.next_block++;
  blocks_.push_back({.dataflow = dataflow, .bindings = {}});
  if (dataflow) blocks_.back().bindings.reserve(8);
}

SeqExpr GraphBuilder::finish(const ExprPtr& result) {
  if (!blocks_.empty() && blocks_.back().bindings.empty()) blocks_.pop_back();
  block_ = function_.next_block++;  // what the result uses is used outside of its block
  note_uses(result);
  return {.blocks = std::move(blocks_), .result = result};
}

const Entry* GraphBuilder::find(const ExprPtr& expr) const {
  const Var* var = as<Var>(expr);
  if (var == nullptr) return nullptr;
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (entries_[i].var.get() == var->get()) return &entries_[i];
  }
  return nullptr;
}

void GraphBuilder::add_entry(Entry entry) {
  const TensorType* type = entry.shown.expr->type.as_tensor();
  if (type != nullptr && type->shape.has_value() && type->dtype.has_value()) entry.tensor = type;
  entries_.push_back(std::move(entry));
}

// A variable of a dataflow block that is used after it becomes one of the block's outputs.
void GraphBuilder::note_uses(const ExprPtr& expr) {
  if (const Call* call = as<Call>(expr)) {
    if (const ExprPtr* callee = std::get_if<ExprPtr>(&call->callee)) note_uses(*callee);
    for (const ExprPtr& arg : call->args) note_uses(arg);
  } else if (const Tuple* tuple = as<Tuple>(expr)) {
    for (const ExprPtr& field : tuple->fields) note_uses(field);
  } else if (const TupleGetItem* get = as<TupleGetItem>(expr)) {
    note_uses(get->tuple);
  } else if (const If* branches = as<If>(expr)) {
    note_uses(branches->condition);
  } else if (const Entry* entry = find(expr)) {
    ++const_cast<Entry*>(entry)->uses;
    if (entry->block != block_) entry->var->dataflow = false;
  }
}

std::int64_t GraphBuilder::size_of(const Dim& dim) const {
  if (dim.is_static()) return dim.value();
  const std::optional<std::int64_t> size =
      evaluate(dim, [this](const SymVar& var) -> std::optional<std::int64_t> {
        for (const Symbol& symbol : function_.symbols) {
          if (symbol.var == var) return symbol.value;
        }
        return std::nullopt;
      });
  CHECK(size.has_value()) << "the size of " << to_string(dim) << " is not known while generating";
  return *size;
}

std::vector<std::int64_t> GraphBuilder::sizes(const Shape& shape) const {
  std::vector<std::int64_t> sizes;
  sizes.reserve(shape.size());
  for (const Dim& dim : shape) sizes.push_back(size_of(dim));
  return sizes;
}

Value GraphBuilder::value_of(const ExprPtr& expr, Provenance& provenance) const {
  if (const Entry* entry = find(expr)) {
    provenance.join(entry->provenance);
    return entry->shown.value;
  }
  if (const Constant* constant = as<Constant>(expr)) return constant->tensor;
  if (const Tuple* tuple = as<Tuple>(expr)) {
    TupleValue value;
    value.fields.reserve(tuple->fields.size());
    for (const ExprPtr& field : tuple->fields) value.fields.push_back(value_of(field, provenance));
    return value;
  }
  if (const TupleGetItem* get = as<TupleGetItem>(expr)) {
    return value_of(get->tuple, provenance).tuple().fields.at(static_cast<std::size_t>(get->index));
  }
  if (const ShapeExpr* shape = as<ShapeExpr>(expr)) return ShapeValue{sizes(shape->values)};
  if (const PrimValue* prim = as<PrimValue>(expr)) {
    if (const double* number = std::get_if<double>(&prim->value)) return ScalarValue{prim->dtype, *number};
    return ScalarValue{prim->dtype, size_of(std::get<Dim>(prim->value))};
  }
  CHECK(false) << "an operand that has no value while generating: " << to_string(expr->type);
  return {};
}

bool GraphBuilder::fits_in_memory(const Type& type) const {
  if (const TupleType* tuple = type.as_tuple()) {
    return std::all_of(tuple->fields.begin(), tuple->fields.end(),
                       [this](const Type& field) { return fits_in_memory(field); });
  }
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !tensor->shape.has_value()) return true;
  std::int64_t elements = 1;
  for (const Dim& dim : *tensor->shape) {
    elements *= size_of(dim);
    if (elements > kMaxElements || elements < 0) return false;
  }
  return true;
}

bool GraphBuilder::is_acceptable(const OpDef& op, const Value& value, const EvalContext& context,
                                 bool intended) {
  if (context.log.must_stop()) return intended && !op.undefined.empty();
  if (draft_.config.wild) return true;
  return !context.log.overflowed() && is_moderate(value);
}

ExprPtr GraphBuilder::emit(const OpDef& op, std::vector<ExprPtr> args, Attrs attrs) {
  const bool intended = std::exchange(intend_undefined_, false);
  if (std::any_of(args.begin(), args.end(), [](const ExprPtr& arg) { return arg == nullptr; }))
    return nullptr;
  Result<ExprPtr> made = make_call(op, std::move(args), std::move(attrs));
  if (!made.ok() || !fits_in_memory((*made)->type)) return nullptr;
  const ExprPtr& expr = *made;
  const Call& call = *as<Call>(expr);
  Provenance provenance;
  operands_.clear();
  for (const ExprPtr& arg : call.args) operands_.push_back(value_of(arg, provenance));
  EvalContext context;
  Value value = op.eval(operands_, call.attrs, expr->type, context);
  if (!is_acceptable(op, value, context, intended)) return nullptr;
  if (context.log.must_stop()) {  // any value will do: what comes after is never executed
    const TensorType* type = expr->type.as_tensor();
    if (type == nullptr || !type->shape.has_value() || !type->dtype.has_value()) return nullptr;
    value = make_tensor(zeros(*type->dtype, sizes(*type->shape)));
    draft_.undefined = true;
  }
  // A library function's last digits depend on the machine; rounded results do not.
  if (op.ulps > 0) provenance.inexact = true;
  calls_.push_back(expr);
  return bind_known(expr, std::move(value), provenance);
}

ExprPtr GraphBuilder::call(std::string_view name, std::vector<ExprPtr> args,
                           std::initializer_list<AttrArg> given) {
  const OpDef* op = find_op(name);
  CHECK(op != nullptr) << "no op " << name;
  if (!draft_.options.avoid.empty() && is_avoided(draft_.options, name)) return nullptr;
  const std::span<const Param> params = op->attributes();
  Attrs attrs;
  attrs.reserve(params.size());
  std::size_t used = 0;
  for (const Param& param : params) {
    const auto* found =
        std::find_if(given.begin(), given.end(), [&](const AttrArg& a) { return a.first == param.name; });
    if (found != given.end()) ++used;
    attrs.push_back(found != given.end() ? found->second : param.default_value.value_or(AttrValue{}));
  }
  CHECK(used == given.size()) << name << " lacks an attribute that was given";
  ExprPtr var = emit(*op, std::move(args), std::move(attrs));
  const TensorType* type = var != nullptr ? var->type.as_tensor() : nullptr;
  return type != nullptr && !type->shape.has_value() ? nullptr : var;
}

ExprPtr GraphBuilder::draw_call(Choices& choices, const OpDef& op) {
  const Mark before = mark();
  intend_undefined_ = false;
  std::optional<CallDraft> draft = op.generate(choices, *this);
  ExprPtr var = draft.has_value() ? emit(op, std::move(draft->args), std::move(draft->attrs)) : nullptr;
  if (var == nullptr) roll_back(before);
  return var;
}

ExprPtr GraphBuilder::bind(ExprPtr value) {
  if (value == nullptr) return nullptr;
  Provenance provenance;
  Value known = value_of(value, provenance);
  return bind_known(std::move(value), std::move(known), provenance);
}

ExprPtr GraphBuilder::bind_known(ExprPtr value, Value known, Provenance provenance) {
  note_uses(value);
  auto var = std::make_shared<VarNode>(VarNode{numbered("lv", function_.next_var++), value->type, dataflow_});
  ExprPtr expr = make_expr(Var(var), value->type);
  blocks_.back().bindings.push_back({.var = var, .value = std::move(value), .match_cast = std::nullopt});
  ++bindings_;
  add_entry(
      {.shown = {expr, std::move(known)}, .var = std::move(var), .provenance = provenance, .block = block_});
  return expr;
}

ExprPtr GraphBuilder::match_cast(const ExprPtr& value, Type type) {
  if (value == nullptr) return nullptr;
  Provenance provenance;
  Value known = value_of(value, provenance);
  note_uses(value);
  auto var = std::make_shared<VarNode>(VarNode{numbered("lv", function_.next_var++), type, dataflow_});
  ExprPtr expr = make_expr(Var(var), type);
  blocks_.back().bindings.push_back({.var = var, .value = value, .match_cast = std::move(type)});
  ++bindings_;
  add_entry(
      {.shown = {expr, std::move(known)}, .var = std::move(var), .provenance = provenance, .block = block_});
  return expr;
}

ExprPtr GraphBuilder::item(const ExprPtr& tuple, int index) {
  if (tuple == nullptr) return nullptr;
  Result<ExprPtr> made = make_tuple_get_item(tuple, index);
  return made.ok() ? bind(*std::move(made)) : nullptr;
}

ExprPtr GraphBuilder::pack(std::vector<ExprPtr> fields) const {
  for (const ExprPtr& field : fields) {
    if (field == nullptr) return nullptr;
  }
  return make_tuple(std::move(fields));
}

}  // namespace passdiff
