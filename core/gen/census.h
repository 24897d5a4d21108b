// What cases are made of, counted: ops, dtypes, ranks and the structural features that passes react to.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "core/documents/case.h"

namespace passdiff {

class Census {
 public:
  void add(const TestCase& test);
  // Adds what another census has counted.
  void add(const Census& other);

  using Counts = std::map<std::string, std::int64_t>;
  const Counts& ops() const { return ops_; }            // calls, by op
  const Counts& dtypes() const { return dtypes_; }      // tensors that are arguments or bound to variables
  const Counts& ranks() const { return ranks_; }        // of the same tensors: "rank 2"
  const Counts& features() const { return features_; }  // "private function", "empty argument"
  // The count of a name, whichever kind it is of; 0 for one that never occurred.
  std::int64_t count(const std::string& name) const;

 private:
  void note(bool holds, const char* feature) { features_[feature] += holds ? 1 : 0; }
  void add_type(const Type& type);
  void add_argument(const Value& argument);
  void add_function(const Function& function);
  void add_result(const ExprPtr& result);
  void add_body(const SeqExpr& body);
  void add_binding(const Binding& binding);
  void add_call(const Call& call);

  Counts ops_, dtypes_, ranks_, features_;
  // Of the function at hand.
  std::set<const VarNode*> params_;
  std::set<const VarNode*> used_;
};

}  // namespace passdiff
