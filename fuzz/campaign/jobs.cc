#include "fuzz/campaign/jobs.h"

#include <numeric>

namespace passdiff {

Jobs::Jobs(int count, const MakeSubject& make_subject)
    : subjects_(static_cast<std::size_t>(count)), busy_(count) {
  for (int job = 0; job < count; ++job) {
    threads_.emplace_back([this, job, &make_subject] { serve(job, make_subject); });
  }
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
}

Jobs::~Jobs() {
  {
    const std::scoped_lock lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::optional<Error> Jobs::error() const {
  const std::scoped_lock lock(mutex_);
  return error_;
}

std::int64_t Jobs::restarts() const {
  return std::accumulate(subjects_.begin(), subjects_.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& subject) { return sum + subject->restarts(); });
}

void Jobs::serve(int job, const MakeSubject& make_subject) {
  Result<std::unique_ptr<Subject>> subject = make_subject();
  std::unique_lock lock(mutex_);
  if (subject) {
    subjects_[static_cast<std::size_t>(job)] = *std::move(subject);
  } else {
    error_ = subject.error();
  }
  --busy_;
  done_.notify_all();
  while (true) {
    wake_.wait(lock, [this] { return quit_ || next_ < end_; });
    if (quit_) break;
    work_off(job, lock);
  }
  // The subject must be destroyed on the thread that made it.
  lock.unlock();
  subjects_[static_cast<std::size_t>(job)].reset();
}

void Jobs::work_off(int job, std::unique_lock<std::mutex>& lock) {
  ++busy_;
  while (next_ < end_) {
    const std::int64_t i = next_++;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      (*work_)(job, i);
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    if (thrown) {
      exception_ = thrown;
      next_ = end_;
    }
  }
  --busy_;
  done_.notify_all();
}

void Jobs::for_each(std::int64_t n, const std::function<void(int, std::int64_t)>& work) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  end_ = n;
  wake_.notify_all();
  done_.wait(lock, [this] { return busy_ == 0 && next_ >= end_; });
  end_ = next_ = 0;
  if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
}

}  // namespace passdiff
