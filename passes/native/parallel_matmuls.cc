#include "passes/native/parallel_matmuls.h"

#include <algorithm>

#include "core/ir/queries.h"
#include "core/form/builder.h"
#include "passes/native/binding_order.h"
#include "passes/native/local_rewrite.h"

namespace passdiff {
namespace {

constexpr std::string_view kAdd = "relax.add";
constexpr std::string_view kMatmul = "relax.matmul";
// The activations that TVM's pass knows; the op table has only relu of them.
constexpr std::string_view kActivations[] = {"relax.nn.relu", "relax.nn.gelu", "relax.nn.gelu_tanh",
                                             "relax.nn.silu"};

const TensorType* known_tensor(const ExprPtr& expr) {
  const TensorType* type = expr->type.as_tensor();
  return type != nullptr && type->shape && type->dtype ? type : nullptr;
}

// Whether two shapes are equal except for the last dim.
bool equal_before_last(const TensorType& a, const TensorType& b) {
  return a.rank == b.rank && std::equal(a.shape->begin(), a.shape->end() - 1, b.shape->begin(),
                                        [](const Dim& x, const Dim& y) { return proven_equal(x, y); });
}

}  // namespace

// Makes the bindings that replace a group.
class ParallelMatmuls::Combination {
 public:
  explicit Combination(bool dataflow) : dataflow_(dataflow) {}

  Result<ExprPtr> emit(std::string_view op, std::vector<ExprPtr> args, Attrs attrs, std::string_view name) {
    const ExprPtr call = TRY(make_call(*find_op(op), std::move(args), std::move(attrs)));
    Var var = make_var(std::string(name), call->type, dataflow_);
    bindings_.push_back({var, call, std::nullopt});
    return var_expr(var);
  }

  Result<ExprPtr> concat(std::vector<ExprPtr> parts, std::int64_t axis, std::string_view name) {
    return emit("relax.concat", {make_tuple(std::move(parts))}, {axis}, name);
  }

  std::vector<Binding>& bindings() { return bindings_; }

 private:
  bool dataflow_;
  std::vector<Binding> bindings_;
};

namespace {

// The indices at which the result is split. All widths but the last are static.
std::vector<std::int64_t> cuts_of(const ParallelBranches& group, bool reversed) {
  std::vector<std::int64_t> widths;
  for (const ParallelBranch& branch : group) widths.push_back(branch.width.value());
  if (reversed) std::reverse(widths.begin(), widths.end());
  widths.pop_back();
  for (std::size_t i = 1; i < widths.size(); ++i) widths[i] += widths[i - 1];
  return widths;
}

void move_dynamic_last(ParallelBranches& group) {
  const auto dynamic = std::find_if(group.begin(), group.end(),
                                    [](const ParallelBranch& branch) { return !branch.width.is_static(); });
  if (dynamic != group.end()) std::rotate(dynamic, dynamic + 1, group.end());
}

std::vector<ExprPtr> fields_of(const ParallelBranches& group, ExprPtr ParallelBranch::* field) {
  std::vector<ExprPtr> result;
  for (const ParallelBranch& branch : group) result.push_back(branch.*field);
  return result;
}

}  // namespace

ParallelMatmuls::ParallelMatmuls(const std::vector<Binding>& segment, bool dataflow,
                                 const std::function<bool(const Var&)>& used_outside,
                                 const CombineFaults& faults)
    : segment_(segment),
      dataflow_(dataflow),
      faults_(faults),
      needs_(transitive_needs(segment)),
      users_(segment.size()) {
  PointerMap<std::size_t> places;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    for_each_use(segment[i].value, [&](const Var& var) {
      if (const std::size_t* place = places.find(var.get())) users_[*place].push_back(i);
    });
    places.set(segment[i].var.get(), i);
    used_outside_.push_back(used_outside(segment[i].var));
  }
}

const Call* ParallelMatmuls::op_call(std::size_t i, std::string_view op) const {
  const Call* call = segment_[i].match_cast ? nullptr : as<Call>(segment_[i].value);
  const OpDef* callee = call == nullptr ? nullptr : called_op(*call);
  return callee != nullptr && callee->name == op ? call : nullptr;
}

bool ParallelMatmuls::is_candidate(std::size_t i) const {
  const Call* call = op_call(i, kMatmul);
  if (call == nullptr || as<Var>(call->args[0]) == nullptr) return false;
  const TensorType* rhs = known_tensor(call->args[1]);
  const TensorType* product = segment_[i].value->type.as_tensor();
  return rhs != nullptr && rhs->rank >= (faults_.rank_one_operand ? 1 : 2) && product->dtype &&
         product->rank != kUnknownRank;
}

bool ParallelMatmuls::fits(const ParallelBranch& first, const ParallelBranch& other) const {
  const Call& a = *as<Call>(segment_[first.matmul].value);
  const Call& b = *as<Call>(segment_[other.matmul].value);
  const TensorType& x = *a.args[1]->type.as_tensor();
  const TensorType& y = *b.args[1]->type.as_tensor();
  const auto out_dtype = [&](const ParallelBranch& branch) {
    return segment_[branch.matmul].value->type.as_tensor()->dtype;
  };
  return *as<Var>(a.args[0]) == *as<Var>(b.args[0]) && x.dtype == y.dtype && x.vdevice == y.vdevice &&
         equal_before_last(x, y) && (faults_.mixed_out_dtypes || out_dtype(first) == out_dtype(other));
}

bool ParallelMatmuls::depends(std::size_t i, const ParallelBranch& on) const {
  return needs_[i][on.matmul];
}

bool ParallelMatmuls::operand_depends(const ExprPtr& operand, const ParallelBranch& on) const {
  const Var* var = as<Var>(operand);
  if (var == nullptr) return false;
  for (std::size_t i = 0; i < segment_.size(); ++i) {
    if (segment_[i].var == *var) return i == on.matmul || depends(i, on);
  }
  return false;
}

std::vector<ParallelBranches> ParallelMatmuls::groups() const {
  std::vector<ParallelBranches> groups;
  for (std::size_t i = 0; i < segment_.size(); ++i) {
    if (!is_candidate(i)) continue;
    const ExprPtr& rhs = as<Call>(segment_[i].value)->args[1];
    const ParallelBranch branch{.matmul = i, .rhs = rhs, .width = rhs->type.as_tensor()->shape->back()};
    const auto takes = [&](const ParallelBranches& group) {
      return fits(group[0], branch) && std::all_of(group.begin(), group.end(), [&](const auto& member) {
               // The indices at which a result is split are attributes, so that only the last width may be symbolic.
               return (member.width.is_static() || branch.width.is_static()) &&
                      (faults_.dependent_merged || !depends(i, member));
             });
    };
    const auto group = std::find_if(groups.begin(), groups.end(), takes);
    if (group == groups.end()) {
      groups.push_back({branch});
    } else {
      group->push_back(branch);
    }
  }
  if (!faults_.lone_matmul) std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  for (ParallelBranches& group : groups) {
    add_biases(group);
    add_activations(group);
    if (faults_.order_reversed) std::reverse(group.begin(), group.end());
  }
  return groups;
}

// The only binding that uses the variable of binding i, if there is just one and its value is an op call.
std::optional<std::size_t> ParallelMatmuls::sole_user(std::size_t i) const {
  if (users_[i].empty()) return std::nullopt;
  if (!faults_.used_product_removed && (users_[i].size() != 1 || used_outside_[i])) return std::nullopt;
  return users_[i][0];
}

bool ParallelMatmuls::are_biases(const ParallelBranches& group) const {
  const TensorType* first = known_tensor(group[0].bias);
  return std::all_of(group.begin(), group.end(), [&](const ParallelBranch& branch) {
    const TensorType* bias = known_tensor(branch.bias);
    const bool alike = first != nullptr && bias != nullptr && bias->rank > 0 && bias->rank == first->rank;
    if (!alike || bias->dtype != first->dtype) return false;
    if (!faults_.broadcast_bias &&
        (!proven_equal(bias->shape->back(), branch.width) || !equal_before_last(*bias, *first)))
      return false;
    return std::none_of(group.begin(), group.end(),
                        [&](const auto& member) { return operand_depends(branch.bias, member); });
  });
}

void ParallelMatmuls::add_biases(ParallelBranches& group) const {
  ParallelBranches biased = group;
  for (ParallelBranch& branch : biased) {
    const auto user = sole_user(branch.matmul);
    const Call* add = user ? op_call(*user, kAdd) : nullptr;
    const Var* left = add == nullptr ? nullptr : as<Var>(add->args[0]);
    if (left == nullptr || *left != segment_[branch.matmul].var) return;
    branch.bias_add = user;
    branch.bias = add->args[1];
  }
  if (are_biases(biased)) group = std::move(biased);
}

void ParallelMatmuls::add_activations(ParallelBranches& group) const {
  const auto activation_of = [&](const ParallelBranch& branch, std::string_view op) {
    const auto user = sole_user(branch.last());
    return user && op_call(*user, op) != nullptr ? user : std::nullopt;
  };
  for (const std::string_view op : kActivations) {
    ParallelBranches active = group;
    std::size_t found = 0;
    for (ParallelBranch& branch : active) {
      branch.activation = activation_of(branch, op);
      found += branch.activation ? 1 : 0;
    }
    const bool enough =
        faults_.first_activation_for_all ? active[0].activation.has_value() : found == active.size();
    if (enough) {
      group = std::move(active);
      return;
    }
  }
}

// Emits the matmul of the joined operands, with the bias and the activation that all branches have.
Result<ExprPtr> ParallelMatmuls::emit_joined(const ParallelBranches& group, const ExprPtr& activated_by,
                                             Combination& made) const {
  const Call& matmul = *as<Call>(segment_[group[0].matmul].value);
  const DType dtype = *segment_[group[0].matmul].value->type.as_tensor()->dtype;
  const int rhs_rank = group[0].rhs->type.as_tensor()->rank;
  const ExprPtr weights = TRY(made.concat(fields_of(group, &ParallelBranch::rhs), rhs_rank - 1, "weights"));
  ExprPtr result = TRY(made.emit(kMatmul, {matmul.args[0], weights}, {dtype}, "products"));
  if (group[0].bias_add) {
    const int axis = faults_.bias_on_first_axis ? 0 : group[0].bias->type.as_tensor()->rank - 1;
    const ExprPtr biases = TRY(made.concat(fields_of(group, &ParallelBranch::bias), axis, "biases"));
    result = TRY(made.emit(kAdd, {result, biases}, {}, "sums"));
  }
  if (activated_by != nullptr) {
    const Call& activation = *as<Call>(activated_by);
    result = TRY(made.emit(called_op(activation)->name, {result}, activation.attrs, "activations"));
  }
  const int lhs_rank = matmul.args[0]->type.as_tensor()->rank;
  const int rank = result->type.as_tensor()->rank;
  const std::int64_t axis = faults_.split_axis_of_operands ? std::max(lhs_rank, rhs_rank) - 1 : rank - 1;
  return made.emit("relax.split", {result}, {cuts_of(group, faults_.split_sizes_reversed), axis}, "parts");
}

Result<std::vector<Binding>> ParallelMatmuls::combine(const ParallelBranches& group) const {
  ParallelBranches joined = group;
  move_dynamic_last(joined);
  const auto activation = group[0].activation;
  Combination made(dataflow_);
  const ExprPtr parts = TRY(emit_joined(joined, activation ? segment_[*activation].value : nullptr, made));

  std::vector<Binding> changed = segment_;
  std::vector<bool> gone(segment_.size());
  const ParallelBranches& order = faults_.parts_in_source_order ? group : joined;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const ParallelBranch& branch = order[k];
    gone[branch.matmul] = true;
    if (branch.bias_add) gone[*branch.bias_add] = true;
    gone[branch.last()] = false;
    // If there is one part only, split returns no tuple.
    const ExprPtr part = order.size() == 1 ? parts : TRY(make_tuple_get_item(parts, static_cast<int>(k)));
    Binding& last = changed[branch.last()];
    if (!faults_.any() && !can_stand_for(part->type, last.var->type))
      return Error{"type.part", last.var->name + ": the part has type " + to_string(part->type)};
    last.value = part;
  }
  std::vector<Binding> result;
  for (std::size_t i = 0; i < segment_.size(); ++i) {
    if (i == group[0].matmul) result.insert(result.end(), made.bindings().begin(), made.bindings().end());
    if (!gone[i]) result.push_back(std::move(changed[i]));
  }
  return put_in_order(std::move(result), symbol_definitions(segment_));
}

}  // namespace passdiff
