# Precompiled headers: what nearly every file includes is parsed once, which halves the time of a build. Files include all
# that they use nevertheless: builds for fuzzing go without, since instrumentation and precompiled headers exclude each other.
if(PASSDIFF_FUZZ)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

# passdiff_precompiled(NAME [HEADERS...]): cmake/precompiled.h and these headers as a target, for
# target_precompile_headers(... REUSE_FROM NAME). The list stands in a header, not here: ccache does not see a change of the file that CMake makes
# of a list.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cc CONTENT "")
function(passdiff_precompiled NAME)
  add_library(${NAME} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cc)
  target_link_libraries(${NAME} PRIVATE
    xtensor_safe fmt::fmt xxhash nlohmann_json::nlohmann_json $<TARGET_NAME_IF_EXISTS:GTest::gtest> passdiff_flags)
  target_precompile_headers(${NAME} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.h ${ARGN})
endfunction()
passdiff_precompiled(passdiff_common_headers)
passdiff_precompiled(passdiff_headers_of_tests <gtest/gtest.h>)
# What a test itself does is soon done: optimising it would double its compile time.
set(PASSDIFF_TEST_FLAGS $<$<CONFIG:Release>:-O0>)
target_compile_options(passdiff_headers_of_tests PRIVATE ${PASSDIFF_TEST_FLAGS})
