#include "passes/tvm/client.h"

#include <algorithm>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "core/documents/files.h"
#include "core/documents/json.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"
#include "passes/tvm/batch.h"
#include "passes/tvm/build_pipelines.h"
#include "passes/tvm/connection.h"
#include "passes/tvm/documentation.h"
#include "passes/tvm/documents.h"
#include "passes/tvm/location.h"
#include "passes/tvm/repro.h"
#include "passes/tvm/tvm_passes.h"
#include "passes/tvm/version.h"

namespace passdiff {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;
using Body = std::span<const std::uint8_t>;

// The reply to an execute request whose worker died: the machine's crash.
VmReply vm_reply_of_death(const Answer& answer) {
  VmReply reply;
  const CannotBuild error = cannot_build(answer);
  reply.stage = error.kind;
  reply.error = {error.kind, error.site, "the worker died"};
  return reply;
}

std::string text_in(const json& hello, const char* key) {
  const auto found = hello.find(key);
  return found != hello.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// The passes of the table, where those that this compiler lacks are marked as unsupported, then those of the plugin.
Result<std::vector<Pass>> passes_of(const json& hello) {
  const std::span<const Pass> table = tvm_pass_table();
  std::vector<Pass> passes(table.begin(), table.end());
  const auto listed = hello.find("passes");
  if (listed == hello.end() || !listed->is_array()) return passes;
  std::set<std::string> present;
  for (const json& entry : *listed) {
    if (!entry.is_object()) continue;
    const std::string name = text_in(entry, "name");
    present.insert(name);
    const auto plugin = entry.find("plugin");
    if (plugin == entry.end() || *plugin != true) continue;
    Pass pass = TRY(plugin_pass(entry));
    // A plugin may bring a pass that the table knows, but this compiler lacks.
    std::erase_if(passes, [&](const Pass& known) { return known.name == name; });
    passes.push_back(std::move(pass));
  }
  for (Pass& pass : passes) {
    if (pass.unsupported.empty() && !present.contains(pass.name))
      pass.unsupported = "not in this version of TVM";
  }
  return passes;
}

// Passes over TensorIR, most of which the build runs as well and can do without, and those of Relax that it needs.
bool may_be_left_out(const Subject& subject, std::string_view pass) {
  const Pass* row = find_pass(subject, pass);
  return pass.starts_with("s_tir.") || pass.starts_with("tirx.") || (row != nullptr && row->in_default_pipeline);
}

fs::path host_folder_of(const TvmOptions& options) {
  return options.host_folder.empty() ? default_host_folder() : options.host_folder;
}

// The definitions of a script of the host, from the one on that begins so, which a repro repeats.
std::string definitions_of(const fs::path& script, std::string_view first) {
  std::string text = text_of(script);
  text.erase(0, std::min(text.find(first), text.size()));
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}
// That definition alone.
std::string definition_of(const fs::path& script, std::string_view first) {
  const std::string text = definitions_of(script, first);
  return text.substr(0, text.find("\n\n\n"));
}

}  // namespace

Result<std::unique_ptr<TvmSubject>> TvmSubject::start(const TvmOptions& options) {
  const fs::path script = host_folder_of(options) / "host.py";
  std::error_code error;
  if (!fs::exists(script, error)) {
    return Error{"subject.no-host", "TVM host: " + script.string() +
                                        " is missing; build the target passdiff, or set PASSDIFF_HOST_DIR"};
  }
  HostCommand command{options.python.empty() ? default_tvm_python() : options.python, {script.string()}};
  if (!options.adapter.empty())
    command.arguments.insert(command.arguments.end(), {"--adapter", options.adapter.string()});
  if (!options.plugin.empty()) {
    if (!fs::exists(options.plugin, error)) {
      return Error{"subject.plugin", "TVM plugin: there is no file " + options.plugin.string()};
    }
    command.arguments.insert(command.arguments.end(), {"--plugin", fs::absolute(options.plugin).string()});
  }
  const std::chrono::milliseconds deadline(static_cast<std::int64_t>(options.start_seconds * 1000));
  std::unique_ptr<HostConnection> connection = TRY(HostConnection::open(std::move(command), deadline, options.pause, options.stop));
  std::vector<Pass> passes = TRY(passes_of(connection->hello()));
  std::unique_ptr<TvmSubject> subject(new TvmSubject(options, std::move(connection)));
  subject->passes_ = std::move(passes);
  return subject;
}

TvmSubject::TvmSubject(const TvmOptions& options, std::unique_ptr<HostConnection> connection)
    : connection_(std::move(connection)),
      execute_cpu_seconds_(options.execute_cpu_seconds),
      memory_bytes_(options.memory_bytes),
      host_folder_(host_folder_of(options)),
      plugin_(options.plugin.empty() ? std::string() : fs::absolute(options.plugin).string()),
      version_(text_in(connection_->hello(), "version")) {}

TvmSubject::~TvmSubject() = default;

std::span<const BuildPipeline> TvmSubject::build_pipelines() const { return tvm_build_pipelines(); }

std::vector<TransformReply> TvmSubject::run_pipelines(const Module& module, std::span<const Pipeline> pipelines, const TransformOptions& options) {
  Batch batch(pipelines, deaths_);
  const Bytes source = module_to_cbor(module);
  const Body body = source;
  json request = {{"do", "transform"},
                  {"module", 1},
                  {"snapshots", options.snapshots},
                  {"well_formed", options.subject_well_formed},
                  {"again", options.again},
                  {"together", options.together},
                  {"interprets_constants", options.interprets_constants},
                  {"trusts_types", options.trusts_types}};
  while (!batch.done()) {
    request["pipelines"] = batch.next();
    const Answer answer = connection_->ask(request, {&body, 1}, {options.cpu_seconds, memory_bytes_});
    if (answer.end != Answer::End::lost) {
      batch.settle(answer, options.cpu_seconds);
    } else if (const std::optional<Error> error = connection_->restart()) {
      batch.give_up({"subject.lost", "subject.lost", error->message});
    }
  }
  return batch.take_replies();
}

namespace {

// Sends a request until it is answered: once more if the worker dies, whose death may have another reason, several times if others kill it, and
// again whenever the host is lost and can be started anew.
Answer ask_patiently(HostConnection& connection, const json& request, std::span<const Body> bodies,
                     const HostLimits& limits) {
  bool retried = false;
  int kills = 0;
  for (;;) {
    Answer answer = connection.ask(request, bodies, limits);
    if (answer.end == Answer::End::lost && !connection.restart()) continue;
    const bool again = killed_by_others(answer) ? ++kills < kMostKills : answer.end == Answer::End::died && !std::exchange(retried, true);
    if (!again) return answer;
  }
}

VmReply lost_reply(const HostConnection& connection) {
  VmReply reply;
  reply.answered = false;
  reply.stage = "lost";
  reply.error = {
      "subject.lost", "subject.lost",
      connection.failure() ? connection.failure()->message : "the host keeps dying on this request"};
  return reply;
}

// Whether the call that CodeGenVM cannot emit, "... Offending call:\nR.multiply(x, y)", is one of an elementwise op.
bool offends_elementwise(const std::string& message) {
  static const std::regex call(R"(Offending call:\s*R\.([a-z0-9_.]+)\()");
  std::smatch found;
  if (!std::regex_search(message, found, call)) return false;
  const OpDef* op = find_op("relax." + found[1].str());
  return op != nullptr && op->elementwise;
}

VmReply read_vm_reply(const HostConnection& connection, const Answer& answer) {
  if (answer.end == Answer::End::lost) return lost_reply(connection);
  if (answer.end != Answer::End::reply) return vm_reply_of_death(answer);
  Result<VmReply> reply = vm_reply_from_json(answer.frame.header, answer.frame);
  // What is left of convolutions of blocked layouts after LegalizeOps, which leaves them to the code generators of devices. Of an elementwise op
  // there is code, unless its operands have lost their shapes.
  constexpr std::string_view kNoCode = "CodeGenVM cannot emit this Relax operator directly";
  // All devices are one CPU here: what a call puts on the second is on the first, where code for the second asserts that it is not.
  constexpr std::string_view kNoDevice = ".device_id on argument";
  const auto says = [&](std::string_view stage, std::string_view words) {
    return reply && reply->stage == stage && reply->error.message.find(words) != std::string::npos;
  };
  const bool lacks_code = says("compile", kNoCode) && !offends_elementwise(reply->error.message);
  if (lacks_code || says("run", kNoDevice)) reply->stage = "lower";
  if (reply) return std::move(reply).value();
  VmReply bad;
  bad.answered = false;
  bad.stage = "protocol";
  bad.error = {reply.error().code, reply.error().code, reply.error().message};
  return bad;
}

VmReply refused_options(const Error& error) {
  VmReply reply;
  reply.stage = "transform";
  reply.error = {error.code, error.code, error.message};
  return reply;
}

bool has_packed(const Value& value) {
  if (const TupleValue* tuple = value.as_tuple()) return std::ranges::any_of(tuple->fields, has_packed);
  const TensorPtr* tensor = value.as_tensor();
  return tensor != nullptr && is_packed((*tensor)->dtype);
}

bool has_packed_constant(const GlobalFunction& global) {
  return any_expr(global.function->body, [](const ExprPtr& expr) {
    const auto* constant = as<Constant>(expr);
    return constant != nullptr && is_packed(constant->tensor->dtype);
  });
}

// TVM's runtime packs elements of less than a byte, but its code for CPUs reads a byte for each, and so beyond the tensor's end.
std::optional<VmReply> refusal_of_packed(const TestCase& test) {
  if (std::ranges::none_of(test.arguments, has_packed) && std::ranges::none_of(test.module.functions, has_packed_constant))
    return std::nullopt;
  VmReply reply;
  reply.stage = "lower";
  reply.error = {"PackedElements", "", "TVM's code for CPUs reads beyond tensors whose elements are packed"};
  return reply;
}

}  // namespace

std::optional<VmReply> TvmSubject::execute(const TestCase& test, const Pipeline& pipeline,
                                           const CallPlan& plan, const MachineCode& code) {
  if (!code.without.empty() && !may_be_left_out(*this, code.without)) return std::nullopt;
  const Result<json> calls = pipeline_to_json(pipeline);
  if (!calls) return refused_options(calls.error());
  if (const auto refusal = refusal_of_packed(test)) return refusal;
  std::vector<Bytes> bodies = {module_to_cbor(test.module)};
  json arguments = json::array();
  for (const Value& argument : test.arguments) arguments.push_back(value_for_host(argument, bodies));
  const json request = {{"do", "execute"},
                        {"module", 1},
                        {"pipeline", *calls},
                        {"plan", plan_to_json(plan)},
                        {"optimised", code.optimised},
                        {"without", code.without},
                        {"asserts_bounds", code.asserts_bounds},
                        {"only_compiled", code.only_compiled},
                        {"arguments", std::move(arguments)}};
  const std::vector<Body> views(bodies.begin(), bodies.end());
  return read_vm_reply(
      *connection_, ask_patiently(*connection_, request, views, {execute_cpu_seconds_, memory_bytes_}));
}

// The adapter compares the types that TVM infers with those that a module declares whenever it builds one.
std::optional<bool> TvmSubject::contradicts_types(const Module& module, double cpu_seconds) {
  const std::vector<Pipeline> no_passes(1);
  const auto replies = transform(module, no_passes, {.cpu_seconds = cpu_seconds});
  const auto* build = std::get_if<CannotBuild>(&replies.at(0).result);
  return build != nullptr && build->kind == "TypeDiffers";
}

// Older versions name what it needs otherwise.
bool TvmSubject::analyses_blocks() const { return !is_before_0_27(version_); }

BlockAnalysis TvmSubject::analyse_block(const Module& module, const Pipeline& pipeline, const BlockClaim& claim) {
  const Result<json> calls = pipeline_to_json(pipeline);
  if (!calls) return {};
  const Bytes document = module_to_cbor(module);
  const std::vector<Body> views = {document};
  const json request = {{"do", "analyse"},        {"module", 1},          {"pipeline", *calls},
                        {"function", claim.function}, {"block", claim.block}, {"buffer", claim.buffer}};
  const Answer answer = ask_patiently(*connection_, request, views, {execute_cpu_seconds_, memory_bytes_});
  if (answer.end == Answer::End::lost) return {.contradiction = {}, .answered = false, .error = lost_reply(*connection_).error};
  if (answer.end != Answer::End::reply) return {};
  const auto text = answer.frame.header.find("text");
  if (text == answer.frame.header.end() || !text->is_string()) return {};
  return {.contradiction = text->get<std::string>(), .answered = true, .error = {}};
}

std::optional<CallsReply> TvmSubject::call_functions(const Module& module,
                                                    std::span<const FunctionCall> calls) {
  std::vector<Bytes> bodies = {module_to_cbor(module)};
  json documents = json::array();
  for (const FunctionCall& call : calls) {
    json arguments = json::array();
    for (const Value& argument : call.arguments) arguments.push_back(value_for_host(argument, bodies));
    documents.push_back({{"function", call.function}, {"arguments", std::move(arguments)}});
  }
  const std::vector<Body> views(bodies.begin(), bodies.end());
  const Answer answer = ask_patiently(*connection_, {{"do", "call"}, {"module", 1}, {"calls", std::move(documents)}},
                                      views, {execute_cpu_seconds_, memory_bytes_});
  if (answer.end == Answer::End::reply) {
    Result<CallsReply> reply = calls_reply_from_json(answer.frame, calls.size());
    if (reply) return *std::move(reply);
    return CallsReply{{}, "protocol", {reply.error().code, reply.error().code, reply.error().message}};
  }
  const VmReply failed = read_vm_reply(*connection_, answer);
  return CallsReply{{}, failed.stage, failed.error};
}

std::optional<std::vector<InferReply>> TvmSubject::infer_types(std::span<const Module> modules) {
  std::vector<Bytes> documents;
  std::vector<Body> bodies;
  json parts = json::array();
  for (const Module& module : modules) {
    documents.push_back(module_to_cbor(module));
    parts.push_back(documents.size());
  }
  bodies.assign(documents.begin(), documents.end());
  const Answer answer = ask_patiently(*connection_, {{"do", "infer"}, {"modules", std::move(parts)}}, bodies,
                                      {execute_cpu_seconds_, memory_bytes_});
  if (answer.end == Answer::End::reply) return infer_replies_from_json(answer.frame, modules.size());
  if (modules.size() > 1 && answer.end != Answer::End::lost) {  // which of them is it?
    auto replies = infer_types(modules.first(modules.size() / 2));
    const auto rest = infer_types(modules.subspan(modules.size() / 2));
    replies->insert(replies->end(), rest->begin(), rest->end());
    return replies;
  }
  return std::vector<InferReply>(modules.size(), {std::nullopt, read_vm_reply(*connection_, answer).error});
}

std::optional<std::vector<std::string>> TvmSubject::op_names() {
  const Answer answer = ask_patiently(*connection_, {{"do", "ops"}}, {}, {execute_cpu_seconds_, memory_bytes_});
  std::vector<std::string> names;
  if (answer.end != Answer::End::reply) return names;
  for (const json& name : answer.frame.header.value("ops", json::array())) {
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return names;
}

std::optional<std::string> TvmSubject::repro_script(const ReproRequest& request) {
  const auto unknown = [this](const PassCall& call) { return find_pass(*this, call.name) == nullptr; };
  if (std::ranges::any_of(request.pipeline, unknown)) return std::nullopt;
  ReproFacts facts = repro_facts(*this, request);
  facts.plugin.file = plugin_;
  facts.define_asserted = definitions_of(host_folder_ / "host_bounds.py", "class ");
  facts.define_threadless = definition_of(host_folder_ / "host_threads.py", "def without_threads(");
  if (const std::optional<BlockClaim> claim = block_claim(request.detail))
    facts.define_analysis = definition_of(host_folder_ / "host_blocks.py", fmt::format("def {}(", analysis_of(*claim)));
  Result<std::string> script = tvm_repro_script(request, facts);
  return script ? std::optional(*std::move(script)) : std::nullopt;
}

std::string TvmSubject::documented_promise(std::string_view symptom, std::string_view site) const {
  return tvm_documented_promise(symptom, site);
}

std::int64_t TvmSubject::restarts() const {
  return connection_->restarts();
}

Result<std::unique_ptr<Subject>> make_tvm_subject(const TvmOptions& options) {
  return std::unique_ptr<Subject>(TRY(TvmSubject::start(options)));
}

}  // namespace passdiff
