#include "passes/native/local_rewrite.h"

#include <algorithm>
#include <utility>

#include "core/ir/queries.h"
#include "core/ir/rewriter.h"

namespace passdiff {
namespace {

using Names = std::vector<Var>;

bool contains(const Names& names, const Var& var) {
  return std::find(names.begin(), names.end(), var) != names.end();
}

// Removes the bindings of some variables.
class Remover : public BindingRewriter {
 public:
  explicit Remover(const Names& removed) : removed_(removed) {}

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    return contains(removed_, old.var) || BindingRewriter::binding(old, to);
  }

 private:
  const Names& removed_;
};

SeqExpr without(const SeqExpr& seq, const Names& removed) {
  SeqExpr result;
  Remover(removed).seq(seq, result);
  return result;
}

// Removes the bindings of those candidates that are not used, and then of those that are no longer used.
SeqExpr remove_unused(SeqExpr seq, Names candidates) {
  while (!candidates.empty()) {
    Names used;
    for_each_use(seq, [&](const Var& var) {
      if (contains(candidates, var) && !contains(used, var)) used.push_back(var);
    });
    if (used.size() == candidates.size()) break;
    std::erase_if(candidates, [&](const Var& var) { return contains(used, var); });
    seq = without(seq, candidates);
    candidates = std::move(used);
  }
  return seq;
}

class LocalRewriter : public BindingRewriter {
 public:
  LocalRewriter(const Module& module, const LocalRewrite& by) : module_(module), by_(by) {}

  FunctionPtr run(const FunctionPtr& function) {
    SeqExpr body;
    seq(function->body, body);
    if (!changed_) return function;
    auto result = std::make_shared<Function>(*function);
    result->body = by_.frees_used ? without(body, freed_) : remove_unused(std::move(body), unique(freed_));
    return result;
  }

 protected:
  bool seq(const SeqExpr& old, SeqExpr& fresh) override {
    BindingRewriter::seq(old, fresh);
    begin_segment();
    return true;
  }

  bool block(const Block& old, BlockSink& to) override {
    begin_segment();
    return BindingRewriter::block(old, to);
  }

  bool binding(const Binding& old, BlockSink& to) override {
    if (as<Call>(old.value) != nullptr && !old.match_cast) {
      RewriteSite site(old, known_, to.in_dataflow());
      if (by_.rewrite(site)) {
        changed_ = true;
        freed_.insert(freed_.end(), site.freed().begin(), site.freed().end());
        for (const Binding& part : site.replacement()) binding(part, to);
        return true;
      }
    }
    BindingRewriter::binding(old, to);
    if (ends_segment(module_, old.value)) {
      begin_segment();
    } else if (!old.match_cast) {
      known_.set(old.var.get(), old.value);
    }
    return true;
  }

  FunctionPtr function(const FunctionPtr& old) override {
    const PointerMap<ExprPtr> outside = std::exchange(known_, {});
    FunctionPtr fresh = BindingRewriter::function(old);
    known_ = outside;
    return fresh;
  }

 private:
  static Names unique(const Names& names) {
    Names result;
    for (const Var& name : names) {
      if (!contains(result, name)) result.push_back(name);
    }
    return result;
  }

  void begin_segment() {
    if (!by_.known_everywhere) known_ = {};
  }

  const Module& module_;
  const LocalRewrite& by_;
  PointerMap<ExprPtr> known_;
  Names freed_;
  bool changed_ = false;
};

ExprPtr call_or_null(std::string_view op, std::vector<ExprPtr> args, Attrs attrs) {
  const OpDef* found = find_op(op);
  CHECK(found != nullptr) << "no op " << op;
  if (std::find(args.begin(), args.end(), nullptr) != args.end()) return nullptr;
  auto call = make_call(*found, std::move(args), std::move(attrs));
  return call ? *std::move(call) : nullptr;
}

const Call* as_call_of(const ExprPtr& value, std::string_view op) {
  const auto* call = as<Call>(value);
  if (call == nullptr) return nullptr;
  const OpDef* callee = called_op(*call);
  return callee != nullptr && callee->name == op ? call : nullptr;
}

}  // namespace

const Call* RewriteSite::call(std::string_view op) const {
  return as_call_of(binding_.value, op);
}

std::optional<FoundCall> RewriteSite::find(const ExprPtr& operand, std::string_view op) const {
  FoundCall found;
  for (const Var* var = as<Var>(operand); var != nullptr;) {
    const ExprPtr* value = known_.find(var->get());
    if (value == nullptr) return std::nullopt;
    found.names.push_back(*var);
    found.call = as_call_of(*value, op);
    if (found.call != nullptr) return found;
    var = as<Var>(*value);
  }
  return std::nullopt;
}

ExprPtr RewriteSite::emit(std::string_view op, std::vector<ExprPtr> args, Attrs attrs,
                          std::string_view name) {
  const ExprPtr value = call_or_null(op, std::move(args), std::move(attrs));
  if (value == nullptr) return nullptr;
  Var var = make_var(std::string(name), value->type, dataflow_);
  replacement_.push_back({var, value, std::nullopt});
  return var_expr(var);
}

bool RewriteSite::finish(std::string_view op, std::vector<ExprPtr> args, Attrs attrs) {
  const ExprPtr value = call_or_null(op, std::move(args), std::move(attrs));
  if (value == nullptr || !can_stand_for(value->type, binding_.var->type)) return false;
  replacement_.push_back({binding_.var, value, std::nullopt});
  return true;
}

bool RewriteSite::finish_unchecked(std::string_view op, std::vector<ExprPtr> args, Attrs attrs) {
  const ExprPtr value = call_or_null(op, std::move(args), std::move(attrs));
  if (value != nullptr) replacement_.push_back({binding_.var, value, std::nullopt});
  return value != nullptr;
}

void RewriteSite::free(const FoundCall& found) {
  freed_.insert(freed_.end(), found.names.begin(), found.names.end());
}

FunctionPtr rewrite_locally(const Module& module, const FunctionPtr& function, const LocalRewrite& by) {
  return LocalRewriter(module, by).run(function);
}

bool ends_segment(const Module& module, const ExprPtr& value) {
  return as<If>(value) != nullptr || is_impure(module, value);
}

bool can_stand_for(const Type& type, const Type& declared) {
  const TensorType* tensor = type.as_tensor();
  const TensorType* as_declared = declared.as_tensor();
  return tensor != nullptr && as_declared != nullptr && tensor->dtype == as_declared->dtype &&
         tensor->vdevice == as_declared->vdevice && tensor->rank == as_declared->rank &&
         compatible(type, declared);
}

}  // namespace passdiff
