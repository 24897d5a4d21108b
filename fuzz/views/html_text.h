// Text as HTML: escaped, coloured, compared. Whatever is in a text, the HTML made of it is inert.
#pragma once

#include <string>
#include <string_view>

namespace passdiff {

// The text for element content and quoted attributes. Bytes that are no UTF-8, control characters except line feeds and tabs, and
// characters that change the direction of what follows become U+FFFD.
std::string html_escape(std::string_view text);

// TVMScript, lightly coloured, with line numbers.
std::string html_listing(std::string_view script);
// Two modules as TVMScript beside each other: lines alike in one row, changed ones paired, what differs in them marked.
std::string html_side_by_side(std::string_view before, std::string_view after);

// What a verdict tells, with the values marked that it holds against each other ("0.5 against 0.25 (float32)", "declared A and bound
// to B", "(1 vs. 0)"), and in these the part that differs.
std::string html_detail(std::string_view detail);

}  // namespace passdiff
