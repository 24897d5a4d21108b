#include "fuzz/conform/known.h"

namespace passdiff {
std::vector<KnownDisagreement> sampling_known() {
  return {{.op = "relax.multinomial_from_uniform",
           .kind = Disagree::refusal,
           .why = "DispatchSampling alone lowers it, which the pipeline that relax.build runs leaves out",
           .explains = is_not_lowered}};
}

}  // namespace passdiff
