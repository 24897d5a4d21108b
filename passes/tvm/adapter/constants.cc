#include "passes/tvm/adapter/constants.h"

#include <tvm/ffi/extra/module.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/tensor/dtype.h"
#include "passes/tvm/adapter/compiler.h"
#include "passes/tvm/adapter/encode.h"
#include "passes/tvm/adapter/report.h"
#include "passes/tvm/adapter/tensors.h"
#include "passes/tvm/adapter/worker.h"

namespace passdiff {
namespace {

using nlohmann::json;

std::optional<std::int64_t>& current_request() {
  static std::optional<std::int64_t> request;
  return request;
}

// A document of the tensors, whose bytes are appended to `bodies`. Nothing if one of the arguments is none, or cannot be sent.
std::optional<json> tensors_of(ffi::PackedArgs args, std::vector<ffi::Tensor>& tensors, std::vector<std::vector<std::uint8_t>>& bodies) {
  json documents = json::array();
  for (int i = 0; i < args.size(); ++i) {
    const auto tensor = args[i].as<ffi::Tensor>();
    const std::optional<DType> dtype = tensor ? dtype_of(tensor->dtype()) : std::nullopt;
    if (!dtype) return std::nullopt;
    const Result<std::span<const std::uint8_t>> bytes = bytes_of(*tensor);
    if (!bytes) return std::nullopt;
    bodies.emplace_back(bytes->begin(), bytes->end());
    documents.push_back({{"tensor", dtype_name(*dtype)},
                         {"shape", std::vector<std::int64_t>(tensor->shape().begin(), tensor->shape().end())},
                         {"part", bodies.size()}});
    tensors.push_back(*tensor);
  }
  return documents;
}

// A function of TensorIR that stands for its code. Where a call cannot be made by the client, code is made after all.
class InterpretedFunction {
 public:
  InterpretedFunction(std::int64_t request, ObjectRef function, Any target)
      : request_(request), function_(std::move(function)), target_(std::move(target)) {}

  void operator()(ffi::PackedArgs args, Any* result) {
    if (!interpreted(args)) compiled(args, result);
  }

 private:
  bool interpreted(ffi::PackedArgs args) const {
    std::vector<ffi::Tensor> tensors;
    std::vector<std::vector<std::uint8_t>> bodies(1);
    const std::optional<json> arguments = tensors_of(args, tensors, bodies);
    if (!arguments) return false;
    try {
      bodies[0] = encode_module(module_of_function());
    } catch (const Unreadable&) {
      return false;
    }
    worker().send(make_frame(to_text({{"id", request_}, {"evaluate", 1}, {"module", 1}, {"arguments", *arguments}}), bodies));
    const std::vector<std::vector<std::uint8_t>> parts = worker().receive();
    if (parts.size() != tensors.size() + 1) return false;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (parts[i + 1].size() != bodies[i + 1].size()) return false;
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (!parts[i + 1].empty()) std::memcpy(tensors[i].data_ptr(), parts[i + 1].data(), parts[i + 1].size());
    }
    return true;
  }

  ObjectRef module_of_function() const {
    const Functions& f = compiler().functions;
    const auto global = call(f.global_var, kFunctionName).cast<ObjectRef>();
    const ffi::Map<ObjectRef, ObjectRef> functions{{global, function_}};
    return call(f.module, functions, nullptr, ffi::Map<ffi::String, ffi::Array<ObjectRef>>()).cast<ObjectRef>();
  }

  void compiled(ffi::PackedArgs args, Any* result) {
    if (code_ == nullptr) {
      const auto module = call(compiler().functions.build, function_, target_).cast<ffi::Module>();
      code_ = module->GetFunction(kFunctionName, false).value();
    }
    code_.CallPacked(args, result);
  }

  static constexpr const char* kFunctionName = "tir_function";  // as FoldConstant names it
  std::int64_t request_;
  ObjectRef function_;
  Any target_;
  ffi::Function code_{nullptr};
};

class InterpretedModule final : public ffi::ModuleObj {
 public:
  explicit InterpretedModule(InterpretedFunction function) : function_(ffi::Function::FromPacked(std::move(function))) {}
  const char* kind() const final { return "passdiff"; }
  ffi::Optional<ffi::Function> GetFunction(const ffi::String&) final { return function_; }

 private:
  ffi::Function function_;
};

void build(ffi::PackedArgs args, Any* result) {
  const std::optional<std::int64_t> request = current_request();
  const auto function = args.size() == 2 ? args[0].as<ObjectRef>() : std::nullopt;
  if (request && function && compiler().node(*function) == Node::prim_func) {
    *result = ffi::Module(ffi::make_object<InterpretedModule>(InterpretedFunction(*request, *function, Any(args[1]))));
  } else {
    compiler().functions.build.CallPacked(args, result);
  }
}

}  // namespace

void take_over_builds() {
  if (compiler().functions.build == nullptr) return;
  constexpr bool kReplaces = true;
  ffi::Function::SetGlobal(kBuildFunction, ffi::Function::FromPacked([](ffi::PackedArgs args, Any* result) { build(args, result); }), kReplaces);
}

ConstantsOf::ConstantsOf(std::optional<std::int64_t> request) {
  current_request() = request;
}

ConstantsOf::~ConstantsOf() {
  current_request().reset();
}

}  // namespace passdiff
