#include "passes/tvm/documents.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/documents/json.h"
#include "core/form/well_formed.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

using nlohmann::json;

Error protocol_error(const std::string& what) {
  return {"subject.protocol", "TVM host: " + what};
}

const json* find(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

bool flag(const json& object, const char* key) {
  const json* found = find(object, key);
  return found != nullptr && found->is_boolean() && found->get<bool>();
}

std::string text(const json& object, const char* key) {
  const json* found = find(object, key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

double number(const json& object, const char* key) {
  const json* found = find(object, key);
  return found != nullptr && found->is_number() ? found->get<double>() : 0.0;
}

json plan_values(const std::vector<PlanValue>& values);

json plan_value(const PlanValue& value) {
  if (const auto* argument = std::get_if<ArgumentRef>(&value.node)) {
    if (argument->field < 0) return {{"arg", argument->index}};
    return {{"arg", argument->index}, {"field", argument->field}};
  }
  if (const auto* tuple = std::get_if<PlanTuple>(&value.node)) return {{"tuple", plan_values(tuple->fields)}};
  if (const auto* step = std::get_if<StepResult>(&value.node)) {
    json document = {{"step", step->step}};
    if (step->field >= 0) document["field"] = step->field;
    return document;
  }
  if (const auto* get = std::get_if<GetCallback>(&value.node))
    return {{"get_callback", plan_values(get->items)}};
  return {{"set_callback", !std::get<SetCallback>(value.node).ignored}};
}

json plan_values(const std::vector<PlanValue>& values) {
  json documents = json::array();
  for (const PlanValue& value : values) documents.push_back(plan_value(value));
  return documents;
}

Result<Module> module_in(const json& part, const HostFrame& frame, ReadDocuments* known = nullptr) {
  return module_from_cbor(TRY(frame.body(part)), known);
}

const Result<Module>& module_in(const json& part, const HostFrame& frame, ReadModules& read) {
  const std::int64_t body = part.is_number_integer() ? part.get<std::int64_t>() : -1;
  const auto found = read.by_body.find(body);
  if (found != read.by_body.end()) return found->second;
  return read.by_body.emplace(body, module_in(part, frame, &read.documents)).first->second;
}

// Reads a target. A module that our IR cannot hold is no error of the protocol: the pass made something that passdiff does not
// know.
Transformed transformed_from_json(const json& result, const HostFrame& frame, ReadModules& read) {
  Transformed transformed;
  if (flag(result, "unchanged")) {
    transformed.unchanged = true;
  } else if (const json* part = find(result, "module")) {
    const Result<Module>& target = module_in(*part, frame, read);
    if (target) {
      transformed.target = *target;
    } else {
      transformed.unreadable = target.error().code + ": " + target.error().message;
    }
  } else {
    transformed.unreadable = text(result, "unreadable");
    if (transformed.unreadable.empty()) transformed.unreadable = "unknown";
  }
  return transformed;
}

void read_snapshots(const json& result, const HostFrame& frame, TransformReply& reply) {
  const json* snapshots = find(result, "snapshots");
  if (snapshots == nullptr || !snapshots->is_array()) return;
  for (const json& part : *snapshots) {
    std::optional<Module>& snapshot = reply.snapshots.emplace_back();
    if (part.is_null()) continue;
    Result<Module> module = module_in(part, frame);
    if (module) snapshot = std::move(module).value();
  }
}

}  // namespace

Result<json> pipeline_to_json(const Pipeline& pipeline) {
  json calls = json::array();
  for (const PassCall& call : pipeline) {
    Result<json> options = call.options == "{}" ? Result<json>(json::object()) : parse_json(call.options);
    if (!options || !options->is_object()) {
      return Error{"subject.options", call.name + ": the options are no JSON object: " + call.options};
    }
    calls.push_back(json::array({call.name, std::move(options).value()}));
  }
  return calls;
}

json plan_to_json(const CallPlan& plan) {
  json steps = json::array();
  for (const CallStep& step : plan.steps) {
    steps.push_back({{"function", step.function},
                     {"args", plan_values(step.args)},
                     {"get_items", plan_values(step.get_items)},
                     {"collects_set_items", step.collects_set_items},
                     {"single_output", step.single_output}});
  }
  return {{"steps", std::move(steps)}};
}

Refused error_from_json(const json& document) {
  if (!document.is_object()) return {"unknown", "unknown", document.dump()};
  Refused error{text(document, "kind"), text(document, "site"), text(document, "message")};
  if (error.kind.empty()) error.kind = "unknown";
  if (error.site.empty()) error.site = error.kind;
  return error;
}

namespace {

// What our checker (core/form) calls the faults of names and of types that TVM's (well_formed.cc) tells in these words. Of symbolic variables it
// says what it says of others.
std::string code_of_complaint(const std::string& complaint) {
  const auto ends = [&](std::string_view end) { return complaint.ends_with(end); };
  if (complaint.starts_with("GlobalVar ")) return ends(" is not defined.") ? "form.unknown-global" : "";
  constexpr std::string_view kExpression = "Expression of type ", kVariable = " cannot be assigned to a variable of type ";
  if (const std::size_t at = complaint.find(kVariable); complaint.starts_with(kExpression) && at != std::string::npos) {
    const std::string_view given = std::string_view(complaint).substr(kExpression.size(), at - kExpression.size());
    // Types that read alike differ in a virtual device that the module does not list.
    return ends(fmt::format("{}{}", kVariable, given)) ? "" : std::string(kWrongType);
  }
  if (!complaint.starts_with("Var ") && !complaint.starts_with("DataflowVar ")) return {};
  if (ends(" is used outside DataflowBlock.")) return "form.dataflow-escape";
  if (ends(" is defined more than once.")) return "form.redefined-var";
  return ends(" is not defined.") ? "form.undefined-var" : "";
}

}  // namespace

Result<TransformReply> result_from_json(const json& result, const HostFrame& frame, int passes, ReadModules& read) {
  if (!result.is_object() || !result.contains("ok")) return protocol_error("a result without \"ok\"");
  TransformReply reply;
  reply.seconds_in_pass = number(result, "pass_seconds");
  reply.input_mutated = flag(result, "input_mutated");
  if (flag(result, "ok")) {
    reply.pass_index = passes > 0 ? passes - 1 : 0;
    if (const json* well_formed = find(result, "well_formed");
        well_formed != nullptr && well_formed->is_boolean()) {
      reply.subject_well_formed = well_formed->get<bool>();
    }
    reply.subject_complaint = text(result, "complaint");
    reply.subject_fault = code_of_complaint(reply.subject_complaint);
    reply.result = transformed_from_json(result, frame, read);
    read_snapshots(result, frame, reply);
    return reply;
  }
  const json* index = find(result, "pass_index");
  if (index != nullptr && index->is_number_integer()) reply.pass_index = index->get<int>();
  const json* error = find(result, "error");
  Refused refused = error_from_json(error != nullptr ? *error : json());
  if (refused.kind == "MemoryError") {
    reply.result = MemoryExceeded{};
  } else {
    reply.result = std::move(refused);
  }
  return reply;
}

json value_for_host(const Value& value, std::vector<Bytes>& bodies) {
  constexpr std::int64_t kMaxInlineBytes = std::int64_t{1} << 16;
  if (const TupleValue* tuple = value.as_tuple()) {
    json fields = json::array();
    for (const Value& field : tuple->fields) fields.push_back(value_for_host(field, bodies));
    return {{"tuple", std::move(fields)}};
  }
  const TensorPtr* tensor = value.as_tensor();
  if (tensor == nullptr) return value_to_json(value);
  const std::int64_t bytes = data_bytes((*tensor)->dtype, static_cast<std::int64_t>((*tensor)->size()));
  if (bytes <= kMaxInlineBytes) return value_to_json(value);
  bodies.push_back(to_bytes(**tensor));
  return {{"tensor", dtype_name((*tensor)->dtype)}, {"shape", (*tensor)->shape()}, {"part", bodies.size()}};
}

namespace {

// The tensor of a document whose bytes are a body of the frame.
Result<Value> tensor_of_part(const json& document, const HostFrame& frame) {
  const std::span<const std::uint8_t> bytes = TRY(frame.body(document.at("part")));
  const std::optional<DType> dtype = dtype_from_name(text(document, "tensor"));
  const json* shape = find(document, "shape");
  if (!dtype || shape == nullptr || !shape->is_array()) return protocol_error("a tensor without dtype or shape");
  std::vector<std::int64_t> sizes;
  for (const json& size : *shape) {
    if (!size.is_number_integer()) return protocol_error("a tensor whose shape is no list of integers");
    sizes.push_back(size.get<std::int64_t>());
  }
  return Value(make_tensor(TRY(from_bytes(*dtype, sizes, bytes, kMaxFrameBytes))));
}

}  // namespace

Result<Value> value_from_host(const json& document, const HostFrame& frame) {
  if (!document.is_object()) return value_from_json(document);
  if (document.contains("part")) return tensor_of_part(document, frame);
  const json* fields = find(document, "tuple");
  if (fields == nullptr || !fields->is_array()) return value_from_json(document);
  TupleValue tuple;
  for (const json& field : *fields) tuple.fields.push_back(TRY(value_from_host(field, frame)));
  return Value(std::move(tuple));
}

Result<VmReply> vm_reply_from_json(const json& reply, const HostFrame& frame) {
  if (!reply.contains("ok")) return protocol_error("a reply without \"ok\"");
  VmReply vm;
  if (!flag(reply, "ok")) {
    vm.stage = text(reply, "stage");
    const json* error = find(reply, "error");
    vm.error = error_from_json(error != nullptr ? *error : json());
    return vm;
  }
  const auto value = reply.find("value");
  if (value == reply.end()) return vm;
  Result<Value> read = value_from_host(*value, frame);
  if (!read) return protocol_error("a value that cannot be read: " + read.error().message);
  vm.value = std::move(read).value();
  vm.overwrote_arguments = flag(reply, "overwrote_arguments");
  return vm;
}

Result<CallsReply> calls_reply_from_json(const HostFrame& frame, std::size_t calls) {
  const json& reply = frame.header;
  CallsReply result;
  if (!flag(reply, "ok")) {
    VmReply failed = TRY(vm_reply_from_json(reply, frame));
    return CallsReply{{}, std::move(failed.stage), std::move(failed.error)};
  }
  const json* results = find(reply, "results");
  if (results == nullptr || !results->is_array() || results->size() != calls)
    return protocol_error("a reply to calls without a result for each");
  for (const json& document : *results) {
    // A value that our IR cannot hold is the failure of one call, not of the protocol.
    Result<VmReply> read = vm_reply_from_json(document, frame);
    if (!read) read = VmReply{{}, "read", {read.error().code, read.error().code, read.error().message}};
    result.results.push_back(std::move(read).value());
  }
  return result;
}

std::vector<InferReply> infer_replies_from_json(const HostFrame& frame, std::size_t modules) {
  const Refused missing{"subject.protocol", "subject.protocol", "no result for this module"};
  std::vector<InferReply> replies(modules, {std::nullopt, missing});
  const json* results = find(frame.header, "results");
  if (results == nullptr || !results->is_array()) return replies;
  for (std::size_t i = 0; i < std::min(modules, results->size()); ++i) {
    const json& result = (*results)[i];
    const json* part = result.is_object() ? find(result, "module") : nullptr;
    if (part == nullptr) {
      replies[i].error = error_from_json(result.is_object() ? result.value("error", json()) : json());
      continue;
    }
    Result<Module> module = module_in(*part, frame);
    if (module) {
      replies[i].module = std::move(module).value();
    } else {
      replies[i].error = {module.error().code, module.error().code, module.error().message};
    }
  }
  return replies;
}

}  // namespace passdiff
