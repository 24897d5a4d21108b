# The flags of our own code: warnings are errors; results must not depend on the machine (no -march, no fast math).
add_library(passdiff_flags INTERFACE)
target_compile_options(passdiff_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror -ffp-contract=off
  $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-designated-field-initializers -Wno-missing-field-initializers>)
target_include_directories(passdiff_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(PASSDIFF_ENGINE)
  # Sanitizers and instrumentation come with CXXFLAGS. A compiler newer than ours may warn of more. Numbers wrap around where hashes are
  # computed, and where programs are interpreted whose numbers do.
  target_compile_options(passdiff_flags INTERFACE -Wno-error -fno-sanitize=unsigned-integer-overflow)
endif()

set(PASSDIFF_SANITIZERS "")
if(PASSDIFF_SANITIZE)
  list(APPEND PASSDIFF_SANITIZERS address undefined)
  target_compile_options(passdiff_flags INTERFACE -fno-sanitize-recover=all -fno-omit-frame-pointer)
endif()
if(PASSDIFF_SANITIZERS)
  list(JOIN PASSDIFF_SANITIZERS "," PASSDIFF_SANITIZERS_JOINED)
  # What these three checks guard, AddressSanitizer sees once it is accessed; with them a file of ops takes 1.4 times as long to compile.
  target_compile_options(passdiff_flags INTERFACE
    -fsanitize=${PASSDIFF_SANITIZERS_JOINED} -fno-sanitize=null,object-size,pointer-overflow)
  target_link_options(passdiff_flags INTERFACE -fsanitize=${PASSDIFF_SANITIZERS_JOINED})
endif()

# The flags of the code whose branches guide libFuzzer: the passes. Branches of the generator and of the interpreter say how an
# input was made and run, not what a pass did; counting them, too, would leave a tenth of the executions.
# A build for an engine instruments everything: these flags take that back, for libraries that do not guide.
set(PASSDIFF_INSTRUMENT ${PASSDIFF_FUZZ})
if(PASSDIFF_ENGINE)
  string(FIND "${CMAKE_CXX_FLAGS}" -fsanitize=fuzzer-no-link at)
  if(at EQUAL -1)  # as in builds that measure coverage
    set(PASSDIFF_INSTRUMENT OFF)
  else()
    target_compile_options(passdiff_flags INTERFACE -fno-sanitize=fuzzer-no-link)
  endif()
endif()
add_library(passdiff_guides INTERFACE)
if(PASSDIFF_INSTRUMENT)
  # Comparisons are not traced: only libFuzzer's own mutations would use them, which the targets replace by theirs.
  target_compile_options(passdiff_guides INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp)
  target_link_options(passdiff_guides INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The flags of the code that reads documents, which guides the targets that fuzz it. Those of passes do not run it. Comparisons are
# traced: libFuzzer's own mutations need them to find keywords and lengths.
add_library(passdiff_reader_guides INTERFACE)
if(PASSDIFF_INSTRUMENT)
  target_compile_options(passdiff_reader_guides INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(passdiff_reader_guides INTERFACE -fsanitize=fuzzer-no-link)
endif()
