#include "core/eval/tir/tasks.h"

#include <gtest/gtest.h>

namespace passdiff::tir {
namespace {

// Runs a loop of two iterations in the current task, and gives the tasks of its iterations.
struct Iterations {
  Iterations(Tasks& tasks, Concurrency concurrency) : around(tasks.current()) {
    const std::uint32_t loop = tasks.begin_loop(concurrency);
    tasks.next(around, loop);
    first = tasks.current();
    tasks.next(around, loop);
    second = tasks.current();
  }
  std::uint32_t around, first = 0, second = 0;
};

TEST(Tasks, IterationsOfOneRunAreInNoOrder) {
  Tasks tasks;
  const Iterations loop(tasks, Concurrency::blocks);
  EXPECT_EQ(tasks.concurrency(loop.first, loop.second), Concurrency::blocks);
  EXPECT_EQ(tasks.concurrency(loop.second, loop.first), Concurrency::blocks);
  EXPECT_EQ(tasks.concurrency(loop.first, loop.first), Concurrency::none);
}

TEST(Tasks, AnIterationIsInOrderWithTheTaskAroundIt) {
  Tasks tasks;
  const Iterations loop(tasks, Concurrency::iterations);
  EXPECT_EQ(tasks.concurrency(loop.around, loop.first), Concurrency::none);
  EXPECT_EQ(tasks.concurrency(loop.second, loop.around), Concurrency::none);
}

TEST(Tasks, RunsOfALoopFollowEachOther) {
  Tasks tasks;
  const Iterations one(tasks, Concurrency::blocks);
  tasks.end(one.around);
  const Iterations other(tasks, Concurrency::blocks);
  EXPECT_EQ(tasks.concurrency(one.first, other.second), Concurrency::none);
}

TEST(Tasks, TheOutermostLoopWhoseIterationsDifferCounts) {
  Tasks tasks;
  const std::uint32_t loop = tasks.begin_loop(Concurrency::blocks);
  tasks.next(0, loop);
  const Iterations in_first(tasks, Concurrency::iterations);
  tasks.next(0, loop);
  const Iterations in_second(tasks, Concurrency::iterations);
  EXPECT_EQ(tasks.concurrency(in_first.first, in_first.second), Concurrency::iterations);
  EXPECT_EQ(tasks.concurrency(in_first.first, in_second.first), Concurrency::blocks);
  EXPECT_EQ(tasks.concurrency(in_first.second, in_second.around), Concurrency::blocks);  // at different depths
}

TEST(Tasks, ThreadsAreFoundAroundOtherLoops) {
  Tasks tasks;
  EXPECT_FALSE(tasks.in_thread());
  const Iterations threads(tasks, Concurrency::threads);
  EXPECT_TRUE(tasks.in_thread());
  const Iterations vector(tasks, Concurrency::iterations);
  EXPECT_TRUE(tasks.in_thread());
  tasks.end(0);
  EXPECT_FALSE(tasks.in_thread());
}

}  // namespace
}  // namespace passdiff::tir
