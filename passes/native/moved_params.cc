#include "passes/native/moved_params.h"

#include <algorithm>

#include "core/form/builder.h"
#include "core/form/signature.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"

namespace passdiff {
namespace {

// Calls `visit` on every symbolic dim that must be defined before the binding, including those of inferred types.
void for_each_mention(const Binding& binding, const std::function<void(const SymVar&)>& visit) {
  for_each_symbol(binding.value, visit);
  for_each_sym_var(binding.value->type, visit);
  for_each_sym_var(binding.var->type, visit);
  if (binding.match_cast) for_each_sym_var(*binding.match_cast, visit);
  for_each_seq(*binding.value, [&](const SeqExpr& seq) {
    for_each_binding<Enter::none>(seq, [&](const Binding& inner) { for_each_mention(inner, visit); });
    for_each_sym_var(seq.result->type, visit);
  });
}

Shape skeleton(const Shape& shape) {
  Shape result;
  for (const Dim& dim : shape) {
    const bool plain = dim.is_static() || dim.as_var() != nullptr;
    result.push_back(plain ? dim : Dim(make_sym_var("dim")));
  }
  return result;
}

// The type with a new symbolic variable for each dim that is a computation (n + 1), so that a match_cast to it checks none.
Type skeleton(const Type& type) {
  if (const auto* tuple = type.as_tuple()) {
    std::vector<Type> fields;
    for (const Type& field : tuple->fields) fields.push_back(skeleton(field));
    return tuple_type(std::move(fields));
  }
  if (const auto* tensor = type.as_tensor(); tensor != nullptr && tensor->shape) {
    TensorType result = *tensor;
    result.shape = skeleton(*tensor->shape);
    return result;
  }
  if (const auto* shape = type.as_shape(); shape != nullptr && shape->values) {
    return shape_type(skeleton(*shape->values));
  }
  return type;
}

// Binds the moved parameters in a body. It adds bindings to the body itself only, never inside of branches and local functions.
class Binder : public Rewriter {
 public:
  Binder(std::span<const Var> kept, std::vector<MovedParam> moved, const MoveFaults& faults)
      : moved_(std::move(moved)), bound_(moved_.size(), false), faults_(faults) {
    for (std::size_t i = 0; i < moved_.size(); ++i) by_var_.set(moved_[i].var.get(), i);
    std::vector<SymVar> known;
    for (const Var& param : kept) collect_defined(param->type, known);
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      if (!moved_[i].cast) continue;
      std::vector<SymVar> defined;
      collect_defined(moved_[i].var->type, defined);
      for (const SymVar& symbol : defined) {
        if (std::find(known.begin(), known.end(), symbol) != known.end()) continue;
        known.push_back(symbol);
        definers_.set(symbol.get(), i);
      }
    }
  }

  ExprPtr expr(const ExprPtr& old) override { return old; }

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    if (faults_.after_first_use) to.add(old);
    const bool nested = as<If>(old.value) != nullptr || as<FunctionPtr>(old.value) != nullptr;
    if (!nested || !faults_.nested_ignored) {
      want(old.value, to);
      for_each_mention(old, [&](const SymVar& symbol) { want(symbol, to); });
    }
    if (!faults_.after_first_use) to.add(old);
    return true;
  }

  ExprPtr result(const ExprPtr& old, BlockSink& to) override {
    to.continue_plain();
    want(old, to);
    for_each_symbol(old, [&](const SymVar& symbol) { want(symbol, to); });
    for_each_sym_var(old->type, [&](const SymVar& symbol) { want(symbol, to); });
    return old;
  }

 private:
  void want(const ExprPtr& value, BlockSink& to) {
    for_each_use(value, [&](const Var& var) {
      if (const std::size_t* index = by_var_.find(var.get())) bind_param(*index, to);
    });
  }
  void want(const SymVar& symbol, BlockSink& to) {
    if (const std::size_t* definer = definers_.find(symbol.get())) bind_param(*definer, to);
  }

  void bind_param(std::size_t index, BlockSink& to) {
    if (bound_[index]) return;
    bound_[index] = true;
    const MovedParam& param = moved_[index];
    for (const std::size_t needed : param.needs) bind_param(needed, to);
    ExprPtr value = param.fetch(to.current(), to.in_dataflow());
    if (!param.cast) {
      to.add({param.var, std::move(value), std::nullopt});
      return;
    }
    define_dims_of_others(param, value, to);
    to.add({param.var, std::move(value), param.var->type});
  }

  // A dim of this parameter's type may be computed from dims that other moved parameters define, while theirs are computed from
  // dims of this one. So this value is first cast to its plain dims, then the others are bound.
  void define_dims_of_others(const MovedParam& param, const ExprPtr& value, BlockSink& to) {
    const Type& type = param.var->type;
    std::vector<std::size_t> definers;
    for_each_sym_var(type, [&](const SymVar& symbol) {
      const std::size_t* definer = definers_.find(symbol.get());
      if (definer != nullptr && !bound_[*definer]) definers.push_back(*definer);
    });
    if (definers.empty()) return;
    const Type known = skeleton(type);
    to.add({make_var(param.var->name + "_dims", known, to.in_dataflow()), value, known});
    for (const std::size_t definer : definers) bind_param(definer, to);
  }

  std::vector<MovedParam> moved_;
  std::vector<bool> bound_;
  const MoveFaults& faults_;
  PointerMap<std::size_t> by_var_;
  PointerMap<std::size_t> definers_;  // for each symbolic dim, the index of the moved parameter that defines it
};

}  // namespace

std::size_t count_inputs(const Function& function) {
  const std::int64_t* inputs = num_input(function);
  return inputs == nullptr ? 0 : static_cast<std::size_t>(*inputs);
}

SeqExpr bind_before_use(const SeqExpr& body, std::span<const Var> kept, std::vector<MovedParam> moved,
                        const MoveFaults& faults) {
  SeqExpr bound;
  Binder(kept, std::move(moved), faults).seq(body, bound);
  return bound;
}

Type result_type_without(const Type& result, std::span<const Var> kept) {
  std::vector<SymVar> defined;
  for (const Var& param : kept) collect_defined(param->type, defined);
  return erase_symbols(result, [&](const SymVar& symbol) {
    return std::find(defined.begin(), defined.end(), symbol) != defined.end();
  });
}

std::vector<Binding> plain_bindings(const SeqExpr& body, ExprPtr& result) {
  Substitution by;
  std::vector<Binding> bindings;
  for_each_binding<Enter::none>(body, [&](const Binding& binding) {
    ExprPtr value = substitute(binding.value, by);
    Var var = binding.var;
    if (var->dataflow) {
      var = make_var(var->name, var->type);
      by.vars.set(binding.var.get(), var_expr(var));
    }
    bindings.push_back({std::move(var), std::move(value), binding.match_cast});
  });
  result = substitute(body.result, by);
  return bindings;
}

}  // namespace passdiff
