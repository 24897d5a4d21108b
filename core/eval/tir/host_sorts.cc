#include "core/eval/tir/host_sorts.h"

#include <algorithm>
#include <numeric>

#include "core/ops/op.h"

namespace passdiff::tir {
namespace {

constexpr std::string_view kPrefix = "tvm.contrib.sort.";

// Calls visit(element of the memory) for each element of the view, in row-major order.
template <class Visit>
void for_each_element(const View& view, Visit&& visit) {
  std::int64_t count = view.lanes;
  for (const std::int64_t extent : view.extents) count *= extent;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i / view.lanes;
    std::int64_t element = 0;
    for (std::size_t axis = view.extents.size(); axis-- > 0; rest /= view.extents[axis])
      element += rest % view.extents[axis] * view.strides[axis];
    visit(i, view.offset + element * view.lanes + i % view.lanes);
  }
}

// The elements; nothing, with a report, if some are not initialised although all are needed.
std::optional<Tensor> read(const View& view, EvalContext& context, bool needs_all = true) {
  Memory& memory = *view.memory;
  Tensor tensor = zeros(memory.dtype(), view.extents);
  Memory copy("copy", tensor, true);
  bool initialised = true;
  for_each_element(view, [&](std::int64_t i, std::int64_t element) {
    const bool inside = element >= 0 && element < memory.size();
    if (!inside || (needs_all && !memory.is_written(element))) {
      initialised = false;
    } else if (is_float(memory.dtype())) {
      copy.set_float(i, memory.float_at(element));
    } else {
      copy.set_int(i, memory.int_at(element));
    }
  });
  if (initialised) return tensor;
  context.log.report(UndefinedRule::uninitialised_read, memory.name() + " is sorted before it is written");
  return std::nullopt;
}

std::optional<Outcome> write(const Tensor& tensor, const View& view, EvalContext& context) {
  Memory& memory = *view.memory;
  std::int64_t count = view.lanes;
  for (const std::int64_t extent : view.extents) count *= extent;
  if (memory.dtype() != tensor.dtype || count != static_cast<std::int64_t>(tensor.size()))
    return Unsupported{"a sort into a buffer of another dtype or size"};
  if (!memory.writable()) {
    context.log.report(UndefinedRule::write_to_input, memory.name() + " is an input");
    return std::nullopt;
  }
  for_each_element(view, [&](std::int64_t i, std::int64_t element) {
    if (element < 0 || element >= memory.size()) return;
    if (is_float(memory.dtype())) {
      memory.set_float(element, as_double(tensor, static_cast<std::size_t>(i)));
    } else {
      memory.set_int(element, as_int(tensor, static_cast<std::size_t>(i)));
    }
    memory.note_write(element);
  });
  memory.mark_written();
  return std::nullopt;
}

// The arguments of a call by kind, in their order.
struct Sorted {
  std::vector<const View*> views;
  std::vector<std::int64_t> numbers;
  std::string text;
};
Sorted sorted_arguments(const HostCall& call) {
  Sorted sorted;
  for (const auto& arg : call.args) {
    if (const View* view = std::get_if<View>(&arg)) sorted.views.push_back(view);
    if (const auto* text = std::get_if<std::string>(&arg)) sorted.text = *text;
    const auto* scalar = std::get_if<ScalarValue>(&arg);
    const auto* number = scalar == nullptr ? nullptr : std::get_if<std::int64_t>(&scalar->value);
    if (number != nullptr) sorted.numbers.push_back(*number);
  }
  return sorted;
}

// The call of the op that the function computes: sort(data, out, axis, ascending), argsort likewise, and topk(data, outs..., k, axis,
// what to return, ascending).
struct OpCall {
  std::string_view op;
  Attrs attrs;
};
std::optional<OpCall> op_call(std::string_view function, const Sorted& args) {
  if (args.views.size() < 2) return std::nullopt;
  const AttrValue index_dtype = args.views.back()->memory->dtype();
  const std::vector<std::int64_t>& n = args.numbers;
  if (function == "sort" && n.size() == 2) return OpCall{"relax.sort", {n[0], n[1] == 0}};
  if (function == "argsort" && n.size() == 2) return OpCall{"relax.argsort", {n[0], n[1] == 0, index_dtype}};
  if (function != "topk" || n.size() != 3) return std::nullopt;
  const AttrValue dtype = args.text == "values" ? AttrValue(DType::int32) : index_dtype;
  return OpCall{"relax.topk", {n[0], n[1], args.text, n[2] == 0, dtype}};
}

// argsort_nms(data, valid count, out, axis, ascending): the places of as many elements of each line as are valid, in their order; the
// others keep their places.
std::optional<Outcome> sort_valid(const Sorted& args, EvalContext& context) {
  if (args.views.size() != 3 || args.numbers.size() != 2) return Unsupported{"argsort_nms of other arity"};
  const std::optional<Tensor> data = read(*args.views[0], context, false);  // elements beyond the valid ones may be anything
  const std::optional<Tensor> counts = read(*args.views[1], context);
  if (!data || !counts) return std::nullopt;
  const std::vector<std::int64_t> shape = data->shape();
  const auto rank = static_cast<std::int64_t>(shape.size());
  const std::int64_t axis = args.numbers[0] < 0 ? args.numbers[0] + rank : args.numbers[0];
  if (axis < 0 || axis >= rank) return Unsupported{"a sort along an axis that the buffer lacks"};
  std::int64_t inner = 1;
  for (std::int64_t i = axis + 1; i < rank; ++i) inner *= shape[static_cast<std::size_t>(i)];
  const std::int64_t size = shape[static_cast<std::size_t>(axis)];
  const std::int64_t lines = size == 0 ? 0 : static_cast<std::int64_t>(data->size()) / size;
  if (lines > static_cast<std::int64_t>(counts->size())) return Unsupported{"argsort_nms with too few counts"};
  Tensor places = zeros(args.views[2]->memory->dtype(), shape);
  Memory out("places", places, true);
  for (std::int64_t line = 0; line < lines; ++line) {
    const std::int64_t base = line / inner * size * inner + line % inner;
    const auto at = [&](std::int64_t k) { return as_double(*data, static_cast<std::size_t>(base + k * inner)); };
    std::vector<std::int64_t> order(static_cast<std::size_t>(size));
    std::iota(order.begin(), order.end(), 0);
    const std::int64_t valid = std::clamp<std::int64_t>(as_int(*counts, static_cast<std::size_t>(line)), 0, size);
    const auto before = [&](std::int64_t a, std::int64_t b) {
      if (at(a) != at(b)) return args.numbers[1] != 0 ? at(a) < at(b) : at(a) > at(b);
      return a < b;
    };
    std::sort(order.begin(), order.begin() + valid, before);
    for (std::int64_t k = 0; k < size; ++k) out.set_int(base + k * inner, order[static_cast<std::size_t>(k)]);
  }
  return write(places, *args.views[2], context);
}

}  // namespace

std::optional<Outcome> call_host_sort(const HostCall& call, EvalContext& context, bool& known) {
  known = false;
  if (!call.function.starts_with(kPrefix)) return std::nullopt;
  const Sorted args = sorted_arguments(call);
  if (call.function.substr(kPrefix.size()) == "argsort_nms") {
    known = true;
    return sort_valid(args, context);
  }
  const std::optional<OpCall> made = op_call(call.function.substr(kPrefix.size()), args);
  if (!made) return std::nullopt;
  known = true;
  const OpDef* op = find_op(made->op);
  const std::optional<Tensor> data = read(*args.views[0], context);
  if (!data) return std::nullopt;
  const Value operand = make_tensor(*data);
  const Value result = op->eval({&operand, 1}, made->attrs, object_type(), context);
  std::vector<Value> results = {result};
  if (const TupleValue* tuple = result.as_tuple()) results = tuple->fields;
  const auto is_tensor = [](const Value& value) { return value.as_tensor() != nullptr; };
  if (!std::all_of(results.begin(), results.end(), is_tensor)) return Unsupported{"a sort along an axis that the buffer lacks"};
  if (results.size() + 1 != args.views.size()) return Unsupported{"a sort with other results than buffers"};
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (std::optional<Outcome> ended = write(results[i].tensor(), *args.views[i + 1], context)) return ended;
  }
  return std::nullopt;
}

}  // namespace passdiff::tir
