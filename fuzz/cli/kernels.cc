#include "fuzz/cli/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>

#include "core/choices/fill.h"
#include "core/eval/interpret.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

struct Operand {
  DType dtype;
  std::vector<std::int64_t> shape;
};
struct Kernel {
  std::string_view name;
  std::string_view call;  // of the operands x and y
  std::vector<Operand> operands;
};

std::vector<Kernel> kernels() {
  const Operand matrix{DType::float32, {1024, 1024}};
  const Operand factor{DType::float64, {512, 512}};
  return {{"add", "R.add(x, y)", {matrix, matrix}},
          {"sum", "R.sum(x)", {matrix}},
          {"sum-columns", "R.sum(x, axis=[0])", {matrix}},
          {"exp", "R.exp(x)", {matrix}},
          {"matmul", "R.matmul(x, y)", {factor, factor}},
          {"conv2d",
           "R.nn.conv2d(x, y, padding=[1, 1])",
           {{DType::float32, {1, 64, 56, 56}}, {DType::float32, {64, 64, 3, 3}}}}};
}

std::string module_text(const Kernel& kernel) {
  std::string params;
  for (std::size_t i = 0; i < kernel.operands.size(); ++i) {
    const Operand& operand = kernel.operands[i];
    params += fmt::format("{}{}: R.Tensor(({},), dtype=\"{}\")", i == 0 ? "" : ", ", i == 0 ? "x" : "y",
                          fmt::join(operand.shape, ", "), dtype_name(operand.dtype));
  }
  return fmt::format("@R.function\ndef main({}):\n    return {}\n", params, kernel.call);
}

Result<double> seconds_of(const Kernel& kernel) {
  constexpr int kRuns = 7;
  const Module module = TRY(parse_text(module_text(kernel)));
  Choices choices(std::span<const std::uint8_t>{});
  std::vector<Value> arguments;
  for (const Operand& operand : kernel.operands)
    arguments.emplace_back(make_tensor(filled_tensor(choices, operand.dtype, operand.shape, {})));
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    const std::clock_t start = std::clock();
    const Outcome outcome = interpret(module, "main", arguments);
    const double elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (!std::holds_alternative<Returned>(outcome)) return Error{"bench.kernel", to_string(outcome)};
    least = std::min(least, elapsed);
  }
  return least;
}

}  // namespace

Result<std::vector<KernelTime>> time_kernels() {
  std::vector<KernelTime> times;
  for (const Kernel& kernel : kernels()) times.push_back({kernel.name, TRY(seconds_of(kernel))});
  return times;
}

}  // namespace passdiff
