// Calls of source and target, and the comparison of what they return.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <regex>

#include <fmt/format.h>

#include "core/ir/tir/mutator.h"
#include "core/match.h"
#include "core/tensor/tensor.h"
#include "passes/tvm/repro_module.h"
#include "passes/tvm/repro_parts.h"
#include "passes/tvm/repro_values.h"

namespace passdiff {
namespace {

// By what share of the largest number floats may differ that are to be equal.
constexpr double kTolerance = 1e-3;
constexpr double kNarrowTolerance = 5e-2;  // of floats of 16 bits or less

// The calls of a plan: statements, and an expression for the result. `args` is bound to the arguments.
struct Calls {
  PythonLines statements;
  std::string result;
};

std::string item(const std::string& value, int field) {
  return field < 0 ? value : fmt::format("{}[{}]", value, field);
}

std::vector<std::string> texts(const std::vector<PlanValue>& values);

std::string text(const PlanValue& value) {
  return match(
      value.node, [](const ArgumentRef& ref) { return item(fmt::format("args[{}]", ref.index), ref.field); },
      [](const PlanTuple& tuple) { return python_tuple(texts(tuple.fields)); },
      [](const StepResult& result) { return item(fmt::format("result{}", result.step), result.field); },
      [](const GetCallback& get) {
        return fmt::format("lambda index, *_: [{}][index]", fmt::join(texts(get.items), ", "));
      },
      [](const SetCallback& set) {
        return std::string(set.ignored ? "lambda *_: None"
                                       : "lambda index, value: outputs.update({index: value})");
      });
}

std::vector<std::string> texts(const std::vector<PlanValue>& values) {
  std::vector<std::string> result;
  for (const PlanValue& value : values) result.push_back(text(value));
  return result;
}

bool is_direct(const CallPlan& plan, std::size_t arguments) {
  if (plan.steps.size() != 1 || plan.steps[0].args.size() != arguments) return false;
  const CallStep& step = plan.steps[0];
  for (std::size_t i = 0; i < step.args.size(); ++i) {
    const auto* ref = std::get_if<ArgumentRef>(&step.args[i].node);
    if (ref == nullptr || ref->index != static_cast<int>(i) || ref->field >= 0) return false;
  }
  return step.get_items.empty() && !step.collects_set_items;
}

bool takes_setter(const CallStep& step) {
  return std::ranges::any_of(step.args, [](const PlanValue& value) {
    const auto* set = std::get_if<SetCallback>(&value.node);
    return set != nullptr && !set->ignored;
  });
}

// The machine looks functions of the host up when it is made.
PythonLines register_host_functions(const CallPlan& plan) {
  PythonLines lines;
  const auto any = [&](const auto& holds) { return std::ranges::any_of(plan.steps, holds); };
  if (any([](const CallStep& step) { return !step.get_items.empty(); })) {
    lines.emplace_back(
        "tvm.register_global_func(\"get_item\", lambda *call: items[call[-1]], override=True)");
  }
  if (any([](const CallStep& step) { return step.collects_set_items && !takes_setter(step); })) {
    lines.emplace_back(
        "tvm.register_global_func(\"set_item\", lambda *call: outputs.update({call[-2]: call[-1]}), "
        "override=True)");
  }
  return lines;
}

void append_step(Calls& calls, const CallStep& step, std::size_t index) {
  const bool collects = step.collects_set_items || takes_setter(step);
  const std::string result = fmt::format("result{}", index);
  if (!step.get_items.empty())
    calls.statements.push_back(fmt::format("items = [{}]", fmt::join(texts(step.get_items), ", ")));
  if (collects) calls.statements.emplace_back("outputs = {}");
  const std::string call =
      fmt::format("machine[{}]({})", python_string(step.function), fmt::join(texts(step.args), ", "));
  calls.statements.push_back(collects ? call : fmt::format("{} = {}", result, call));
  if (collects) {
    const std::string all = "[outputs[index] for index in sorted(outputs)]";
    calls.statements.push_back(fmt::format(
        "{} = {}", result, step.single_output ? "outputs[0] if len(outputs) == 1 else " + all : all));
  }
  calls.result = result;
}

Calls calls_of(const CallPlan& plan, const std::string& module, std::size_t arguments) {
  if (is_direct(plan, arguments))
    return {{}, fmt::format("compiled({})[{}](*args)", module, python_string(plan.steps[0].function))};
  Calls calls{register_host_functions(plan), {}};
  calls.statements.push_back(fmt::format("machine = compiled({})", module));
  for (std::size_t i = 0; i < plan.steps.size(); ++i) append_step(calls, plan.steps[i], i);
  return calls;
}

// The pass without which code is made, since a build that runs it may err as well; empty: none.
std::string pass_left_out(const ReproRequest& request) {
  return request.detail.find(kCompiledWithoutPass) == std::string::npos ? "" : request.pipeline.back().name;
}

bool asserts_bounds(const ReproRequest& request) {
  return request.detail.find(kBoundsAsserted) != std::string::npos;
}
bool has_threads(const Module& module) {
  bool found = false;
  for (const GlobalPrimFunc& global : module.prim_funcs) {
    tir::for_each_nested(global.function->body, [&](const tir::Stmt& stmt) {
      const auto* loop = tir::as<tir::For>(stmt);
      const auto* attr = tir::as<tir::AttrStmt>(stmt);
      const std::string_view tag = loop != nullptr ? loop->thread_tag : attr != nullptr ? attr->thread_tag : std::string_view();
      found = found || !tag.empty();
    }, [](const tir::Expr&) {});
  }
  return found;
}
bool runs_threads(const ReproRequest& request, const ReproFacts& facts) {
  return has_threads(request.test.module) || (facts.target && has_threads(*facts.target));
}

// The functions that change a module before it is compiled, and the lines of `compiled` that call them; empty where there are none.
std::string define_changes(const ReproRequest& request, const ReproFacts& facts) {
  return (runs_threads(request, facts) ? facts.define_threadless + "\n\n\n" : "") + (asserts_bounds(request) ? facts.define_asserted + "\n\n\n" : "");
}
std::string make_changes(const ReproRequest& request, const ReproFacts& facts) {
  return std::string(runs_threads(request, facts) ? "    mod = without_threads(mod)\n" : "") + (asserts_bounds(request) ? "    mod = asserted(mod)\n" : "");
}

// What a function of TensorIR returns here is what it returns to the interpreter: all tensors that it is given, as it leaves them.
std::string define_compiled_prim_func(const ReproRequest& request, const ReproFacts& facts) {
  const std::string_view prim_funcs =
      "tvm.IRModule({name: f for name, f in mod.functions.items() if not isinstance(f, relax.Function)})";
  const std::string without = pass_left_out(request);
  return fmt::format(R"({3}def compiled(mod):  # the function returns what it leaves in copies of the tensors that it is given
{4}{2}library = tvm.compile({0}, "llvm")

    def call(*args):
        args = [tvm.runtime.tensor(arg.numpy()) if isinstance(arg, tvm_ffi.Tensor) else arg for arg in args]
        library[{1}](*args)
        return [arg for arg in args if isinstance(arg, tvm_ffi.Tensor)]
    return {{{1}: call}})",
                     request.test.module.functions.empty() ? "mod" : prim_funcs, python_string(request.test.entry),
                     without.empty() ? "    " : fmt::format("    with tvm.transform.PassContext(disabled_pass=[{}]):\n        ", python_string(without)),
                     define_changes(request, facts), make_changes(request, facts));
}

// Memory that the target reads without having written it would else hold zeros at times, which may be the right result, or, since the machine keeps
// what it once allocated, the result of the source. M_PERTURB of glibc.
constexpr std::string_view kFillMemory = "ctypes.CDLL(None).mallopt(-6, 190)  # what is allocated from here on holds no zeros";

bool reads_unwritten(const ReproRequest& request) {
  return request.site == rule_name(UndefinedRule::uninitialised_read);
}

}  // namespace

// Optimisations of TVM's default pipeline would hit source and target alike, so that they are left out. The virtual
// machine knows no local functions.
std::string define_compiled(const ReproRequest& request, const ReproFacts& facts) {
  if (request.test.module.find_prim_func(request.test.entry) != nullptr) return define_compiled_prim_func(request, facts);
  const bool lifts =
      has_local_function(request.test.module) || (facts.target && has_local_function(*facts.target));
  // Each virtual device is a device of the machine.
  const std::size_t devices = std::max(request.test.module.vdevices.size(), facts.target ? facts.target->vdevices.size() : 0);
  const std::string without = pass_left_out(request);
  const bool hints = has_device_hint(request.test.module) || (facts.target && has_device_hint(*facts.target));
  const std::string_view lowers_hints = R"(    without_hints = {"relax.hint_on_device": lambda _, call: call.args[0]}
    mod = relax.transform.LegalizeOps(without_hints)(mod)  # the build does not lower them
)";
  return fmt::format(R"({}def compiled(mod):  # without the optimisations of the default pipeline
{}{}    off = "FoldConstant FuseOps FuseTIR RewriteDataflowReshape StaticPlanBlockMemory KillAfterLastUse{}"
    with tvm.transform.PassContext(disabled_pass=off.split()):
        return relax.VirtualMachine(tvm.compile({}, "llvm"), {}{}))",
                     define_changes(request, facts), make_changes(request, facts), hints ? lowers_hints : "", without.empty() ? "" : " " + without, lifts ? "relax.transform.LambdaLift()(mod)" : "mod",
                     devices < 2 ? "tvm.cpu()" : fmt::format("[tvm.cpu()] * {}", devices),
                     reads_unwritten(request) ? ", memory_cfg=\"naive\"" : "");
}

namespace {

constexpr std::string_view kLeaves = R"(def leaves(value):
    if isinstance(value, (tuple, list, tvm_ffi.Array)):
        return [leaf for field in value for leaf in leaves(field)]
    return [value.numpy() if isinstance(value, tvm_ffi.Tensor) else np.array(value)])";

// What a verdict says of two values: "result[1] element 3: 1.5 against 2.5 (float32)".
struct Claim {
  std::string path;                      // "[1]"; empty: the result itself
  std::string element;                   // the index of the element in the flat tensor
  std::optional<double> source, target;  // nothing: they differ in shape or dtype
  std::string kind;                      // if they do: dtype and shape of the source's tensor, as a tuple of Python
};
std::optional<Claim> claim_of(const std::string& detail) {
  static const std::regex element(R"(^result((?:\[\d+\])*) element (\d+): (\S+) against ([^\s,]+))");
  static const std::regex kind(R"(^result((?:\[\d+\])*): (\w+)\[([\d, ]*)\] against )");
  std::smatch match;
  if (std::regex_search(detail, match, element)) {
    const auto number = [&](std::size_t group) { return std::strtod(match[group].str().c_str(), nullptr); };
    return Claim{match[1], match[2], number(3), number(4), {}};
  }
  if (std::regex_search(detail, match, kind)) {
    const std::string dims = match[3].length() == 0 ? "()" : fmt::format("({},)", match[3].str());
    return Claim{match[1], {}, std::nullopt, std::nullopt, fmt::format("(\"{}\", {})", match[2].str(), dims)};
  }
  return std::nullopt;
}

// The dtype of the tensor at the path "[1][0]" in a value of this type, if the type tells.
std::optional<DType> dtype_at(Type type, const std::string& path) {
  for (std::size_t at = 0; at < path.size(); at = path.find(']', at) + 1) {
    const TupleType* tuple = type.as_tuple();
    const auto index = static_cast<std::size_t>(std::atoi(path.c_str() + at + 1));
    if (tuple == nullptr || index >= tuple->fields.size()) return std::nullopt;
    type = Type(tuple->fields[index]);
  }
  const TensorType* tensor = type.as_tensor();
  return tensor == nullptr ? std::nullopt : tensor->dtype;
}

std::optional<DType> dtype_at(const ReproRequest& request, const std::string& path) {
  if (const GlobalFunction* entry = request.test.module.find(request.test.entry))
    return dtype_at(entry->function->result_type, path);
  if (path.empty()) return std::nullopt;
  int left = std::atoi(path.c_str() + 1);
  for (const Value& argument : request.test.arguments) {
    const TensorPtr* tensor = argument.as_tensor();
    if (tensor != nullptr && left-- == 0) return (*tensor)->dtype;
  }
  return std::nullopt;
}

bool is_narrow(DType dtype) {
  return is_float(dtype) && dtype_bytes(dtype) <= 2;
}

// Compares the tensors `actual` and `expected`. They may differ by a third of what the verdict says: by less than
// half, which is what passdiff itself asks of TVM's machine before it reports.
std::string compare_tensors(DType dtype, const std::optional<Claim>& claim) {
  if (claim && !claim->source)
    return "assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)";
  if (!is_float(dtype)) return "np.testing.assert_array_equal(actual, expected)";
  const double most = is_narrow(dtype) ? kNarrowTolerance : kTolerance;
  if (!claim) {
    return fmt::format(
        "scale = np.max(np.abs(expected), initial=0, where=np.isfinite(expected))\n"
        "np.testing.assert_allclose(actual, expected, rtol=0, atol={} * scale)",
        most);
  }
  const double difference = std::abs(*claim->source - *claim->target);
  if (!std::isfinite(difference))
    return fmt::format("np.testing.assert_allclose(actual, expected, rtol={})", most);
  if (difference == 0) return "np.testing.assert_array_equal(np.signbit(actual), np.signbit(expected))";
  const double relative = difference / std::max(std::abs(*claim->source), difference);
  return fmt::format("np.testing.assert_allclose(actual, expected, rtol={:.2g}, atol={:.2g})",
                     std::min(most, relative / 3), difference / 3);
}

constexpr std::string_view kCompareLeaves = R"(for a, b in zip(actual, expected, strict=True):
    assert (a.dtype, a.shape) == (b.dtype, b.shape)
    share = 0 if b.dtype.kind in "iub" else {} if b.dtype.itemsize <= 2 else {}
    a, b = a.astype("float64"), b.astype("float64")
    scale = np.max(np.abs(b), initial=0, where=np.isfinite(b))
    np.testing.assert_allclose(a, b, rtol=0, atol=share * scale))";

void append(PythonLines& lines, PythonLines more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Binds what the calls return to `name`: the value itself, or numpy's arrays of it.
void bind_result(PythonLines& lines, Calls calls, const std::string& name, const std::string& form) {
  append(lines, std::move(calls.statements));
  lines.push_back(fmt::format("{} = {}", name, fmt::format(fmt::runtime(form), calls.result)));
}

bool errs_on_the_source_alike(const ReproRequest& request) {
  return request.detail.find(kBuildErrsAlike) != std::string::npos;
}

// Whether TVM's compiled code computes of the source what it computes of the target, and not what the operations are documented to: what
// legalises wrongly is also what compiles.
bool is_compiled_wrongly(const ReproRequest& request, const std::optional<Claim>& claim) {
  return claim && (errs_on_the_source_alike(request) || request.detail.find("the machine runs the source differently") != std::string::npos);
}

// Compares what the verdict speaks of with what it should be: the dtype and shape of the tensor, or an element of it.
std::string compare_with_documented(const Claim& claim) {
  if (!claim.source) return fmt::format("assert (str(actual.dtype), actual.shape) == {}  # as documented", claim.kind);
  const double source = *claim.source, difference = std::abs(source - claim.target.value_or(NAN));
  if (difference == 0) return fmt::format("assert np.signbit(actual.flat[{}]) == {}  # as documented", claim.element,
                                          std::signbit(source) ? "True" : "False");
  return fmt::format("np.testing.assert_allclose(actual.flat[{}], {}, rtol=0, atol={:.2g})  # as documented", claim.element,
                     std::isfinite(source) ? fmt::format("{}", source) : python_number(source, DType::float64),
                     std::isfinite(difference) ? difference / 3 : 1);
}

struct BothCalls {
  Calls source, target;
};
BothCalls both_calls(const ReproRequest& request) {
  const std::size_t arguments = request.test.arguments.size();
  return {calls_of(direct_plan(request.test.entry, static_cast<int>(arguments)), "Module", arguments),
          calls_of(request.plan, "after", arguments)};
}

ReproParts compare_values(const ReproRequest& request, const ReproFacts& facts) {
  std::optional<Claim> claim = claim_of(request.detail);
  const std::string path = claim ? claim->path : "";
  const auto dtype = dtype_at(request, path);
  ReproParts parts{{define_compiled(request, facts)}, bind_arguments(request.test.arguments), {}};
  std::string form = "{}" + path + ".numpy()" + (dtype && is_narrow(*dtype) ? ".astype(\"float64\")" : "");
  if (!dtype) {
    parts.functions.emplace_back(kLeaves);
    form = "leaves({})";
  }
  BothCalls calls = both_calls(request);
  const bool alone = dtype && is_compiled_wrongly(request, claim);
  if (!alone) bind_result(parts.before, std::move(calls.source), "expected", form);
  if (reads_unwritten(request)) parts.before.emplace_back(kFillMemory);
  bind_result(parts.bug, std::move(calls.target), "actual", form);
  parts.bug.push_back(alone ? compare_with_documented(*claim)
                      : dtype ? compare_tensors(*dtype, claim)
                            : fmt::format(kCompareLeaves, kNarrowTolerance, kTolerance));
  return parts;
}

// Compares what the calls return, and whether that of the target leaves the caller's tensors as they were.
ReproParts compare_arguments(const ReproRequest& request, const ReproFacts& facts) {
  ReproParts parts = compare_values(request, facts);
  if (std::ranges::find(parts.functions, kLeaves) == parts.functions.end()) parts.functions.emplace_back(kLeaves);
  parts.before.emplace_back("given = [leaf.copy() for leaf in leaves(args)]");
  parts.bug.emplace_back("for a, b in zip(leaves(args), given):\n    np.testing.assert_array_equal(a, b)  # the caller's own tensors");
  return parts;
}

ReproParts show_failing_run(const ReproRequest& request, const ReproFacts& facts) {
  ReproParts parts{{define_compiled(request, facts)}, bind_arguments(request.test.arguments), {}};
  BothCalls calls = both_calls(request);
  if (!errs_on_the_source_alike(request)) parts.before.push_back(calls.source.result);
  append(parts.bug, std::move(calls.target.statements));
  if (is_direct(request.plan, request.test.arguments.size())) parts.bug.push_back(calls.target.result);
  return parts;
}

// The target takes the whole process with it: it is run in a child. The source is not run before, since the threads
// of its kernels would not be in the child.
ReproParts show_deadly_run(const ReproRequest& request, const ReproFacts& facts) {
  ReproParts parts{{define_compiled(request, facts)}, bind_arguments(request.test.arguments), {}};
  Calls calls = both_calls(request).target;
  std::string run = "def run_target():";
  if (is_direct(request.plan, request.test.arguments.size())) calls.statements.push_back(calls.result);
  for (const std::string& statement : calls.statements) run += "\n    " + statement;
  parts.functions.push_back(std::move(run));
  append(parts.bug, {"child = multiprocessing.get_context(\"fork\").Process(target=run_target, daemon=True)",
                     "child.start()", "child.join(60)",
                     "assert child.exitcode == 0, f\"the process ends with {child.exitcode}\""});
  return parts;
}

}  // namespace

std::string failing_stage(const std::string& detail) {
  constexpr std::string_view kDoesNot = "the target does not ";
  const std::size_t at = detail.find(kDoesNot);
  if (at == std::string::npos) return {};
  const std::size_t word = at + kDoesNot.size();
  return detail.substr(word, detail.find(':', word) - word);
}

ReproParts compare_results(const ReproRequest& request, const ReproFacts& facts) {
  const std::string stage = failing_stage(request.detail);
  const bool overwrites = request.site == rule_name(UndefinedRule::write_to_input) && request.test.module.find(request.test.entry) != nullptr;
  if (stage.empty()) return overwrites ? compare_arguments(request, facts) : compare_values(request, facts);
  if (stage == "compile" || stage == "lower") {
    const PythonLines before = errs_on_the_source_alike(request) ? PythonLines() : PythonLines{"compiled(Module)"};
    return {{define_compiled(request, facts)}, before, {"compiled(after)"}};
  }
  return stage == "run" ? show_failing_run(request, facts) : show_deadly_run(request, facts);
}

ReproParts compare_output(const ReproRequest& request, const ReproFacts& facts) {
  ReproParts parts{{define_compiled(request, facts)}, bind_arguments(request.test.arguments), {}};
  BothCalls calls = both_calls(request);
  const auto bind_output = [](PythonLines& lines, const Calls& of, const std::string& name) {
    std::string block = fmt::format("with contextlib.redirect_stdout(io.StringIO()) as {}:", name);
    for (const std::string& statement : of.statements) block += "\n    " + statement;
    lines.push_back(block + "\n    " + of.result);
  };
  bind_output(parts.before, calls.source, "expected");
  bind_output(parts.bug, calls.target, "actual");
  parts.bug.emplace_back("assert actual.getvalue() == expected.getvalue(), actual.getvalue()");
  return parts;
}

}  // namespace passdiff
