// What nearly every file includes, parsed once for all of them (cmake/precompiled.cmake). Files include all that they use nevertheless.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/ir/module.h"
#include "core/ir/walk.h"
#include "core/ops/scope.h"
#include "core/tensor/tensor.h"
