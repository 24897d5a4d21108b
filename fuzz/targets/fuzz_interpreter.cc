// A target for the interpreter: any well-formed module, given as TVMScript, ends in an outcome on any arguments, and in the same one
// when it runs again. Which ops ran, on what, and how the run ended guides the search.
#include <cstdint>
#include <span>
#include <string_view>

#include <xxhash.h>

#include "core/form/well_formed.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/text/text.h"
#include "fuzz/targets/crash_on.h"
#include "fuzz/targets/interpreted_input.h"

namespace passdiff {
namespace {

#ifdef __linux__
__attribute__((section("__libfuzzer_extra_counters")))
#endif
std::uint8_t run_counters[1 << 14];

void count(std::string_view what, std::uint64_t seed) {
  std::uint8_t& counter =
      run_counters[XXH3_64bits_withSeed(what.data(), what.size(), seed) % sizeof run_counters];
  if (counter < 255) ++counter;
}

// Each op with the types of its result, together with the end of the run.
void count_run(const Function& function, const Outcome& outcome) {
  for_each_binding(function.body, [&](const Binding& binding) {
    const auto* call = as<Call>(binding.value);
    if (call == nullptr) return;
    const OpDef* op = called_op(*call);
    if (op == nullptr) return;
    const TensorType* tensor = binding.var->type.as_tensor();
    const std::uint64_t rank = tensor != nullptr ? static_cast<std::uint64_t>(tensor->rank + 1) : 0;
    const std::uint64_t dtype =
        tensor != nullptr && tensor->dtype ? static_cast<std::uint64_t>(*tensor->dtype) + 1 : 0;
    count(op->name, outcome.index() + 16 * (rank + 16 * dtype));
  });
}

void run(const Module& module, const GlobalFunction& global, std::span<const std::uint8_t> input) {
  const auto arguments = arguments_of_input(module, global.name, input);
  if (!arguments) return;
  const InterpretOptions options{.rounding = {}, .limits = kInputLimits, .host_functions = {}};
  const Outcome outcome = interpret(module, global.name, *arguments, options);
  count_run(*global.function, outcome);
  const Outcome again = interpret(module, global.name, *arguments, options);
  CHECK(again.index() == outcome.index()) << to_string(outcome) << ", then " << to_string(again);
  const auto* returned = std::get_if<Returned>(&outcome);
  if (returned != nullptr) {
    CHECK(to_string(returned->value) == to_string(std::get<Returned>(again).value))
        << "two runs return other values";
  }
  InterpretOptions wide = options;
  wide.rounding.mode = RoundingMode::wide;
  (void)interpret(module, global.name, *arguments, wide);
}

}  // namespace
}  // namespace passdiff

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace passdiff;
  crash_if_asked({data, size});
  const Result<Module> module = parse_text({reinterpret_cast<const char*>(data), size});
  if (!module || well_formed(*module)) return 0;
  for (const GlobalFunction& global : module->functions) run(*module, global, {data, size});
  return 0;
}
