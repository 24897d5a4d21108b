# The libraries that the fuzz targets need, as headers alone, under the names that the packages give them: nothing is linked but the
# standard library, so that a target runs wherever it is copied to. The headers are sought where CMAKE_INCLUDE_PATH says, which
# fuzz/oss-fuzz/build.sh sets, and then in the system's folders.
function(passdiff_headers_alone NAME HEADER)
  string(MAKE_C_IDENTIFIER ${NAME}_INCLUDE folder)
  find_path(${folder} ${HEADER} REQUIRED)
  add_library(${NAME} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${NAME} SYSTEM INTERFACE ${${folder}})
endfunction()
passdiff_headers_alone(nlohmann_json::nlohmann_json nlohmann/json.hpp)
passdiff_headers_alone(fmt::fmt fmt/format.h)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
passdiff_headers_alone(xtl xtl/xsequence.hpp)

# xtensor 0.26 has put its headers into folders: one of the old name stands for the new one.
find_path(XTENSOR_FOLDERS_INCLUDE xtensor/containers/xarray.hpp)
if(XTENSOR_FOLDERS_INCLUDE)
  add_library(xtensor INTERFACE IMPORTED GLOBAL)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/xtensor_names/xtensor/xarray.hpp CONTENT "#include <xtensor/containers/xarray.hpp>\n")
  target_include_directories(xtensor SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/xtensor_names ${XTENSOR_FOLDERS_INCLUDE})
  set(XTENSOR_MATCHES_RELAXED ON)
else()
  passdiff_headers_alone(xtensor xtensor/xarray.hpp)
endif()
target_link_libraries(xtensor INTERFACE xtl)
