#include "fuzz/cases/mutate.h"

#include <algorithm>
#include <utility>

#include <xxhash.h>

namespace passdiff {
namespace {

using Bytes = std::vector<std::uint8_t>;

// The size of a fresh input, and how many bytes are kept behind the last one that the generator read, for modules that
// grow.
constexpr std::size_t kFreshBytes = 768;
constexpr std::size_t kSpareBytes = 64;
// About as many bytes as one step of the generator reads.
constexpr std::size_t kFreshStep = 12;
// How many layouts are remembered: more than a corpus of some minutes has inputs.
constexpr std::size_t kRemembered = 1 << 14;

using Step = std::span<const std::uint8_t>;

// An input taken apart: the bytes before the first step, and the bytes of each step up to the next. Steps are views of
// inputs, or of byte strings that `changed` owns.
struct Parts {
  Bytes head;
  std::vector<Step> steps;
  std::vector<Bytes> changed;

  Step keep(Bytes bytes) { return changed.emplace_back(std::move(bytes)); }
};

Parts take_apart(std::span<const std::uint8_t> input, const InputLayout& layout) {
  const std::span<const std::uint8_t> module = module_bytes(input);
  const std::size_t first = layout.steps.empty() ? layout.end : layout.steps.front();
  Parts parts;
  parts.steps.reserve(layout.steps.size() + 8);  // edits insert a few
  const auto head = input.first(input.size() - module.size() + first);
  parts.head.assign(head.begin(), head.end());
  for (std::size_t i = 0; i < layout.steps.size(); ++i) {
    const std::size_t begin = layout.steps[i];
    const std::size_t end = i + 1 < layout.steps.size() ? layout.steps[i + 1] : layout.end;
    parts.steps.push_back(module.subspan(begin, end - begin));
  }
  return parts;
}

Bytes put_together(const Parts& parts, std::size_t max_size) {
  std::size_t size = parts.head.size();
  for (const Step& step : parts.steps) size += step.size();
  Bytes bytes;
  bytes.reserve(size);
  bytes.insert(bytes.end(), parts.head.begin(), parts.head.end());
  for (const Step& step : parts.steps) bytes.insert(bytes.end(), step.begin(), step.end());
  bytes.resize(std::min(bytes.size(), max_size));
  return bytes;
}

class InputEdits {
 public:
  explicit InputEdits(std::uint64_t seed)
      : random_bytes_(campaign_bytes(seed, 0, 64)), choices_(random_bytes_), seed_(seed) {}

  Bytes fresh(std::size_t size) const { return campaign_bytes(seed_, 1, size); }

  void mutate(Parts& parts) {
    using Edit = void (InputEdits::*)(Parts&);
    static constexpr Edit kEdits[] = {&InputEdits::change_step,   &InputEdits::change_pipeline, &InputEdits::change_head,
                                      &InputEdits::remove_step,   &InputEdits::repeat_step,     &InputEdits::insert_step,
                                      &InputEdits::exchange_steps};
    static constexpr unsigned kWeights[] = {6, 4, 1, 2, 2, 3, 1};
    const std::size_t edits = 1 + choices_.index(3);
    for (std::size_t i = 0; i < edits; ++i) (this->*kEdits[choices_.weighted(kWeights)])(parts);
  }

  void cross(Parts& parts, const Parts& other) {
    if (other.steps.empty()) return;
    const std::size_t count = 1 + choices_.index(std::min<std::size_t>(other.steps.size(), 6));
    const std::size_t from = choices_.index(other.steps.size() - count + 1);
    const auto first = other.steps.begin() + static_cast<std::ptrdiff_t>(from);
    parts.steps.insert(place(parts), first, first + static_cast<std::ptrdiff_t>(count));
  }

 private:
  void change_byte(Bytes& bytes, std::size_t begin, std::size_t end) {
    if (begin >= end) return;
    std::uint8_t& byte = bytes[begin + choices_.index(end - begin)];
    switch (choices_.index(3)) {
      case 0:
        byte = static_cast<std::uint8_t>(byte + 1 + choices_.index(4));
        break;
      case 1:
        byte ^= static_cast<std::uint8_t>(1u << choices_.index(8));
        break;
      default:
        byte = static_cast<std::uint8_t>(choices_.index(256));
        break;
    }
  }
  void change_step(Parts& parts) {
    if (parts.steps.empty()) return;
    Step& step = parts.steps[choices_.index(parts.steps.size())];
    Bytes bytes(step.begin(), step.end());
    change_byte(bytes, 0, bytes.size());
    step = parts.keep(std::move(bytes));
  }
  // Half of the time the whole pipeline changes: a module that covers something new in one pass may do so in others.
  void change_pipeline(Parts& parts) {
    if (choices_.flip()) {
      const Bytes drawn = campaign_bytes(seed_, 3, std::min(parts.head.size(), kPipelineBytes));
      std::copy(drawn.begin(), drawn.end(), parts.head.begin());
      return;
    }
    change_byte(parts.head, 0, std::min(parts.head.size(), kPipelineBytes));
  }
  void change_head(Parts& parts) { change_byte(parts.head, kPipelineBytes, parts.head.size()); }
  void remove_step(Parts& parts) {
    if (!parts.steps.empty())
      parts.steps.erase(parts.steps.begin() +
                        static_cast<std::ptrdiff_t>(choices_.index(parts.steps.size())));
  }
  void repeat_step(Parts& parts) {
    if (parts.steps.empty()) return;
    const Step step = parts.steps[choices_.index(parts.steps.size())];
    parts.steps.insert(place(parts), step);
  }
  void insert_step(Parts& parts) {
    const Step step = parts.keep(campaign_bytes(seed_, 2, kFreshStep));
    parts.steps.insert(place(parts), step);
  }
  void exchange_steps(Parts& parts) {
    if (parts.steps.size() < 2) return;
    std::swap(parts.steps[choices_.index(parts.steps.size())],
              parts.steps[choices_.index(parts.steps.size())]);
  }

  std::vector<Step>::iterator place(Parts& parts) {
    return parts.steps.begin() + static_cast<std::ptrdiff_t>(choices_.index(parts.steps.size() + 1));
  }

  Bytes random_bytes_;
  Choices choices_;
  std::uint64_t seed_;
};

bool is_too_short(std::span<const std::uint8_t> input) {
  return input.size() < 2 * kPipelineBytes;
}

}  // namespace

std::span<const std::uint8_t> pipeline_bytes(std::span<const std::uint8_t> input) {
  return input.first(std::min(input.size(), kPipelineBytes));
}
std::span<const std::uint8_t> module_bytes(std::span<const std::uint8_t> input) {
  return input.subspan(std::min(input.size(), kPipelineBytes));
}

InputMutator::InputMutator(GenerateOptions options) : options_(std::move(options)), slots_(kRemembered) {}

TestCase InputMutator::make_case(std::span<const std::uint8_t> input) {
  const std::uint64_t hash = XXH3_64bits(input.data(), input.size());
  const std::span<const std::uint8_t> module = module_bytes(input);
  Slot& slot = slot_of(hash);
  slot.hash = hash;
  std::vector<std::size_t>& steps = slot.layout.steps;
  steps.clear();
  Choices choices(module);
  choices.record_units(&steps);
  TestCase test = generate_test_case(choices, options_);
  // Of the bytes that the generator does not read, kSpareBytes are kept.
  slot.layout.end = std::min(module.size(), choices.consumed() + kSpareBytes);
  std::erase_if(steps, [&](std::size_t at) { return at >= slot.layout.end; });
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return test;
}

const InputLayout& InputMutator::layout_of(std::span<const std::uint8_t> input) {
  const std::uint64_t hash = XXH3_64bits(input.data(), input.size());
  if (slot_of(hash).hash != hash) make_case(input);
  return slot_of(hash).layout;
}

std::span<const std::uint8_t> InputMutator::trimmed(std::span<const std::uint8_t> input) {
  return input.first(input.size() - module_bytes(input).size() + layout_of(input).end);
}

Bytes InputMutator::mutate(std::span<const std::uint8_t> input, std::size_t max_size, std::uint64_t seed) {
  InputEdits edits(seed);
  // A fresh input now and then: the swarm configurations that the first inputs drew must not rule the whole search.
  if (is_too_short(input) || seed % 16 == 0) return edits.fresh(std::min(max_size, kFreshBytes));
  Parts parts = take_apart(input, layout_of(input));
  edits.mutate(parts);
  return put_together(parts, max_size);
}

Bytes InputMutator::cross(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                          std::size_t max_size, std::uint64_t seed) {
  if (is_too_short(first) || is_too_short(second)) return mutate(first, max_size, seed);
  Parts parts = take_apart(first, layout_of(first));
  InputEdits(seed).cross(parts, take_apart(second, layout_of(second)));
  return put_together(parts, max_size);
}

}  // namespace passdiff
