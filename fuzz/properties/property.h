// Properties: RapidCheck draws bytes, the generator makes test cases of them, GoogleTest reports failures.
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

// A random test case, with the bytes that it was made from: it is the bytes that RapidCheck shrinks. `more` is for everything
// else that the property draws, so that neither depends on how much the other reads. Shown as bytes, TVMScript and arguments.
struct RandomCase {
  Bytes bytes;
  Bytes more;

  TestCase test(const GenerateOptions& options = {}) const;
};
void showValue(const RandomCase& random, std::ostream& out);
// Random bytes, for a property that makes something else than a test case of them.
struct RandomBytes {
  Bytes bytes;
};
void showValue(const RandomBytes& random, std::ostream& out);
// Hexadecimal, in one line.
std::string to_hex(const Bytes& bytes);

// Up to `per_size` bytes per unit of RapidCheck's size. They shrink by removing and zeroing ranges, then by halving single
// bytes: where bytes run out or are zero, the generator makes its first, simplest choice.
rc::Gen<Bytes> random_bytes(std::size_t per_size);

// Parameters with a fixed seed and the test's number of cases. The environment variable RC_PARAMS ("seed=7
// max_success=10000") overrides both.
rc::detail::TestParams test_params(int cases);
// Runs a property as RapidCheck's checkTestable does, without printing the configuration.
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
