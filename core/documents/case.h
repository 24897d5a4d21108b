// The case folder: the one format of corpus entries and findings.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/ir/module.h"
#include "core/result.h"
#include "core/tensor/value.h"

namespace passdiff {

// A module with the arguments to call it on.
struct TestCase {
  Module module;
  std::string entry = "main";  // may be a function of TensorIR, whose buffers and scalars are then the arguments
  std::vector<Value> arguments;
};

// One pass of a pipeline by name, with its options as the text of a JSON object.
struct PassCall {
  std::string name;
  std::string options = "{}";
  bool operator==(const PassCall&) const = default;
};

// A test case, the passes that it is about, and the verdicts that are expected.
struct CaseFolder {
  // Without `arguments` in case.json it has none, and the entry may be empty: see `arguments_given`.
  TestCase test;
  // False for a case that was recorded in a program: its arguments are drawn whenever it is replayed (core/gen/recorded.h), and if it
  // names no entry, it is about each of the module's public functions.
  bool arguments_given = true;
  std::vector<PassCall> passes;
  // Expected symptom by subject ("native", "tvm") or by subject and version ("tvm 0.26", which goes first). A subject
  // without an entry is not replayed.
  std::map<std::string, std::string> expected;
  std::string origin;  // where the case comes from: an issue's URL, or "seed 7, case 1234"
  std::string readme;  // two lines: what is wrong, and a link
};

// Reads a case folder. source.py holds the module; if TVMScript cannot express it (has_faithful_text), case.json holds it, too, and
// that is read. Fails with case.missing, case.field, parse.*, json.*; the message names file and remedy.
Result<CaseFolder> read_case(const std::filesystem::path& folder);
// Writes a case folder as a whole or not at all: into a temporary one beside it, which is then renamed. `extra` are further files by
// name. Fails with case.write.
Result<std::filesystem::path> write_case(const CaseFolder& content, const std::filesystem::path& folder,
                                         const std::map<std::string, std::string>& extra = {});
// All case folders at or below a path, sorted. A folder is one if it holds case.json, and is not named `*.partial`, as folders are
// that are being written.
std::vector<std::filesystem::path> find_cases(const std::filesystem::path& root);

}  // namespace passdiff
