// Functions of TVM's virtual machine that lowered modules call, after src/runtime/vm/builtin.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/eval/interpreter.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// include/tvm/runtime/vm/builtin.h says what the numbers mean.
enum class MatchShapeCode : std::int64_t { equals_number, store_to_heap, skip, equals_heap };
enum class MakeShapeCode : std::int64_t { number, from_heap };

std::optional<std::int64_t> as_integer(const Value& value) {
  const auto* scalar = std::get_if<ScalarValue>(&value.node);
  const auto* integer = scalar == nullptr ? nullptr : std::get_if<std::int64_t>(&scalar->value);
  return integer == nullptr ? std::nullopt : std::optional(*integer);
}

std::optional<std::int64_t> integer_at(std::span<const Value> args, std::size_t i) {
  return i < args.size() ? as_integer(args[i]) : std::nullopt;
}

// The sizes of a tensor, or those that a shape is.
std::optional<std::vector<std::int64_t>> sizes_of(const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) return (*tensor)->shape();
  const auto* shape = std::get_if<ShapeValue>(&value.node);
  return shape == nullptr ? std::nullopt : std::optional(shape->dims);
}

}  // namespace

// The memory in which a lowered function keeps its symbolic sizes: a tensor of int64.
class ShapeHeap {
 public:
  ShapeHeap(Heap& heap, const Value& value) {
    const TensorPtr* tensor = value.as_tensor();
    if (tensor != nullptr && (*tensor)->dtype == DType::int64) held_ = heap.find(tensor->get());
  }
  bool has(std::int64_t i) const {
    return held_ != nullptr && i >= 0 && i < static_cast<std::int64_t>(held_->tensor->size());
  }
  bool is_set(std::int64_t i) const { return held_->written.empty() || held_->written[static_cast<std::size_t>(i)] != 0; }
  std::int64_t get(std::int64_t i) const { return held_->tensor->ints().data()[i]; }
  void set(std::int64_t i, std::int64_t value) {
    std::get<Tensor::Ints>(held_->tensor->values).data()[i] = value;
    if (!held_->written.empty()) held_->written[static_cast<std::size_t>(i)] = 1;
  }

 private:
  HeapTensor* held_ = nullptr;
};

namespace {

constexpr std::string_view kShapeHeap = "shape heap";

}  // namespace

bool Interpreter::read_shape_heap(const ShapeHeap& heap, std::int64_t at, std::int64_t& out) {
  if (!heap.has(at))
    return undefined(UndefinedRule::index_out_of_bounds, kShapeHeap, fmt::format("no entry {} in the shape heap", at));
  if (!heap.is_set(at))
    return undefined(UndefinedRule::uninitialised_read, kShapeHeap, fmt::format("entry {} of the shape heap is not set", at));
  out = heap.get(at);
  return true;
}

// One size against one code: match_shape's and match_prim_value's.
bool Interpreter::match_size(std::int64_t size, std::int64_t code, std::int64_t operand, ShapeHeap& heap) {
  std::int64_t expected = size;
  switch (static_cast<MatchShapeCode>(code)) {
    case MatchShapeCode::equals_number:
      expected = operand;
      break;
    case MatchShapeCode::store_to_heap:
      if (!heap.has(operand))
        return undefined(UndefinedRule::index_out_of_bounds, kShapeHeap, fmt::format("no entry {} in the shape heap", operand));
      heap.set(operand, size);
      break;
    case MatchShapeCode::skip:
      break;
    case MatchShapeCode::equals_heap:
      if (!read_shape_heap(heap, operand, expected)) return false;
      break;
    default:
      return wrong_type(fmt::format("{} is no code of match_shape", code));
  }
  return size == expected || stop(Trapped{"trap.match-cast", fmt::format("{}: a size is {}, not {}", binding_, size, expected)});
}

// match_shape(value, heap, rank, code, operand, code, operand, ..., message).
bool Interpreter::match_shape(std::span<const Value> args, Value& out) {
  const std::optional<std::int64_t> rank = integer_at(args, 2);
  if (!rank || *rank < 0 || args.size() < 3 + 2 * static_cast<std::size_t>(*rank)) return wrong_type("match_shape of other arity");
  const std::optional<std::vector<std::int64_t>> sizes = sizes_of(args[0]);
  if (!sizes || static_cast<std::int64_t>(sizes->size()) != *rank)
    return stop(Trapped{"trap.match-cast", fmt::format("{}: {} has not rank {}", binding_, to_string(args[0], 0), *rank)});
  ShapeHeap heap(heap_, args[1]);
  for (std::size_t i = 0; i < sizes->size(); ++i) {
    const std::optional<std::int64_t> code = integer_at(args, 3 + 2 * i);
    const std::optional<std::int64_t> operand = integer_at(args, 4 + 2 * i);
    if (!code || !operand) return wrong_type("match_shape of no integers");
    if (!match_size((*sizes)[i], *code, *operand, heap)) return false;
  }
  out = TupleValue{};
  return true;
}

// match_prim_value(value, heap, code, operand, message).
bool Interpreter::match_prim_value(std::span<const Value> args, Value& out) {
  const std::optional<std::int64_t> value = integer_at(args, 0);
  const std::optional<std::int64_t> code = integer_at(args, 2);
  const std::optional<std::int64_t> operand = integer_at(args, 3);
  if (!value || !code || !operand) return wrong_type("match_prim_value of no integers");
  ShapeHeap heap(heap_, args[1]);
  out = TupleValue{};
  return match_size(*value, *code, *operand, heap);
}

bool Interpreter::made_size(std::span<const Value> args, std::size_t at, std::int64_t& out) {
  const std::optional<std::int64_t> code = integer_at(args, at);
  const std::optional<std::int64_t> operand = integer_at(args, at + 1);
  if (!code || !operand) return wrong_type("a size of no integers");
  out = *operand;
  if (*code == static_cast<std::int64_t>(MakeShapeCode::number)) return true;
  return read_shape_heap(ShapeHeap(heap_, args[0]), *operand, out);
}

// make_shape(heap, rank, code, operand, ...).
bool Interpreter::make_shape(std::span<const Value> args, Value& out) {
  const std::optional<std::int64_t> rank = integer_at(args, 1);
  if (!rank || *rank < 0 || args.size() < 2 + 2 * static_cast<std::size_t>(*rank)) return wrong_type("make_shape of other arity");
  ShapeValue shape;
  shape.dims.resize(static_cast<std::size_t>(*rank));
  for (std::size_t i = 0; i < shape.dims.size(); ++i) {
    if (!made_size(args, 2 + 2 * i, shape.dims[i])) return false;
  }
  out = std::move(shape);
  return true;
}

// make_prim_value(heap, code, operand).
bool Interpreter::make_prim_value(std::span<const Value> args, Value& out) {
  std::int64_t value = 0;
  if (args.empty() || !made_size(args, 1, value)) return args.empty() ? wrong_type("make_prim_value of other arity") : false;
  out = ScalarValue{DType::int64, value};
  return true;
}

// check_tensor_info(value, rank, [dtype,] message): a rank of -1 is any.
bool Interpreter::check_tensor_info(std::span<const Value> args, Value& out) {
  const std::optional<std::int64_t> rank = integer_at(args, 1);
  if (!rank) return wrong_type("check_tensor_info without a rank");
  const TensorPtr* tensor = args[0].as_tensor();
  const DType* dtype = args.size() > 2 ? std::get_if<DType>(&args[2].node) : nullptr;
  const bool fits = tensor != nullptr && (*rank == -1 || static_cast<std::int64_t>((*tensor)->rank()) == *rank) &&
                    (dtype == nullptr || (*tensor)->dtype == *dtype);
  out = TupleValue{};
  return fits || stop(refused_argument(fmt::format("{} is not of rank {}", to_string(args[0], 0), *rank)));
}

bool Interpreter::check_shape_info(std::span<const Value> args, Value& out) {
  const std::optional<std::int64_t> rank = integer_at(args, 1);
  const auto* shape = args.empty() ? nullptr : std::get_if<ShapeValue>(&args[0].node);
  out = TupleValue{};
  if (!rank) return wrong_type("check_shape_info without a rank");
  const bool fits = shape != nullptr && (*rank == -1 || static_cast<std::int64_t>(shape->dims.size()) == *rank);
  return fits || stop(refused_argument(fmt::format("{} is no shape of rank {}", to_string(args[0], 0), *rank)));
}

bool Interpreter::check_tuple_info(std::span<const Value> args, Value& out) {
  const std::optional<std::int64_t> size = integer_at(args, 1);
  const TupleValue* tuple = args.empty() ? nullptr : args[0].as_tuple();
  out = TupleValue{};
  if (!size) return wrong_type("check_tuple_info without a size");
  const bool fits = tuple != nullptr && static_cast<std::int64_t>(tuple->fields.size()) == *size;
  return fits || stop(refused_argument(fmt::format("{} is no tuple of {} fields", to_string(args[0], 0), *size)));
}

bool Interpreter::check_prim_value_info(std::span<const Value> args, Value& out) {
  out = TupleValue{};
  const bool fits = !args.empty() && std::holds_alternative<ScalarValue>(args[0].node);
  return fits || stop(refused_argument("an argument is no scalar"));
}

bool Interpreter::check_func_info(std::span<const Value> args, Value& out) {
  out = TupleValue{};
  const bool fits = !args.empty() && std::holds_alternative<std::shared_ptr<const Callable>>(args[0].node);
  return fits || stop(refused_argument("an argument is no function"));
}

bool Interpreter::alloc_shape_heap(std::span<const Value> args, Value& out) {
  const std::optional<std::int64_t> size = integer_at(args, 0);
  if (!size || *size < 0 || *size > options_.limits.elements) return wrong_type("a shape heap without a size");
  out = heap_.allocate(DType::int64, std::array{*size});
  return true;
}

bool Interpreter::shape_of(std::span<const Value> args, Value& out) {
  std::optional<std::vector<std::int64_t>> sizes = args.empty() ? std::nullopt : sizes_of(args[0]);
  if (!sizes) return wrong_type("shape_of what is no tensor");
  out = ShapeValue{*std::move(sizes)};
  return true;
}

// The tensor's elements in another shape. The virtual machine makes a view; nothing writes to either afterwards but an in-place call.
bool Interpreter::reshape(std::span<const Value> args, Value& out) {
  const TensorPtr* tensor = args.size() < 2 ? nullptr : args[0].as_tensor();
  const auto* shape = args.size() < 2 ? nullptr : std::get_if<ShapeValue>(&args[1].node);
  if (tensor == nullptr || shape == nullptr) return wrong_type("reshape of what is no tensor");
  if (!readable(args[0])) return false;
  std::int64_t elements = 1;
  for (const std::int64_t dim : shape->dims) {
    if (dim < 0 || __builtin_mul_overflow(elements, dim, &elements)) return stop(Trapped{"trap.shape", "a negative size"});
  }
  if (elements != static_cast<std::int64_t>((*tensor)->size()))
    return stop(Trapped{"trap.shape", fmt::format("{} reshaped to {} elements", to_string(args[0], 0), elements)});
  Tensor result = **tensor;
  std::visit([&](auto& values) { values.reshape(std::vector<std::size_t>(shape->dims.begin(), shape->dims.end())); },
             result.values);
  out = make_tensor(std::move(result));
  return true;
}

bool Interpreter::unchanged(std::span<const Value> args, Value& out) {
  if (args.empty()) return wrong_type("a copy of nothing");
  out = args[0];
  return true;
}

bool Interpreter::tensor_to_shape(std::span<const Value> args, Value& out) {
  const TensorPtr* tensor = args.empty() ? nullptr : args[0].as_tensor();
  if (tensor == nullptr || (*tensor)->rank() != 1 || is_float((*tensor)->dtype)) return wrong_type("a shape of what is no list of integers");
  if (!readable(args[0])) return false;
  ShapeValue shape;
  for (std::size_t i = 0; i < (*tensor)->size(); ++i) shape.dims.push_back(as_int(**tensor, i));
  out = std::move(shape);
  return true;
}

// What LowerRuntimeBuiltin makes of R.make_closure: the function, then the values of its last parameters.
bool Interpreter::make_vm_closure(std::span<const Value> args, Value& out) {
  return args.empty() ? wrong_type("make_closure of nothing") : bind_last(args[0], args.subspan(1), out);
}

// What LowerRuntimeBuiltin makes of R.invoke_closure: the closure, then its arguments.
bool Interpreter::invoke_vm_closure(std::span<const Value> args, Value& out) {
  return args.empty() ? wrong_type("invoke_closure of nothing") : call_value(args[0], args.subspan(1), out);
}

// For each row of probabilities the first place up to which they sum to more than the row's sample, else the last
// (src/runtime/vm/lm_support.cc).
bool Interpreter::multinomial_from_uniform(std::span<const Value> args, Value& out) {
  const TensorPtr* prob = args.size() < 2 ? nullptr : args[0].as_tensor();
  const TensorPtr* sample = args.size() < 2 ? nullptr : args[1].as_tensor();
  const auto is_float32 = [](const TensorPtr* x) { return x != nullptr && (*x)->dtype == DType::float32 && (*x)->rank() >= 1; };
  if (!is_float32(prob) || !is_float32(sample)) return wrong_type("multinomial_from_uniform of what are no tensors of float32");
  if (!readable(args[0]) || !readable(args[1])) return false;
  const auto rows = static_cast<std::size_t>((*prob)->shape().front());
  const auto columns = static_cast<std::size_t>((*prob)->shape().back());
  if ((*sample)->size() < rows || (*prob)->size() < rows * columns)
    return stop(Trapped{"trap.shape", "multinomial_from_uniform: not a row of probabilities and a sample for each result"});
  Tensor result = zeros(DType::int64, std::array{static_cast<std::int64_t>(rows), std::int64_t{1}});
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    std::size_t at = 0;
    for (std::size_t column = 0; column < columns; ++column) {
      at = column;
      sum = round_float(DType::float32, sum + as_double(**prob, row * columns + column), context_.rounding);
      if (sum > as_double(**sample, row)) break;
    }
    std::get<Tensor::Ints>(result.values).data()[row] = static_cast<std::int64_t>(at);
  }
  out = make_tensor(std::move(result));
  return true;
}

bool is_opaque_vm_builtin(std::string_view name) {
  constexpr auto kFamilies = std::to_array<std::string_view>({
      "attention_kv_cache_", "paged_attention_kv_cache_", "kv_state_", "rnn_state_", "invoke_debug_func", "distributed.",
  });
  return std::ranges::any_of(kFamilies, [&](std::string_view family) { return name.starts_with(family); });
}

bool Interpreter::call_vm_builtin(std::string_view name, std::span<const Value> args, Value& out) {
  struct Builtin {
    std::string_view name;
    bool (Interpreter::*call)(std::span<const Value> args, Value& out);
  };
  static constexpr auto kBuiltins = std::to_array<Builtin>({
      {"alloc_shape_heap", &Interpreter::alloc_shape_heap},
      {"match_shape", &Interpreter::match_shape},
      {"match_prim_value", &Interpreter::match_prim_value},
      {"make_shape", &Interpreter::make_shape},
      {"make_prim_value", &Interpreter::make_prim_value},
      {"check_tensor_info", &Interpreter::check_tensor_info},
      {"check_shape_info", &Interpreter::check_shape_info},
      {"check_tuple_info", &Interpreter::check_tuple_info},
      {"check_prim_value_info", &Interpreter::check_prim_value_info},
      {"check_func_info", &Interpreter::check_func_info},
      {"shape_of", &Interpreter::shape_of},
      {"reshape", &Interpreter::reshape},
      {"tensor_to_shape", &Interpreter::tensor_to_shape},
      {"make_closure", &Interpreter::make_vm_closure},
      {"invoke_closure", &Interpreter::invoke_vm_closure},
      {"multinomial_from_uniform", &Interpreter::multinomial_from_uniform},
      {"copy", &Interpreter::unchanged},
      {"to_device", &Interpreter::unchanged},
      {"ensure_zero_offset", &Interpreter::unchanged},
  });
  const auto* found = std::ranges::find(kBuiltins, name, &Builtin::name);
  if (found == kBuiltins.end()) return stop(Unsupported{fmt::format("extern function vm.builtin.{}", name)});
  return (this->*found->call)(args, out);
}

}  // namespace passdiff
