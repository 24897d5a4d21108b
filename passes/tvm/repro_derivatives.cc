// Derivatives that a pass makes, against finite differences that the script computes with the source's function.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/tensor/tensor.h"
#include "passes/tvm/repro_parts.h"
#include "passes/tvm/repro_values.h"

namespace passdiff {
namespace {

// By how much an argument is moved, as a share of its size: enough for differences of floats of 32 bits.
constexpr double kStep = 0.01;

// "the derivative by x (number 1), element 3: 2.5 by finite differences, 4 by main_adjoint"
struct WrongSlope {
  std::size_t param, number, element;
  double expected, actual;
};

std::optional<std::size_t> param_index(const ReproRequest& request, const std::string& name) {
  const GlobalFunction* entry = request.test.module.find(request.test.entry);
  if (entry == nullptr) return std::nullopt;
  const auto& params = entry->function->params;
  const auto found = std::ranges::find(params, name, [](const Var& param) { return param->name; });
  return found == params.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - params.begin()));
}

std::optional<WrongSlope> wrong_slope(const ReproRequest& request) {
  static const std::regex says(
      R"(^the derivative by (\S+) \(number (\d+)\), element (\d+): (\S+) by finite differences, (\S+) by )");
  std::smatch match;
  if (!std::regex_search(request.detail, match, says)) return std::nullopt;
  const auto param = param_index(request, match[1]);
  if (!param) return std::nullopt;
  const auto index = [&](std::size_t group) { return static_cast<std::size_t>(std::stoul(match[group])); };
  const auto number = [&](std::size_t group) { return std::strtod(match[group].str().c_str(), nullptr); };
  return WrongSlope{*param, index(2), index(3), number(4), number(5)};
}

// What selects the scalar that is differentiated in what the source returns.
std::string target_field(const ReproRequest& request) {
  const GlobalFunction* entry = request.test.module.find(request.test.entry);
  if (entry == nullptr || entry->function->result_type.as_tuple() == nullptr) return "";
  const nlohmann::json options = nlohmann::json::parse(request.pipeline.back().options, nullptr, false);
  const bool given = options.is_object() && options.contains("target_index") && options["target_index"].is_number_integer();
  return fmt::format("[{}]", given ? options["target_index"].get<int>() : 0);
}

void show_slope(ReproParts& parts, const ReproRequest& request, const WrongSlope& wrong) {
  const Tensor& argument = request.test.arguments[wrong.param].tensor();
  const double step = kStep * std::max(1.0, std::fabs(as_double(argument, wrong.element)));
  parts.functions.push_back(fmt::format(R"(def moved(step):  # what {0} returns with one element moved
    array = args[{1}].numpy().copy()
    array.flat[{2}] += step
    return machine[{3}](*args[:{1}], tvm.runtime.tensor(array), *args[{1} + 1:]){4}.numpy())",
                                        request.test.entry, wrong.param, wrong.element, python_string(request.test.entry),
                                        target_field(request)));
  parts.before.push_back(fmt::format("slope = (moved({0:g}) - moved(-{0:g})) / {1:g}", step, 2 * step));
  const double difference = std::fabs(wrong.expected - wrong.actual);
  const double allowed = std::isfinite(difference) ? difference / 3 : kStep * std::max(1.0, std::fabs(wrong.expected));
  parts.bug.push_back(fmt::format("derivative = machine[{}](*args)[1][{}].numpy().flat[{}]",
                                  python_string(request.test.entry + "_adjoint"), wrong.number, wrong.element));
  parts.bug.push_back(fmt::format("np.testing.assert_allclose(derivative, slope, rtol=0, atol={:.2g})", allowed));
}

}  // namespace

ReproParts compare_derivatives(const ReproRequest& request, const ReproFacts& facts) {
  const std::string adjoint = fmt::format("machine[{}](*args)", python_string(request.test.entry + "_adjoint"));
  ReproParts parts{{define_compiled(request, facts)}, bind_arguments(request.test.arguments), {}};
  const std::string stage = failing_stage(request.detail);
  (stage.empty() || stage == "run" ? parts.before : parts.bug).emplace_back("machine = compiled(after)");
  static const std::regex other_type(R"(^the derivative by (\S+) \(number (\d+)\) is )");
  std::smatch match;
  if (!stage.empty()) {
    parts.bug.push_back(adjoint);
  } else if (const auto slope = wrong_slope(request)) {
    show_slope(parts, request, *slope);
  } else if (std::regex_search(request.detail, match, other_type)) {
    parts.bug.push_back(fmt::format("derivative = {}[1][{}].numpy()", adjoint, match[2].str()));
    parts.bug.push_back(fmt::format("argument = args[{}].numpy()", param_index(request, match[1]).value_or(0)));
    parts.bug.emplace_back("assert (derivative.dtype, derivative.shape) == (argument.dtype, argument.shape)");
  } else {
    parts.bug.push_back(fmt::format("np.testing.assert_allclose({}[0]{}.numpy(), machine[{}](*args){}.numpy())", adjoint,
                                    target_field(request), python_string(request.test.entry), target_field(request)));
  }
  return parts;
}

}  // namespace passdiff
