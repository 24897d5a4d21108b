// TirHoist: a loop whose body is an `if` on what no iteration changes becomes an `if` around loops.
//
// As TVM's HoistIfThenElse does. Conditions that read memory stay where they are, and so do those in loops
// that may have no iteration, where they might not be evaluated at all.
#include "passes/native/tir_passes.h"

namespace passdiff {
namespace native::tir_hoist {
namespace {

struct Faults {
  bool loop_variable_used = false;
  bool first_iteration_decides = false;
  bool else_dropped = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::loop_variable_used, "tir-hoist/loop-variable-used",
     "conditions on the loop's variable leave the loop, too", "well-formed"},
    {&Faults::first_iteration_decides, "tir-hoist/first-iteration-decides",
     "a condition on the loop's variable is decided once, for the first iteration", "outputs-refine"},
    {&Faults::else_dropped, "tir-hoist/else-dropped", "the other branch gets no loop", "outputs-refine"},
};

class Hoister : public tir::Mutator {
 public:
  explicit Hoister(const Faults& faults) : faults_(faults) {}

  // Loops inside first: what leaves one of them may leave the next.
  tir::Stmt stmt(const tir::Stmt& old) override {
    const tir::Stmt fresh = parts(old);
    const auto* loop = tir::as<tir::For>(fresh);
    const auto* branches = loop == nullptr ? nullptr : tir::as<tir::IfThenElse>(loop->body);
    if (branches == nullptr || !can_leave(*loop, branches->condition)) return fresh;
    tir::Expr condition = branches->condition;
    if (faults_.first_iteration_decides) {
      tir::Substitution first;
      first.replace(loop->var, loop->min);
      condition = first.expr(condition);
    }
    const tir::Stmt then_case = around(*loop, branches->then_case);
    const bool keeps_else = branches->else_case != nullptr && !faults_.else_dropped;
    const tir::Stmt else_case =
        keeps_else ? tir::Substitution().stmt(around(*loop, branches->else_case)) : nullptr;
    return make_stmt(tir::IfThenElse{std::move(condition), then_case, else_case});
  }

 private:
  bool can_leave(const tir::For& loop, const tir::Expr& condition) const {
    const auto extent = literal(loop.extent);
    if (!extent || *extent < 1 || loop.kind == tir::ForKind::thread_binding || !is_arithmetic(condition))
      return false;
    return !tir::uses(condition, loop.var) || faults_.loop_variable_used || faults_.first_iteration_decides;
  }

  static tir::Stmt around(tir::For loop, const tir::Stmt& body) {
    loop.body = body;
    return make_stmt(std::move(loop));
  }

  const Faults& faults_;
};

}  // namespace
}  // namespace native::tir_hoist

NativePass tir_hoist() {
  using namespace native::tir_hoist;
  return {.pass = tir_pass("TirHoist", "passes/native/tir_hoist.cc"), .run = rewrite_bodies<Hoister, kFaults>, .faults = listed(kFaults)};
}

}  // namespace passdiff
