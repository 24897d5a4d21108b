// Statements.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/eval/tir/machine.h"
#include "core/match.h"

namespace passdiff::tir {
namespace {

// The product of the extents; nothing if one is negative, or if it is larger than `limit`.
std::optional<std::int64_t> count_of(const std::vector<std::int64_t>& extents, std::int64_t limit) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count) || count > limit) return std::nullopt;
  }
  return count;
}

}  // namespace

bool Machine::bind_shape(const ParamCode& param, const BufferArgument& argument) {
  const BufferCode& code = program_.buffers[static_cast<std::size_t>(param.index)];
  if (argument.memory->dtype() != param.type.dtype || argument.shape.size() != code.shape.size()) {
    outcome_ = refused_argument(fmt::format("{} is {} of rank {}", param.name, dtype_name(argument.memory->dtype()),
                                            argument.shape.size()));
    return false;
  }
  // Arguments are row-major without gaps.
  const std::vector<std::int64_t> strides = row_major_strides(argument.shape);
  for (std::size_t axis = 0; axis < code.shape.size(); ++axis) bind_size(code.shape[axis], argument.shape[axis]);
  for (std::size_t axis = 0; axis < code.strides.size(); ++axis) bind_size(code.strides[axis], strides[axis]);
  return true;
}

void Machine::bind_size(Index node, std::int64_t value) {
  const Node& size = program_.nodes[static_cast<std::size_t>(node)];
  if (size.code != Code::variable_int) return;
  for (std::size_t slot = 0; slot < program_.slot_offsets.size(); ++slot) {
    if (program_.slot_offsets[slot] != size.a || !program_.bound_by_params[slot] || bound_[slot]) continue;
    bound_[slot] = true;
    set_integer(static_cast<Index>(slot), value);
  }
}

bool Machine::bind_arguments(std::span<const Argument> arguments) {
  if (arguments.size() != program_.params.size()) {
    outcome_ = Trapped{"trap.arity", fmt::format("{} arguments for {} parameters", arguments.size(), program_.params.size())};
    return false;
  }
  bound_.assign(program_.slot_offsets.size(), false);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ParamCode& param = program_.params[i];
    const auto* buffer = std::get_if<BufferArgument>(&arguments[i]);
    const bool takes_tensor = param.kind != ParamCode::Kind::scalar;
    if ((buffer != nullptr) != takes_tensor) {
      outcome_ = refused_argument(param.name + " is no " + (takes_tensor ? "tensor" : "scalar"));
      return false;
    }
    if (param.kind == ParamCode::Kind::pointer) {
      pointers_[static_cast<std::size_t>(param.index)].tensor = buffer;
      continue;
    }
    if (buffer != nullptr) {
      if (!bind_shape(param, *buffer)) return false;
      continue;
    }
    const auto& scalar = std::get<ScalarValue>(arguments[i]);
    Slot slot;
    if (const double* number = std::get_if<double>(&scalar.value); number != nullptr && is_float(param.type.dtype)) {
      slot.real = *number;
    } else if (const auto* whole = std::get_if<std::int64_t>(&scalar.value); whole != nullptr && !is_float(param.type.dtype)) {
      slot.integer = wrap_int(param.type.dtype, static_cast<std::uint64_t>(*whole));
    } else {
      outcome_ = refused_argument(param.name + " is a scalar of another dtype");
      return false;
    }
    set_slot(param.index, slot);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto* buffer = std::get_if<BufferArgument>(&arguments[i]);
    const ParamCode& param = program_.params[i];
    if (param.kind != ParamCode::Kind::buffer) continue;
    View& view = views_[static_cast<std::size_t>(param.index)];
    view.memory = buffer->memory;
    shape_view(view, program_.buffers[static_cast<std::size_t>(param.index)]);
    if (failed()) return false;
    if (view.extents != buffer->shape) {
      outcome_ = refused_argument(fmt::format("{} has shape ({}), not ({})", param.name, fmt::join(buffer->shape, ", "),
                                              fmt::join(view.extents, ", ")));
      return false;
    }
  }
  return true;
}

std::optional<Outcome> Machine::run(std::span<const Argument> arguments) {
  if (!bind_arguments(arguments)) return outcome_;
  const Flow flow = execute(program_.body);
  if (outcome_) return outcome_;
  if (!program_.result.is_number() || context_.log.must_stop()) return std::nullopt;
  if (flow != Flow::return_value) return WrongType{"return", "a function of TensorIR ends without the number that it declares"};
  result_.dtype = program_.result.dtype;
  if (is_float(result_.dtype)) {
    result_.value = returned_.real;
  } else {
    result_.value = returned_.integer;
  }
  return std::nullopt;
}

// The extents, strides and offset that the buffer's declaration gives now.
void Machine::shape_view(View& view, const BufferCode& code) {
  view.lanes = code.buffer->dtype.lanes;
  view.extents.clear();
  for (const Index size : code.shape) view.extents.push_back(integer(size));
  if (code.strides.empty()) {
    view.strides = row_major_strides(view.extents);
  } else {
    view.strides.clear();
    for (const Index stride : code.strides) view.strides.push_back(integer(stride));
  }
  view.offset = code.elem_offset == kNone ? 0 : integer(code.elem_offset) * view.lanes;
}

bool Machine::allocate(Index buffer) {
  const BufferCode& code = program_.buffers[static_cast<std::size_t>(buffer)];
  View& view = views_[static_cast<std::size_t>(buffer)];
  shape_view(view, code);
  if (failed()) return false;
  const std::optional<std::int64_t> elements = count_of(view.extents, options_.elements);
  if (!elements || (*elements + view.offset) * view.lanes > options_.elements) {
    outcome_ = LimitExceeded{"memory"};
    return false;
  }
  // With strides the memory reaches as far as the last element does.
  std::int64_t size = *elements == 0 ? 0 : 1;
  for (std::size_t axis = 0; axis < view.extents.size() && size > 0; ++axis) size += (view.extents[axis] - 1) * view.strides[axis];
  size = std::clamp<std::int64_t>((std::max(size, *elements) + view.offset) * view.lanes, 0, options_.elements);
  Memory*& memory = allocated_[static_cast<std::size_t>(buffer)];
  if (memory == nullptr || memory->size() != size) {
    options_.elements -= size;
    memory = &memories_.emplace_back(code.buffer->name, code.buffer->dtype.dtype, size);
    memory->set_global(code.buffer->scope.empty() || code.buffer->scope.starts_with("global"));
    memory->set_torn(code.buffer->scope.starts_with("shared") && tasks_.in_thread());
  } else {
    memory->forget();
  }
  view.memory = memory;
  return true;
}

Machine::Flow Machine::execute(Index index) {
  if (--options_.steps < 0) return stop(LimitExceeded{"steps"});
  const StmtCode& code = program_.stmts[static_cast<std::size_t>(index)];
  const Index outer = std::exchange(current_, index);
  const Flow flow = match(code, [&](const OneOf<ForCode, WhileCode, SeqCode, IfCode, EvaluateCode, BindCode, StoreCode, AllocCode,
                                                DeclCode, AssertCode, ReturnCode, BreakCode, ContinueCode, BlockCode, ThreadCode,
                                                PointerCode> auto& stmt) { return run_stmt(stmt); });
  current_ = outer;
  return flow;
}

template <class Step>
Machine::Flow Machine::iterate(std::int64_t min, std::int64_t extent, std::int64_t step, Concurrency concurrency, Step body, Index slot) {
  const std::uint32_t parent = tasks_.current();
  const bool concurrent = concurrency != Concurrency::none;
  const std::uint32_t loop = concurrent ? tasks_.begin_loop(concurrency) : 0;
  Flow flow = Flow::next;
  for (std::int64_t i = 0; i < extent; i += step) {
    if (concurrent) tasks_.next(parent, loop);
    set_integer(slot, min + i);
    flow = body();
    if (flow == Flow::continue_loop) flow = Flow::next;
    if (flow != Flow::next) break;
    if (extent - i <= step) break;  // i + step might overflow
  }
  tasks_.end(parent);
  return flow == Flow::break_loop ? Flow::next : flow;
}

Machine::Flow Machine::run_stmt(const ForCode& loop) {
  const std::int64_t min = integer(loop.min);
  const std::int64_t extent = integer(loop.extent);
  const std::int64_t step = loop.step == kNone ? 1 : integer(loop.step);
  if (failed()) return Flow::stop;
  if (step <= 0) return stop(Unsupported{"a loop whose step is not positive"});
  const auto body = [&] {
    const bool idle = loop.guard != kNone && integer(loop.guard) == 0;
    if (failed()) return Flow::stop;
    if (idle) return Flow::break_loop;
    for (const Index buffer : loop.allocs) {
      if (!allocate(buffer)) return Flow::stop;
    }
    return execute(loop.body);
  };
  return iterate(min, extent, step, loop.concurrency, body, loop.slot);
}

Machine::Flow Machine::run_stmt(const ThreadCode& thread) {
  const std::int64_t extent = integer(thread.extent);
  if (failed()) return Flow::stop;
  return iterate(0, extent, 1, thread.concurrency, [&] { return execute(thread.body); }, thread.slot);
}

Machine::Flow Machine::run_stmt(const WhileCode& loop) {
  while (true) {
    if (--options_.steps < 0) return stop(LimitExceeded{"steps"});
    const bool holds = integer(loop.condition) != 0;
    if (failed()) return Flow::stop;
    if (!holds) return Flow::next;
    const Flow flow = execute(loop.body);
    if (flow == Flow::break_loop) return Flow::next;
    if (flow != Flow::next && flow != Flow::continue_loop) return flow;
  }
}

Machine::Flow Machine::run_stmt(const SeqCode& seq) {
  for (const Index stmt : seq.stmts) {
    const Flow flow = execute(stmt);
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

Machine::Flow Machine::run_stmt(const IfCode& branches) {
  const bool holds = integer(branches.condition) != 0;
  if (failed()) return Flow::stop;
  if (holds) return execute(branches.then_case);
  return branches.else_case == kNone ? Flow::next : execute(branches.else_case);
}

Machine::Flow Machine::run_stmt(const EvaluateCode& evaluate) {
  const Node& node = program_.nodes[static_cast<std::size_t>(evaluate.value)];
  for (int lane = 0; lane < node.lanes; ++lane) {
    if (is_float(node.dtype)) {
      real(evaluate.value, lane);
    } else {
      integer(evaluate.value, lane);
    }
  }
  return next_unless_failed();
}

Machine::Flow Machine::run_stmt(const BindCode& bind) {
  bind_let(Node{.code = Code::let, .a = bind.slot, .b = bind.value});
  return next_unless_failed();
}

Machine::Flow Machine::run_stmt(const StoreCode& store) {
  const Node& value = program_.nodes[static_cast<std::size_t>(store.value)];
  Memory* const memory = views_[static_cast<std::size_t>(store.place.buffer)].memory;
  const bool floats = is_float(value.dtype);
  // All lanes are computed before the first is stored.
  stored_.resize(static_cast<std::size_t>(value.lanes));
  for (int lane = 0; lane < value.lanes; ++lane) {
    Slot& slot = stored_[static_cast<std::size_t>(lane)];
    if (floats) {
      slot.real = real(store.value, lane);
    } else {
      slot.integer = integer(store.value, lane);
    }
  }
  for (int lane = 0; lane < value.lanes; ++lane) {
    if (store.place.predicate != kNone && integer(store.place.predicate, lane) == 0) continue;
    const std::int64_t element = element_of(store.place, lane, true);
    if (element == kNone || failed()) return Flow::stop;
    const Slot& slot = stored_[static_cast<std::size_t>(lane)];
    if (floats) {
      memory->set_float(element, round_float(value.dtype, slot.real, context_.rounding));
    } else {
      memory->set_int(element, slot.integer);
    }
  }
  return next_unless_failed();
}

Machine::Flow Machine::run_stmt(const AllocCode& alloc) {
  return allocate(alloc.buffer) ? Flow::next : Flow::stop;
}

// The shape of a tensor is memory of its own; it has no strides, being row-major without gaps.
Machine::Flow Machine::run_stmt(const PointerCode& code) {
  const BufferArgument* const tensor = pointers_[static_cast<std::size_t>(code.source)].tensor;
  Pointer& pointer = pointers_[static_cast<std::size_t>(code.slot)];
  pointer = {};
  if (tensor == nullptr) {
    undefined(UndefinedRule::uninitialised_read, "a field of what is no tensor");
    return Flow::stop;
  }
  if (code.field == TensorField::data) pointer.memory = tensor->memory;
  if (code.field != TensorField::shape) return Flow::next;
  const auto rank = static_cast<std::int64_t>(tensor->shape.size());
  pointer.memory = &memories_.emplace_back("a shape", DType::int64, rank);
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    pointer.memory->set_int(axis, tensor->shape[static_cast<std::size_t>(axis)]);
    pointer.memory->note_write(axis);
  }
  return Flow::next;
}

Machine::Flow Machine::run_stmt(const DeclCode& declared) {
  View pointed;
  if (declared.pointer != kNone) pointed.memory = pointers_[static_cast<std::size_t>(declared.pointer)].memory;
  const View& source = declared.pointer != kNone ? pointed : views_[static_cast<std::size_t>(declared.source)];
  if (source.memory == nullptr) {
    undefined(UndefinedRule::uninitialised_read, "a buffer at a pointer that points to no memory");
    return Flow::stop;
  }
  const BufferCode& code = program_.buffers[static_cast<std::size_t>(declared.buffer)];
  View& view = views_[static_cast<std::size_t>(declared.buffer)];
  shape_view(view, code);
  view.memory = source.memory->as(code.buffer->dtype.dtype);
  if (view.memory != source.memory && !declared.source_index.empty())
    return stop(Unsupported{"buffer " + code.buffer->name + " in the midst of memory of another dtype"});
  if (!declared.source_index.empty()) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < declared.source_index.size(); ++axis)
      offset += integer(declared.source_index[axis]) * source.strides[axis];
    view.offset += source.offset + offset * source.lanes;
  }
  return next_unless_failed();
}

Machine::Flow Machine::run_stmt(const AssertCode& assertion) {
  const bool holds = integer(assertion.condition) != 0;
  if (failed()) return Flow::stop;
  return holds ? Flow::next : stop(Trapped{"trap.assert", "assertion failed: " + assertion.message});
}

Machine::Flow Machine::run_stmt(const ReturnCode& result) {
  const Node& node = program_.nodes[static_cast<std::size_t>(result.value)];
  if (is_float(node.dtype)) {
    returned_.real = real(result.value);
  } else {
    returned_.integer = integer(result.value);
  }
  return failed() ? Flow::stop : Flow::return_value;
}

void Machine::evaluate(const RegionCode& code, Region& region) {
  region.buffer = code.buffer;
  region.min.resize(code.min.size());
  region.extent.resize(code.min.size());
  for (std::size_t axis = 0; axis < code.min.size(); ++axis) {
    region.min[axis] = integer(code.min[axis]);
    region.extent[axis] = integer(code.extent[axis]);
  }
}

void Machine::evaluate(const std::vector<RegionCode>& codes, std::vector<Region>& regions) {
  regions.resize(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) evaluate(codes[i], regions[i]);
}

// Regions are hints of what is accessed: an index in one may be read from memory. They are evaluated with undefined behaviour, and
// who touched what, left out of account.
bool Machine::declare(const BlockCode& block, Declared& declared) {
  declared.block = &block;
  const UndefinedLog log = context_.log;
  const Declared* const outer = std::exchange(declared_, nullptr);
  evaluate(block.reads, declared.reads);
  evaluate(block.writes, declared.writes);
  declared_ = outer;
  const bool known = !context_.log.must_stop();
  if (!known) context_.log = log;
  return known;
}

bool Machine::match_region(const MatchCode& matched) {
  const View& source = views_[static_cast<std::size_t>(matched.source.buffer)];
  if (source.memory == nullptr) {
    undefined(UndefinedRule::uninitialised_read, "a match of a buffer that has no memory");
    return false;
  }
  Region region;
  evaluate(matched.source, region);
  const BufferCode& code = program_.buffers[static_cast<std::size_t>(matched.buffer)];
  View& view = views_[static_cast<std::size_t>(matched.buffer)];
  std::int64_t offset = source.offset;
  for (std::size_t axis = 0; axis < region.min.size(); ++axis) {
    if (region.min[axis] < 0 || region.min[axis] + region.extent[axis] > source.extents[axis]) {
      undefined(UndefinedRule::index_out_of_bounds, "a match of a region outside of buffer " + code.buffer->name);
      return false;
    }
    offset += region.min[axis] * source.strides[axis] * source.lanes;
  }
  // The strides are those of the source, for its last axes; strides that the buffer declares as variables are bound to them.
  const std::size_t rank = code.shape.size();
  if (rank > source.strides.size()) {
    outcome_ = Unsupported{"a match of a buffer of higher rank than its source"};
    return false;
  }
  const std::vector<std::int64_t> strides(source.strides.end() - static_cast<std::ptrdiff_t>(rank), source.strides.end());
  for (std::size_t axis = 0; axis < code.strides.size(); ++axis) {
    const Node& stride = program_.nodes[static_cast<std::size_t>(code.strides[axis])];
    if (stride.code == Code::variable_int) frame_[static_cast<std::size_t>(stride.a)].integer = strides[axis];
  }
  shape_view(view, code);
  view.memory = source.memory;
  view.strides = strides;
  view.offset = offset;
  return !failed();
}

// Values of the block's variables. `initial`: those of reductions are all at the start of their domains.
bool Machine::bind_iters(const BlockCode& block, bool& initial) {
  initial = true;
  for (const IterCode& iter : block.iters) set_integer(iter.slot, integer(iter.value));
  for (const IterCode& iter : block.iters) {
    const std::int64_t value =
        frame_[static_cast<std::size_t>(program_.slot_offsets[static_cast<std::size_t>(iter.slot)])].integer;
    const std::int64_t min = integer(iter.min);
    const std::int64_t extent = integer(iter.extent);
    if (value < min || value - min >= extent) {
      undefined(UndefinedRule::iteration_domain,
                fmt::format("block {}: {} is {}, outside of its domain from {} of size {}", block.name,
                            program_.slot_names[static_cast<std::size_t>(iter.slot)], value, min, extent));
    }
    if (iter.reduction && value != min) initial = false;
  }
  return true;
}

Machine::Flow Machine::run_stmt(const BlockCode& block) {
  // The predicate guards the block (lower_opaque_block.cc), whose variables it does not use.
  const bool holds = integer(block.predicate) != 0;
  if (failed()) return Flow::stop;
  if (!holds) return Flow::next;
  bool initial = true;
  if (!bind_iters(block, initial) || failed()) return Flow::stop;
  for (const Index buffer : block.allocs) {
    if (!program_.buffers[static_cast<std::size_t>(buffer)].is_of_loop && !allocate(buffer)) return Flow::stop;
  }
  Declared& declared = blocks_[static_cast<std::size_t>(block.number)];
  const Declared* const outer = declared_;
  const BlockCode* const outer_reduction = reduction_;
  if (block.reduces) reduction_ = &block;
  const bool known = block.declares && declare(block, declared);
  declared_ = nullptr;
  for (const MatchCode& matched : block.matches) {
    if (!match_region(matched)) return Flow::stop;
  }
  declared_ = known ? &declared : nullptr;
  Flow flow = Flow::next;
  if (block.init != kNone && initial) flow = execute(block.init);
  if (flow == Flow::next) flow = execute(block.body);
  declared_ = outer;
  reduction_ = outer_reduction;
  return flow;
}

}  // namespace passdiff::tir
