// A folder of findings as one HTML page, which loads nothing: to be read, sent and kept.
#pragma once

#include <string>

#include "fuzz/views/html_content.h"

namespace passdiff {

// The same content gives the same page. All that the content holds is escaped, and the page's security policy forbids any script but
// its own, and any request.
std::string html_report(const ReportContent& content);

}  // namespace passdiff
