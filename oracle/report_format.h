// The version of the JSON that passdiff writes for other programs to read.
#pragma once

namespace passdiff {

// The field "format" of every JSON object that a command prints or that a finding's folder holds. It rises when a field
// vanishes or changes its meaning; new fields leave it as it is.
inline constexpr int kReportFormat = 1;

}  // namespace passdiff
