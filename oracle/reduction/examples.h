// For tests of reduction: cases written as text, and predicates on what they print.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/reduction/reduce.h"

namespace passdiff {

// A tensor whose elements are 1, 2, 3, ...
inline Value counting(DType dtype, const std::vector<std::int64_t>& shape) {
  Tensor tensor = zeros(dtype, shape);
  std::visit(
      [](auto& values) {
        using Element = typename std::decay_t<decltype(values)>::value_type;
        for (std::size_t i = 0; i < values.size(); ++i) values.data()[i] = static_cast<Element>(i + 1);
      },
      tensor.values);
  return make_tensor(std::move(tensor));
}

inline TestCase example(std::string_view text, std::vector<Value> arguments, std::string entry = "main") {
  return {parse_text(text).value(), std::move(entry), std::move(arguments)};
}

inline bool prints(const TestCase& test, std::string_view part) {
  return print(test.module).find(part) != std::string::npos;
}

// The finding shows while the module prints all these parts.
inline StillShows while_it_prints(std::vector<std::string> parts) {
  return [parts = std::move(parts)](const TestCase& test, const Pipeline&) {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return prints(test, part); });
  };
}

// What a case is reduced to that shows the finding while it prints these parts.
inline TestCase reduced_to(const TestCase& test, std::vector<std::string> parts) {
  return reduce(test, {{"A", "{}"}}, while_it_prints(std::move(parts))).test;
}

// The text of a module, printed as the reduced one is.
inline std::string printed(std::string_view text) {
  return print(parse_text(text).value());
}

}  // namespace passdiff
