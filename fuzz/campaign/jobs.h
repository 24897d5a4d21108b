// Jobs: threads that each own a subject, and share out work.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/result.h"
#include "passes/pass.h"

namespace passdiff {

// Makes a subject. Each job owns one; this is called once per job, on the job's thread.
using MakeSubject = std::function<Result<std::unique_ptr<Subject>>()>;

class Jobs {
 public:
  // Starts `count` threads, each with a subject made on it: a host process dies with the thread that started
  // it.
  Jobs(int count, const MakeSubject& make_subject);
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  int count() const { return static_cast<int>(threads_.size()); }
  // Why a subject could not be started; nothing if all could.
  std::optional<Error> error() const;
  // The subject of a job. Between calls of for_each the caller may use it too.
  Subject& subject(int job) { return *subjects_[static_cast<std::size_t>(job)]; }
  // How often the subjects were started again because their processes had died. Between calls of for_each.
  std::int64_t restarts() const;
  // Calls work(job, i) for i in [0, n), each on one of the threads, and returns when all are done. An exception that one of
  // them throws (a bug of passdiff) is thrown again here.
  void for_each(std::int64_t n, const std::function<void(int, std::int64_t)>& work);

 private:
  void serve(int job, const MakeSubject& make_subject);
  void work_off(int job, std::unique_lock<std::mutex>& lock);

  std::vector<std::unique_ptr<Subject>> subjects_;
  std::vector<std::thread> threads_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::optional<Error> error_;
  std::exception_ptr exception_;
  const std::function<void(int, std::int64_t)>* work_ = nullptr;
  std::int64_t next_ = 0;
  std::int64_t end_ = 0;
  int busy_ = 0;  // how many threads are starting or at work
  bool quit_ = false;
};

}  // namespace passdiff
