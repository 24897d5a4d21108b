#include "core/tensor/undefined.h"

#include <algorithm>
#include <array>

namespace passdiff {
namespace {

struct RuleRow {
  UndefinedRule rule;
  std::string_view name;
};
constexpr std::array<RuleRow, 14> kRules = {{
    {UndefinedRule::index_out_of_bounds, "index-out-of-bounds"},
    {UndefinedRule::division_by_zero, "division-by-zero"},
    {UndefinedRule::division_overflow, "division-overflow"},
    {UndefinedRule::shift_amount, "shift-amount"},
    {UndefinedRule::float_to_int, "float-to-int"},
    {UndefinedRule::repeated_index, "repeated-index"},
    {UndefinedRule::uninitialised_read, "uninitialised-read"},
    {UndefinedRule::conflicting_access, "conflicting-access"},
    {UndefinedRule::undeclared_access, "undeclared-access"},
    {UndefinedRule::write_to_input, "write-to-input"},
    {UndefinedRule::use_after_kill, "use-after-kill"},
    {UndefinedRule::iteration_domain, "iteration-domain"},
    {UndefinedRule::false_assumption, "false-assumption"},
    {UndefinedRule::signed_overflow, "signed-overflow"},
}};

// One record explains a verdict; a tensor of bad indices would make thousands.
constexpr std::ptrdiff_t kMaxRecordsPerRule = 4;

}  // namespace

std::string_view rule_name(UndefinedRule rule) {
  for (const RuleRow& row : kRules) {
    if (row.rule == rule) return row.name;
  }
  return "unknown";
}

void UndefinedLog::report(UndefinedRule rule, std::string detail) {
  if (rule == UndefinedRule::signed_overflow) {
    overflow_ = true;
  } else if (!is_contradiction(rule)) {
    stop_ = true;
  }
  const auto of_rule = [rule](const UndefinedRecord& record) { return record.rule == rule; };
  if (std::count_if(records_.begin(), records_.end(), of_rule) >= kMaxRecordsPerRule) return;
  records_.push_back({.rule = rule, .op = {}, .binding = {}, .detail = std::move(detail)});
}

void UndefinedLog::attribute(std::string_view op, std::string_view binding) {
  for (; attributed_ < records_.size(); ++attributed_) {
    records_[attributed_].op = op;
    records_[attributed_].binding = binding;
  }
}

void UndefinedLog::locate(int statement) {
  for (std::size_t i = attributed_; i < records_.size(); ++i) {
    if (records_[i].statement < 0) records_[i].statement = statement;
  }
}

}  // namespace passdiff
