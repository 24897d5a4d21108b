// The machine that runs compiled functions of TensorIR.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/eval/outcome.h"
#include "core/eval/tir/memory.h"
#include "core/eval/tir/program.h"
#include "core/eval/tir/tasks.h"
#include "core/tensor/value.h"

namespace passdiff::tir {

// A buffer of the caller: the memory, and the shape in which the caller holds it.
struct BufferArgument {
  Memory* memory = nullptr;
  std::vector<std::int64_t> shape;
};
using Argument = std::variant<BufferArgument, ScalarValue>;

// A function of the host that is called with views of buffers, numbers and texts. False if there is none of this name.
struct HostCall {
  std::string_view function;
  std::vector<std::variant<std::monostate, View, ScalarValue, std::string>> args;
};

struct MachineOptions {
  std::int64_t steps = 0;      // statements and iterations that may run; the run counts down
  std::int64_t elements = 0;   // that may be allocated
  std::function<std::optional<Outcome>(const HostCall& call)> call_host;
};

// Every evaluation goes on after undefined behaviour with some value; statements look whether the run must stop.
class Machine {
 public:
  Machine(const Program& program, MachineOptions& options, EvalContext& context)
      : program_(program), options_(options), context_(context), frame_(static_cast<std::size_t>(program.frame_size)),
        views_(program.buffers.size()) {}

  // Runs the function. Nothing: it returned, with result() for functions that have one. Undefined behaviour is in the context's log.
  std::optional<Outcome> run(std::span<const Argument> arguments);
  const ScalarValue& result() const { return result_; }

 private:
  union Slot {
    std::int64_t integer = 0;
    double real;
  };
  enum class Flow : std::uint8_t { next, stop, break_loop, continue_loop, return_value };
  // What a block that is being run declares. A block is never inside of itself, so that each has one, which is filled anew.
  struct Region {
    Index buffer = kNone;
    std::vector<std::int64_t> min, extent;
  };
  struct Declared {
    const BlockCode* block = nullptr;
    std::vector<Region> reads, writes;
  };

  bool bind_arguments(std::span<const Argument> arguments);
  bool bind_shape(const ParamCode& param, const BufferArgument& argument);
  // Gives the node's variable the value, if it is one that parameters bind, and no parameter has before.
  void bind_size(Index node, std::int64_t value);

  // Most integers are literals and variables.
  std::int64_t integer(Index index, int lane = 0) {
    const Node& node = program_.nodes[static_cast<std::size_t>(index)];
    if (node.code == Code::constant_int) return node.integer;
    if (node.code == Code::variable_int && node.lanes == 1) return frame_[static_cast<std::size_t>(node.a)].integer;
    return computed_integer(node, lane);
  }
  std::int64_t computed_integer(const Node& node, int lane);
  double real(Index node, int lane = 0);
  std::int64_t load_integer(const Node& node, int lane);
  double load_real(const Node& node, int lane);
  std::int64_t arithmetic(const Node& node, int lane);
  std::int64_t divided(const Node& node, std::int64_t a, std::int64_t b);
  std::int64_t in_range(const Node& node, std::int64_t value, bool overflowed);
  std::int64_t compared_integers(const Node& node, int lane);
  std::int64_t compared_reals(const Node& node, int lane);
  std::int64_t shifted(const Node& node, int lane);
  std::int64_t truncated(DType dtype, double value);
  std::int64_t call_packed(const PackedCall& call);
  double real_arithmetic(const Node& node, int lane);
  double called(const Node& node, int lane);
  double cast_real(const Node& node, int lane);
  double rounded(DType dtype, double value);
  Index shuffled(const Node& node, int lane, int& source_lane);
  bool chosen(const Node& node, int lane, Index& branch);
  void bind_let(const Node& node);

  // The element of the memory that the lane of a place stands for; kNone if the access is undefined.
  std::int64_t element_of(const Place& place, int lane, bool writes);
  bool note_access(const View& view, std::int64_t element, bool writes);
  bool note_task(Memory& memory, std::int64_t element, bool writes);
  bool is_race(const Memory& memory, Concurrency concurrency) const;
  bool is_reduced(const Memory& memory) const;  // by the block that runs
  bool declared(Index buffer, std::span<const std::int64_t> at, bool writes);
  void undefined(UndefinedRule rule, std::string detail);
  // Gives new records the statement that is running.
  void locate() {
    if (current_ != kNone) context_.log.locate(program_.statements[static_cast<std::size_t>(current_)]);
  }
  void set_slot(Index slot, const Slot& value, int lane = 0) {
    frame_[static_cast<std::size_t>(program_.slot_offsets[static_cast<std::size_t>(slot)] + lane)] = value;
  }
  void set_integer(Index slot, std::int64_t value) {
    Slot held;
    held.integer = value;
    set_slot(slot, held);
  }

  Flow stop(Outcome outcome) {
    outcome_ = std::move(outcome);
    return Flow::stop;
  }
  bool failed() const { return context_.log.must_stop() || outcome_.has_value(); }
  Flow next_unless_failed() const { return failed() ? Flow::stop : Flow::next; }
  Flow execute(Index stmt);
  Flow run_stmt(const ForCode& loop);
  Flow run_stmt(const WhileCode& loop);
  Flow run_stmt(const SeqCode& seq);
  Flow run_stmt(const IfCode& branches);
  Flow run_stmt(const EvaluateCode& evaluate);
  Flow run_stmt(const BindCode& bind);
  Flow run_stmt(const StoreCode& store);
  Flow run_stmt(const AllocCode& alloc);
  Flow run_stmt(const DeclCode& declared);
  Flow run_stmt(const AssertCode& assertion);
  Flow run_stmt(const ReturnCode& result);
  Flow run_stmt(const BreakCode&) { return Flow::break_loop; }
  Flow run_stmt(const ContinueCode&) { return Flow::continue_loop; }
  Flow run_stmt(const BlockCode& block);
  Flow run_stmt(const ThreadCode& thread);
  Flow run_stmt(const PointerCode& pointer);
  template <class Step>
  Flow iterate(std::int64_t min, std::int64_t extent, std::int64_t step, Concurrency concurrency, Step body, Index slot);

  bool allocate(Index buffer);
  void shape_view(View& view, const BufferCode& code);
  bool match_region(const MatchCode& match);
  bool bind_iters(const BlockCode& block, bool& initial);
  void evaluate(const RegionCode& code, Region& region);
  void evaluate(const std::vector<RegionCode>& codes, std::vector<Region>& regions);
  bool declare(const BlockCode& block, Declared& declared);

  // What a pointer points to: a tensor of the caller as a whole, or a part of it. Neither: null.
  struct Pointer {
    const BufferArgument* tensor = nullptr;
    Memory* memory = nullptr;
  };
  std::int64_t field(const Pointer& pointer, TensorField field);

  const Program& program_;
  MachineOptions& options_;
  EvalContext& context_;
  std::vector<Slot> frame_;
  std::vector<View> views_;
  std::vector<Pointer> pointers_ = std::vector<Pointer>(static_cast<std::size_t>(program_.pointers));
  std::deque<Memory> memories_;
  std::vector<Memory*> allocated_ = std::vector<Memory*>(program_.buffers.size(), nullptr);
  Tasks tasks_;
  std::vector<Declared> blocks_ = std::vector<Declared>(static_cast<std::size_t>(program_.blocks));
  const Declared* declared_ = nullptr;
  const BlockCode* reduction_ = nullptr;  // the innermost block that runs and reduces
  Index current_ = kNone;  // the innermost statement that is running
  std::optional<Outcome> outcome_;
  ScalarValue result_;
  Slot returned_;
  std::vector<bool> bound_;  // by slot: a parameter has bound the size
  std::vector<Slot> stored_;
};

}  // namespace passdiff::tir
