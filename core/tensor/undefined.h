// Undefined behaviour: its rules, and the record of what was met while executing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace passdiff {

enum class UndefinedRule : std::uint8_t {
  index_out_of_bounds,  // take mode fast, gather, dynamic slices: TVM reads out of bounds
  repeated_index,       // two updates of one element, where an op leaves open which of them is last
  division_by_zero,     // division and modulo of integers
  division_overflow,    // INT_MIN / -1
  shift_amount,         // negative or not below the width
  float_to_int,         // NaN or out of the target's range (C++ [conv.fpint])
  uninitialised_read,   // of memory that nothing has written, or that another tensor in the same storage has overwritten
  conflicting_access,   // iterations of a concurrent loop, or arguments of one call, access one element, and one of them writes
  undeclared_access,    // a block of TensorIR accesses what its regions do not declare
  write_to_input,       // of memory that the caller did not hand over for results
  use_after_kill,       // of a value that the program has given up
  iteration_domain,     // a block's variable outside of its domain
  false_assumption,     // T.assume of what does not hold
  signed_overflow,  // int32 and int64 add, subtract, multiply, ...: TVM emits `add nsw`; our values wrap
};
std::string_view rule_name(UndefinedRule rule);  // "index-out-of-bounds"

struct UndefinedRecord {
  UndefinedRule rule;
  std::string op;       // "relax.take"; set by the interpreter
  std::string binding;  // name of the variable being computed; set by the interpreter
  std::string detail;   // "index 63 is outside axis 0 of size 16"
  // In a function of TensorIR, which `op` then names: its statement, by number from 0, each before those inside of it. -1: elsewhere.
  int statement = -1;
};

// Whether what a block of TensorIR declares is contradicted, and no more.
constexpr bool is_contradiction(UndefinedRule rule) {
  return rule == UndefinedRule::undeclared_access || rule == UndefinedRule::iteration_domain;
}

// Ops report into the log; the interpreter adds op and binding. After signed_overflow execution goes on with the wrapped value, and
// after contradictions as if nothing were declared; every other rule ends it. Only the first few records of a rule are kept.
class UndefinedLog {
 public:
  void report(UndefinedRule rule, std::string detail);
  // Called by the interpreter after each op: names the records that have no op yet.
  void attribute(std::string_view op, std::string_view binding);
  // Called by the machine of TensorIR: the statement of the records that have neither one nor an op yet.
  void locate(int statement);
  bool must_stop() const { return stop_; }
  bool overflowed() const { return overflow_; }
  bool empty() const { return records_.empty(); }
  const std::vector<UndefinedRecord>& records() const { return records_; }

 private:
  std::vector<UndefinedRecord> records_;
  std::size_t attributed_ = 0;
  bool stop_ = false;
  bool overflow_ = false;
};

}  // namespace passdiff
