// What tests of the text share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/text/text.h"

namespace passdiff {

// The module that the text describes; an empty one, and a failure of the test, if it cannot be read.
inline Module parsed(std::string_view text) {
  Result<Module> module = parse_text(text);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message) << "\n" << text;
  return module.ok() ? *module : Module{};
}

// The lines of a function's body, each as deep as a body stands.
inline std::string indented(std::string_view body) {
  std::string text;
  for (std::size_t start = 0; start < body.size();) {
    const std::size_t end = std::min(body.find('\n', start), body.size());
    text += "    " + std::string(body.substr(start, end - start)) + "\n";
    start = end + 1;
  }
  return text;
}

}  // namespace passdiff
