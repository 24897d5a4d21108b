#include "fuzz/conform/known.h"

namespace passdiff {
std::vector<KnownDisagreement> device_known() {
  return {{.op = "relax.hint_on_device",
           .kind = Disagree::refusal,
           .why = "nothing but RealizeVDevice, which replaces the hint, lowers it: TVM compiles no module "
                  "that holds one",
           .explains = is_not_lowered}};
}

}  // namespace passdiff
