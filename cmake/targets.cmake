# passdiff_library(NAME LINKS...): the .cc files of the current folder, without its tests; `add_subdirectory` per folder.
# A new op, pass or check is one new file: nothing here has to be edited.
function(passdiff_library NAME)
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  add_library(${NAME} STATIC ${sources})
  set_property(GLOBAL APPEND PROPERTY passdiff_libraries ${NAME})
  target_link_libraries(${NAME} PUBLIC ${ARGN} passdiff_flags)
  target_precompile_headers(${NAME} REUSE_FROM passdiff_common_headers)
endfunction()

# passdiff_seldom_runs(NAMES...): libraries whose own code takes little of a campaign's time. Most of the time of a build is the optimiser's: of
# these it takes less. Small functions, as those of containers, are inlined in them, too.
function(passdiff_seldom_runs)
  foreach(name IN LISTS ARGN)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>
      "$<$<AND:$<CXX_COMPILER_ID:Clang>,$<CONFIG:Release>>:SHELL:-mllvm -inline-threshold=25>")
  endforeach()
endfunction()

# passdiff_link_first(NAME LIBRARIES...): of an inline function that several objects have, the linker takes the first. An executable takes those of
# these libraries, not those of libraries that are optimised less.
function(passdiff_link_first NAME)
  foreach(library IN LISTS ARGN)
    target_sources(${NAME} PRIVATE $<TARGET_OBJECTS:${library}>)
  endforeach()
endfunction()

# passdiff_alone(FILES...): these are compiled each alone, since names that are local to them mean something else in their neighbours.
function(passdiff_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# passdiff_tests(NAME LINKS...): every *_test.cc of the current folder in one GoogleTest executable, run by ctest.
function(passdiff_tests NAME)
  file(GLOB tests CONFIGURE_DEPENDS *_test.cc)
  if(NOT tests OR PASSDIFF_FUZZ)  # a build for fuzzing is instrumented: its tests are the targets on their corpora
    return()
  endif()
  add_executable(${NAME} ${tests})
  target_link_libraries(${NAME} PRIVATE ${ARGN} GTest::gtest_main)
  target_compile_definitions(${NAME} PRIVATE PASSDIFF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${NAME} PRIVATE -fPIC ${PASSDIFF_TEST_FLAGS})  # -fPIC, as the precompiled headers are
  target_precompile_headers(${NAME} REUSE_FROM passdiff_headers_of_tests)
  set_target_properties(${NAME} PROPERTIES UNITY_BUILD_BATCH_SIZE 8)  # tests give their helpers the same short names
  gtest_discover_tests(${NAME} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)  # by ctest, not by each build
endfunction()

# passdiff_write_link_graph(FILE): one line per library of ours, its folder, then the folders of the libraries that it links.
# The layering test reads it: includes alone do not show what a library needs to be linked with.
function(passdiff_write_link_graph FILE)
  get_property(libraries GLOBAL PROPERTY passdiff_libraries)
  set(graph "")
  foreach(library IN LISTS libraries)
    get_target_property(folder ${library} SOURCE_DIR)
    string(APPEND graph "${folder}")
    get_target_property(links ${library} LINK_LIBRARIES)
    foreach(link IN LISTS links)
      if(link IN_LIST libraries)
        get_target_property(folder ${link} SOURCE_DIR)
        string(APPEND graph " ${folder}")
      endif()
    endforeach()
    string(APPEND graph "\n")
  endforeach()
  string(REPLACE "${PROJECT_SOURCE_DIR}/" "" graph "${graph}")
  file(CONFIGURE OUTPUT ${FILE} CONTENT "${graph}")
endfunction()
