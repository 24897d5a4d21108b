#include "core/text/parser/names.h"

#include <utility>

namespace passdiff {

const NameMeaning* NameTable::find(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : &found->second;
}

void NameTable::set_meaning(std::string_view name, NameMeaning meaning) {
  const auto found = names_.find(name);
  if (found == names_.end()) {
    hidden_.push_back({std::string(name), std::nullopt});
    names_.emplace(std::string(name), std::move(meaning));
  } else {
    hidden_.push_back({std::string(name), std::exchange(found->second, std::move(meaning))});
  }
}

void NameTable::close(std::size_t mark) {
  for (; hidden_.size() > mark; hidden_.pop_back()) {
    Hidden& last = hidden_.back();
    const auto found = names_.find(last.name);
    if (last.before) {
      found->second = std::move(*last.before);
    } else {
      names_.erase(found);
    }
  }
}

}  // namespace passdiff
