#include "fuzz/conform/texts.h"

#include <cctype>

namespace passdiff {

std::string start_of(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')).substr(0, 240));
}

std::string slug_of(std::string_view text) {
  std::string slug;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      slug += c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.substr(0, 80);
}

}  // namespace passdiff
