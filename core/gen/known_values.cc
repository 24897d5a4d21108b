#include "core/gen/known_values.h"

#include <algorithm>

#include "core/ir/walk.h"

namespace passdiff {
namespace {

// The memory of entries is kept from one body to the next: a large allocation per body would cost more than a
// binding.
std::vector<Entry>& spare_entries() {
  thread_local std::vector<Entry> spare;
  return spare;
}

}  // namespace

KnownValues::KnownValues(const FunctionDraft& function, const KnownValues* outer) : function_(function) {
  entries_.swap(spare_entries());
  entries_.reserve(32);
  if (outer != nullptr) entries_.assign(outer->entries_.begin(), outer->entries_.end());
}

KnownValues::~KnownValues() {
  entries_.clear();
  if (entries_.capacity() > spare_entries().capacity()) entries_.swap(spare_entries());
}

void KnownValues::add(Entry entry) {
  const TensorType* type = entry.shown.expr->type.as_tensor();
  if (type != nullptr && type->shape.has_value() && type->dtype.has_value()) entry.tensor = type;
  entries_.push_back(std::move(entry));
}

const Entry* KnownValues::find(const ExprPtr& expr) const {
  const Var* var = as<Var>(expr);
  if (var == nullptr) return nullptr;
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (entries_[i].var.get() == var->get()) return &entries_[i];
  }
  return nullptr;
}

Entry* KnownValues::Candidates::pick(Choices& choices) const {
  if (count <= 1) return count == 0 ? nullptr : found[0];
  const std::size_t drawn = choices.index(count);
  return found[count > 3 ? std::min(drawn, choices.index(count)) : drawn];
}

Value KnownValues::value_of(const ExprPtr& operand, Provenance& provenance) const {
  return match(
      operand,
      [&](const Var& var) {
        const Entry* entry = find(operand);
        CHECK(entry != nullptr) << var->name << " has no value while generating";
        provenance.join(entry->provenance);
        return entry->shown.value;
      },
      [](const Constant& constant) { return Value(constant.tensor); },
      [&](const Tuple& tuple) {
        TupleValue value;
        value.fields.reserve(tuple.fields.size());
        for (const ExprPtr& field : tuple.fields) value.fields.push_back(value_of(field, provenance));
        return Value(std::move(value));
      },
      [&](const TupleGetItem& item) {
        return value_of(item.tuple, provenance).tuple().fields.at(static_cast<std::size_t>(item.index));
      },
      [&](const ShapeExpr& shape) { return Value(ShapeValue{function_.sizes(shape.values)}); },
      [&](const PrimValue& prim) {
        if (const double* number = std::get_if<double>(&prim.value)) return Value(ScalarValue{prim.dtype, *number});
        return Value(ScalarValue{prim.dtype, function_.size_of(std::get<Dim>(prim.value))});
      },
      [](const DataTypeImm& dtype) { return Value(dtype.value); },
      [&](const OneOf<Call, StringImm, GlobalRef, ExternFunc, If, FunctionPtr> auto&) {
        CHECK(false) << "an operand that has no value while generating: " << to_string(operand->type);
        return Value();
      });
}

void KnownValues::note_uses(const ExprPtr& expr, unsigned block) {
  if (const Entry* entry = find(expr)) {
    Entry& used = entries_[static_cast<std::size_t>(entry - entries_.data())];
    ++used.uses;
    if (used.block != block) used.var->dataflow = false;
  }
  for_each_operand(*expr, [&](const ExprPtr& operand) { note_uses(operand, block); });
}

}  // namespace passdiff
