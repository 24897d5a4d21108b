#include "core/gen/idioms.h"

#include "core/gen/generate.h"

namespace passdiff {

std::span<const Idiom> idiom_table() {
  static const std::vector<Idiom> all = joined_idioms();
  return all;
}

std::vector<IdiomInfo> all_idioms() {
  std::vector<IdiomInfo> infos;
  for (const Idiom& idiom : idiom_table()) infos.push_back({idiom.name, idiom.summary});
  return infos;
}

}  // namespace passdiff
