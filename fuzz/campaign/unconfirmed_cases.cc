#include "fuzz/campaign/unconfirmed_cases.h"

#include <utility>

#include "oracle/findings/finding.h"

namespace passdiff {

void UnconfirmedCases::add(const std::string& key, Candidate candidate) {
  const auto [found, inserted] = first_.try_emplace(key, std::nullopt);
  std::optional<Candidate>& first = found->second;
  if (inserted || (first && candidate.index < first->index)) first = std::move(candidate);
}

std::optional<Error> UnconfirmedCases::write(const Subject& subject, const std::filesystem::path& folder) {
  for (auto& [key, candidate] : first_) {
    if (!candidate) continue;
    TRY(write_unconfirmed(subject, candidate->test, candidate->pipeline, candidate->verdict, candidate->origin, folder));
    candidate.reset();
  }
  return std::nullopt;
}

}  // namespace passdiff
