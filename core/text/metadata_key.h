// Objects that attributes hold and that have no form here.
#pragma once

#include <string_view>

namespace passdiff {

// Such an object, as a compiled module, is a map of this key to where TVMScript finds it: metadata["ffi.Module"][0] is
// {"$metadata": ["ffi.Module", 0]}. It prints and parses; a compiler that is given the module gets the map.
inline constexpr std::string_view kMetadataKey = "$metadata";

// A target, T.target({"kind": "llvm"}), is a map of this key to the target's own map.
inline constexpr std::string_view kTargetKey = "$target";

}  // namespace passdiff
