// Iterations of concurrent loops, as a tree, to tell which accesses of memory are in no order.
#pragma once

#include <cstdint>
#include <vector>

#include "core/eval/tir/program.h"

namespace passdiff::tir {

// A task is one iteration of one run of a parallel, vectorised or thread-bound loop; its parent is the task in which the loop runs.
// Task 0 is the function itself.
class Tasks {
 public:
  std::uint32_t current() const { return current_; }
  // Begins a run of a concurrent loop; `next` begins each iteration, `end` goes back to the task around.
  std::uint32_t begin_loop(Concurrency concurrency) {
    loops_.push_back(concurrency);
    return static_cast<std::uint32_t>(loops_.size() - 1);
  }
  void next(std::uint32_t parent, std::uint32_t loop) {
    tasks_.push_back({parent, loop, tasks_[parent].depth + 1});
    current_ = static_cast<std::uint32_t>(tasks_.size() - 1);
  }
  void end(std::uint32_t parent) { current_ = parent; }

  // Whether a thread of a block runs.
  bool in_thread() const {
    std::uint32_t task = current_;
    while (task != 0 && loops_[tasks_[task].loop] != Concurrency::threads) task = tasks_[task].parent;
    return task != 0;
  }

  // How the loop runs of which the tasks descend from different iterations in one run, so that their accesses are in no order; `none` if there is
  // no such loop.
  Concurrency concurrency(std::uint32_t a, std::uint32_t b) const {
    while (tasks_[a].depth > tasks_[b].depth) a = tasks_[a].parent;
    while (tasks_[b].depth > tasks_[a].depth) b = tasks_[b].parent;
    if (a == b) return Concurrency::none;
    while (tasks_[a].parent != tasks_[b].parent) {
      a = tasks_[a].parent;
      b = tasks_[b].parent;
    }
    return tasks_[a].loop == tasks_[b].loop ? loops_[tasks_[a].loop] : Concurrency::none;
  }

 private:
  struct Task {
    std::uint32_t parent = 0;
    std::uint32_t loop = 0;
    std::uint32_t depth = 0;
  };
  std::vector<Task> tasks_ = {Task{}};
  std::uint32_t current_ = 0;
  std::vector<Concurrency> loops_ = {Concurrency::none};
};

}  // namespace passdiff::tir
