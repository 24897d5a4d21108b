if(PASSDIFF_ENGINE)
  include(${CMAKE_CURRENT_LIST_DIR}/headers_alone.cmake)
else()
  # All of these are Debian packages: see scripts/setup.
  find_package(xtensor 0.24.3 REQUIRED)
  find_package(nlohmann_json 3.11 REQUIRED)
  find_package(rapidcheck REQUIRED)
  find_package(GTest REQUIRED)
  find_package(CLI11 2.1 REQUIRED)
  find_package(fmt 9 REQUIRED)
endif()
find_package(Threads REQUIRED)

find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
add_library(xxhash INTERFACE)
target_include_directories(xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
target_compile_definitions(xxhash INTERFACE XXH_INLINE_ALL)

# From C++17 on, template template matching makes xt::svector<T, 4> look like an array of four: clang then rejects
# xt::xarray, gcc compiles it wrongly. Every use of xtensor goes through this target: mixed flags would mix ABIs. xtensor 0.26 has
# mended that, and clang 21 has no such flag any more.
add_library(xtensor_safe INTERFACE)
target_link_libraries(xtensor_safe INTERFACE xtensor)
if(NOT XTENSOR_MATCHES_RELAXED)
  target_compile_options(xtensor_safe INTERFACE
    $<$<CXX_COMPILER_ID:Clang>:-fno-relaxed-template-template-args -Wno-deprecated-no-relaxed-template-template-args>
    $<$<CXX_COMPILER_ID:GNU>:-fno-new-ttp-matching>)
endif()

# Checking makes and destroys many small nodes. jemalloc hands out again what was freed last, which is still in the cache: native passes are
# checked a tenth faster than with mimalloc, which comes back to a node after all others of its size, and than with glibc's allocator.
# Programs work without; sanitizers bring their own. Part of the program, it is called without a detour. libFuzzer's library comes before ours and
# would have the linker find malloc in glibc: the name is asked for by itself.
find_library(JEMALLOC NAMES jemalloc_pic jemalloc)
add_library(fast_allocator INTERFACE)
if(JEMALLOC AND NOT PASSDIFF_SANITIZE AND NOT PASSDIFF_ENGINE)
  target_link_libraries(fast_allocator INTERFACE ${JEMALLOC})
  target_link_options(fast_allocator INTERFACE LINKER:--undefined=malloc)
endif()
