#include "passes/tvm/repro.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "passes/tvm/repro_module.h"
#include "passes/tvm/repro_symptoms.h"
#include "passes/tvm/repro_values.h"

namespace passdiff {
namespace {

constexpr std::size_t kLongestDetail = 300;

// A module of Python and the line that imports it.
struct Import {
  std::string_view name;
  std::string_view line;
};
// Those of the standard library, which are there, and the others, which may be missing.
constexpr std::array<Import, 10> kStandard = {{{"ast", "import ast"},
                                               {"contextlib", "import contextlib"},
                                               {"ctypes", "import ctypes"},
                                               {"io", "import io"},
                                               {"json", "import json"},
                                               {"multiprocessing", "import multiprocessing"},
                                               {"resource", "import resource"},
                                               {"runpy", "import runpy"},
                                               {"types", "import types"},
                                               {"TypeVar", "from typing import TypeVar"}}};
constexpr std::array<Import, 4> kOthers = {{{"np", "import numpy as np"},
                                            {"tvm", "import tvm"},
                                            {"tvm_ffi", "import tvm_ffi"},
                                            {"relax", "from tvm import relax"}}};

// What makes the exit code 2 of every failure; and the statement from which on each failure is the bug.
constexpr std::string_view kUnfit =
    "unfit = sys.excepthook = lambda *error: (sys.__excepthook__(*error), sys.exit(2))\n";
constexpr std::string_view kUnfitAgain = "sys.excepthook = unfit  # importing tvm sets another\n";
constexpr std::string_view kFromHereOn =
    "sys.excepthook = sys.__excepthook__  # from here on, a failure is the bug";

constexpr std::string_view kExitCodes =
    "Exits 1 while the bug is there, 0 when it is gone, 2 if this environment is not fit.";
constexpr std::string_view kUndefinedMeans =
    "\nThe target has undefined behaviour that the source has not: compiled code may do anything there.";

const PassCall& culprit(const ReproRequest& request, const ReproFacts& facts) {
  const std::size_t last = request.pipeline.size() - 1;
  return request.pipeline[std::min(facts.failing_pass.value_or(last), last)];
}

// The passes before the one at fault, and that one.
struct Split {
  std::span<const PassCall> before;
  const PassCall* last;
};
Split split(const ReproRequest& request, const ReproFacts& facts) {
  const PassCall& last = culprit(request, facts);
  return {std::span(request.pipeline).first(static_cast<std::size_t>(&last - request.pipeline.data())),
          &last};
}

// The module that the pass at fault is applied to, under this name.
Result<std::string> apply_before(const Split& passes, PassExpressions& python, PythonLines& lines) {
  if (passes.before.empty()) return std::string("Module");
  const PythonLines applied = TRY(python.apply(passes.before, "before"));
  lines.insert(lines.end(), applied.begin(), applied.end());
  return std::string("before");
}

Result<ReproParts> show_refusal(const ReproRequest& request, const ReproFacts& facts,
                                PassExpressions& python) {
  ReproParts parts;
  const Split passes = split(request, facts);
  const std::string module = TRY(apply_before(passes, python, parts.before));
  // That the pass cannot be made is the bug only if it says so: a version that lacks the pass is not fit.
  PythonLines& making = request.site.ends_with("@options") ? parts.bug : parts.before;
  making.push_back("transform = " + TRY(python.object(*passes.last, passes.before.empty())));
  parts.bug.push_back(fmt::format("transform({})", module));
  return parts;
}

// The pass is run in a child, which it may take down with it.
Result<ReproParts> show_death(const ReproRequest& request, const ReproFacts& facts, PassExpressions& python) {
  ReproParts parts;
  const Split passes = split(request, facts);
  const std::string module = TRY(apply_before(passes, python, parts.before));
  if (request.symptom == symptoms::kMemory)
    parts.before.emplace_back("resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))");
  const std::string object = TRY(python.object(*passes.last, passes.before.empty()));
  const bool hangs = request.symptom == symptoms::kTimeout;
  std::vector<std::string> arguments = {"target=" + object, "args=(" + module + ",)"};
  if (hangs) arguments.emplace_back("daemon=True");
  parts.before.emplace_back("fork = multiprocessing.get_context(\"fork\")");
  parts.before.push_back(filled_list("child = fork.Process(", arguments, ")"));
  parts.before.emplace_back("child.start()");
  parts.before.push_back(hangs ? fmt::format("child.join({})", kHangClaimSeconds) : "child.join()");
  parts.bug.emplace_back(hangs ? "assert not child.is_alive(), \"the pass does not end\""
                               : "assert child.exitcode == 0, f\"the compiler ends with {child.exitcode}\"");
  return parts;
}

// The passes as one function `transform`, for what applies them more than once.
Result<std::string> define_transform(const ReproRequest& request, PassExpressions& python,
                                     ReproParts& parts) {
  std::vector<std::string> objects;
  for (const PassCall& call : request.pipeline) objects.push_back(TRY(python.object(call, objects.empty())));
  if (objects.size() == 1) return "transform = " + objects.front();
  parts.functions.emplace_back(
      "def transform(mod):\n    for one in passes:\n        mod = one(mod)\n    return mod");
  return python_list("passes = [", objects, "]");
}

Result<ReproParts> show_broken_promise(const ReproRequest& request, PassExpressions& python) {
  ReproParts parts;
  if (request.symptom == symptoms::kInputMutated) {
    parts.before.emplace_back("before = Module.script(show_meta=True)");
    const PythonLines applied = TRY(python.apply(request.pipeline, "after"));
    parts.before.insert(parts.before.end(), applied.begin(), applied.end());
    parts.bug.emplace_back("assert Module.script(show_meta=True) == before, Module.script()");
    return parts;
  }
  parts.before.push_back(TRY(define_transform(request, python, parts)));
  parts.before.emplace_back("after = transform(Module)");
  if (request.symptom == symptoms::kNotIdempotent) {
    parts.before.emplace_back("again = transform(after)");
  } else if (request.symptom == symptoms::kNondeterministic) {
    parts.before.emplace_back("others = [transform(Module) for _ in range(16)]  # one may come out like the first by chance");
    parts.bug.emplace_back("for again in others:\n    tvm.ir.assert_structural_equal(again, after, map_free_vars=True)");
    return parts;
  } else {
    const std::string_view all = request.pipeline.size() == 1 ? "[transform]" : "passes";
    parts.before.push_back(fmt::format("again = tvm.transform.Sequential({})(Module)", all));
  }
  parts.bug.emplace_back("tvm.ir.assert_structural_equal(again, after, map_free_vars=True)");
  return parts;
}

// What compares source and target, after the passes were applied.
Result<ReproParts> show_target(const ReproRequest& request, const ReproFacts& facts,
                               PassExpressions& python) {
  std::optional<ReproParts> form = show_form(request, facts);
  const bool needs_source = !form && request.symptom != symptoms::kWrongDerivative;
  auto* compare = request.symptom == symptoms::kOtherEffects ? compare_output : compare_results;
  if (request.symptom == symptoms::kWrongDerivative) compare = compare_derivatives;
  if (!form) form = compare(request, facts);
  PythonLines applied = TRY(python.apply(request.pipeline, "after"));
  form->before.insert(needs_source ? form->before.end() : form->before.begin(), applied.begin(),
                      applied.end());
  return *std::move(form);
}

Result<ReproParts> parts_of(const ReproRequest& request, const ReproFacts& facts, PassExpressions& python) {
  const std::string& symptom = request.symptom;
  if (symptom == symptoms::kInternalError) return show_refusal(request, facts, python);
  if (symptom == symptoms::kCrash || symptom == symptoms::kTimeout || symptom == symptoms::kMemory)
    return show_death(request, facts, python);
  if (symptom == symptoms::kInputMutated || symptom == symptoms::kNotIdempotent ||
      symptom == symptoms::kNondeterministic || symptom == symptoms::kSequentialDiffers) {
    return show_broken_promise(request, python);
  }
  return show_target(request, facts, python);
}

// "ir.Op(span=None, ..., name="relax.add", ...)" becomes "relax.add": messages quote ops with all that they hold.
std::string with_short_ops(std::string text) {
  constexpr std::string_view kOp = "ir.Op(";
  for (std::size_t at = text.find(kOp); at != std::string::npos; at = text.find(kOp, at + 1)) {
    constexpr std::string_view kName = "name=\"";
    const std::size_t name = text.find(kName, at) + kName.size();
    const std::size_t quote = text.find('"', name);
    std::size_t end = at + kOp.size();
    for (int depth = 1; end < text.size() && depth > 0; ++end)
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (quote < end) text.replace(at, end - at, text.substr(name, quote - name));
  }
  return text;
}

std::string docstring(const ReproRequest& request, const ReproFacts& facts) {
  std::string detail = with_short_ops(request.detail);
  if (detail.size() > kLongestDetail)
    detail = detail.substr(0, detail.find_last_of(' ', kLongestDetail)) + " ...";
  std::string text = fmt::format("{} of TVM{}{}, {}: {}", culprit(request, facts).name,
                                 facts.version.empty() ? "" : " ", facts.version, request.symptom, detail);
  std::ranges::replace(text, '\\', '/');
  std::ranges::replace(text, '"', '\'');
  text = wrapped(text);
  if (request.symptom == symptoms::kAddedUndefined) text += kUndefinedMeans;
  return fmt::format("\"\"\"{}\n{}\"\"\"\n", text, kExitCodes);
}

template <std::size_t N>
std::string imports(const std::array<Import, N>& all, const std::string& body) {
  std::string text;
  for (const Import& one : all) {
    if (uses_name(body, one.name)) text += fmt::format("{}\n", one.line);
  }
  return text;
}

// The import of those of the names that are used; nothing if none is.
std::string import_names(std::string_view from, std::initializer_list<std::string_view> names,
                         const std::string& body) {
  std::vector<std::string_view> used;
  for (const std::string_view name : names) {
    if (uses_name(body, name)) used.push_back(name);
  }
  return used.empty() ? std::string() : fmt::format("{}{}\n", from, fmt::join(used, ", "));
}

std::string text_of(const PythonLines& lines) {
  return lines.empty() ? std::string() : fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace

Result<std::string> tvm_repro_script(const ReproRequest& request, const ReproFacts& facts) {
  if (request.pipeline.empty()) return Error{"repro.options", "there is no pass to run"};
  PassExpressions python(request.test, facts.plugin, facts.version);
  const ReproParts parts = TRY(parts_of(request, facts, python));
  std::string body = module_class(request.test.module) + "\n\n";
  for (const PythonLines* functions : {&python.functions(), &parts.functions}) {
    for (const std::string& function : *functions) body += function + "\n\n\n";
  }
  body += text_of(python.statements()) + text_of(parts.before) + std::string(kFromHereOn) + "\n" +
          text_of(parts.bug);

  std::string script = docstring(request, facts);
  // Annotations that name a TypeVar mean nothing to Python itself, which would evaluate them.
  if (uses_name(body, "TypeVar")) script += "from __future__ import annotations\n";
  script += imports(kStandard, body) + "import sys\n" + std::string(kUnfit);
  if (std::ranges::any_of(request.test.arguments, needs_ml_dtypes) && uses_name(body, "args"))
    script += "import ml_dtypes  # for numpy's bfloat16 and float8\n";
  script += imports(kOthers, body);
  script += import_names("from tvm.relax.dpl import ", {"is_op", "is_tuple_get_item", "wildcard"}, body);
  // The R of tvm.script lacks it; that of its parser has all that the parser reads.
  const bool has_meshes = body.find("R.device_mesh(") != std::string::npos;
  script += fmt::format("from tvm.script{} import ir as I, relax as R", has_meshes ? ".parser" : "");
  script += uses_name(body, "T") ? ", tirx as T\n" : "\n";
  return script + std::string(kUnfitAgain) + "\n\n" + body;
}

}  // namespace passdiff
