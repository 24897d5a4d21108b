// For tests: small modules, and what passes do to them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/documents/case.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {

// A module with the function main of these parameters and bindings.
inline Module module_of(std::string_view params, std::string_view body) {
  const std::string text = "@I.ir_module\nclass Module:\n    @R.function\n    def main(" + std::string(params) + "):\n" + std::string(body);
  return parse_text(text).value();
}

inline constexpr const char* kTwo = "x: R.Tensor((2, 2), \"float32\"), y: R.Tensor((2, 2), \"float32\")";

inline Module adds() { return module_of(kTwo, "        a = R.add(x, y)\n        return a\n"); }
inline Module subtracts() { return module_of(kTwo, "        a = R.subtract(x, y)\n        return a\n"); }

inline constexpr const char* kScalar = "x: R.Tensor((), \"float32\")";

// The negative of a scalar, which is 0.
inline TestCase negation() {
  return {
      module_of(kScalar, "        y = R.negative(x)\n        return y\n"), "main", {make_tensor(zeros(DType::float32, std::vector<std::int64_t>{}))}};
}

// Two blocks of TensorIR, the second of which reads the first twice; and the second with the first inlined.
struct Inlining {
  Module before, after;
};
inline Inlining inlining() {
  const auto block = [](std::string_view name, std::string_view store) {
    return fmt::format("        for {0}_i in range(8):\n            with T.sblock(\"{0}\"):\n                {0}_v = T.axis.spatial(8, {0}_i)\n"
                       "                {1}\n", name, store);
  };
  const auto kernel = [](const std::string& body) {
    return parse_text("@I.ir_module\nclass Module:\n    @T.prim_func(s_tir=True)\n    def main(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n" +
                      body).value();
  };
  return {kernel("        C = T.sblock_alloc_buffer((8,))\n" + block("c", "C[c_v] = T.exp(A[c_v])") + block("b", "B[b_v] = C[b_v] * C[b_v]")),
          kernel(block("b", "B[b_v] = T.exp(A[b_v]) * T.exp(A[b_v])"))};
}

}  // namespace passdiff
