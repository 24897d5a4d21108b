#include "fuzz/cli/doctor.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "passes/tvm/location.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

const Diagnosis* row(const std::vector<Diagnosis>& rows, std::string_view what) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Diagnosis& one) { return one.what == what; });
  return found == rows.end() ? nullptr : &*found;
}

class Doctor : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(default_host_folder() / "host.py")) GTEST_SKIP() << "a build without TVM's adapter";
    folder_ = fs::temp_directory_path() / fmt::format("passdiff-doctor-{}", ::getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // A Python that runs the lines first.
  std::string python_that(const std::string& lines) {
    const fs::path script = folder_ / "python";
    std::ofstream(script) << "#!/bin/sh\n" << lines << "\n";
    fs::permissions(script, fs::perms::owner_all);
    return script.string();
  }

  fs::path folder_;
};

TEST_F(Doctor, SaysThatAPythonDoesNotExist) {
  const auto rows = diagnose("/no/such/python");
  const Diagnosis* python = row(rows, "python");
  ASSERT_NE(python, nullptr);
  EXPECT_EQ(python->health, Health::wrong);
  EXPECT_NE(python->text.find("/no/such/python"), std::string::npos) << python->text;
  EXPECT_NE(python->text.find("--python"), std::string::npos) << python->text;
  EXPECT_EQ(row(rows, "host"), nullptr);
  EXPECT_NE(row(rows, "memory"), nullptr);
}

TEST_F(Doctor, SaysThatAPythonHasNoTvm) {
  // Without its site-packages a Python has nothing installed.
  const auto rows = diagnose(python_that("exec \"" + default_tvm_python() + "\" -S \"$@\""));
  ASSERT_NE(row(rows, "python"), nullptr);
  EXPECT_EQ(row(rows, "python")->health, Health::ok) << row(rows, "python")->text;
  ASSERT_NE(row(rows, "packages"), nullptr);
  EXPECT_EQ(row(rows, "packages")->health, Health::wrong);
  EXPECT_NE(row(rows, "packages")->text.find("pip install apache-tvm=="), std::string::npos)
      << row(rows, "packages")->text;
  EXPECT_EQ(row(rows, "import tvm"), nullptr);
}

TEST_F(Doctor, SaysWhatAPythonThatFailsPrints) {
  const auto rows = diagnose(python_that("echo out of order >&2; exit 3"));
  ASSERT_NE(row(rows, "python"), nullptr);
  EXPECT_EQ(row(rows, "python")->health, Health::wrong);
  EXPECT_NE(row(rows, "python")->text.find("out of order"), std::string::npos) << row(rows, "python")->text;
}

TEST_F(Doctor, HasARowInOneLineForEachThing) {
  for (const Diagnosis& one : diagnose("")) {
    EXPECT_EQ(to_string(one).find('\n'), std::string::npos) << to_string(one);
    // The known cases are looked for from where the command is built, not from where its tests are.
    EXPECT_TRUE(one.health == Health::ok || one.what == "known cases") << to_string(one);
  }
  EXPECT_EQ(to_string({"python", Health::wrong, "none"}), "WRONG  python          none");
}

}  // namespace
}  // namespace passdiff
