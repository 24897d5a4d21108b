// Result<T>: a value, or the reason why there is none. For expected failures only (core/check.h is for bugs).
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "core/check.h"

namespace passdiff {

// Why something expected to fail sometimes did. `code` is stable and dotted (`type.broadcast`): signatures and
// expected lists match it. `message` is for people: subject first, no full stop, with the values.
struct Error {
  std::string code;
  std::string message;
};

namespace detail {

// The failure of a check that a Result holds a value, and that it holds an error.
[[noreturn, gnu::noinline, gnu::cold]] inline void fail_without_value(const Error& error) {
  CHECK(false) << "a Result holds an error: " << error.message;
  __builtin_unreachable();
}
[[noreturn, gnu::noinline, gnu::cold]] inline void fail_without_error() {
  CHECK(false) << "no error in a Result that holds a value";
  __builtin_unreachable();
}

}  // namespace detail

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& {
    need_value();
    return *std::get_if<0>(&state_);
  }
  T& value() & {
    need_value();
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    need_value();
    return std::move(*std::get_if<0>(&state_));
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Error& error() const {
    if (ok()) [[unlikely]] detail::fail_without_error();
    return *std::get_if<1>(&state_);
  }

 private:
  void need_value() const {
    if (!ok()) [[unlikely]] detail::fail_without_value(*std::get_if<1>(&state_));
  }

  std::variant<T, Error> state_;
};

}  // namespace passdiff

// The value of a Result, or the end of the function with its error: `const Type type = TRY(infer(...));`. The function
// returns a Result or a std::optional<Error>. A statement expression, which clang and gcc have. One may stand in another: each names its
// result by a number of its own.
#define TRY(...) PASSDIFF_TRY_NUMBERED(__COUNTER__, __VA_ARGS__)
#define PASSDIFF_TRY_NUMBERED(number, ...) PASSDIFF_TRY_NAMED(number, __VA_ARGS__)
#define PASSDIFF_TRY_NAMED(number, ...)              \
  (__extension__({                                   \
    auto&& passdiff_result_##number = (__VA_ARGS__); \
    if (!passdiff_result_##number) [[unlikely]]      \
      return passdiff_result_##number.error();       \
    std::move(passdiff_result_##number).value();     \
  }))
// The end of the function with the error, if there is one: `TRY_VOID(check_sizes(shape));` for std::optional<Error>.
#define TRY_VOID(...)                                                             \
  do {                                                                            \
    if (auto passdiff_error = (__VA_ARGS__)) return *std::move(passdiff_error);   \
  } while (false)
