#include "passes/case_options.h"

#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/eval/symbols.h"
#include "core/ir/queries.h"

namespace passdiff {
namespace {

using nlohmann::json;

class CaseValues {
 public:
  explicit CaseValues(const TestCase& test) : test_(test), entry_(test.module.find(test.entry)) {}

  // The option with values of the case in place of references; nothing if it is, or holds, a reference to what the case has not.
  std::optional<json> resolved(const json& option) {
    if (option.is_array()) return resolved_items(option);
    if (!option.is_object()) return option;
    if (option.size() == 1 && option.begin().key() == "$argument") return argument(option.front());
    if (option.size() == 1 && option.begin().key() == "$size") return size(option.front());
    json result = json::object();
    for (const auto& [key, item] : option.items()) {
      if (std::optional<json> value = resolved(item)) result[key] = *std::move(value);
    }
    return result;
  }

 private:
  json resolved_items(const json& option) {
    json result = json::array();
    for (const json& item : option) {
      if (std::optional<json> value = resolved(item)) result.push_back(*std::move(value));
    }
    return result;
  }

  std::optional<json> argument(const json& name) const {
    if (entry_ == nullptr || !name.is_string()) return std::nullopt;
    const std::vector<Var>& params = entry_->function->params;
    for (std::size_t i = 0; i < params.size() && i < test_.arguments.size(); ++i) {
      if (params[i]->name == name.get<std::string>() && test_.arguments[i].as_tensor() != nullptr)
        return json{{"$tensor", value_to_json(test_.arguments[i])}};
    }
    return std::nullopt;
  }

  std::optional<json> size(const json& name) {
    if (!sizes_) sizes_ = sizes_of(test_);
    const auto found = name.is_string() ? sizes_->find(name.get<std::string>()) : sizes_->end();
    return found == sizes_->end() ? std::nullopt : std::optional<json>(found->second);
  }

  const TestCase& test_;
  const GlobalFunction* entry_;
  std::optional<std::map<std::string, std::int64_t>> sizes_;
};

bool refers_to_case(const std::string& options) {
  return options.find("\"$argument\"") != std::string::npos || options.find("\"$size\"") != std::string::npos;
}

}  // namespace

std::map<std::string, std::int64_t> sizes_of(const TestCase& test) {
  std::map<std::string, std::int64_t> sizes;
  const GlobalFunction* entry = test.module.find(test.entry);
  if (entry == nullptr || entry->function->params.size() != test.arguments.size()) return sizes;
  std::vector<const Type*> types;
  for (const Var& param : entry->function->params) types.push_back(&param->type);
  Symbols symbols;
  if (bind_types(test.arguments, types, symbols)) return sizes;
  for (const Var& param : entry->function->params) {
    for_each_sym_var(param->type, [&](const SymVar& var) {
      if (const auto value = symbols.find(var)) sizes.emplace(var->name, *value);
    });
  }
  return sizes;
}

Pipeline with_case_values(const Pipeline& pipeline, const TestCase& test) {
  Pipeline result = pipeline;
  for (PassCall& call : result) {
    if (!refers_to_case(call.options)) continue;
    const Result<json> options = parse_json(call.options);
    // Options may be of another function than the one that the case calls.
    if (!options) continue;
    const bool own = !options->is_object() || options->value("func_name", json(test.entry)) == test.entry;
    const TestCase none;
    call.options = CaseValues(own ? test : none).resolved(*options).value_or(json::object()).dump();
  }
  return result;
}

BoundArguments bound_arguments(const Subject& subject, const Pipeline& pipeline, const std::string& function) {
  BoundArguments all;
  for (const PassCall& call : pipeline) {
    const Pass* pass = find_pass(subject, call.name);
    if (pass == nullptr || pass->bound == nullptr) continue;
    BoundArguments bound = pass->bound(function, call.options);
    all.values.merge(bound.values);
    all.sizes.merge(bound.sizes);
  }
  return all;
}

std::string contradicted_binding(const TestCase& test, const BoundArguments& bound) {
  if (const GlobalFunction* entry = test.module.find(test.entry); entry != nullptr && !bound.values.empty()) {
    const std::vector<Var>& params = entry->function->params;
    for (std::size_t i = 0; i < params.size() && i < test.arguments.size(); ++i) {
      const auto value = bound.values.find(params[i]->name);
      if (value != bound.values.end() && !bit_equal(value->second, test.arguments[i]))
        return "the options bind " + params[i]->name + " to another value than the argument";
    }
  }
  if (bound.sizes.empty()) return {};
  const std::map<std::string, std::int64_t> sizes = sizes_of(test);
  for (const auto& [name, size] : bound.sizes) {
    const auto found = sizes.find(name);
    if (found != sizes.end() && size != found->second)
      return "the options bind " + name + " to " + std::to_string(size) + ", the arguments to " + std::to_string(found->second);
  }
  return {};
}

}  // namespace passdiff
