// The only door to xtensor: an upgrade of the library touches this file alone.
#pragma once

#include <xtensor/xarray.hpp>
