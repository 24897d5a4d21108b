// The memory that the buffers of a function of TensorIR lie in, and what is known of its elements.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace passdiff::tir {

// Who touched the elements last, while iterations of a loop run concurrently: numbers of tasks (tasks.h), 0 for none. Two readers
// that differ are enough to find a reader beside any one writer.
struct Accesses {
  std::vector<std::uint32_t> writer;
  std::vector<std::uint32_t> reader;
  std::vector<std::uint32_t> other_reader;
};

// Elements of one dtype. They are those of a tensor, which the memory may own.
class Memory {
 public:
  // Memory of the caller, all of which is initialised unless `written` says otherwise.
  Memory(std::string name, Tensor& tensor, bool writable);
  // Uninitialised memory of `size` elements.
  Memory(std::string name, DType dtype, std::int64_t size);

  const std::string& name() const { return name_; }
  DType dtype() const { return dtype_; }
  std::int64_t size() const { return size_; }
  bool writable() const { return writable_; }
  // Whether all threads see it, as those of arguments; else it is shared by the threads of a block, or local to one.
  bool is_global() const { return global_; }
  void set_global(bool global) { global_ = global; }
  // Whether the threads of a block share it though each of them allocates it. Threads run one after another here, so that none sees in it what
  // another has written.
  bool is_torn() const { return torn_; }
  void set_torn(bool torn) { torn_ = torn; }

  double float_at(std::int64_t i) const { return floats_[i]; }
  std::int64_t int_at(std::int64_t i) const { return ints_ != nullptr ? ints_[i] : static_cast<std::int64_t>(uints_[i]); }
  void set_float(std::int64_t i, double value) { floats_[i] = value; }
  void set_int(std::int64_t i, std::int64_t value) {
    if (ints_ != nullptr) {
      ints_[i] = value;
    } else {
      uints_[i] = static_cast<std::uint64_t>(value);
    }
  }

  bool is_written(std::int64_t i) const { return written_.empty() || written_[static_cast<std::size_t>(i)] != 0; }
  void note_write(std::int64_t i) {
    if (!written_.empty()) written_[static_cast<std::size_t>(i)] = 1;
  }
  // A flag for each element; empty: all are initialised.
  const std::vector<std::uint8_t>& written() const { return written_; }
  void set_written(std::vector<std::uint8_t> written) { written_ = std::move(written); }
  void forget();  // all elements are uninitialised again
  // Whether an element was written since.
  bool was_written() const { return was_written_; }
  void mark_written() { was_written_ = true; }

  // The same memory as elements of the dtype, uninitialised where it was not written as such: what storage that is used again holds.
  // Writing to either makes what lies under it in the other uninitialised. Booleans are the bytes 0 and 1: as bytes they are this memory itself.
  Memory* as(DType dtype);
  bool has_others() const { return family_ != nullptr; }
  void overwrite_others(std::int64_t i);

  // Made when it is first asked for.
  Accesses& accesses();

 private:
  void point_at(Tensor& tensor);

  std::string name_;
  DType dtype_;
  std::int64_t size_ = 0;
  bool writable_ = true;
  bool global_ = true;
  bool torn_ = false;
  double* floats_ = nullptr;
  std::int64_t* ints_ = nullptr;
  std::uint64_t* uints_ = nullptr;
  std::vector<std::uint8_t> written_;
  bool was_written_ = false;
  std::unique_ptr<Accesses> accesses_;
  // The memories of the same bytes, of several dtypes; null: there is this one alone. The first of them owns the others.
  std::shared_ptr<std::vector<Memory*>> family_;
  std::vector<std::unique_ptr<Memory>> others_;
  std::unique_ptr<Tensor> own_;
};

// What a buffer is at run time: a window on memory.
struct View {
  Memory* memory = nullptr;
  std::int64_t offset = 0;  // of its first element in the memory, in elements of the memory's dtype
  int lanes = 1;            // of an element of the buffer
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;  // in elements of the buffer
};

// The strides of such extents in memory without gaps.
std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& extents);

}  // namespace passdiff::tir
