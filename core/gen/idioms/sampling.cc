// Idioms of ops that a pass of TVM's back ends lowers by itself.
#include "core/gen/graph_builder.h"
#include "core/gen/idioms.h"
#include "core/ops/op.h"

namespace passdiff {
namespace {

// Samples of a distribution, and what is computed of them.
void samples(Choices& choices, GraphBuilder& graph) {
  constexpr int kTries = 3;  // what is in scope may be no distribution
  ExprPtr drawn;
  for (int i = 0; i < kTries && drawn == nullptr; ++i) drawn = graph.draw_call(choices, *find_op("relax.multinomial_from_uniform"));
  graph.call("relax.add", {drawn, drawn});
}

}  // namespace

std::vector<Idiom> sampling_idioms() {
  return {
      {.name = "samples",
       .summary = "samples of a distribution",
       .weight = 1,
       .make = samples,
       .passes = {"DispatchSampling"}},
  };
}

}  // namespace passdiff
