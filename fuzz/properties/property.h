// Properties: RapidCheck makes bytes, the one generator makes test cases of them, GoogleTest reports.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/gen/generate.h"

namespace passdiff {

using Bytes = std::vector<std::uint8_t>;

// What a property is given. Bytes are what shrinks; the test case follows from them. `more` drives what else
// the property draws, so that neither shifts the other. Shown as bytes, TVMScript and arguments.
struct RandomCase {
  Bytes bytes;
  Bytes more;

  TestCase test(const GenerateOptions& options = {}) const;
};
void showValue(const RandomCase& random, std::ostream& out);
// Bytes for a property that makes something else of them.
struct RandomBytes {
  Bytes bytes;
};
void showValue(const RandomBytes& random, std::ostream& out);
// Hexadecimal, in one line.
std::string to_hex(const Bytes& bytes);

// Up to `per_size` bytes per unit of RapidCheck's size. Shrinks by leaving out and zeroing stretches, then by
// halving single bytes: bytes that run out and zeros are first choices.
rc::Gen<Bytes> random_bytes(std::size_t per_size);

// The seed is fixed and the number of cases is the test's. RC_PARAMS ("seed=7 max_success=10000") asks for
// others.
rc::detail::TestParams test_params(int cases);
// checkTestable without what it prints of its configuration.
rc::detail::TestResult run_property(const rc::detail::Property& property, int cases);

// Fails the current test with the shrunk counterexample unless the property holds for `cases` draws.
template <class Testable>
void expect_holds(int cases, Testable&& testable) {
  const rc::detail::TestResult result =
      run_property(rc::detail::toProperty(std::forward<Testable>(testable)), cases);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  ADD_FAILURE() << message.str();
}

}  // namespace passdiff

template <>
struct rc::Arbitrary<passdiff::RandomCase> {
  static rc::Gen<passdiff::RandomCase> arbitrary();
};
template <>
struct rc::Arbitrary<passdiff::RandomBytes> {
  static rc::Gen<passdiff::RandomBytes> arbitrary();
};
