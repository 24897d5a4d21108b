#include "fuzz/conform/op_run.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/text/text.h"
#include "fuzz/conform/compiled.h"
#include "fuzz/conform/texts.h"
#include "fuzz/conform/types.h"

namespace passdiff {
namespace {

// Rules that mostly propose nothing are asked so many times for each call that is wanted.
constexpr int kTries = 8;

const char* class_name(double v) {
  return std::isnan(v)   ? "nan"
         : std::isinf(v) ? (v > 0 ? "inf" : "-inf")
         : v == 0        ? (std::signbit(v) ? "-0" : "0")
                         : "a number";
}

// What differences look like, without the numbers.
std::string symptom_of(const Conformity& conformity) {
  if (!conformity.form.empty()) return "form";
  const ElementDifference& first = conformity.elements.front();
  const std::string ours = class_name(first.ours);
  const std::string theirs = class_name(first.theirs);
  return ours == theirs ? "values" : ours + " against " + theirs;
}

class OpRun {
 public:
  OpRun(Subject& subject, const OpDef& op, const ConformOptions& options)
      : subject_(subject), options_(options) {
    result_.op = op.name;
    for (std::uint64_t i = 0; calls_.size() < wanted() && i < wanted() * kTries; ++i) {
      if (auto call = draw_call(op, options.seed, i)) calls_.push_back(*std::move(call));
    }
    result_.calls = static_cast<int>(calls_.size());
  }

  OpConformance run(const std::atomic<bool>& stop) {
    const auto size = static_cast<std::size_t>(options_.batch);
    for (std::size_t first = 0; first < calls_.size() && !stop; first += size)
      run_batch(std::span(calls_).subspan(first, std::min(size, calls_.size() - first)));
    return std::move(result_);
  }

 private:
  std::size_t wanted() const { return static_cast<std::size_t>(options_.calls); }

  void run_batch(std::span<const DrawnCall> calls) {
    const std::vector<bool> typed = judge_types(calls);
    std::vector<const DrawnCall*> executed;
    std::vector<const TestCase*> tests;
    std::vector<Value> ours;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      Outcome outcome = evaluate(calls[i]);
      auto* returned = std::get_if<Returned>(&outcome);
      if (returned == nullptr || !returned->overflows.empty() || returned->from_nothing) {
        ++result_.undefined;
      } else if (typed[i]) {
        executed.push_back(&calls[i]);
        tests.push_back(&calls[i].test);
        ours.push_back(std::move(returned->value));
      } else {
        ++result_.refused;
      }
    }
    const std::vector<VmReply> replies = run_compiled(subject_, tests);
    for (std::size_t i = 0; i < executed.size(); ++i) judge(*executed[i], ours[i], replies[i]);
  }

  void judge(const DrawnCall& call, const Value& ours, const VmReply& reply) {
    if (!reply.value) {
      const bool explained = note(call, Disagree::refusal, reply.stage + " " + reply.error.site, start_of(reply.error.message), {});
      explained ? ++result_.explained : ++result_.refused;
      return;
    }
    const Conformity conformity = compare_results(call, ours, *reply.value);
    if (!conformity.agrees()) {
      const bool explained =
          note(call, Disagree::value, symptom_of(conformity), conformity.detail(), conformity);
      explained ? ++result_.explained : ++result_.value;
    } else if (conformity.undetermined > 0) {
      ++result_.undetermined;
    } else {
      ++result_.agreed;
    }
  }

  // Compares the types of the calls and of their variants. Whether the subject can be given each call with
  // our type.
  std::vector<bool> judge_types(std::span<const DrawnCall> calls) {
    std::vector<TypedCall> all;
    std::vector<std::size_t> first;  // of each call, among all
    for (const DrawnCall& call : calls) {
      first.push_back(all.size());
      const auto bytes = campaign_bytes(options_.seed, call.index, 128);
      Choices choices(bytes);
      std::vector<TypedCall> variants = typed_variants(choices, call);
      if (!options_.variants) variants.resize(1, variants.front());
      for (TypedCall& variant : variants) all.push_back(std::move(variant));
    }
    const std::vector<TypeAgreement> types = compare_types(subject_, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      ++result_.typed;
      if (types[i].agrees()) continue;
      const bool explained = note(all[i].call, Disagree::type, types[i].symptom, start_of(types[i].detail), {});
      if (!explained) ++result_.type;
    }
    std::vector<bool> compatible;
    for (const std::size_t i : first) compatible.push_back(types[i].compatible);
    return compatible;
  }

  // Files the disagreement with those that look like it; true if it is explained.
  bool note(const DrawnCall& call, Disagree kind, const std::string& symptom, const std::string& detail,
            const Conformity& conformity) {
    const std::string why(explanation_of(call, kind, conformity, detail));
    const std::string dtypes = kind == Disagree::value ? dtypes_of(call) : std::string();
    auto& all = result_.disagreements;
    auto found = std::find_if(all.begin(), all.end(), [&](const Disagreement& d) {
      return d.kind == kind && d.symptom == symptom && d.why == why && (d.dtypes == dtypes || !why.empty());
    });
    if (found == all.end()) {
      all.push_back(
          {result_.op, kind, symptom, dtypes, detail, to_string(call), why, 0, call.index, call.test});
      found = all.end() - 1;
    }
    ++found->count;
    return !why.empty();
  }

  Subject& subject_;
  const ConformOptions& options_;
  std::vector<DrawnCall> calls_;
  OpConformance result_;
};

}  // namespace

OpConformance conform_op(Subject& subject, const OpDef& op, const ConformOptions& options,
                         const std::atomic<bool>& stop) {
  return OpRun(subject, op, options).run(stop);
}

CallReport conform_call(Subject& subject, const DrawnCall& call) {
  CallReport report{to_string(call) + "\n", true};
  const auto add = [&](std::string_view name, std::string_view text) {
    report.text += fmt::format("{:<12}{}\n", name, text);
  };
  const auto differ = [&](Disagree kind, const Conformity& conformity, const std::string& detail) {
    const std::string_view why = explanation_of(call, kind, conformity, detail);
    add("", detail);
    if (!why.empty()) add("known:", why);
    report.agrees &= !why.empty();
  };
  for (const Value& operand : call.operands) add("operand:", to_string(operand, 64));
  const TypedCall typed{call, infer_call(*call.op, as<Call>(call.call)->args, as<Call>(call.call)->attrs)};
  const TypeAgreement types = compare_types(subject, std::span(&typed, 1)).at(0);
  add("type:", types.agrees() ? to_string(call.call->type) : types.symptom);
  if (!types.agrees()) differ(Disagree::type, {}, types.detail);
  if (call.test.arguments.size() < call.test.module.find(call.test.entry)->function->params.size())
    return report;
  const Outcome outcome = evaluate(call);
  const auto* returned = std::get_if<Returned>(&outcome);
  add("here:", returned == nullptr ? to_string(outcome) : to_string(returned->value, 64));
  if (returned != nullptr && !returned->overflows.empty())
    add("", "an integer overflows, so that any result will do");
  if (returned != nullptr && returned->from_nothing)
    add("", "made of no elements: compiled code leaves memory as it was");
  if (!types.compatible) return report;
  const TestCase* const calls[] = {&call.test};
  const VmReply reply = run_compiled(subject, calls).at(0);
  add("compiled:", reply.value ? to_string(*reply.value, 64) : reply.stage + " fails: " + reply.error.site);
  if (!reply.value) {
    differ(Disagree::refusal, {}, start_of(reply.error.message));
  } else if (returned != nullptr && returned->overflows.empty() && !returned->from_nothing) {
    const Conformity conformity = compare_results(call, returned->value, *reply.value);
    if (!conformity.agrees()) differ(Disagree::value, conformity, conformity.detail());
    if (conformity.undetermined > 0)
      add("",
          fmt::format("{} elements are finite or not by the operands' last bits", conformity.undetermined));
  }
  return report;
}

}  // namespace passdiff
