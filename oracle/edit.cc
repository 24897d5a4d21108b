#include "oracle/edit.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/ir/pointer_map.h"
#include "core/ir/tir/prim_func.h"
#include "core/ir/walk.h"
#include "core/ir/words.h"
#include "core/ops/op.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

// How often each operation occurs, spelled as "kind|attributes|kinds of its operands".
using Census = std::map<std::string, int>;

std::uint64_t hash_of(const AttrValue& value) {
  Words words;
  words.attr(value);
  return words.hash();
}

// How often each value of each attribute of an op occurs, spelled as "matmul.out_dtype|value".
Census attributes_of(const Module& module) {
  Census census;
  for (const GlobalFunction& global : module.functions) {
    for_each_expr(global.function->body, [&](const ExprPtr& expr) {
      const Call* call = as<Call>(expr);
      const OpDef* op = call == nullptr ? nullptr : called_op(*call);
      if (op == nullptr) return;
      const auto params = op->attributes();
      for (std::size_t i = 0; i < params.size() && i < call->attrs.size(); ++i)
        ++census[fmt::format("{}.{}|{:x}", script_name(*op), params[i].name, hash_of(call->attrs[i]))];
    });
  }
  return census;
}

class Counter {
 public:
  explicit Counter(bool with_operands) : with_operands_(with_operands) {}

  Census count(const Module& module) && {
    for (const GlobalFunction& global : module.functions) count_seq(global.function->body);
    for (const GlobalPrimFunc& global : module.prim_funcs) count_stmt(global.function->body);
    return std::move(census_);
  }

 private:
  void add(std::string_view kind, const std::string& rest = {}) { ++census_[fmt::format("{}|{}", kind, rest)]; }

  void count_seq(const SeqExpr& seq) {
    for_each_binding(seq, [&](const Binding& binding) {
      values_.set(binding.var.get(), binding.value);
      if (binding.match_cast) add("match-cast");
      const std::string_view kind = operation_kind(binding.value);
      if (!kind.empty()) add(kind, details_of(binding.value));
    });
  }

  std::string details_of(const ExprPtr& expr) const {
    std::string details;
    if (const Call* call = as<Call>(expr)) {
      Words attributes;
      for (const AttrValue& attr : call->attrs) attributes.attr(attr);
      details = fmt::format("{:x}", attributes.hash());
    }
    if (!with_operands_) return details;
    details += "|";
    for_each_operand(*expr, [&](const ExprPtr& operand) { details += producer_of(operand) + ","; });
    return details;
  }

  // The op that computes the operand. All else is told apart by nothing: parameters become fields, constants and results of calls
  // wherever functions are rearranged.
  std::string producer_of(ExprPtr expr) const {
    while (const Var* var = as<Var>(expr)) {
      const ExprPtr* value = values_.find(var->get());
      if (value == nullptr) return {};
      expr = *value;
    }
    return called_op(expr) == nullptr ? std::string() : std::string(operation_kind(expr));
  }

  void count_stmt(const tir::Stmt& stmt);
  void count_scalar(const tir::Expr& expr);

  bool with_operands_;
  PointerMap<ExprPtr> values_;
  Census census_;
};

// The names of the statements, in the order of tir::StmtAlternatives.
constexpr std::array<std::string_view, std::variant_size_v<tir::StmtAlternatives>> kStmtNames = {
    "T.for",          "T.while",      "",          "T.if",     "T.evaluate", "T.bind",  "T.store",      "T.alloc_buffer",
    "T.decl_buffer", "T.attr",       "T.assert", "T.return", "T.break",    "T.continue", "T.sblock"};

void Counter::count_stmt(const tir::Stmt& stmt) {
  const std::string_view name = kStmtNames.at(stmt->node.index());
  if (!name.empty()) add(name);
  tir::for_each_expr(stmt, [&](const tir::Expr& expr) { count_scalar(expr); });
  tir::for_each_child(stmt, [&](const tir::Stmt& child) { count_stmt(child); });
}

void Counter::count_scalar(const tir::Expr& expr) {
  if (const auto* binary = tir::as<tir::Binary>(expr)) add(fmt::format("T.{}", tir::binary_op_name(binary->op)));
  if (const auto* call = tir::as<tir::Call>(expr)) add("T." + call->intrinsic);
  if (tir::as<tir::Select>(expr) != nullptr) add("T.Select");
  if (tir::as<tir::Cast>(expr) != nullptr) add("T.Cast");
  if (tir::as<tir::BufferLoad>(expr) != nullptr) add("T.load");
  tir::for_each_operand(expr, [&](const tir::Expr& operand) { count_scalar(operand); });
}

struct Difference {
  int less = 0;
  int more = 0;
};

// By kind: how many of its spellings occur less often, and how many more often.
std::map<std::string, Difference> compare(Census before, const Census& after) {
  for (const auto& [spelling, count] : after) before[spelling] -= count;
  std::map<std::string, Difference> differences;
  for (const auto& [spelling, excess] : before) {
    if (excess == 0) continue;
    Difference& difference = differences[spelling.substr(0, spelling.find('|'))];
    (excess > 0 ? difference.less : difference.more) += std::abs(excess);
  }
  return differences;
}

std::string signed_word(const std::string& kind, const Difference& difference) {
  const char sign = difference.less == difference.more ? '~' : difference.less > difference.more ? '-' : '+';
  return sign + kind;
}

bool is_computation(std::string_view kind) {
  return kind.starts_with("T.") || find_op(fmt::format("relax.{}", kind)) != nullptr;
}

// A pass that copies loops, as those that partition or unroll them, has copied what stands in them, and settled what their bounds decide; one
// that takes blocks away has put what they compute wherever it was read: which expressions these were is chance. What it did to the loops and to
// what declares them stays; with blocks that go, theirs go, and how many a schedule makes of the others is chance again.
void forget_what_loops_hold(std::set<std::string>& edit) {
  const bool takes_blocks_away = edit.contains("-T.sblock");
  if (!edit.contains("+T.for") && !takes_blocks_away) return;
  std::erase_if(edit, [&](const std::string& word) {
    const std::string_view kind = std::string_view(word).substr(1);
    const bool is_statement = std::ranges::find(kStmtNames, kind) != kStmtNames.end();
    return kind.starts_with("T.") &&
           (!is_statement || kind == "T.if" || word == "+T.store" || word == "+T.evaluate" || (takes_blocks_away && kind == "T.for"));
  });
}

}  // namespace

std::string_view operation_kind(const ExprPtr& expr) {
  return match(
      expr,
      [](const Call& call) -> std::string_view {
        if (const OpDef* op = called_op(call)) return script_name(*op);
        if (std::holds_alternative<GlobalRef>(call.callee)) return "call-global";
        return std::holds_alternative<ExternFunc>(call.callee) ? "call-extern" : "call-local";
      },
      [](const If&) -> std::string_view { return "if"; },
      [](const FunctionPtr&) -> std::string_view { return "local-function"; },
      [](const Tuple&) -> std::string_view { return "tuple"; },
      [](const TupleGetItem&) -> std::string_view { return "tuple-get-item"; },
      [](const OneOf<Var, Constant, ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef, ExternFunc> auto&)
          -> std::string_view { return {}; });
}

std::set<std::string> edit_between(const Module& before, const Module& after) {
  const auto coarse = compare(Counter(false).count(before), Counter(false).count(after));
  std::set<std::string> edit;
  bool computes_otherwise = false;
  for (const auto& [kind, difference] : coarse) {
    computes_otherwise |= is_computation(kind);
    if (difference.less != difference.more) edit.insert(signed_word(kind, difference));
  }
  for (const auto& [attribute, difference] : compare(attributes_of(before), attributes_of(after))) {
    const auto op = coarse.find(attribute.substr(0, attribute.rfind('.')));
    if (op != coarse.end() && op->second.less == op->second.more) edit.insert("~" + attribute);
  }
  forget_what_loops_hold(edit);
  if (!computes_otherwise) return edit;  // rearranged, or left alone: operands tell where code went, not what it does
  for (const auto& [kind, difference] : compare(Counter(true).count(before), Counter(true).count(after))) {
    if (is_computation(kind) && !coarse.contains(kind)) edit.insert(signed_word(kind, difference));
  }
  return edit;
}

}  // namespace passdiff
