#include "core/eval/tir/memory.h"

#include <algorithm>
#include <array>
#include <utility>

namespace passdiff::tir {

Memory::Memory(std::string name, Tensor& tensor, bool writable)
    : name_(std::move(name)), dtype_(tensor.dtype), size_(static_cast<std::int64_t>(tensor.size())), writable_(writable) {
  point_at(tensor);
}

Memory::Memory(std::string name, DType dtype, std::int64_t size) : name_(std::move(name)), dtype_(dtype), size_(size) {
  own_ = std::make_unique<Tensor>(zeros(dtype, std::array{size}));
  written_.assign(static_cast<std::size_t>(size), 0);
  point_at(*own_);
}

void Memory::point_at(Tensor& tensor) {
  switch (storage_of(dtype_)) {
    case Storage::floats:
      floats_ = std::get<Tensor::Floats>(tensor.values).data();
      break;
    case Storage::ints:
      ints_ = std::get<Tensor::Ints>(tensor.values).data();
      break;
    case Storage::uints:
      uints_ = std::get<Tensor::UInts>(tensor.values).data();
      break;
  }
}

void Memory::forget() {
  written_.assign(static_cast<std::size_t>(size_), 0);
  accesses_.reset();
}

Accesses& Memory::accesses() {
  if (accesses_ == nullptr) {
    const std::vector<std::uint32_t> none(static_cast<std::size_t>(size_), 0);
    accesses_ = std::make_unique<Accesses>(Accesses{none, none, none});
  }
  return *accesses_;
}

}  // namespace passdiff::tir
