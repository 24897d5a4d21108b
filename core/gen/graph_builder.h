// GraphBuilder: a body under construction (of a function, a branch, a closure) whose every value is known.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gen/draft.h"
#include "core/ops/scope.h"

namespace passdiff {

enum class Origin : std::uint8_t { input, weight, constant, computed };

// What is known of a value beside the value.
struct Provenance {
  bool inexact = false;  // descends from library functions whose last digits differ between machines
  bool lifted = true;    // depends on weights and constants alone
  void join(const Provenance& other) {
    inexact = inexact || other.inexact;
    lifted = lifted && other.lifted;
  }
};

// A value in scope.
struct Entry {
  ScopeEntry shown;
  std::shared_ptr<VarNode> var;        // null for constants; ours to change until the function is finished
  const TensorType* tensor = nullptr;  // null unless it is a tensor of known shape and dtype
  Origin origin = Origin::computed;
  Provenance provenance;
  unsigned block = 0;  // where it is bound
  int uses = 0;
  std::optional<bool> small;  // fits(tensor, Fill::small), once asked
};

using AttrArg = std::pair<std::string_view, AttrValue>;

class GraphBuilder final : public Scope {
 public:
  GraphBuilder(CaseDraft& draft, FunctionDraft& function, GraphBuilder* outer = nullptr);
  GraphBuilder(const GraphBuilder&) = delete;
  GraphBuilder& operator=(const GraphBuilder&) = delete;
  ~GraphBuilder() override;

  // Scope, for the generation rules of ops.
  std::optional<ScopeEntry> tensor(Choices& choices, const Want& want) override;
  std::optional<ScopeEntry> existing(Choices& choices,
                                     const std::function<bool(const ScopeEntry&)>& fits) override;
  ExprPtr constant(Tensor tensor) override;
  DType dtype(Choices& choices) override;
  DType float_dtype(Choices& choices) override;
  Shape shape(Choices& choices, int min_rank, int max_rank) override;
  std::int64_t dim(Choices& choices) override;
  int vdevice_count() const override { return draft_.config.vdevices; }
  bool allow_undefined(Choices& choices) override;

  // Binding. Each gives the new variable, or null if the expression does not type, is undefined or too large,
  // or if an operand is null: so that idioms are straight lines.
  ExprPtr emit(const OpDef& op, std::vector<ExprPtr> args, Attrs attrs);
  // For idioms, which read shapes: null too if the result's shape is not known to type inference.
  ExprPtr call(std::string_view op, std::vector<ExprPtr> args, std::initializer_list<AttrArg> attrs = {});
  ExprPtr draw_call(Choices& choices, const OpDef& op);  // by the op's generation rule
  ExprPtr bind(ExprPtr value);                           // a leaf, a tuple or an item of one: evaluated here
  ExprPtr bind_known(ExprPtr value, Value known, Provenance provenance);
  ExprPtr match_cast(const ExprPtr& value, Type type);
  ExprPtr item(const ExprPtr& tuple, int index);
  ExprPtr pack(std::vector<ExprPtr> fields) const;  // a tuple expression, not bound

  // New tensors.
  ExprPtr want(Choices& choices, DType dtype, Shape shape,
               FillSpec fill = {});  // an existing one or a new one
  ExprPtr fresh(Choices& choices, Origin origin, DType dtype, const Shape& shape, FillSpec fill = {});
  ExprPtr parameter(Origin origin, Type type, Value value);
  // A parameter for a value that the caller has: `argument`, null for parameters of closures.
  ExprPtr parameter_for(Type type, const Entry& value, ExprPtr argument,
                        std::vector<Var>* closure_params = nullptr);
  ExprPtr any_tensor(Choices& choices, int min_rank, int max_rank, bool float_only = false);

  // Blocks.
  void begin_block(bool dataflow);
  bool in_dataflow() const { return dataflow_; }
  int binding_count() const { return bindings_; }
  SeqExpr finish(const ExprPtr& result);

  // Looking about.
  std::span<const Entry> entries() const { return entries_; }
  std::span<const ExprPtr> calls() const { return calls_; }  // op calls bound here
  const Entry* find(const ExprPtr& var) const;
  const Entry* choose(Choices& choices, const std::function<bool(const Entry&)>& fits);
  // The value of an operand, and where it comes from; the operands of an operand join `provenance`.
  Value value_of(const ExprPtr& expr, Provenance& provenance) const;
  std::vector<std::int64_t> sizes(const Shape& shape) const;
  std::int64_t size_of(const Dim& dim) const;
  CaseDraft& draft() { return draft_; }
  const Config& config() const { return draft_.config; }
  FunctionDraft& function() { return function_; }
  GraphBuilder* outer() { return outer_; }
  bool has_symbols() const { return !function_.symbols.empty(); }

 private:
  struct Mark {
    std::size_t entries, inputs, weights;
  };
  Mark mark() const { return {entries_.size(), function_.inputs.size(), function_.weights.size()}; }
  void roll_back(const Mark& mark);
  bool matches(Entry& entry, const Want& want) const;
  Entry* choose_matching(Choices& choices, const Want& want);
  std::optional<ScopeEntry> new_tensor(Choices& choices, const Want& want);
  DType new_dtype(Choices& choices, const Want& want);
  ExprPtr add_tensor(Origin origin, const Shape& shape, Tensor tensor, std::optional<int> vdevice);
  bool may_be_parameter(const Type& type) const;
  void add_entry(Entry entry);
  void note_uses(const ExprPtr& expr);
  bool is_acceptable(const OpDef& op, const Value& value, const EvalContext& context, bool intended);
  bool fits_in_memory(const Type& type) const;

  CaseDraft& draft_;
  FunctionDraft& function_;
  GraphBuilder* outer_;
  std::vector<Entry> entries_;
  std::vector<ExprPtr> calls_;
  std::vector<Block> blocks_;
  std::vector<Value> operands_;  // scratch of emit
  unsigned block_ = 0;
  bool dataflow_ = false;
  bool intend_undefined_ = false;
  int bindings_ = 0;
};

}  // namespace passdiff
