#include "fuzz/conform/compiled.h"

#include <algorithm>
#include <string>

namespace passdiff {
namespace {

// The calls with virtual devices go in a module of their own, since a module's devices are those of all its
// functions.
bool has_devices(const TestCase* call) {
  return !call->module.vdevices.empty();
}

class Compiled {
 public:
  Compiled(Subject& subject, std::span<const TestCase* const> calls) : subject_(subject), calls_(calls), replies_(calls.size()) {}

  std::vector<VmReply> replies() {
    std::vector<std::size_t> plain, placed;
    for (std::size_t i = 0; i < calls_.size(); ++i) (has_devices(calls_[i]) ? placed : plain).push_back(i);
    run(plain);
    run(placed);
    return std::move(replies_);
  }

 private:
  void run(std::span<const std::size_t> some) {
    if (some.empty()) return;
    Module module;
    std::vector<FunctionCall> requests;
    for (const std::size_t i : some) {
      const TestCase& test = *calls_[i];
      const std::string name = "call_" + std::to_string(i);
      if (const GlobalPrimFunc* prim_func = test.module.find_prim_func(test.entry)) {
        module.prim_funcs.push_back({name, prim_func->function});
      } else {
        module.functions.push_back({name, test.module.functions[0].function});
      }
      module.vdevices = test.module.vdevices;
      requests.push_back({name, test.arguments});
    }
    const auto reply = subject_.call_functions(module, requests);
    CHECK(reply.has_value()) << subject_.name() << " has no machine";
    if (reply->results.size() == some.size()) {
      for (std::size_t k = 0; k < some.size(); ++k) replies_[some[k]] = reply->results[k];
    } else if (some.size() == 1) {
      replies_[some[0]] = {std::nullopt, reply->stage, reply->error};
    } else {
      run(some.first(some.size() / 2));
      run(some.subspan(some.size() / 2));
    }
  }

  Subject& subject_;
  std::span<const TestCase* const> calls_;
  std::vector<VmReply> replies_;
};

}  // namespace

std::vector<VmReply> run_compiled(Subject& subject, std::span<const TestCase* const> calls) {
  return Compiled(subject, calls).replies();
}

}  // namespace passdiff
