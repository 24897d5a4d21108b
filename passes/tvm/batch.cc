#include "passes/tvm/batch.h"

#include <algorithm>
#include <utility>

#include "passes/tvm/documents.h"

namespace passdiff {
namespace {

using nlohmann::json;

TransformReply failed(decltype(TransformReply::result) result, int pass_index) {
  TransformReply reply;
  reply.result = std::move(result);
  reply.pass_index = pass_index;
  return reply;
}

// The reply for a pipeline that was alone in its request when the worker died.
TransformReply verdict_of_death(const Answer& answer, double cpu_seconds) {
  const int pass = answer.progress ? answer.progress->pass : 0;
  switch (answer.end) {
    case Answer::End::timeout: {
      TransformReply reply = failed(Timeout{cpu_seconds}, pass);
      reply.seconds_in_pass = cpu_seconds;
      return reply;
    }
    case Answer::End::memory:
      return failed(MemoryExceeded{}, pass);
    default:
      break;
  }
  if (answer.signal == "SIGKILL") return failed(MemoryExceeded{}, pass);
  return failed(Crash{answer.signal, crash_site(answer.printed)}, pass);
}

// A pass in which no worker died in so many batches, some two hundred cases, is no deadlier than others.
constexpr std::int64_t kRemembered = 1000;

// The latest batch in which a worker died in a pass of the pipeline; 0 if that is long ago, or never was.
std::int64_t latest_death(const Pipeline& pipeline, const Deaths& deaths) {
  std::int64_t latest = 0;
  for (const PassCall& call : pipeline) {
    const auto found = deaths.latest.find(call.name);
    if (found != deaths.latest.end()) latest = std::max(latest, found->second);
  }
  return deaths.batches - latest < kRemembered ? latest : 0;
}

}  // namespace

CannotBuild cannot_build(const Answer& answer) {
  switch (answer.end) {
    case Answer::End::timeout:
      return {"timeout", "timeout", "the worker took too long to build the module"};
    case Answer::End::memory:
      return {"memory", "memory", "the worker took too much memory to build the module"};
    default:
      break;
  }
  const std::string site = crash_site(answer.printed);
  return {"crash", site.empty() ? answer.signal : answer.signal + "@" + site,
          "the worker died while it built the module"};
}

Batch::Batch(std::span<const Pipeline> pipelines, Deaths& deaths)
    : pipelines_(pipelines), documents_(pipelines.size()), replies_(pipelines.size()), deaths_(deaths) {
  ++deaths.batches;
  std::vector<std::size_t> harmless, deadly;
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    Result<json> document = pipeline_to_json(pipelines[i]);
    if (document) {
      documents_[i] = std::move(document).value();
      (latest_death(pipelines[i], deaths) == 0 ? harmless : deadly).push_back(i);
    } else {
      const Error& error = document.error();
      replies_[i] = failed(Refused{error.code, error.code, error.message}, 0);
    }
  }
  std::ranges::sort(deadly, {}, [&](std::size_t index) { return std::pair(latest_death(pipelines[index], deaths), index); });
  for (std::vector<std::size_t>* request : {&harmless, &deadly})
    if (!request->empty()) requests_.push_back(std::move(*request));
}

json Batch::next() {
  sent_alone_ = !alone_.empty();
  sent_ = sent_alone_ ? std::vector<std::size_t>{alone_.front()} : requests_.front();
  json pipelines = json::array();
  for (const std::size_t index : sent_) pipelines.push_back(documents_[index]);
  return pipelines;
}

void Batch::forget_sent() {
  if (sent_alone_) {
    alone_.pop_front();
  } else {
    requests_.pop_front();
  }
}

void Batch::remove_from_requests(const std::function<bool(std::size_t)>& is_settled) {
  for (std::vector<std::size_t>& request : requests_) std::erase_if(request, is_settled);
  std::erase_if(requests_, [](const std::vector<std::size_t>& request) { return request.empty(); });
}

void Batch::answer_sent(const CannotBuild& reason) {
  for (const std::size_t index : sent_) replies_[index] = failed(reason, 0);
  forget_sent();
}

void Batch::give_up(const CannotBuild& reason) {
  for (const std::vector<std::size_t>& request : requests_)
    for (const std::size_t index : request) replies_[index] = failed(reason, 0);
  for (const std::size_t index : alone_) replies_[index] = failed(reason, 0);
  requests_.clear();
  alone_.clear();
}

void Batch::settle(const Answer& answer, double cpu_seconds) {
  if (answer.end == Answer::End::reply) {
    read_results(answer);
  } else {
    settle_death(answer, cpu_seconds);
  }
}

void Batch::read_results(const Answer& answer) {
  const json& header = answer.frame.header;
  if (const auto built = header.find("built"); built != header.end() && *built == false) {
    const auto error = header.find("error");
    Refused refused = error_from_json(error != header.end() ? *error : json());
    give_up({std::move(refused.kind), std::move(refused.site), std::move(refused.message)});
    return;
  }
  const auto results = header.find("results");
  if (results == header.end() || !results->is_array() || results->size() != sent_.size()) {
    answer_sent(
        {"subject.protocol", "subject.protocol", "TVM host: a reply with the wrong number of results"});
    return;
  }
  ReadModules read;
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    const std::size_t index = sent_[i];
    Result<TransformReply> reply =
        result_from_json((*results)[i], answer.frame, static_cast<int>(pipelines_[index].size()), read);
    if (reply) {
      replies_[index] = std::move(reply).value();
    } else {
      const Error& error = reply.error();
      replies_[index] = failed(CannotBuild{error.code, error.code, error.message}, 0);
    }
  }
  forget_sent();
}

void Batch::settle_death(const Answer& answer, double cpu_seconds) {
  const bool named = answer.progress && answer.progress->pipeline >= 0 &&
                     static_cast<std::size_t>(answer.progress->pipeline) < sent_.size();
  if (!named) {
    const bool again = killed_by_others(answer) ? ++build_kills_ < kMostKills : !std::exchange(build_retried_, true);
    if (!again) give_up(cannot_build(answer));
    return;
  }
  const std::size_t culprit = sent_[static_cast<std::size_t>(answer.progress->pipeline)];
  // A deadline is each pipeline's own. Memory that is corrupt or used up may be the doing of one before it.
  if (!sent_alone_ && answer.end == Answer::End::timeout) {
    replies_[culprit] = verdict_of_death(answer, cpu_seconds);
    remove_from_requests([&](std::size_t index) { return index == culprit; });
    settle_alike(culprit);
    return;
  }
  if (!sent_alone_) {
    alone_.push_back(culprit);
    remove_from_requests([&](std::size_t index) { return index == culprit; });
    return;
  }
  if (killed_by_others(answer) && ++kills_[culprit] < kMostKills) return;
  replies_[culprit] = verdict_of_death(answer, cpu_seconds);
  forget_sent();
  settle_alike(culprit);
}

// Notes the death of a worker at the pipeline, and gives its reply to those that begin with the same passes, the fatal one included.
void Batch::settle_alike(std::size_t culprit) {
  const auto fatal = static_cast<std::size_t>(replies_[culprit].pass_index) + 1;
  const Pipeline& dead = pipelines_[culprit];
  if (fatal <= dead.size()) deaths_.latest[dead[fatal - 1].name] = deaths_.batches;
  remove_from_requests([&](std::size_t index) {
    const Pipeline& other = pipelines_[index];
    if (other.size() < fatal || dead.size() < fatal || !std::equal(other.begin(), other.begin() + static_cast<std::ptrdiff_t>(fatal), dead.begin()))
      return false;
    replies_[index] = replies_[culprit];
    replies_[index].seconds_in_pass = 0;
    return true;
  });
}

}  // namespace passdiff
