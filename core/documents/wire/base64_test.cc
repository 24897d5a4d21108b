#include "core/documents/wire/base64.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(Base64, FollowsTheTestVectorsOfTheStandard) {
  const std::pair<std::string, std::string> vectors[] = {// RFC 4648, section 10
                                                         {"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : vectors) {
    EXPECT_EQ(base64_encode(Bytes(plain.begin(), plain.end())), encoded);
    EXPECT_EQ(*base64_decode(encoded), Bytes(plain.begin(), plain.end()));
  }
  for (const char* wrong : {"Zg=", "Zg", "Zh==", "====", "Z===", "Zm9v\n", "Zm=v"}) {
    EXPECT_FALSE(base64_decode(wrong).ok()) << wrong;
  }
}

}  // namespace
}  // namespace passdiff
