#include "fuzz/campaign/check_counts.h"

namespace passdiff {
namespace {

template <class Number>
void add_to(Number& sum, const Number& part) {
  sum += part;
}
template <class Number>
void add_to(std::map<std::string, Number>& sum, const std::map<std::string, Number>& part) {
  for (const auto& [name, count] : part) sum[name] += count;
}

}  // namespace

void add(CheckCounts& sum, const CheckCounts& part) {
  for_each_count([&](const char*, auto member) { add_to(sum.*member, part.*member); });
}

}  // namespace passdiff
