#include "fuzz/properties/property.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <ostream>
#include <unordered_map>

#include "core/text/text.h"

namespace passdiff {
namespace {

// The generator reads a few hundred bytes for a module of ten bindings.
constexpr std::size_t kCaseBytesPerSize = 12;
constexpr std::size_t kMoreBytesPerSize = 1;
constexpr std::size_t kBytesPerSize = 2;

constexpr std::uint64_t kSeed = 1;

// One way to make bytes smaller.
struct Shrink {
  enum class Kind : std::uint8_t { remove, zero, halve } kind;
  std::size_t begin;
  std::size_t length;
};

std::vector<Shrink> shrinks_of(const Bytes& bytes) {
  std::vector<Shrink> plan;
  const std::size_t n = bytes.size();
  for (std::size_t length = n; length > 0; length /= 2) {
    // From the end, since the last bindings of a module are needed least.
    for (std::size_t end = n; end > 0; end -= std::min(end, length)) {
      const std::size_t begin = end - std::min(end, length);
      plan.push_back({Shrink::Kind::remove, begin, end - begin});
      plan.push_back({Shrink::Kind::zero, begin, end - begin});
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (bytes[i] > 1) plan.push_back({Shrink::Kind::halve, i, 1});
  }
  return plan;
}

rc::Maybe<Bytes> shrunk(const Bytes& bytes, const Shrink& how) {
  Bytes result = bytes;
  const auto begin = result.begin() + static_cast<std::ptrdiff_t>(how.begin);
  const auto end = begin + static_cast<std::ptrdiff_t>(how.length);
  switch (how.kind) {
    case Shrink::Kind::remove:
      result.erase(begin, end);
      break;
    case Shrink::Kind::zero:
      std::fill(begin, end, std::uint8_t{0});
      break;
    case Shrink::Kind::halve:
      *begin /= 2;
      break;
  }
  if (result == bytes) return rc::Nothing;
  return result;
}

rc::Seq<Bytes> shrink_bytes(const Bytes& bytes) {
  return rc::seq::mapMaybe(rc::seq::fromContainer(shrinks_of(bytes)),
                           [bytes](const Shrink& how) { return shrunk(bytes, how); });
}

class SilentListener : public rc::detail::TestListener {
  void onTestCaseFinished(const rc::detail::CaseDescription&) override {}
  void onShrinkTried(const rc::detail::CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}
};

}  // namespace

TestCase RandomCase::test(const GenerateOptions& options) const {
  Choices choices(bytes);
  return generate_test_case(choices, options);
}

std::string to_hex(const Bytes& bytes) {
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

void showValue(const RandomCase& random, std::ostream& out) {
  out << "bytes " << to_hex(random.bytes) << ", then " << to_hex(random.more) << "\n";
  try {
    const TestCase test = random.test();
    out << print(test.module);
    for (const Value& argument : test.arguments) out << "# argument " << to_string(argument) << "\n";
  } catch (const std::exception& error) {
    // The generator or the printer may be what fails: the bytes must be shown all the same.
    out << error.what() << "\n";
  }
}

void showValue(const RandomBytes& random, std::ostream& out) {
  out << "bytes " << to_hex(random.bytes);
}

rc::Gen<Bytes> random_bytes(std::size_t per_size) {
  return [per_size](const rc::Random& seed, int size) {
    rc::Random random(seed);
    Bytes bytes(random.next() % (static_cast<std::size_t>(size) * per_size + 1));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    return rc::shrinkable::shrinkRecur(std::move(bytes), [](const Bytes& b) { return shrink_bytes(b); });
  };
}

rc::detail::TestParams test_params(int cases) {
  rc::detail::Configuration fixed;
  fixed.testParams.seed = kSeed;
  fixed.testParams.maxSuccess = cases;
  const char* asked = std::getenv("RC_PARAMS");
  return asked == nullptr ? fixed.testParams : rc::detail::configFromString(asked, fixed).testParams;
}

rc::detail::TestResult run_property(const rc::detail::Property& property, int cases) {
  SilentListener silent;
  return rc::detail::checkProperty(property, rc::detail::TestMetadata(), test_params(cases), silent, {});
}

}  // namespace passdiff

rc::Gen<passdiff::RandomCase> rc::Arbitrary<passdiff::RandomCase>::arbitrary() {
  return rc::gen::build<passdiff::RandomCase>(
      rc::gen::set(&passdiff::RandomCase::bytes, passdiff::random_bytes(passdiff::kCaseBytesPerSize)),
      rc::gen::set(&passdiff::RandomCase::more, passdiff::random_bytes(passdiff::kMoreBytesPerSize)));
}

rc::Gen<passdiff::RandomBytes> rc::Arbitrary<passdiff::RandomBytes>::arbitrary() {
  return rc::gen::build<passdiff::RandomBytes>(
      rc::gen::set(&passdiff::RandomBytes::bytes, passdiff::random_bytes(passdiff::kBytesPerSize)));
}
