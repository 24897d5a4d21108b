#include "passes/native/tir_passes.h"

#include <algorithm>

namespace passdiff {
namespace {

bool has_prim_funcs(const Module& module) {
  return !module.prim_funcs.empty();
}

}  // namespace

Result<Module> rewrite_prim_funcs(const Module& module, const NativeRun& run,
                                  const RewritePrimFunc& rewrite) {
  if (run.options != "{}") return Error{"options.unknown", "passes over TensorIR take no options"};
  Module result = module;
  for (GlobalPrimFunc& global : result.prim_funcs) global.function = rewrite(global.function);
  return result;
}

Pass tir_pass(std::string name, std::string source) {
  return {.name = std::move(name),
          .contract = {.numerics = Numerics::exact, .level = Level::legalised},
          .applies = has_prim_funcs,
          .source = std::move(source)};
}

std::optional<std::int64_t> literal(const tir::Expr& expr) {
  const auto* imm = tir::as<tir::IntImm>(expr);
  if (imm == nullptr || !expr->type.is_number() || expr->type.lanes != 1) return std::nullopt;
  return imm->value;
}

bool is_arithmetic(const tir::Expr& expr) {
  bool found = false;
  tir::for_each_nested(expr, [&](const tir::Expr& one) {
    found =
        found || tir::as<tir::BufferLoad>(one) || tir::as<tir::Call>(one) || tir::as<tir::FunctionCall>(one);
  });
  return !found;
}

tir::Expr plus(const tir::Expr& expr, std::int64_t number) {
  if (number == 0) return expr;
  if (const auto value = literal(expr)) return tir::int_imm(*value + number, expr->type.dtype);
  const tir::Expr distance = tir::int_imm(number < 0 ? -number : number, expr->type.dtype);
  return tir::binary_expr(number < 0 ? tir::BinaryOp::subtract : tir::BinaryOp::add, expr, distance);
}

}  // namespace passdiff
