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
  for (const std::unique_ptr<Memory>& other : others_) other->forget();
}

Memory* Memory::as(DType dtype) {
  const bool is_byte = dtype == DType::int8 || dtype == DType::uint8;
  if (dtype == dtype_ || (dtype_ == DType::boolean && is_byte)) return this;
  if (family_ == nullptr) family_ = std::make_shared<std::vector<Memory*>>(1, this);
  for (Memory* const member : *family_) {
    if (member->dtype_ == dtype) return member;
  }
  if (written_.empty()) written_.assign(static_cast<std::size_t>(size_), 1);
  const std::int64_t size = size_ * row_of(dtype_).bits / row_of(dtype).bits;
  Memory* const made = others_.emplace_back(std::make_unique<Memory>(name_, dtype, size)).get();
  made->writable_ = writable_;
  made->global_ = global_;
  made->torn_ = torn_;
  made->family_ = family_;
  family_->push_back(made);
  return made;
}

void Memory::overwrite_others(std::int64_t i) {
  const std::int64_t begin = i * row_of(dtype_).bits;
  const std::int64_t end = begin + row_of(dtype_).bits;
  for (Memory* const other : *family_) {
    const std::int64_t width = row_of(other->dtype_).bits;
    if (other == this) continue;
    for (std::int64_t at = begin / width; at < other->size_ && at * width < end; ++at)
      other->written_[static_cast<std::size_t>(at)] = 0;
  }
}

Accesses& Memory::accesses() {
  if (accesses_ == nullptr) {
    const std::vector<std::uint32_t> none(static_cast<std::size_t>(size_), 0);
    accesses_ = std::make_unique<Accesses>(Accesses{none, none, none});
  }
  return *accesses_;
}

std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t axis = extents.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * extents[axis];
  return strides;
}

}  // namespace passdiff::tir
