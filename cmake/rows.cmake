# passdiff_rows(TARGET FOLDER ROW HEADER JOIN [SUFFIX]): a table whose rows stand in the files of a folder, joined by the
# build, so that a new row is one new file and no list has to be edited.
#
# Each FOLDER/<stem>.cc (tests apart) belongs to TARGET from here on and defines `std::vector<ROW> <stem>_rows()` in namespace
# passdiff; nothing else has to declare it. `std::vector<ROW> JOIN()`, which HEADER declares beside the type ROW, returns the
# rows of all files in the order of the files' names. FOLDER is relative to the current one; HEADER to the project. With a
# SUFFIX the functions are called <stem>_SUFFIX: tables in one program need their own where files may share a name.
function(passdiff_rows TARGET FOLDER ROW HEADER JOIN)
  file(GLOB files CONFIGURE_DEPENDS ${FOLDER}/*.cc)
  list(FILTER files EXCLUDE REGEX "_test\\.cc$")
  list(SORT files)
  set(suffix rows)
  if(ARGC GREATER 5)
    set(suffix ${ARGV5})
  endif()
  set(declarations "")
  set(parts "")
  foreach(file IN LISTS files)
    get_filename_component(stem ${file} NAME_WE)
    string(APPEND declarations "std::vector<${ROW}> ${stem}_${suffix}();\n")
    string(APPEND parts "           ${stem}_${suffix}(),\n")
  endforeach()
  set(joined ${CMAKE_CURRENT_BINARY_DIR}/${JOIN}.cc)
  file(CONFIGURE OUTPUT ${joined} @ONLY CONTENT [[
// Written by passdiff_rows (cmake/rows.cmake).
#include <iterator>
#include <vector>

#include "@HEADER@"

namespace passdiff {

@declarations@
std::vector<@ROW@> @JOIN@() {
  std::vector<@ROW@> rows;
  for (std::vector<@ROW@>& part : std::vector<std::vector<@ROW@>>{
@parts@       }) {
    rows.insert(rows.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  }
  return rows;
}

}  // namespace passdiff
]])
  target_sources(${TARGET} PRIVATE ${files} ${joined})
endfunction()
