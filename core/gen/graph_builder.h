// GraphBuilder: the body of a function, a branch or a local function under construction. Everything that is bound
// is evaluated.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gen/body_blocks.h"
#include "core/gen/operands.h"

namespace passdiff {

using AttrArg = std::pair<std::string_view, AttrValue>;

class GraphBuilder final : public Operands {
 public:
  GraphBuilder(CaseDraft& draft, FunctionDraft& function, GraphBuilder* outer = nullptr);
  GraphBuilder(const GraphBuilder&) = delete;
  GraphBuilder& operator=(const GraphBuilder&) = delete;

  // Each binds an expression and returns the new variable; null if the expression does not type, is undefined or
  // too large, or has a null operand, so that idioms need not look at what the steps before gave them.
  ExprPtr emit(const OpDef& op, std::vector<ExprPtr> args, Attrs attrs);
  // By name, with defaults for attributes that are not given. For idioms, which read shapes: null, too, if
  // inference does not know the result's shape. The op may be one that the case avoids; then null as well.
  ExprPtr call(std::string_view op, std::vector<ExprPtr> args, std::initializer_list<AttrArg> attrs = {});
  ExprPtr draw_call(Choices& choices, const OpDef& op);  // by the op's generation rule
  ExprPtr bind(ExprPtr value);                           // no call: an operand, or an item of a tuple
  ExprPtr bind_known(ExprPtr value, Value known, Provenance provenance);
  // Binds a call that is made for its effect. Its result, the empty tuple, is no operand of what comes later.
  void perform(const ExprPtr& call);
  ExprPtr match_cast(const ExprPtr& value, Type type);
  ExprPtr item(const ExprPtr& tuple, int index);
  ExprPtr pack(std::vector<ExprPtr> fields) const;  // a tuple, which is not bound; null if a field is

  void begin_block(bool dataflow) { blocks_.begin(dataflow); }
  bool in_dataflow() const { return blocks_.in_dataflow(); }
  int binding_count() const { return blocks_.binding_count(); }
  std::span<const ExprPtr> calls() const { return calls_; }  // of ops, bound here
  // The finished body. Nothing can be added any more.
  SeqExpr finish(const ExprPtr& result);

 private:
  ExprPtr bind_as(Type type, ExprPtr value, Value&& known, Provenance provenance, std::optional<Type> match_cast);
  bool is_small(const Type& type) const;
  bool is_acceptable(const OpDef& op, const Value& value, const EvalContext& context, bool intended) const;

  BodyBlocks blocks_;
  std::vector<ExprPtr> calls_;
  std::vector<Value> operands_;  // scratch of emit
};

}  // namespace passdiff
