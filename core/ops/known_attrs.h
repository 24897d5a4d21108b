// Attributes of the ops that passes and the interpreter look into. All others stand in the file of their op.
#pragma once

#include "core/ops/attributes.h"

namespace passdiff {

// What an index outside [0, size) means (topi/transform.h, measured). fast: read out of bounds, negative ones too. clip: the
// nearest end. wrap: modulo the size, negative ones from the end. nan: NaN, for negative ones too.
enum class TakeMode : std::uint8_t { fast, clip, wrap, nan };
constexpr std::array<std::string_view, 4> words_of(TakeMode) {
  return {"fast", "clip", "wrap", "nan"};
}
struct TakeAttrs {
  std::optional<std::int64_t> axis;
  TakeMode mode = TakeMode::fast;
  static constexpr auto fields() {
    return std::tuple(field("axis", &TakeAttrs::axis), field("mode", &TakeAttrs::mode));
  }
};

struct MatmulAttrs {
  std::optional<DType> out_dtype;
  static constexpr auto fields() { return std::tuple(field("out_dtype", &MatmulAttrs::out_dtype)); }
};

struct HintOnDeviceAttrs {
  DeviceRef dst_vdevice;
  std::string memory_scope = "global";
  static constexpr auto fields() {
    return std::tuple(required("dst_vdevice", &HintOnDeviceAttrs::dst_vdevice),
                      field("memory_scope", &HintOnDeviceAttrs::memory_scope));
  }
};

// For each result of an in-place call, the index of the argument whose memory it takes; -1: it has memory of its own.
struct InplaceAttrs {
  Ints inplace_indices;
  static constexpr auto fields() {
    return std::tuple(required("inplace_indices", &InplaceAttrs::inplace_indices));
  }
};

}  // namespace passdiff
