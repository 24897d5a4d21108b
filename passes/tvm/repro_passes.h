// Passes as Python expressions, for repro.py: their options as the plain objects that they mean.
#pragma once

#include <set>
#include <span>
#include <string>

#include "core/documents/case.h"
#include "core/result.h"
#include "passes/pass.h"
#include "passes/tvm/repro_python.h"

namespace passdiff {

// The passes that the user's own file brings.
struct PluginPasses {
  std::string file;
  std::set<std::string> names;
};

// Python objects that stand for passes. What their options refer to is bound by statements: patterns, functions,
// passes of a plugin.
class PassExpressions {
 public:
  // `version` is TVM's, as its package names it.
  PassExpressions(const TestCase& test, const PluginPasses& plugin, std::string version)
      : test_(test), plugin_(plugin), version_(std::move(version)) {}

  // The pass as an object: relax.transform.LegalizeOps(enable_warning=True). `first`: it is applied to the source
  // itself. Fails with repro.options if no expression says an option.
  Result<std::string> object(const PassCall& call, bool first);
  // Statements that apply the passes one after the other to `Module`, and bind the result to `target`.
  Result<PythonLines> apply(std::span<const PassCall> calls, const std::string& target);
  // What the expressions made so far need: definitions of functions, and statements.
  const PythonLines& functions() const { return functions_; }
  const PythonLines& statements() const { return statements_; }

 private:
  Result<std::string> option(const nlohmann::json& value, bool first);
  Result<std::string> tagged(const std::string& tag, const nlohmann::json& item, bool first);
  Result<std::string> callable(const std::string& name, bool first);
  Result<std::string> patterns(const nlohmann::json& names, bool first);
  std::string constructor(const PassCall& call);
  const TestCase& test_;
  const PluginPasses& plugin_;
  std::string version_;
  PythonLines functions_, statements_;
};

}  // namespace passdiff
