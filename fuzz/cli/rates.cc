#include "fuzz/cli/rates.h"

#include <charconv>
#include <string>

#include <fmt/format.h>

#include "oracle/check_row.h"

namespace passdiff {
namespace {

// The N of a rate `1/N`; `1` and `0` stand for themselves. Nothing if the text is no rate.
std::optional<unsigned> one_in(std::string_view rate) {
  if (rate == "0") return 0;
  if (rate == "1") return 1;
  if (!rate.starts_with("1/")) return std::nullopt;
  rate.remove_prefix(2);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(rate.data(), rate.data() + rate.size(), value);
  if (error != std::errc() || end != rate.data() + rate.size() || value == 0) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Error> set_rate(Sampling& sampling, std::string_view text, bool subject_compiles) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const Check* check = find_check(name);
  if (check == nullptr)
    return Error{"usage.check", fmt::format("{}: no such check; see `passdiff list checks`", name)};
  if (!check->is_sampled())
    return Error{"usage.check", fmt::format("{}: this check is made on every case, always", name)};
  const auto rate =
      equals == std::string_view::npos ? std::nullopt : one_in(text.substr(equals + 1));
  if (!rate) {
    return Error{"usage.check",
                 fmt::format("{}: not a rate; say {}=1/64, {}=1 or {}=0", text, name, name, name)};
  }
  if (check->compiles && !subject_compiles && *rate != 0)
    return Error{"usage.check", fmt::format("{}: this check is never made of a subject that does not compile modules", name)};
  sampling.set(name, *rate);
  return std::nullopt;
}

}  // namespace passdiff
