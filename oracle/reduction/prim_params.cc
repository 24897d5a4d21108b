// Steps for functions of TensorIR as a whole: they go, or lose parameters and attributes.
#include <array>
#include <utility>

#include "core/form/builder.h"
#include "core/ops/op.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/prim_funcs.h"

namespace passdiff {
namespace {

std::size_t count_prim_funcs(const TestCase& test) {
  return test.module.prim_funcs.size();
}
std::optional<TestCase> drop_prim_func(const TestCase& test, std::size_t i) {
  if (test.module.prim_funcs[i].name == test.entry) return std::nullopt;
  TestCase result = test;
  result.module.prim_funcs.erase(result.module.prim_funcs.begin() + static_cast<std::ptrdiff_t>(i));
  return result;
}
std::optional<TestCase> drop_attrs(const TestCase& test, std::size_t i) {
  TestCase result = test;
  tir::PrimFunc function = *result.module.prim_funcs[i].function;
  if (function.attrs.empty()) return std::nullopt;
  function.attrs.clear();
  result.module.prim_funcs[i].function = std::make_shared<const tir::PrimFunc>(std::move(function));
  return result;
}

// A parameter that the function does not read, and the operand of R.call_tir, or the case's argument, that it stands for.
struct PrimParam {
  std::size_t function;
  std::size_t index;
};
std::vector<PrimParam> prim_params(const TestCase& test) {
  std::vector<PrimParam> params;
  for (std::size_t f = 0; f < test.module.prim_funcs.size(); ++f) {
    for (std::size_t i = 0; i < test.module.prim_funcs[f].function->params.size(); ++i)
      params.push_back({f, i});
  }
  return params;
}
std::size_t count_prim_params(const TestCase& test) {
  return prim_params(test).size();
}
bool is_call_tir_of(const ExprPtr& expr, const std::string& name) {
  const Call* call = as<Call>(expr);
  const OpDef* op = called_op(expr);
  if (op == nullptr || op->name != "relax.call_tir" || call->args.size() < 2) return false;
  const auto* callee = as<GlobalRef>(call->args[0]);
  return callee != nullptr && callee->name == name;
}
std::optional<TestCase> drop_prim_param(const TestCase& test, std::size_t i) {
  const auto [f, index] = prim_params(test)[i];
  const GlobalPrimFunc& global = test.module.prim_funcs[f];
  tir::PrimFunc function = *global.function;
  const auto* buffer = std::get_if<tir::Buffer>(&function.params[index]);
  if (buffer == nullptr || accesses(tir::make_stmt(tir::Seq{{function.body}}), *buffer)) return std::nullopt;
  function.params.erase(function.params.begin() + static_cast<std::ptrdiff_t>(index));
  bool fits = true;
  TestCase result = test;
  const std::string name = global.name;
  if (name == test.entry && index < result.arguments.size())
    result.arguments.erase(result.arguments.begin() + static_cast<std::ptrdiff_t>(index));
  result.module.prim_funcs[f].function = std::make_shared<const tir::PrimFunc>(std::move(function));
  auto candidate = rebuilt(result, {.rewrite = [&, at = index](const Binding& b) -> std::optional<ExprPtr> {
                             if (!is_call_tir_of(b.value, name)) return std::nullopt;
                             Call call = *as<Call>(b.value);
                             const Tuple* operands = as<Tuple>(call.args[1]);
                             fits = fits && operands != nullptr && at < operands->fields.size();
                             if (!fits) return std::nullopt;
                             std::vector<ExprPtr> fewer = operands->fields;
                             fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(at));
                             call.args[1] = make_tuple(std::move(fewer));
                             return make_expr(std::move(call), b.value->type);
                           }});
  return fits ? candidate : std::nullopt;
}

}  // namespace

ReduceSteps prim_param_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"drop-prim-func", count_prim_funcs, drop_prim_func},
      ReduceStep{"drop-prim-param", count_prim_params, drop_prim_param},
      ReduceStep{"drop-prim-attrs", count_prim_funcs, drop_attrs},
  };
  return kSteps;
}

}  // namespace passdiff
