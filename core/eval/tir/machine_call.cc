// Fields of tensors, and calls of functions of the host.
#include <array>
#include <utility>

#include "core/eval/tir/machine.h"
#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/op.h"

namespace passdiff::tir {

// Tensors of the caller lie on the CPU, at the start of their memory.
std::int64_t Machine::field(const Pointer& pointer, TensorField field) {
  constexpr std::int64_t kCpu = 1;  // DLDeviceType
  if (pointer.tensor == nullptr) {
    undefined(UndefinedRule::uninitialised_read, "a field of what is no tensor");
    return 0;
  }
  const DType dtype = pointer.tensor->memory->dtype();
  switch (field) {
    case TensorField::rank:
      return static_cast<std::int64_t>(pointer.tensor->shape.size());
    case TensorField::type_bits:
      return row_of(dtype).bits;
    case TensorField::type_lanes:
      return 1;
    case TensorField::type_code: {
      const Value tensor = make_tensor(zeros(dtype, std::array<std::int64_t, 1>{0}));
      const Value code = find_op("relax.inspect.tensor_dtype_code")->eval({&tensor, 1}, {}, prim_type(DType::uint8), context_);
      return std::get<std::int64_t>(code.scalar().value);
    }
    case TensorField::device_type:
      return kCpu;
    default:
      return 0;
  }
}

std::int64_t Machine::call_packed(const PackedCall& call) {
  HostCall host{.function = call.function, .args = {}};
  for (const PackedArg& arg : call.args) {
    switch (arg.kind) {
      case PackedArg::Kind::buffer: {
        View view = views_[static_cast<std::size_t>(arg.index)];
        if (arg.shape) {
          view.extents.clear();
          for (const Index size : *arg.shape) view.extents.push_back(integer(size));
          view.strides = row_major_strides(view.extents);
        }
        host.args.emplace_back(std::move(view));
        break;
      }
      case PackedArg::Kind::number: {
        const DType dtype = program_.nodes[static_cast<std::size_t>(arg.index)].dtype;
        ScalarValue scalar{.dtype = dtype, .value = {}};
        if (is_float(dtype)) {
          scalar.value = real(arg.index);
        } else {
          scalar.value = integer(arg.index);
        }
        host.args.emplace_back(scalar);
        break;
      }
      case PackedArg::Kind::text:
        host.args.emplace_back(arg.text);
        break;
      case PackedArg::Kind::none:
        host.args.emplace_back();
        break;
    }
  }
  std::optional<Outcome> ended =
      options_.call_host ? options_.call_host(host) : std::optional<Outcome>(Unsupported{"packed function " + call.function});
  locate();
  if (ended) outcome_ = std::move(ended);
  return 0;
}

}  // namespace passdiff::tir
