#include <algorithm>

#include <fmt/format.h>

#include "core/eval/symbols.h"
#include "core/form/rebuild.h"
#include "core/form/signature.h"
#include "core/ir/queries.h"
#include "core/ir/walk.h"
#include "oracle/check_row.h"
#include "oracle/pipeline_contract.h"
#include "oracle/source_run.h"
#include "passes/case_options.h"

namespace passdiff {
namespace checks::transforms {
namespace {

// The sizes that the refusing pass binds the symbolic dims of functions to.
Symbols bound_sizes(const CheckContext& context) {
  const Pipeline refusing = {context.pipeline.at(static_cast<std::size_t>(context.reply.pass_index))};
  Symbols bound;
  for (const GlobalFunction& global : context.test.module.functions) {
    const auto sizes = bound_arguments(context.subject, refusing, global.name).sizes;
    for (const Var& param : global.function->params) {
      for_each_sym_var(param->type, [&](const SymVar& var) {
        if (const auto size = sizes.find(var->name); size != sizes.end()) bound.bind(var, size->second);
      });
    }
  }
  return bound;
}

// The module with sizes in the place of symbolic dims; fails if it is ill-typed so, which no execution tells where that is in a branch that is not
// taken.
Result<Module> with_sizes(const Module& module, const Symbols& sizes) {
  const auto bound = [&](const SymVar& var) {
    const auto size = sizes.find(var);
    return size ? std::optional(Dim(*size)) : std::nullopt;
  };
  return rebuild(module, {.dim = [&](const Dim& dim) { return substitute(dim, bound); }});
}

// The function, and those that it calls or mentions.
Module reached_from(const Module& module, const std::string& function) {
  const std::vector<std::string> reached = reachable_functions(module, {function});
  Module part = module;
  std::erase_if(part.functions, [&](const GlobalFunction& global) { return std::ranges::find(reached, global.name) == reached.end(); });
  return part;
}

bool is_ill_typed_when_inlined(const Module& module);

// Whether the function that the call names, if it does, is ill-typed for the sizes that the call's arguments are known to have.
bool is_ill_typed_as_called(const Module& module, const ExprPtr& expr) {
  const GlobalRef* called = called_global(expr);
  const GlobalFunction* callee = called == nullptr ? nullptr : module.find(called->name);
  if (callee == nullptr) return false;
  Symbols sizes;
  bool any = false;
  for (const auto& [var, dim] : deduce_dims(callee->function->params, as<Call>(expr)->args)) {
    if (!dim.is_static()) continue;
    sizes.bind(var, dim.value());
    any = true;
  }
  if (!any) return false;
  const Result<Module> bound = with_sizes(reached_from(module, callee->name), sizes);
  return !bound || is_ill_typed_when_inlined(*bound);  // each step leaves fewer symbolic dims
}

// Whether any call of the module, or of what it calls with known sizes, is such.
bool is_ill_typed_when_inlined(const Module& module) {
  return std::ranges::any_of(module.functions, [&](const GlobalFunction& global) {
    return any_expr(global.function->body, [&](const ExprPtr& expr) { return is_ill_typed_as_called(module, expr); });
  });
}

// Whether the source is well-typed, but not for the sizes that the refusing pass gives its symbolic dims.
bool is_ill_typed_for_the_pass(const CheckContext& context, const Contract& pass) {
  const Module& source = context.test.module;
  return rebuild(source, {}) && (!with_sizes(source, bound_sizes(context)) || (pass.inlines && is_ill_typed_when_inlined(source)));
}

Verdict judge_refusal(const CheckContext& context, const Refused& refused, Symptom failure) {
  Verdict verdict{.symptom = failure,
                  .stage = Stage::transform,
                  .site = refused.site,
                  .detail = refused.message};
  const Contract& own = context.contract.each.at(static_cast<std::size_t>(context.reply.pass_index));
  if (is_rejection(own, refused) || is_ill_typed_for_the_pass(context, own)) verdict.symptom = Symptom::rejected;
  return verdict;
}

// Whether the source's execution ends at an integer division by zero.
bool divides_by_zero(const SourceRun& source) {
  const auto* undefined = std::get_if<Undefined>(&source.outcome());
  return undefined != nullptr && undefined->records.back().rule == UndefinedRule::division_by_zero;
}

std::optional<Verdict> judge(const CheckContext& context) {
  const auto& result = context.reply.result;
  if (std::holds_alternative<Transformed>(result)) return std::nullopt;
  // A pass that executes what it folds may die of an undefined operation of the source. One that simplifies the arithmetic of functions of TensorIR
  // may refuse a division that it finds to be by zero.
  const Contract& own = context.contract.each.at(static_cast<std::size_t>(context.reply.pass_index));
  const bool refused_division = std::holds_alternative<Refused>(result) && own.level == Level::legalised && divides_by_zero(context.source);
  const bool folded = refused_division || (context.source.is_undefined() && context.contract.joined.executes);
  const auto failure = [&](Symptom symptom) { return folded ? Symptom::undefined_folded : symptom; };

  if (const auto* build = std::get_if<CannotBuild>(&result)) {
    return Verdict{.symptom = Symptom::unsupported,
                   .stage = Stage::generate,
                   .site = build->site == build->kind ? build->kind : build->kind + " " + build->site,
                   .detail = build->message};
  }
  if (const auto* refused = std::get_if<Refused>(&result))
    return judge_refusal(context, *refused, failure(Symptom::internal_error));
  if (const auto* crash = std::get_if<Crash>(&result)) {
    return Verdict{.symptom = failure(Symptom::crash),
                   .stage = Stage::transform,
                   .site = crash->site.empty() ? crash->signal : crash->signal + " " + crash->site,
                   .detail = fmt::format("the compiler died of {}", crash->signal)};
  }
  if (const auto* timeout = std::get_if<Timeout>(&result)) {
    return Verdict{.symptom = failure(Symptom::timeout),
                   .stage = Stage::transform,
                   .detail = fmt::format("no result after {} s of CPU time", timeout->cpu_seconds)};
  }
  return Verdict{.symptom = Symptom::memory,
                 .stage = Stage::transform,
                 .detail = "the pass used up the memory that the worker may take"};
}

}  // namespace
}  // namespace checks::transforms

std::vector<Check> transforms_rows() {
  using namespace checks::transforms;
  return {{.name = "transforms",
           .promise = "the pass neither crashes, hangs, eats memory, nor fails with an error it does not declare",
           .judge = judge}};
}

}  // namespace passdiff
