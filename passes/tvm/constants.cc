#include "passes/tvm/constants.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "core/documents/json.h"
#include "core/eval/interpret.h"
#include "core/ir/tir/mutator.h"
#include "core/tensor/tensor.h"
#include "passes/tvm/documents.h"

namespace passdiff {
namespace {

using nlohmann::json;

// What memory holds that was never written, as far as a test can tell: no number that a program computes by chance.
constexpr std::uint8_t kUnwritten = 0xA5;

std::set<const tir::BufferNode*> stored_buffers(const tir::Stmt& body) {
  std::set<const tir::BufferNode*> stored;
  const auto note = [&](const tir::Stmt& stmt) {
    if (const auto* store = tir::as<tir::BufferStore>(stmt)) stored.insert(store->buffer.get());
  };
  tir::for_each_nested(body, note, [](const tir::Expr&) {});
  return stored;
}

Value unwritten(const Tensor& tensor) {
  const std::vector<std::int64_t> shape = tensor.shape();
  if (tensor.dtype == DType::boolean) return make_tensor(zeros(tensor.dtype, shape));
  Bytes bytes = to_bytes(tensor);
  std::ranges::fill(bytes, kUnwritten);
  Result<Tensor> filled = from_bytes(tensor.dtype, shape, bytes);
  return make_tensor(filled ? *std::move(filled) : tensor);
}

// Results come as they were allocated: what they hold by chance would change what is found from run to run.
void forget_results(const tir::PrimFunc& function, std::vector<Value>& arguments) {
  const std::set<const tir::BufferNode*> stored = stored_buffers(function.body);
  for (std::size_t i = 0; i < std::min(arguments.size(), function.params.size()); ++i) {
    const auto* buffer = std::get_if<tir::Buffer>(&function.params[i]);
    const TensorPtr* tensor = arguments[i].as_tensor();
    if (buffer != nullptr && tensor != nullptr && stored.contains(buffer->get())) arguments[i] = unwritten(**tensor);
  }
}

}  // namespace

Result<std::vector<Bytes>> evaluate_call(const HostFrame& frame) {
  const Error unreadable{"constants.frame", "evaluate: no function of TensorIR and its arguments"};
  const auto part = frame.header.find("module");
  const auto given = frame.header.find("arguments");
  if (part == frame.header.end() || given == frame.header.end() || !given->is_array()) return unreadable;
  const std::span<const std::uint8_t> bytes = TRY(frame.body(*part));
  const Module module = TRY(module_from_cbor(bytes));
  if (module.prim_funcs.size() != 1) return unreadable;
  const GlobalPrimFunc& global = module.prim_funcs.front();
  std::vector<Value> arguments;
  for (const json& document : *given) arguments.push_back(TRY(value_from_host(document, frame)));
  forget_results(*global.function, arguments);

  const Outcome outcome = interpret(module, global.name, arguments);
  const auto* returned = std::get_if<Returned>(&outcome);
  const TupleValue* tensors = returned == nullptr ? nullptr : returned->value.as_tuple();
  if (tensors == nullptr || tensors->fields.size() != arguments.size()) return Error{"constants.undefined", to_string(outcome)};
  std::vector<Bytes> results;
  for (const Value& field : tensors->fields) {
    const TensorPtr* tensor = field.as_tensor();
    if (tensor == nullptr) return unreadable;
    results.push_back(to_bytes(**tensor));
  }
  return results;
}

}  // namespace passdiff
