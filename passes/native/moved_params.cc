#include "passes/native/moved_params.h"

#include <algorithm>

#include "core/ir/pointer_map.h"
#include "core/form/builder.h"
#include "core/form/signature.h"
#include "passes/native/rewrite.h"

namespace passdiff {
namespace {

void for_each_mention(const Binding& binding, const std::function<void(const SymVar&)>& visit);

void for_each_mention(const SeqExpr& seq, const std::function<void(const SymVar&)>& visit) {
  for (const Block& block : seq.blocks) {
    for (const Binding& binding : block.bindings) for_each_mention(binding, visit);
  }
  for_each_sym_var(seq.result->type, visit);
}

// Every symbolic dim that must be defined where the binding stands, inferred types included.
void for_each_mention(const Binding& binding, const std::function<void(const SymVar&)>& visit) {
  for_each_symbol(binding.value, visit);
  for_each_sym_var(binding.value->type, visit);
  for_each_sym_var(binding.var->type, visit);
  if (binding.match_cast) for_each_sym_var(*binding.match_cast, visit);
  if (const auto* branch = as<If>(binding.value)) {
    for_each_mention(*branch->then_branch, visit);
    for_each_mention(*branch->else_branch, visit);
  } else if (const auto* function = as<FunctionPtr>(binding.value)) {
    for_each_mention((*function)->body, visit);
  }
}

Shape skeleton(const Shape& shape) {
  Shape result;
  for (const Dim& dim : shape) {
    const bool plain = dim.is_static() || dim.as_var() != nullptr;
    result.push_back(plain ? dim : Dim(make_sym_var("dim")));
  }
  return result;
}

// The type with dims that compute something left open.
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

class Binder {
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

  SeqExpr bind(const SeqExpr& body) {
    SeqExpr result;
    for (const Block& block : body.blocks) {
      dataflow_ = block.dataflow;
      Block& copy = result.blocks.emplace_back(Block{block.dataflow, {}});
      into_ = &copy.bindings;
      for (const Binding& binding : block.bindings) add(binding);
    }
    dataflow_ = false;
    Block last;
    into_ = &last.bindings;
    want(body.result);
    for_each_symbol(body.result, [&](const SymVar& symbol) { want(symbol); });
    for_each_sym_var(body.result->type, [&](const SymVar& symbol) { want(symbol); });
    append(result, std::move(last));
    result.result = body.result;
    return result;
  }

 private:
  static void append(SeqExpr& seq, Block&& last) {
    if (last.bindings.empty()) return;
    // Text cannot tell two plain blocks in a row from one.
    if (seq.blocks.empty() || seq.blocks.back().dataflow) {
      seq.blocks.push_back(std::move(last));
      return;
    }
    auto& bindings = seq.blocks.back().bindings;
    bindings.insert(bindings.end(), last.bindings.begin(), last.bindings.end());
  }

  void add(const Binding& binding) {
    if (faults_.after_first_use) into_->push_back(binding);
    const bool nested = as<If>(binding.value) != nullptr || as<FunctionPtr>(binding.value) != nullptr;
    if (!nested || !faults_.nested_ignored) {
      want(binding.value);
      for_each_mention(binding, [&](const SymVar& symbol) { want(symbol); });
    }
    if (!faults_.after_first_use) into_->push_back(binding);
  }

  void want(const ExprPtr& expr) {
    for_each_use(expr, [&](const Var& var) {
      if (const std::size_t* index = by_var_.find(var.get())) bind_param(*index);
    });
  }
  void want(const SymVar& symbol) {
    if (const std::size_t* definer = definers_.find(symbol.get())) bind_param(*definer);
  }

  void bind_param(std::size_t index) {
    if (bound_[index]) return;
    bound_[index] = true;
    const MovedParam& param = moved_[index];
    for (const std::size_t needed : param.needs) bind_param(needed);
    ExprPtr value = param.fetch(*into_, dataflow_);
    if (!param.cast) {
      into_->push_back({param.var, std::move(value), std::nullopt});
      return;
    }
    define_dims_of_others(param, value);
    into_->push_back({param.var, std::move(value), param.var->type});
  }

  // Dims may be computed from what other parameters define, and these from what this one does.
  void define_dims_of_others(const MovedParam& param, const ExprPtr& value) {
    const Type& type = param.var->type;
    std::vector<std::size_t> definers;
    for_each_sym_var(type, [&](const SymVar& symbol) {
      const std::size_t* definer = definers_.find(symbol.get());
      if (definer != nullptr && !bound_[*definer]) definers.push_back(*definer);
    });
    if (definers.empty()) return;
    const Type known = skeleton(type);
    into_->push_back({make_var(param.var->name + "_dims", known, dataflow_), value, known});
    for (const std::size_t definer : definers) bind_param(definer);
  }

  std::vector<MovedParam> moved_;
  std::vector<bool> bound_;
  const MoveFaults& faults_;
  PointerMap<std::size_t> by_var_;
  PointerMap<std::size_t> definers_;  // by symbolic dim: the moved parameter that defines it
  std::vector<Binding>* into_ = nullptr;
  bool dataflow_ = false;
};

}  // namespace

SeqExpr bind_before_use(const SeqExpr& body, std::span<const Var> kept, std::vector<MovedParam> moved,
                        const MoveFaults& faults) {
  return Binder(kept, std::move(moved), faults).bind(body);
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
  for (const Block& block : body.blocks) {
    for (const Binding& binding : block.bindings) {
      ExprPtr value = substitute(binding.value, by);
      Var var = binding.var;
      if (var->dataflow) {
        var = make_var(var->name, var->type);
        by.vars.set(binding.var.get(), var_expr(var));
      }
      bindings.push_back({std::move(var), std::move(value), binding.match_cast});
    }
  }
  result = substitute(body.result, by);
  return bindings;
}

}  // namespace passdiff
