// What TVM's own documentation promises of passes, for reports that say which promise a target breaks.
#pragma once

#include <string>
#include <string_view>

namespace passdiff {

// A sentence with the file of TVM 0.27 that makes the promise which a finding of this symptom and site (as verdicts have them) breaks;
// empty where nothing of the kind is documented.
std::string tvm_documented_promise(std::string_view symptom, std::string_view site);

}  // namespace passdiff
