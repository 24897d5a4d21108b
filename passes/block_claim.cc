#include "passes/block_claim.h"

#include <regex>

namespace passdiff {

std::optional<BlockClaim> block_claim(std::string_view detail) {
  static const std::regex undeclared(R"(undeclared-access in (\S+) \(binding [^)]*\): block (\S+) (?:reads|writes) ([^\[\s]+)\[)");
  static const std::regex domain(R"(iteration-domain in (\S+) \(binding [^)]*\): block (\S+): )");
  std::cmatch match;
  const char* const begin = detail.data();
  const char* const end = begin + detail.size();
  if (std::regex_search(begin, end, match, undeclared)) return BlockClaim{match[1], match[2], match[3]};
  if (std::regex_search(begin, end, match, domain)) return BlockClaim{match[1], match[2], {}};
  return std::nullopt;
}

}  // namespace passdiff
