// The native passes over functions of TensorIR, and what they share. Each is defined in the file of its name.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/ir/tir/mutator.h"
#include "passes/native/native_pass.h"

namespace passdiff {

NativePass tir_compact();
NativePass tir_hoist();
NativePass tir_simplify();
NativePass tir_unroll();
NativePass tir_vectorize();

// The module with each function of TensorIR rewritten; functions of Relax stay as they are. No pass over
// TensorIR takes options.
using RewritePrimFunc = std::function<tir::PrimFuncPtr(const tir::PrimFuncPtr&)>;
Result<Module> rewrite_prim_funcs(const Module& module, const NativeRun& run, const RewritePrimFunc& rewrite);
// Such a pass that is a tir::Mutator, which is made of the pass's faults.
template <class Rewrite, const auto& kRows>
Result<Module> rewrite_bodies(const Module& module, NativeRun& run) {
  const auto faults = switched_on(kRows, run);
  return rewrite_prim_funcs(module, run, [&](const tir::PrimFuncPtr& function) {
    return tir::with_body(function, Rewrite(faults).stmt(function->body));
  });
}
// The row of a pass over TensorIR, without its function and faults. Campaigns run it on modules that have
// such functions.
Pass tir_pass(std::string name, std::string source);

// The value of an integer literal that is no vector.
std::optional<std::int64_t> literal(const tir::Expr& expr);
// Whether the expression reads no memory and calls nothing, not even an intrinsic: its value depends on
// variables alone.
bool is_arithmetic(const tir::Expr& expr);
// The expression plus a number, as a literal if it is one.
tir::Expr plus(const tir::Expr& expr, std::int64_t number);

}  // namespace passdiff
