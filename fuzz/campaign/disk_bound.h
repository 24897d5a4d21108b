// The bound on what campaigns leave on disk beside their findings.
#pragma once

#include <cstdint>
#include <filesystem>

namespace passdiff {

// Removes what is least useful from the folders of unconfirmed cases, of the corpus and of cases that wait, in this order and the oldest first, until
// they have no more than `bytes` together. In the corpus those go first that showed least. Findings stay. Returns how many bytes are left.
std::uintmax_t keep_within(std::uintmax_t bytes, const std::filesystem::path& findings, const std::filesystem::path& corpus);

// Removes what processes that were killed have left half written in these folders: what is named `*.partial` and older than ten minutes.
void remove_partial(const std::filesystem::path& findings, const std::filesystem::path& corpus);

}  // namespace passdiff
