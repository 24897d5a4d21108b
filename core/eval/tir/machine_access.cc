// Accesses: where they go, whether they may, and who made them before.
#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/eval/tir/machine.h"

namespace passdiff::tir {

bool Machine::declared(Index buffer, std::span<const std::int64_t> at, bool writes) {
  const auto holds = [&](const std::vector<Region>& regions) {
    return std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
      if (region.buffer != buffer) return false;
      for (std::size_t axis = 0; axis < at.size(); ++axis) {
        if (at[axis] < region.min[axis] || at[axis] - region.min[axis] >= region.extent[axis]) return false;
      }
      return true;
    });
  };
  // A reduction reads what it writes without saying so.
  if (holds(declared_->writes) || (!writes && holds(declared_->reads))) return true;
  const BlockCode& block = *declared_->block;
  const auto is_own = [&](const MatchCode& match) { return match.buffer == buffer; };
  return std::find(block.allocs.begin(), block.allocs.end(), buffer) != block.allocs.end() ||
         std::any_of(block.matches.begin(), block.matches.end(), is_own);
}

std::int64_t Machine::element_of(const Place& place, int lane, bool writes) {
  const View& view = views_[static_cast<std::size_t>(place.buffer)];
  const BufferCode& code = program_.buffers[static_cast<std::size_t>(place.buffer)];
  if (view.memory == nullptr) {
    undefined(UndefinedRule::uninitialised_read, "buffer " + code.buffer->name + " has no memory yet");
    return kNone;
  }
  const int index_lane = lane / view.lanes;
  std::int64_t offset = 0;
  std::array<std::int64_t, 16> at{};
  const bool checks = declared_ != nullptr && !code.is_local && place.indices.size() <= at.size();
  for (std::size_t axis = 0; axis < place.indices.size(); ++axis) {
    const std::int64_t index = integer(place.indices[axis], index_lane);
    if (index < 0 || index >= view.extents[axis]) {
      undefined(UndefinedRule::index_out_of_bounds,
                fmt::format("{} {}: index {} is outside axis {} of size {}", writes ? "store to" : "load from",
                            code.buffer->name, index, axis, view.extents[axis]));
      return kNone;
    }
    if (checks) at[axis] = index;
    offset += index * view.strides[axis];
  }
  if (checks && !declared(place.buffer, std::span(at).first(place.indices.size()), writes)) {
    undefined(UndefinedRule::undeclared_access,
              fmt::format("block {} {} {}[{}], which its regions do not declare", declared_->block->name,
                          writes ? "writes" : "reads", code.buffer->name,
                          fmt::join(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(place.indices.size()), ", ")));
  }
  const std::int64_t element = view.offset + offset * view.lanes + lane % view.lanes;
  return note_access(view, element, writes) ? element : kNone;
}

bool Machine::note_access(const View& view, std::int64_t element, bool writes) {
  Memory& memory = *view.memory;
  if (element < 0 || element >= memory.size()) {
    undefined(UndefinedRule::index_out_of_bounds,
              fmt::format("element {} of {} with {} elements", element, memory.name(), memory.size()));
    return false;
  }
  if (writes && !memory.writable()) {
    undefined(UndefinedRule::write_to_input, memory.name() + " is an input");
    return false;
  }
  if (!writes && !memory.is_written(element) && memory.is_torn()) {
    outcome_ = Unsupported{"a thread that reads what another one writes"};
    return false;
  }
  if (!writes && !memory.is_written(element)) {
    undefined(UndefinedRule::uninitialised_read, fmt::format("element {} of {} was never written", element, memory.name()));
    return false;
  }
  if (writes) {
    memory.note_write(element);
    memory.mark_written();
    if (memory.has_others()) memory.overwrite_others(element);
  }
  return tasks_.current() == 0 || note_task(memory, element, writes);
}

// Whether two accesses of the memory, one of which writes, race if they are in this order. Each block of a grid has shared and local memory of its
// own, and between its threads there are barriers. A block of TensorIR that reduces along threads is a reduction across them
// (lower_cross_thread_reduction.cc): each adds to what the block writes.
bool Machine::is_race(const Memory& memory, Concurrency concurrency) const {
  switch (concurrency) {
    case Concurrency::none:
      return false;
    case Concurrency::iterations:
      return true;
    case Concurrency::blocks:
      return memory.is_global();
    case Concurrency::threads:
      return memory.is_global() && !is_reduced(memory);
  }
  return false;
}

bool Machine::is_reduced(const Memory& memory) const {
  return reduction_ != nullptr && std::any_of(reduction_->writes.begin(), reduction_->writes.end(), [&](const RegionCode& region) {
    return views_[static_cast<std::size_t>(region.buffer)].memory == &memory;
  });
}

bool Machine::note_task(Memory& memory, std::int64_t element, bool writes) {
  Accesses& accesses = memory.accesses();
  const auto i = static_cast<std::size_t>(element);
  const std::uint32_t task = tasks_.current();
  const bool races = is_race(memory, tasks_.concurrency(task, accesses.writer[i])) ||
                     (writes && (is_race(memory, tasks_.concurrency(task, accesses.reader[i])) ||
                                 is_race(memory, tasks_.concurrency(task, accesses.other_reader[i]))));
  if (races) {
    undefined(UndefinedRule::conflicting_access,
              fmt::format("iterations of a concurrent loop access element {} of {}", element, memory.name()));
    return false;
  }
  if (writes) {
    accesses.writer[i] = task;
  } else if (accesses.reader[i] != task) {
    accesses.other_reader[i] = accesses.reader[i];
    accesses.reader[i] = task;
  }
  return true;
}

}  // namespace passdiff::tir
