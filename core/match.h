// match(variant, handlers...): calls the handler of the alternative that is held. Every alternative must have
// one, and no handler may take just anything: whoever adds an alternative is told by the compiler of each
// place that has to know it.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

namespace passdiff {

// For a handler of several alternatives: `[](const OneOf<StringImm, DataTypeImm> auto& literal) {...}`.
template <class T, class... Alternatives>
concept OneOf = (std::same_as<T, Alternatives> || ...);

namespace detail {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

template <class Matcher, class Alternative>
concept Handles = std::invocable<Matcher&, const Alternative&>;

// A type that no variant holds: a handler that takes it takes any alternative.
struct Nothing {};

// Tries one alternative after the other. Compilers make a jump table of this and inline the handlers, which they do not in
// std::visit from the twelfth alternative on (libstdc++ 12).
template <std::size_t I, class Result, class Variant, class Matcher>
Result match_from(const Variant& variant, Matcher& matcher) {
  using Alternative = std::variant_alternative_t<I, Variant>;
  static_assert(Handles<Matcher, Alternative>,
                "a match does not say what it does with an alternative of the variant: give it a handler");
  if constexpr (I + 1 < std::variant_size_v<Variant>) {
    if (variant.index() != I) return match_from<I + 1, Result>(variant, matcher);
  }
  if constexpr (Handles<Matcher, Alternative>) return matcher(*std::get_if<I>(&variant));
}

template <class Variant, class Matcher>
decltype(auto) match_with(const Variant& variant, Matcher& matcher) {
  static_assert(!Handles<Matcher, Nothing>,
                "a match has a handler that takes any alternative: name those that it is meant for (OneOf)");
  using First = std::variant_alternative_t<0, Variant>;
  static_assert(Handles<Matcher, First>, "a match does not say what it does with the first alternative");
  return match_from<0, std::invoke_result_t<Matcher&, const First&>>(variant, matcher);
}

}  // namespace detail

// All handlers return one type. A single handler may be an object with an operator() for each alternative.
template <class... Alternatives, class Handler>
decltype(auto) match(const std::variant<Alternatives...>& variant, Handler&& handler) {
  return detail::match_with(variant, handler);
}
template <class... Alternatives, class... Handlers>
decltype(auto) match(const std::variant<Alternatives...>& variant, Handlers&&... handlers) {
  detail::Overloaded matcher{std::forward<Handlers>(handlers)...};
  return detail::match_with(variant, matcher);
}

}  // namespace passdiff
