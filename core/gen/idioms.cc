#include "core/gen/idioms.h"

#include <vector>

#include "core/gen/generate.h"

namespace passdiff {

std::span<const Idiom> idiom_table() {
  static const std::vector<Idiom> all = [] {
    std::vector<Idiom> joined;
    for (const std::span<const Idiom> file :
         {matmul_idioms(), matmul_form_idioms(), layout_idioms(), sharing_idioms(), indexing_idioms(),
          network_idioms(), structure_idioms(), call_idioms()}) {
      joined.insert(joined.end(), file.begin(), file.end());
    }
    return joined;
  }();
  return all;
}

std::vector<IdiomInfo> all_idioms() {
  std::vector<IdiomInfo> infos;
  for (const Idiom& idiom : idiom_table()) infos.push_back({idiom.name, idiom.summary});
  return infos;
}

}  // namespace passdiff
