// Requests and replies of the host protocol as JSON: what PROTOCOL.md calls PIPELINE, PLAN, RESULT and ERROR.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/documents/json.h"
#include "core/result.h"
#include "passes/pass.h"
#include "passes/tvm/frames.h"

namespace passdiff {

// Fails with subject.options if a pass's options are no JSON object.
Result<nlohmann::json> pipeline_to_json(const Pipeline& pipeline);
nlohmann::json plan_to_json(const CallPlan& plan);

Refused error_from_json(const nlohmann::json& document);
// What was read of one reply. Results that have equal targets name the same body, and targets share their equal functions.
struct ReadModules {
  std::map<std::int64_t, Result<Module>> by_body;
  ReadDocuments documents;
};
// One RESULT of a transform reply. Fails with subject.protocol.
Result<TransformReply> result_from_json(const nlohmann::json& result, const HostFrame& frame, int passes, ReadModules& read);
// A value for the header of a request. The bytes of large tensors are appended to `bodies`, of which the first is part 1.
nlohmann::json value_for_host(const Value& value, std::vector<Bytes>& bodies);
// A value of a frame's header; its large tensors are bodies of the frame.
Result<Value> value_from_host(const nlohmann::json& document, const HostFrame& frame);

// The reply to an execute request. Fails with subject.protocol.
Result<VmReply> vm_reply_from_json(const nlohmann::json& reply, const HostFrame& frame);
// The reply to a request of so many calls. Fails with subject.protocol.
Result<CallsReply> calls_reply_from_json(const HostFrame& frame, std::size_t calls);
// The reply to a request to infer the types of so many modules: each holds the module, or an error.
std::vector<InferReply> infer_replies_from_json(const HostFrame& frame, std::size_t modules);

}  // namespace passdiff
