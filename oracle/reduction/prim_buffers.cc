// Steps for the buffers that functions of TensorIR allocate.
#include <array>
#include <utility>

#include "oracle/reduction/prim_funcs.h"

namespace passdiff {
namespace {

// The buffers that blocks and statements allocate.
std::vector<tir::Buffer> buffers_of(const TestCase& test) {
  std::vector<tir::Buffer> buffers;
  for (const tir::Stmt& stmt : stmts_of(test)) {
    if (const auto* alloc = tir::as<tir::AllocBuffer>(stmt)) buffers.push_back(alloc->buffer);
    if (const auto* realize = tir::as<tir::SBlockRealize>(stmt))
      buffers.insert(buffers.end(), realize->block.alloc_buffers.begin(), realize->block.alloc_buffers.end());
  }
  return buffers;
}

struct BufferAxis {
  tir::Buffer buffer;
  std::size_t axis;
};
std::vector<BufferAxis> buffer_axes_of(const TestCase& test) {
  std::vector<BufferAxis> axes;
  for (const tir::Buffer& buffer : buffers_of(test)) {
    for (std::size_t i = 0; i < buffer->shape.size(); ++i) axes.push_back({buffer, i});
  }
  return axes;
}
std::size_t count_buffer_axes(const TestCase& test) {
  return buffer_axes_of(test).size();
}
std::optional<TestCase> drop_buffer_axis(const TestCase& test, std::size_t i) {
  const BufferAxis target = buffer_axes_of(test)[i];
  AxisDropper dropper([&](const tir::Buffer& buffer) { return buffer == target.buffer; }, target.axis);
  return with_bodies(test, [&](const tir::Stmt& body) { return dropper.stmt(body); });
}

// Gives one buffer another size along one axis.
class Resizer : public tir::Mutator {
 public:
  Resizer(const BufferAxis& target, std::int64_t size) : target_(target) {
    tir::BufferNode node = *target.buffer;
    node.shape[target.axis] = number(node.shape[target.axis]->type, size);
    fresh_ = std::make_shared<const tir::BufferNode>(std::move(node));
  }

 protected:
  tir::Buffer buffer(const tir::Buffer& old) override { return old == target_.buffer ? fresh_ : Mutator::buffer(old); }

 private:
  const BufferAxis& target_;
  tir::Buffer fresh_;
};
constexpr std::array<std::int64_t, 3> kSizes = {1, 2, 3};
std::size_t count_buffer_sizes(const TestCase& test) {
  return kSizes.size() * count_buffer_axes(test);
}
std::optional<TestCase> shrink_buffer(const TestCase& test, std::size_t i) {
  const BufferAxis target = buffer_axes_of(test)[i / kSizes.size()];
  Resizer resizer(target, kSizes[kSizes.size() - 1 - i % kSizes.size()]);
  return with_bodies(test, [&](const tir::Stmt& body) { return resizer.stmt(body); });
}

}  // namespace

tir::Expr AxisDropper::expr(const tir::Expr& old) {
  const auto* load = tir::as<tir::BufferLoad>(old);
  if (load == nullptr || !drops(load->buffer)) return parts(old);
  tir::BufferLoad fewer = *load;
  fewer.indices.erase(fewer.indices.begin() + static_cast<std::ptrdiff_t>(axis_));
  return parts(tir::make_expr(std::move(fewer), old->type));
}

tir::Stmt AxisDropper::stmt(const tir::Stmt& old) {
  const auto* store = tir::as<tir::BufferStore>(old);
  if (store == nullptr || !drops(store->buffer)) return parts(old);
  tir::BufferStore fewer = *store;
  fewer.indices.erase(fewer.indices.begin() + static_cast<std::ptrdiff_t>(axis_));
  return parts(tir::make_stmt(std::move(fewer)));
}

tir::Buffer AxisDropper::buffer(const tir::Buffer& old) {
  if (!drops(old)) return Mutator::buffer(old);
  tir::Buffer& fresh = shorter_[old.get()];
  if (fresh == nullptr) {
    tir::BufferNode node = *old;
    node.shape.erase(node.shape.begin() + static_cast<std::ptrdiff_t>(axis_));
    fresh = std::make_shared<const tir::BufferNode>(std::move(node));
  }
  return fresh;
}

tir::BufferRegion AxisDropper::region(const tir::BufferRegion& old) {
  if (!drops(old.buffer)) return Mutator::region(old);
  tir::BufferRegion fewer = old;
  fewer.region.erase(fewer.region.begin() + static_cast<std::ptrdiff_t>(axis_));
  return Mutator::region(fewer);
}

bool AxisDropper::drops(const tir::Buffer& buffer) const {
  return chosen_(buffer) && buffer->strides.empty() && buffer->axis_separators.empty() &&
         axis_ < buffer->shape.size();
}

ReduceSteps prim_buffer_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"drop-buffer-axis", count_buffer_axes, drop_buffer_axis},
      ReduceStep{"shrink-buffer", count_buffer_sizes, shrink_buffer},
  };
  return kSteps;
}

}  // namespace passdiff
