#include <array>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "passes/tvm/tvm_passes.h"

namespace passdiff {
namespace {

using nlohmann::json;

template <class Enum, std::size_t N>
std::optional<Enum> from_name(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

// A copy of the text that lives as long as the process: contracts hold views of their strings.
std::string_view kept(std::string text) {
  static std::mutex mutex;
  static std::deque<std::string> strings;
  const std::lock_guard lock(mutex);
  return strings.emplace_back(std::move(text));
}

Error bad_field(const std::string& pass, const std::string& what) {
  return {"subject.plugin", "plugin pass " + pass + ": " + what};
}

// Reads contract[key], if it is there, as the enumerator of one of `names`.
template <class Enum, std::size_t N>
std::optional<Error> read_enum(const json& contract, const char* key,
                               const std::array<std::string_view, N>& names, const std::string& pass,
                               Enum& into) {
  const auto found = contract.find(key);
  if (found == contract.end() || found->is_null()) return std::nullopt;
  if (found->is_string()) {
    if (const std::optional<Enum> value = from_name<Enum>(names, found->get<std::string>())) {
      into = *value;
      return std::nullopt;
    }
  }
  std::string known;
  for (const std::string_view name : names) known += (known.empty() ? "" : ", ") + std::string(name);
  return bad_field(pass, std::string("contract field \"") + key + "\" must be one of " + known);
}

std::optional<Error> read_strings(const json& contract, const char* key, const std::string& pass,
                                  std::vector<std::string_view>& into) {
  const auto found = contract.find(key);
  if (found == contract.end() || found->is_null()) return std::nullopt;
  if (!found->is_array())
    return bad_field(pass, std::string("contract field \"") + key + "\" must be a list");
  for (const json& item : *found) {
    if (!item.is_string())
      return bad_field(pass, std::string("contract field \"") + key + "\" must hold strings");
    into.push_back(kept(item.get<std::string>()));
  }
  return std::nullopt;
}

std::optional<Error> read_flag(const json& contract, const char* key, const std::string& pass, bool& into) {
  const auto found = contract.find(key);
  if (found == contract.end() || found->is_null()) return std::nullopt;
  if (!found->is_boolean())
    return bad_field(pass, std::string("contract field \"") + key + "\" must be true or false");
  into = found->get<bool>();
  return std::nullopt;
}

}  // namespace

Result<Pass> plugin_pass(const json& entry) {
  const auto name = entry.find("name");
  if (name == entry.end() || !name->is_string() || name->get<std::string>().empty()) {
    return bad_field("?", "it has no name");
  }
  Pass pass;
  pass.name = name->get<std::string>();
  pass.source = "plugin";
  pass.contract = {.numerics = Numerics::reassociated, .idempotent = false};
  if (const auto unmade = entry.find("unmade"); unmade != entry.end() && unmade->is_string()) pass.unmade = unmade->get<std::string>();
  const auto contract = entry.find("contract");
  if (contract == entry.end() || contract->is_null()) return pass;
  if (!contract->is_object()) return bad_field(pass.name, "its contract is no object");
  TRY_VOID(read_enum(*contract, "convention", kConventionNames, pass.name, pass.contract.convention));
  TRY_VOID(read_enum(*contract, "numerics", kNumericsNames, pass.name, pass.contract.numerics));
  TRY_VOID(read_enum(*contract, "level", kLevelNames, pass.name, pass.contract.level));
  TRY_VOID(read_flag(*contract, "idempotent", pass.name, pass.contract.idempotent));
  TRY_VOID(read_flag(*contract, "executes", pass.name, pass.contract.executes));
  TRY_VOID(read_flag(*contract, "inlines", pass.name, pass.contract.inlines));
  TRY_VOID(read_strings(*contract, "rejections", pass.name, pass.contract.rejections));
  TRY_VOID(read_strings(*contract, "needs", pass.name, pass.contract.needs));
  TRY_VOID(read_strings(*contract, "alters", pass.name, pass.contract.alters));
  return pass;
}

}  // namespace passdiff
