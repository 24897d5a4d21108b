// What tests with the real TVM stand on. A build without the adapter skips them.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "passes/tvm/client.h"

namespace passdiff {

class WithTvm : public testing::Test {
 protected:
  void SetUp() override {
#ifdef PASSDIFF_TVM_PYTHON
    auto started = TvmSubject::start({.python = PASSDIFF_TVM_PYTHON});
    ASSERT_TRUE(started.ok()) << started.error().message;
    subject_ = std::move(started).value();
#else
    GTEST_SKIP() << "built without the adapter of TVM's host";
#endif
  }

  std::unique_ptr<TvmSubject> subject_;
};

}  // namespace passdiff
