#include "fuzz/conform/known_prim_funcs.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "core/eval/interpret.h"
#include "core/ir/tir/mutator.h"
#include "core/tensor/tensor.h"
#include "oracle/build_passes.h"
#include "oracle/compare.h"

namespace passdiff {
namespace {

constexpr double kSecondsOfAPass = 10;

bool has_nan(const Value& value) {
  const TensorPtr* tensor = value.as_tensor();
  if (tensor == nullptr || !is_float((*tensor)->dtype)) return false;
  const Tensor::Floats& elements = (*tensor)->floats();
  return std::any_of(elements.begin(), elements.end(), [](double element) { return std::isnan(element); });
}

// Whether the function holds an expression of which this is true.
bool any_expr_of(const TestCase& test, const std::function<bool(const tir::ExprNode&)>& holds) {
  bool found = false;
  tir::for_each_nested(
      test.module.prim_funcs.front().function->body, [](const tir::Stmt&) {}, [&](const tir::Expr& expr) { found = found || holds(*expr); });
  return found;
}

bool is_sort(const tir::ExprNode& expr) {
  const auto* name = std::get_if<tir::StringImm>(&expr.node);
  return name != nullptr && name->value.starts_with("tvm.contrib.sort.");
}

// Whether this is arithmetic, comparisons among it, of numbers of the dtype.
bool computes_in(const tir::ExprNode& expr, DType dtype) {
  const auto* binary = std::get_if<tir::Binary>(&expr.node);
  return binary != nullptr && !tir::is_logical(binary->op) && binary->lhs->type.dtype == dtype;
}
bool is_remainder(const tir::ExprNode& expr) {
  const auto* binary = std::get_if<tir::Binary>(&expr.node);
  return binary != nullptr && (binary->op == tir::BinaryOp::floor_mod || binary->op == tir::BinaryOp::modulo);
}

// Whether the interpreter makes this of what the pass made of the function.
bool returns(const Checked& checked, const TestCase& test, const Value& measured) {
  if (!checked.target) return false;
  const Outcome outcome = interpret(*checked.target, test.entry, test.arguments);
  const auto* returned = std::get_if<Returned>(&outcome);
  return returned != nullptr && roughly_equal(returned->value, measured);
}

// The pass of the build of which this is true on the function; empty: there is none.
std::string pass_of_build(Subject& subject, const TestCase& test, const std::function<bool(const Checked&)>& is_it) {
  const std::vector<Checked> checked = check_build_passes(subject, test, {}, kSecondsOfAPass);
  const auto found = std::ranges::find_if(checked, is_it);
  return found == checked.end() ? std::string() : found->verdict.culprit;
}

}  // namespace

std::string why_differs(Subject& subject, const TestCase& test, const Value& measured) {
  if (any_expr_of(test, is_sort) && std::ranges::any_of(test.arguments, has_nan))
    return "TVM sorts by `<` alone, which is no order where a NaN is: it then leaves other elements of the same line unsorted, too";
  const std::string pass = pass_of_build(subject, test, [&](const Checked& one) {
    const Symptom symptom = one.verdict.symptom;
    return is_finding(symptom) && symptom_info(symptom).severity == Severity::wrong_result && returns(one, test, measured);
  });
  return pass.empty() ? pass : fmt::format("{} errs on the function, and the build runs it", pass);
}

std::string why_refused(Subject& subject, const TestCase& test, const VmReply& reply) {
  const std::string& site = reply.error.site;
  const auto of_bools = [](const tir::ExprNode& expr) { return computes_in(expr, DType::boolean); };
  const bool compares_as_floats = site.ends_with("CodeGenLLVM::Verify") && reply.error.message.find("FCmp") != std::string::npos;
  const bool fails_at_bools = site.find("CodeGenLLVM::Create") != std::string::npos || compares_as_floats;
  if (fails_at_bools && any_expr_of(test, of_bools))
    return "TVM's code generator has no arithmetic of booleans, nor comparisons, which LegalizeOps makes of ops on them";
  if (site.ends_with("CodeGenLLVM::GetThreadIndex")) return "the function is one for the threads of a GPU, which code for a CPU has not";
  const auto of_bfloat16 = [](const tir::ExprNode& expr) { return is_remainder(expr) && computes_in(expr, DType::bfloat16); };
  if (site.ends_with("BufferStore::BufferStore") && any_expr_of(test, of_bfloat16))
    return "BF16ComputeLegalize leaves remainders of bfloat16 as they are, which BF16StorageLegalize then cannot store as uint16";
  const std::string pass =
      pass_of_build(subject, test, [&](const Checked& one) { return is_finding(one.verdict.symptom) && one.verdict.site == site; });
  return pass.empty() ? pass : fmt::format("{} fails at the function, and the build runs it", pass);
}

}  // namespace passdiff
