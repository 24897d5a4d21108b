#include "core/documents/files.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() { fs::remove_all(root_); }
  ~Files() override { fs::remove_all(root_); }

  fs::path root_ = fs::path(testing::TempDir()) / "files";
};

TEST_F(Files, AreWrittenAsAWhole) {
  ASSERT_FALSE(write_whole(root_ / "a" / "b.txt", "first"));
  ASSERT_FALSE(write_whole(root_ / "a" / "b.txt", "second"));
  EXPECT_EQ(text_of(root_ / "a" / "b.txt"), "second");
}

TEST_F(Files, ThatCannotBeWrittenLeaveNothing) {
  fs::create_directories(root_ / "folder");
  const auto error = write_whole(root_ / "folder", "text");
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->message.starts_with((root_ / "folder").string() + ": ")) << error->message;
  EXPECT_EQ(std::distance(fs::directory_iterator(root_), fs::directory_iterator()), 1) << "a temporary file is left";
}

TEST_F(Files, ThatCannotBeMadeAreNamedAsAsked) {
  const auto error = write_whole("/proc/x.html", "text");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "/proc/x.html: cannot be written");
}

TEST_F(Files, NeedAFolderThatCanBeWritten) {
  EXPECT_FALSE(make_writable(root_ / "a" / "b"));
  EXPECT_TRUE(fs::is_empty(root_ / "a" / "b"));
  ASSERT_FALSE(write_whole(root_ / "file", "text"));
  EXPECT_TRUE(make_writable(root_ / "file"));
  EXPECT_TRUE(make_writable("/proc/x"));
}

}  // namespace
}  // namespace passdiff
