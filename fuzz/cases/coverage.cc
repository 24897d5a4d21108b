#include "fuzz/cases/coverage.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/ir/pointer_map.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "fuzz/cases/hashes.h"
#include "fuzz/cases/tensor_ir_facts.h"

namespace passdiff {
namespace {

// A change of more edges than this is no rewrite of a pattern: a whole function was rebuilt.
constexpr std::size_t kLargestRewrite = 12;
// How many features of each kind a pass may have. A pass that rewrites whole modules would otherwise have thousands, and inputs that
// run it would fill the corpus. Chosen by scripts/measure-features.
constexpr std::uint64_t kMostVerdicts = kVerdictFeatures;
constexpr std::uint64_t kMostChanged = 96;
constexpr std::uint64_t kMostKept = 32;
static_assert(kMostVerdicts + 2 * kMostChanged + kMostKept == kFeaturesOfAPass);

// A hash of rank and dtype, which the preconditions of passes are about. Sizes are left out: there are too many.
std::uint64_t hash_type(const Type& type) {
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr) return type.kind();
  const std::uint64_t rank = tensor->shape ? tensor->shape->size() : 99;
  return 16 + 64 * rank + (tensor->dtype ? 1 + static_cast<std::uint64_t>(*tensor->dtype) : 0);
}

std::string_view kind_of(const Expr& expr) {
  return match(
      expr, [](const Var&) -> std::string_view { return "param"; },  // nothing in the function binds it
      [](const Constant&) -> std::string_view { return "const"; },
      [](const Call& call) -> std::string_view {
        if (const OpDef* op = called_op(call)) return op->name;
        if (std::holds_alternative<GlobalRef>(call.callee)) return "call-global";
        return std::holds_alternative<ExternFunc>(call.callee) ? "call-extern" : "call-local";
      },
      [](const Tuple&) -> std::string_view { return "tuple"; },
      [](const TupleGetItem&) -> std::string_view { return "item"; },
      [](const If&) -> std::string_view { return "if"; },
      [](const FunctionPtr&) -> std::string_view { return "function"; },
      [](const OneOf<ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef, ExternFunc> auto&)
          -> std::string_view { return "leaf"; });
}

struct Edge {
  std::string_view producer;
  std::string_view consumer;
  std::uint64_t hash;  // of both, the operand's place and its type
};

bool by_hash(const Edge& a, const Edge& b) {
  return a.hash < b.hash;
}

// The edges of a module's functions, sorted by hash.
class EdgeCollector {
 public:
  // Each as often as it occurs.
  std::vector<Edge> collect_all(const Module& module) {
    for (const GlobalFunction& global : module.functions) {
      add_seq(global.function->body, "return");
    }
    std::sort(edges_.begin(), edges_.end(), by_hash);
    return std::move(edges_);
  }
  // Each once.
  std::vector<Edge> collect(const Module& module) {
    edges_ = collect_all(module);
    const auto same = [](const Edge& a, const Edge& b) { return a.hash == b.hash; };
    edges_.erase(std::unique(edges_.begin(), edges_.end(), same), edges_.end());
    return std::move(edges_);
  }

 private:
  void add_seq(const SeqExpr& seq, std::string_view consumer) {
    for_each_binding<Enter::none>(seq, [&](const Binding& binding) {
      values_.set(binding.var.get(), binding.value.get());
      add_value(binding.match_cast ? "match-cast" : kind_of(*binding.value), *binding.value);
    });
    add_edge(consumer, 0, seq.result);
  }

  void add_value(std::string_view kind, const Expr& value) {
    match(
        value,
        [&](const Call& call) {
          for (std::size_t i = 0; i < call.args.size(); ++i) add_edge(kind, i, call.args[i]);
        },
        [&](const Tuple& tuple) {
          for (const ExprPtr& field : tuple.fields) add_edge(kind, 0, field);
        },
        [&](const TupleGetItem& item) { add_edge(kind, 0, item.tuple); },
        [&](const If& branches) {
          add_edge(kind, 0, branches.condition);
          add_seq(*branches.then_branch, "then");
          add_seq(*branches.else_branch, "else");
        },
        [&](const FunctionPtr& function) { add_seq(function->body, "return-local"); },
        [](const OneOf<Var, Constant, ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef, ExternFunc> auto&) {});
  }

  void add_edge(std::string_view consumer, std::size_t place, const ExprPtr& operand) {
    const std::string_view producer = kind_of(*resolve(operand.get()));
    const std::uint64_t place_and_type = mix(place, hash_type(operand->type));
    edges_.push_back(
        {producer, consumer, mix(mix(hash_text(producer), hash_text(consumer)), place_and_type)});
  }

  // The expression that is bound to a variable, through variables bound to variables; other expressions as they are.
  const Expr* resolve(const Expr* expr) const {
    while (const auto* var = std::get_if<Var>(&expr->node)) {
      const Expr* const* value = values_.find(var->get());
      if (value == nullptr) break;
      expr = *value;
    }
    return expr;
  }

  PointerMap<const Expr*> values_;
  std::vector<Edge> edges_;
};

// What passes change besides neighbourhoods: functions and their attributes, blocks, the order of bindings, virtual devices.
class LayoutCollector {
 public:
  // Hashes of the facts, sorted, each as often as it occurs.
  std::vector<std::uint64_t> collect(const Module& module) {
    for (const auto& [name, value] : module.attrs) add(kAttribute, hash_text(name));
    for (const GlobalFunction& global : module.functions) add_function(global);
    std::sort(facts_.begin(), facts_.end());
    return std::move(facts_);
  }

 private:
  enum Kind : std::uint64_t { kFunction, kAttribute, kParameter, kBlock, kOrder, kDevice };

  void add(Kind kind, std::uint64_t fact) { facts_.push_back(mix(kind, fact)); }

  void add_function(const GlobalFunction& global) {
    const Function& function = *global.function;
    add(kFunction, mix(hash_text(global.name), global.is_public ? 1 : 0));
    for (const auto& [name, value] : function.attrs) add(kAttribute, hash_text(name));
    for (const Var& param : function.params) add(kParameter, hash_type(param->type));
    const Block* before = nullptr;
    std::uint64_t kind_before = 0;
    for_each_binding(function.body, [&](const Binding& binding, const Block& block) {
      const std::uint64_t kind = hash_text(kind_of(*binding.value));
      add(kBlock, mix(kind, (block.dataflow ? 2 : 0) + (binding.var->dataflow ? 1 : 0)));
      if (&block == before) add(kOrder, mix(kind_before, kind));
      const TensorType* tensor = binding.var->type.as_tensor();
      if (tensor != nullptr && tensor->vdevice)
        add(kDevice, mix(kind, static_cast<std::uint64_t>(*tensor->vdevice)));
      before = &block;
      kind_before = kind;
    });
  }

  std::vector<std::uint64_t> facts_;
};

struct Change {
  std::vector<Edge> vanished, appeared, kept;
};

Change change_between(const Module& source, const Module& target) {
  const std::vector<Edge> before = EdgeCollector().collect(source);
  const std::vector<Edge> after = EdgeCollector().collect(target);
  Change change;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(change.vanished), by_hash);
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(change.appeared), by_hash);
  std::set_intersection(before.begin(), before.end(), after.begin(), after.end(),
                        std::back_inserter(change.kept), by_hash);
  return change;
}

// Calls visit(number) for each feature of a check, as often as it shows.
template <class Visit>
void for_each_feature(const Module& source, const Checked& checked, Visit visit) {
  const std::uint64_t verdict = mix(static_cast<std::uint64_t>(checked.verdict.symptom), hash_text(checked.verdict.site));
  visit(verdict % kMostVerdicts);
  if (!checked.target) return;
  const Change change = change_between(source, *checked.target);
  const auto visit_edges = [&](const std::vector<Edge>& edges, std::uint64_t first, std::uint64_t most) {
    for (const Edge& edge : edges) visit(first + edge.hash % most);
  };
  visit_edges(change.vanished, kMostVerdicts, kMostChanged);
  visit_edges(change.appeared, kMostVerdicts + kMostChanged, kMostChanged);
  // Edges that were kept are counted only where others changed: they are the surroundings of the pattern.
  if (!change.vanished.empty() || !change.appeared.empty())
    visit_edges(change.kept, kMostVerdicts + 2 * kMostChanged, kMostKept);
}

std::set<OpPair> pairs_of(const std::vector<Edge>& edges) {
  std::set<OpPair> pairs;
  for (const Edge& edge : edges) pairs.insert({std::string(edge.producer), std::string(edge.consumer)});
  return pairs;
}

}  // namespace

Features features_of(const Module& source, const Checked& checked) {
  Features features;
  for_each_feature(source, checked, [&](std::uint64_t number) { features.push_back(static_cast<std::uint16_t>(number)); });
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

void count_behaviour(const Pipeline& pipeline, const Module& source, const Checked& checked,
                     std::span<std::uint8_t> counters) {
  if (pipeline.empty() || counters.empty()) return;
  const std::uint64_t pass = hash_text(pipeline.back().name);
  for_each_feature(source, checked, [&](std::uint64_t number) {
    std::uint8_t& counter = counters[mix(pass, number) % counters.size()];
    if (counter != UINT8_MAX) ++counter;
  });
}

std::vector<std::uint64_t> change_features(const Module& source, const Module* target) {
  const auto facts_of = [](const Module& module) {
    std::vector<std::uint64_t> facts = LayoutCollector().collect(module);
    for (const Edge& edge : EdgeCollector().collect_all(module)) facts.push_back(edge.hash);
    std::ranges::copy(tensor_ir_facts(module), std::back_inserter(facts));
    std::sort(facts.begin(), facts.end());
    return facts;
  };
  const std::vector<std::uint64_t> before = facts_of(source);
  const std::vector<std::uint64_t> after = facts_of(target == nullptr ? Module() : *target);
  std::vector<std::uint64_t> fewer, more, features;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(fewer));
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(more));
  for (const std::uint64_t fact : fewer) features.push_back(fact % kMostChanged);
  for (const std::uint64_t fact : more) features.push_back(kMostChanged + fact % kMostChanged);
  return features;
}

void collect_rewrites(const Pipeline& pipeline, const Module& source, const Checked& checked,
                      std::set<Rewrite>& into) {
  if (pipeline.empty() || !checked.target) return;
  const Change change = change_between(source, *checked.target);
  const std::set<OpPair> vanished = pairs_of(change.vanished);
  const std::set<OpPair> appeared = pairs_of(change.appeared);
  if (vanished.size() > kLargestRewrite || appeared.size() > kLargestRewrite) return;
  for (const OpPair& before : vanished) {
    for (const OpPair& after : appeared) into.insert({pipeline.back().name, before, after});
  }
}

}  // namespace passdiff
