#include "oracle/messages.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <vector>

#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::set<std::string_view> dtypes_in(std::string_view text) {
  std::set<std::string_view> dtypes;
  for (const DType dtype : all_dtypes()) {
    if (text.find(dtype_name(dtype)) != std::string_view::npos) dtypes.insert(dtype_name(dtype));
  }
  return dtypes;
}

constexpr std::string_view kTensorType = "R.Tensor(";

// The types of which a compiler says "expected T, given U"; U ends somewhere in what follows.
struct Refusal {
  std::string_view parameter;
  std::string_view argument;
};
std::optional<Refusal> refusal_of(std::string_view message) {
  constexpr std::string_view kExpected = "expected ", kGiven = ", given ";
  const std::size_t start = message.find(kExpected);
  const std::size_t between = message.find(kGiven, start);
  if (start == std::string_view::npos || between == std::string_view::npos) return std::nullopt;
  return Refusal{message.substr(start + kExpected.size(), between - start - kExpected.size()),
                 message.substr(between + kGiven.size())};
}

bool is_tensor(std::string_view type) {
  return type.starts_with(kTensorType);
}

// The text with n for each max(n, 0).
std::string without_clamps(std::string_view text) {
  constexpr std::string_view kMax = "max(", kZero = ", 0)";
  std::string plain(text);
  for (std::size_t at = plain.find(kMax); at != std::string::npos; at = plain.find(kMax, at + 1)) {
    int depth = 0;
    for (std::size_t end = at + kMax.size(); end < plain.size() && depth >= 0; ++end) {
      if (depth == 0 && plain.compare(end, kZero.size(), kZero) == 0) {
        const std::size_t start = plain.compare(at < 2 ? 0 : at - 2, 2, "T.") == 0 ? at - 2 : at;
        plain = plain.substr(0, start) + plain.substr(at + kMax.size(), end - at - kMax.size()) + plain.substr(end + kZero.size());
        at = start;
        break;
      }
      depth += static_cast<int>(plain[end] == '(') - static_cast<int>(plain[end] == ')');
    }
  }
  return plain;
}

// Whether the text ends with the type, the first of them or the second clamped.
bool differ_in_a_clamp(std::string_view text, std::string_view type) {
  if (text.ends_with(type)) return false;
  const std::string plain = without_clamps(type);
  return !plain.empty() && without_clamps(text).ends_with(plain) && (plain != type || without_clamps(text) != text);
}

// Of each tensor in the type that the text begins with, whether its rank is known: of two in R.Tuple(R.Tensor((n,)), R.Tensor(dtype="int8")), the first.
std::vector<bool> tensors_of_known_rank(std::string_view text) {
  std::vector<bool> known;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_tensor(text.substr(at))) {
      const std::string_view fields = text.substr(at + kTensorType.size());
      known.push_back(fields.starts_with("(") || fields.substr(0, fields.find(')')).find("ndim=") != std::string_view::npos);
    }
    depth += static_cast<int>(text[at] == '(') - static_cast<int>(text[at] == ')');
    if (text[at] == ')' && depth == 0) break;
  }
  return known;
}

}  // namespace

std::string complaint_of(const std::string& message, const Module& module) {
  constexpr std::size_t kLongest = 200;
  std::string text = message.substr(0, std::min(message.find('\n'), kLongest));
  bool names_one = false;
  for (const GlobalFunction& global : module.functions) {
    for_each_binding(global.function->body, [&](const Binding& binding) {
      const OpDef* op = called_op(binding.value);
      if (op == nullptr) return;
      const std::string_view full = script_name(*op);
      const std::string_view name = full.substr(full.rfind('.') + 1);
      for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at > 0 && is_word(text[at - 1])) || (end < text.size() && is_word(text[end]))) continue;
        text.replace(at, name.size(), "OP");
        names_one = true;
      }
    });
  }
  return names_one ? text : std::string();
}

TypeDifference type_difference(std::string_view detail) {
  for (const std::string_view between : {" and bound to ", " is no ", " cannot be assigned to a variable of type "}) {
    const std::size_t at = detail.find(between);
    if (at == std::string_view::npos) continue;
    if (detail.find("vdevice") != std::string_view::npos || detail.find("R.Callable") != std::string_view::npos) return TypeDifference::unknown;
    const std::string_view one = detail.substr(0, at);
    std::string_view other = detail.substr(at + between.size());
    other = other.substr(0, other.find_first_of(";\n"));
    if (differ_in_a_clamp(one, other)) return TypeDifference::sign;
    return dtypes_in(one) == dtypes_in(other) ? TypeDifference::shape : TypeDifference::dtype;
  }
  return TypeDifference::unknown;
}

TypeDifference argument_difference(std::string_view message) {
  const std::optional<Refusal> refused = refusal_of(message);
  if (!refused) return TypeDifference::unknown;
  const auto has_tensors = [](std::string_view type) { return type.find(kTensorType) != std::string_view::npos; };
  if (has_tensors(refused->parameter) != has_tensors(refused->argument)) return TypeDifference::kind;
  if (message.find("vdevice") != std::string_view::npos) return TypeDifference::device;
  return dtypes_in(refused->parameter) == dtypes_in(refused->argument) ? TypeDifference::shape : TypeDifference::dtype;
}

bool refuses_unknown_rank(std::string_view message) {
  const std::optional<Refusal> refused = refusal_of(message);
  if (!refused || is_tensor(refused->parameter) != is_tensor(refused->argument)) return false;
  const std::vector<bool> taken = tensors_of_known_rank(refused->parameter), given = tensors_of_known_rank(refused->argument);
  for (std::size_t i = 0; taken.size() == given.size() && i < given.size(); ++i) {
    if (taken[i] && !given[i]) return true;
  }
  return false;
}

std::string table_without_entry(std::string_view message) {
  constexpr std::string_view kFailed = "Check failed: (";
  if (!message.starts_with(kFailed)) return {};
  message.remove_prefix(kFailed.size());
  const auto* const end = std::find_if_not(message.begin(), message.end(), is_word);
  const std::string_view table(message.begin(), end);
  return message.substr(table.size()).starts_with(".count(") ? std::string(table) : std::string();
}

}  // namespace passdiff
