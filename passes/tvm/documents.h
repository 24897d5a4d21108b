// Requests and replies of the host protocol as JSON: what PROTOCOL.md calls PIPELINE, PLAN, RESULT and ERROR.
#pragma once

#include <nlohmann/json.hpp>

#include "core/result.h"
#include "passes/pass.h"
#include "passes/tvm/frames.h"

namespace passdiff {

// Fails with subject.options if a pass's options are no JSON object.
Result<nlohmann::json> pipeline_to_json(const Pipeline& pipeline);
nlohmann::json plan_to_json(const CallPlan& plan);

Refused error_from_json(const nlohmann::json& document);
// One RESULT of a transform reply. Fails with subject.protocol.
Result<TransformReply> result_from_json(const nlohmann::json& result, const HostFrame& frame, int passes);
// The reply to an execute request. Fails with subject.protocol.
Result<VmReply> vm_reply_from_json(const nlohmann::json& reply);
// The reply to a request of so many calls. Fails with subject.protocol.
Result<CallsReply> calls_reply_from_json(const nlohmann::json& reply, std::size_t calls);
// The reply to a request to infer the types of so many modules: each holds the module, or an error.
std::vector<InferReply> infer_replies_from_json(const HostFrame& frame, std::size_t modules);

}  // namespace passdiff
