#include "fuzz/conform/known_prim_funcs.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/build_passes.h"

namespace passdiff {
namespace {

constexpr double kSecondsOfAPass = 10;

bool has_nan(const Value& value) {
  const TensorPtr* tensor = value.as_tensor();
  if (tensor == nullptr || !is_float((*tensor)->dtype)) return false;
  const Tensor::Floats& elements = (*tensor)->floats();
  return std::any_of(elements.begin(), elements.end(), [](double element) { return std::isnan(element); });
}

bool is_bool(const tir::Param& param) {
  const auto* buffer = std::get_if<tir::Buffer>(&param);
  return buffer != nullptr && (*buffer)->dtype.dtype == DType::boolean;
}

// The pass of the build whose verdict on the function is of this kind; empty: there is none.
std::string pass_of_build(Subject& subject, const TestCase& test, const std::function<bool(const Verdict&)>& is_it) {
  const std::vector<Checked> checked = check_build_passes(subject, test, {}, kSecondsOfAPass);
  const auto found = std::ranges::find_if(checked, [&](const Checked& one) { return is_it(one.verdict); });
  return found == checked.end() ? std::string() : found->verdict.culprit;
}

}  // namespace

std::string why_differs(Subject& subject, const TestCase& test, const Comparison& comparison) {
  const bool sorts = print(test.module).find("\"tvm.contrib.sort.") != std::string::npos;
  if (sorts && std::ranges::any_of(test.arguments, has_nan))
    return "TVM sorts by `<` alone, which is no order where a NaN is: it then leaves other elements of the same line unsorted, too";
  const std::string pass = pass_of_build(subject, test, [&](const Verdict& verdict) {
    return is_finding(verdict.symptom) && symptom_info(verdict.symptom).severity == Severity::wrong_result && verdict.leaf == comparison.leaf;
  });
  return pass.empty() ? pass : fmt::format("{} errs on the function, and the build runs it", pass);
}

std::string why_refused(Subject& subject, const TestCase& test, const VmReply& reply) {
  const std::vector<tir::Param>& params = test.module.prim_funcs.front().function->params;
  if (reply.error.site.find("CodeGenLLVM::Create") != std::string::npos && std::ranges::any_of(params, is_bool))
    return "TVM's code generator has no arithmetic of booleans, which LegalizeOps makes of ops on them";
  const std::string text = print(test.module);
  const bool takes_remainders = text.find("mod(") != std::string::npos && text.find("\"bfloat16\"") != std::string::npos;
  if (takes_remainders && reply.error.site.ends_with("BufferStore::BufferStore"))
    return "BF16ComputeLegalize leaves remainders of bfloat16 as they are, which BF16StorageLegalize then cannot store as uint16";
  const std::string pass =
      pass_of_build(subject, test, [&](const Verdict& verdict) { return is_finding(verdict.symptom) && verdict.site == reply.error.site; });
  return pass.empty() ? pass : fmt::format("{} fails at the function, and the build runs it", pass);
}

}  // namespace passdiff
