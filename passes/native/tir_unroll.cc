// TirUnroll: puts copies of the body in the place of loops of the kind `unrolled`, and of serial loops of few
// iterations.
//
// As TVM's UnrollLoop does with explicit unrolling and a small auto_max_extent. Loops whose body may leave or
// continue a loop stay.
#include "passes/native/tir_passes.h"

namespace passdiff {
namespace native::tir_unroll {
namespace {

// The longest loops that are unrolled: those that ask for it, and others.
constexpr std::int64_t kMaxExtent = 64;
constexpr std::int64_t kMaxSerialExtent = 4;

struct Faults {
  bool last_dropped = false;
  bool starts_at_zero = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::last_dropped, "tir-unroll/last-dropped", "the last iteration has no copy", "outputs-refine"},
    {&Faults::starts_at_zero, "tir-unroll/starts-at-zero",
     "the copies count from 0, wherever the loop starts", "outputs-refine"},
};

bool jumps(const tir::Stmt& body) {
  bool found = false;
  tir::for_each_nested(
      body,
      [&](const tir::Stmt& stmt) {
        found = found || tir::as<tir::Break>(stmt) || tir::as<tir::Continue>(stmt);
      },
      [](const tir::Expr&) {});
  return found;
}

bool is_unrolled(const tir::For& loop) {
  const auto extent = literal(loop.extent);
  if (!extent || loop.step != nullptr || !is_arithmetic(loop.min) || jumps(loop.body)) return false;
  if (loop.kind == tir::ForKind::unrolled) return *extent <= kMaxExtent;
  return loop.kind == tir::ForKind::serial && *extent <= kMaxSerialExtent;
}

class Unroller : public tir::Mutator {
 public:
  explicit Unroller(const Faults& faults) : faults_(faults) {}

  tir::Stmt stmt(const tir::Stmt& old) override {
    const auto* loop = tir::as<tir::For>(old);
    if (loop == nullptr || !is_unrolled(*loop)) return parts(old);
    const std::int64_t iterations = *literal(loop->extent) - (faults_.last_dropped ? 1 : 0);
    const tir::Expr start = faults_.starts_at_zero ? tir::int_imm(0, loop->min->type.dtype) : loop->min;
    std::vector<tir::Stmt> copies;
    for (std::int64_t i = 0; i < iterations; ++i) {
      tir::Substitution iteration;
      iteration.replace(loop->var, plus(start, i));
      copies.push_back(stmt(iteration.stmt(loop->body)));
    }
    return copies.empty() ? tir::no_op() : tir::sequence(copies);
  }

 private:
  const Faults& faults_;
};

}  // namespace
}  // namespace native::tir_unroll

NativePass tir_unroll() {
  using namespace native::tir_unroll;
  return {
      .pass = tir_pass("TirUnroll", "passes/native/tir_unroll.cc"), .run = rewrite_bodies<Unroller, kFaults>, .faults = listed(kFaults)};
}

}  // namespace passdiff
