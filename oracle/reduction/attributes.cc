// Steps that make attributes of calls plain: their defaults, else small numbers.
#include <array>
#include <utility>

#include "core/ops/op.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

// Calls of ops that have attributes.
std::vector<const Binding*> calls_of(const TestCase& test) {
  std::vector<const Binding*> calls;
  for (const BindingSite& site : all_bindings(test)) {
    const Call* call = as<Call>(site.binding->value);
    if (call != nullptr && called_op(*call) != nullptr && !call->attrs.empty()) calls.push_back(site.binding);
  }
  return calls;
}

std::optional<ExprPtr> with_attrs(const Binding& binding, Attrs attrs) {
  const Call& call = *as<Call>(binding.value);
  if (attrs == call.attrs) return std::nullopt;
  Result<ExprPtr> changed = make_call(*called_op(call), call.args, std::move(attrs), call.type_args);
  return changed ? std::optional(*std::move(changed)) : std::nullopt;
}

std::optional<AttrValue> default_of(const Call& call, std::size_t attr) {
  const auto params = called_op(call)->attributes();
  return attr < params.size() ? params[attr].default_value : std::nullopt;
}

std::optional<ExprPtr> with_defaults(const Binding& binding) {
  const Call& call = *as<Call>(binding.value);
  Attrs attrs = call.attrs;
  for (std::size_t i = 0; i < attrs.size(); ++i) attrs[i] = default_of(call, i).value_or(attrs[i]);
  return with_attrs(binding, std::move(attrs));
}

// The last candidate gives all calls their defaults, the others one call.
std::size_t count_calls(const TestCase& test) {
  return calls_of(test).size() + 1;
}
std::optional<TestCase> all_defaults(const TestCase& test, std::size_t i) {
  const std::vector<const Binding*> calls = calls_of(test);
  std::unordered_map<const Binding*, ExprPtr> changed;
  for (std::size_t k = 0; k < calls.size(); ++k) {
    if (i != k && i != calls.size()) continue;
    if (auto plain = with_defaults(*calls[k])) changed.emplace(calls[k], *std::move(plain));
  }
  if (changed.empty()) return std::nullopt;
  return rebuilt(test, {.rewrite = [&](const Binding& b) {
                   const auto found = changed.find(&b);
                   return found == changed.end() ? std::nullopt : std::optional(found->second);
                 }});
}

// Plainer lists of integers: one number for all, one of them changed, one of them gone.
void add_plainer(const std::vector<std::int64_t>& list, std::vector<AttrValue>& into) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<std::int64_t> fewer = list;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    into.emplace_back(std::move(fewer));
    for (const std::int64_t plain : {-1, 1, 0}) {
      std::vector<std::int64_t> changed = list;
      changed[i] = plain;
      into.emplace_back(std::move(changed));
    }
  }
  for (const std::int64_t plain : {1, 0}) into.emplace_back(std::vector<std::int64_t>(list.size(), plain));
}

// Values to try in place of an attribute's, the plainest last.
std::vector<AttrValue> plainer(const Call& call, std::size_t attr) {
  std::vector<AttrValue> values;
  match(
      call.attrs[attr],
      [&](std::int64_t) {
        for (const std::int64_t plain : {-1, 1, 0}) values.emplace_back(plain);
      },
      [&](double) {
        values.emplace_back(1.0);  // 0 is seldom a plain scale or rate
      },
      [&](const std::vector<std::int64_t>& list) { add_plainer(list, values); },
      [](const OneOf<std::monostate, bool, std::string, DType, VDeviceRef, AttrList, AttrMap,
                     IndexMap, MeshRef> auto&) {});
  if (auto plain = default_of(call, attr)) values.push_back(*std::move(plain));
  return values;
}

struct Change {
  const Binding* call;
  std::size_t attr;
  AttrValue to;
};
std::vector<Change> changes_of(const TestCase& test) {
  std::vector<Change> changes;
  for (const Binding* binding : calls_of(test)) {
    const Call& call = *as<Call>(binding->value);
    for (std::size_t i = 0; i < call.attrs.size(); ++i) {
      for (AttrValue& value : plainer(call, i)) changes.push_back({binding, i, std::move(value)});
    }
  }
  return changes;
}
std::size_t count_changes(const TestCase& test) {
  return changes_of(test).size();
}
std::optional<TestCase> plain_attribute(const TestCase& test, std::size_t i) {
  const Change change = changes_of(test)[i];
  Attrs attrs = as<Call>(change.call->value)->attrs;
  attrs[change.attr] = change.to;
  const auto changed = with_attrs(*change.call, std::move(attrs));
  if (!changed) return std::nullopt;
  return rebuilt(test,
                 {.rewrite = [&](const Binding& b) { return &b == change.call ? changed : std::nullopt; }});
}

}  // namespace

ReduceSteps attribute_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"all-defaults", count_calls, all_defaults},
      ReduceStep{"plain-attribute", count_changes, plain_attribute},
  };
  return kSteps;
}

}  // namespace passdiff
