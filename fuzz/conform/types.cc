#include "fuzz/conform/types.h"

#include <map>

#include <fmt/format.h>

#include "core/ir/type.h"

namespace passdiff {
namespace {

const Function& main_of(const Module& module) {
  return *module.functions.at(0).function;
}

// The type that the subject gives the call, in the symbolic dims of our module, which have the same names.
Type type_in(const Module& inferred, const Module& ours) {
  std::map<std::string, SymVar> by_name;
  for (const Var& param : main_of(ours).params)
    for_each_sym_var(param->type, [&](const SymVar& symbol) { by_name[symbol->name] = symbol; });
  const Type type = main_of(inferred).body.blocks.at(0).bindings.at(0).var->type;
  return substitute(type, [&](const SymVar& symbol) -> std::optional<Dim> {
    const auto found = by_name.find(symbol->name);
    return found == by_name.end() ? std::nullopt : std::optional<Dim>(found->second);
  });
}

// Whether both types say the same, whatever the values of the symbolic dims: sizes are written in many ways,
// and that two are equal cannot always be proven. Tried for a few values.
bool always_equal(const Type& ours, const Type& theirs) {
  for (std::int64_t round = 1; round <= 12; ++round) {
    const auto valued = [&](const Type& type) {
      return substitute(type, [&](const SymVar& symbol) -> std::optional<Dim> {
        return Dim(1 + round * (symbol->name.front() | 1) % 11);
      });
    };
    if (!equal(valued(ours), valued(theirs))) return false;
  }
  return true;
}

std::string difference_of(const Type& ours, const Type& theirs) {
  if (equal(ours, theirs, VDevices::ignore)) return "vdevice";
  if (is_subtype(ours, theirs)) return "less precise";
  if (is_subtype(theirs, ours)) return "more precise";
  return compatible(ours, theirs) ? "another type" : "a contradictory type";
}

TypeAgreement agreement_of(const TypedCall& call, const InferReply& reply) {
  if (!reply.module) {
    if (!call.type) return {};
    return {"refused: " + reply.error.site, to_string(*call.type) + " here; " + reply.error.message, false};
  }
  const Type theirs = type_in(*reply.module, call.call.test.module);
  if (!call.type)
    return {"accepted", call.type.error().message + " here, " + to_string(theirs) + " compiled", false};
  if (equal(*call.type, theirs) || always_equal(*call.type, theirs)) return {};
  return {difference_of(*call.type, theirs),
          fmt::format("{} here, {} compiled", to_string(*call.type), to_string(theirs)),
          compatible(*call.type, theirs)};
}

}  // namespace

std::vector<TypeAgreement> compare_types(Subject& subject, std::span<const TypedCall> calls) {
  std::vector<Module> modules;
  for (const TypedCall& call : calls) modules.push_back(call.call.test.module);
  const auto replies = subject.infer_types(modules);
  CHECK(replies.has_value() && replies->size() == calls.size()) << subject.name() << " has no type inference";
  std::vector<TypeAgreement> agreements;
  for (std::size_t i = 0; i < calls.size(); ++i) agreements.push_back(agreement_of(calls[i], (*replies)[i]));
  return agreements;
}

}  // namespace passdiff
