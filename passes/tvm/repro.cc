#include "passes/tvm/repro.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/text/text.h"
#include "core/tensor/tensor.h"
#include "core/tensor/value.h"
#include "passes/tvm/repro_text.h"

namespace passdiff {
namespace {

std::string number(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return fmt::format("{}", v);
}

// A tensor as a call of the script's own function: tensor("float32", (2, 3), [1.0, 2.0, ...]).
std::string python_tensor(const Tensor& tensor) {
  std::string shape;
  for (std::int64_t dim : tensor.shape()) shape += fmt::format("{}, ", dim);
  std::string elements;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    if (i > 0) elements += ", ";
    elements += is_float(tensor.dtype) ? number(as_double(tensor, i)) : integer_digits(tensor, i);
  }
  return fmt::format("tensor(\"{}\", ({}), [{}])", dtype_name(tensor.dtype), shape, elements);
}

std::string python_value(const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) return python_tensor(**tensor);
  if (const TupleValue* tuple = value.as_tuple()) {
    std::string fields;
    for (const Value& field : tuple->fields) fields += python_value(field) + ", ";
    return "(" + fields + ")";
  }
  if (const auto* shape = std::get_if<ShapeValue>(&value.node)) {
    std::string dims;
    for (std::int64_t dim : shape->dims) dims += fmt::format("{}, ", dim);
    return "shape(" + dims + ")";
  }
  if (const auto* scalar = std::get_if<ScalarValue>(&value.node)) {
    if (const auto* integer = std::get_if<std::int64_t>(&scalar->value)) return fmt::format("{}", *integer);
    return number(std::get<double>(scalar->value));
  }
  return "None";
}

std::string python_plan_value(const PlanValue& value) {
  if (const auto* ref = std::get_if<ArgumentRef>(&value.node))
    return fmt::format("(\"argument\", {}, {})", ref->index, ref->field);
  if (const auto* result = std::get_if<StepResult>(&value.node)) {
    return fmt::format("(\"result\", {}, {})", result->step, result->field);
  }
  const auto all = [](const std::vector<PlanValue>& values) {
    std::string text;
    for (const PlanValue& one : values) text += python_plan_value(one) + ", ";
    return "[" + text + "]";
  };
  if (const auto* tuple = std::get_if<PlanTuple>(&value.node))
    return "(\"tuple\", " + all(tuple->fields) + ")";
  if (const auto* get = std::get_if<GetCallback>(&value.node)) return "(\"get\", " + all(get->items) + ")";
  return std::get<SetCallback>(value.node).ignored ? "(\"ignore\",)" : "(\"set\",)";
}

std::string python_plan(const CallPlan& plan) {
  std::string text;
  for (const CallStep& step : plan.steps) {
    std::string args;
    for (const PlanValue& arg : step.args) args += python_plan_value(arg) + ", ";
    std::string items;
    for (const PlanValue& item : step.get_items) items += python_plan_value(item) + ", ";
    const auto flag = [](bool value) { return value ? "True" : "False"; };
    text += fmt::format("    (\"{}\", [{}], [{}], {}, {}),\n", step.function, args, items,
                        flag(step.collects_set_items), flag(step.single_output));
  }
  return text;
}

// JSON as a Python literal.
std::string python_literal(const nlohmann::json& value) {
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_array()) {
    std::string items;
    for (const auto& item : value) items += python_literal(item) + ", ";
    return "[" + items + "]";
  }
  if (value.is_object()) {
    std::string items;
    for (const auto& [key, item] : value.items())
      items += nlohmann::json(key).dump() + ": " + python_literal(item) + ", ";
    return "{" + items + "}";
  }
  return value.dump();
}

std::string python_passes(const Pipeline& pipeline) {
  std::string text;
  for (const PassCall& call : pipeline) {
    text += fmt::format("    (\"{}\", {}),\n", call.name,
                        python_literal(nlohmann::json::parse(call.options, nullptr, false)));
  }
  return text;
}

// The module's text without its imports, since the script gives the parser these names.
std::string source_text(const Module& module) {
  const std::string text = print_for_tvm(module);
  const std::size_t at = text.find("@I.ir_module");
  return at == std::string::npos ? text : text.substr(at);
}

void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

std::string tvm_repro_script(const ReproRequest& request) {
  std::string arguments;
  for (const Value& argument : request.test.arguments)
    arguments += "        " + python_value(argument) + ",\n";
  std::string detail = request.detail;
  replace_all(detail, "\\", "/");
  replace_all(detail, "\"\"\"", "'''");
  std::string script(kReproText);
  replace_all(script, "@SYMPTOM@", request.symptom);
  replace_all(script, "@SITE@", python_literal(request.site));
  replace_all(script, "@PASSES@", python_passes(request.pipeline));
  replace_all(script, "@ENTRY@", request.test.entry);
  replace_all(script, "@PLAN@", python_plan(request.plan));
  replace_all(script, "@ARGUMENTS@", arguments);
  replace_all(script, "@DETAIL@", detail.substr(0, 2000));
  replace_all(script, "@SOURCE@", source_text(request.test.module));
  return script;
}

}  // namespace passdiff
