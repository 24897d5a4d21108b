// CHECK(condition) << facts: a failed check is a bug in passdiff itself.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace passdiff {

// Thrown by CHECK. Only main() catches it, so that a fuzzer sees a crash and RapidCheck a failure that it can shrink.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace detail {

// Its functions are not inlined: checks are everywhere, and what is done where one fails would make most of the code.
class CheckFailure {
 public:
  [[gnu::noinline, gnu::cold]] CheckFailure(const char* file, int line, const char* condition) {
    message_ << file << ":" << line << ": check failed: " << condition << " ";
  }
  [[noreturn, gnu::noinline, gnu::cold]] ~CheckFailure() noexcept(false) { throw InternalError(message_.str()); }
  std::ostream& stream() { return message_; }

 private:
  std::ostringstream message_;
};

}  // namespace detail
}  // namespace passdiff

#define CHECK(condition) \
  if (condition) [[likely]] { \
  } else \
    ::passdiff::detail::CheckFailure(__FILE__, __LINE__, #condition).stream()
