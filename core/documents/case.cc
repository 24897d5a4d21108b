#include "core/documents/case.h"

#include <unistd.h>
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/documents/files.h"
#include "core/documents/json.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kManifest = "case.json";
constexpr int kCaseFormat = 1;  // the version of case.json; a case written by hand may leave it out
constexpr std::string_view kSource = "source.py";
constexpr std::string_view kReadme = "README.md";
constexpr std::string_view kPartial = ".partial";
constexpr int kMaxFolderDepth = 16;  // how deep find_cases looks; a corpus has three levels

Error missing(const fs::path& file) {
  return {"case.missing", file.string() + ": cannot be read"};
}

Result<std::string> read_file(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) return missing(file);
  if (size > kMaxDocumentBytes) return Error{"json.size", file.string() + ": larger than 64 MiB"};
  std::ifstream stream(file, std::ios::binary);
  std::string content(static_cast<std::size_t>(size), '\0');
  if (!stream.read(content.data(), static_cast<std::streamsize>(content.size()))) return missing(file);
  return content;
}

// Reads the fields of case.json. A field that is unknown or of another kind is an error that names it.
class ManifestReader {
 public:
  ManifestReader(const fs::path& file, CaseFolder& content) : file_(file), content_(content) {}

  std::optional<Error> read(const json& document) {
    if (!document.is_object()) return wrong("the document", "an object");
    for (const auto& [field, value] : document.items()) {
      if (auto error = read_field(field, value)) return error;
    }
    for (const char* field : {"passes", "expected"}) {
      if (!document.contains(field)) return missing_field(field);
    }
    content_.arguments_given = document.contains("arguments");
    if (document.contains("entry")) return std::nullopt;
    if (content_.arguments_given) return missing_field("entry");
    content_.test.entry.clear();
    return std::nullopt;
  }
  bool has_module() const { return has_module_; }

 private:
  Error fault(const std::string& what) const { return {"case.field", file_.string() + ": " + what}; }
  Error missing_field(const std::string& field) const { return fault("field \"" + field + "\" is missing"); }
  Error wrong(const std::string& field, const char* kind) const {
    return fault(field + " should be " + kind);
  }
  Error within(const std::string& field, const Error& error) const {
    return {error.code, file_.string() + ": " + field + ": " + error.message};
  }

  std::optional<Error> read_field(const std::string& field, const json& value) {
    if (field == "format") return read_format(value);
    if (field == "entry") return read_text(field, value, content_.test.entry);
    if (field == "origin") return read_text(field, value, content_.origin);
    if (field == "passes") return read_passes(value);
    if (field == "arguments") return read_arguments(value);
    if (field == "expected") return read_expected(value);
    if (field == "module") return read_module(value);
    return fault("unknown field \"" + field +
                 "\"; known: format, entry, passes, arguments, expected, origin, module");
  }

  std::optional<Error> read_format(const json& value) const {
    if (value == kCaseFormat) return std::nullopt;
    return wrong("format", "1, the only version that this passdiff reads");
  }

  std::optional<Error> read_text(const std::string& field, const json& value, std::string& into) const {
    if (!value.is_string()) return wrong(field, "a string");
    into = value.get<std::string>();
    return std::nullopt;
  }

  std::optional<Error> read_passes(const json& value) {
    if (!value.is_array()) return wrong("passes", "an array");
    for (const json& pass : value) {
      const bool ok = pass.is_array() && pass.size() == 2 && pass[0].is_string() && pass[1].is_object();
      if (!ok) return wrong("each of passes", "[name, {options}]");
      content_.passes.push_back({pass[0].get<std::string>(), pass[1].dump()});
    }
    return std::nullopt;
  }

  std::optional<Error> read_arguments(const json& value) {
    if (!value.is_array()) return wrong("arguments", "an array");
    for (std::size_t i = 0; i < value.size(); ++i) {
      auto argument = value_from_json(value[i]);
      if (!argument) return within("arguments[" + std::to_string(i) + "]", argument.error());
      content_.test.arguments.push_back(*std::move(argument));
    }
    return std::nullopt;
  }

  std::optional<Error> read_expected(const json& value) {
    if (!value.is_object()) return wrong("expected", "an object");
    for (const auto& [subject, symptom] : value.items()) {
      if (!symptom.is_string()) return wrong("expected." + subject, "a string");
      content_.expected[subject] = symptom.get<std::string>();
    }
    return std::nullopt;
  }

  std::optional<Error> read_module(const json& value) {
    auto module = module_from_json(value);
    if (!module) return within("module", module.error());
    content_.test.module = *std::move(module);
    has_module_ = true;
    return std::nullopt;
  }

  const fs::path& file_;
  CaseFolder& content_;
  bool has_module_ = false;
};

json manifest(const CaseFolder& content) {
  json passes = json::array();
  for (const PassCall& pass : content.passes) {
    const auto options = parse_json(pass.options);
    CHECK(options.ok()) << pass.name << " has options that are no JSON: " << pass.options;
    passes.push_back(json::array({pass.name, *options}));
  }
  json arguments = json::array();
  for (const Value& argument : content.test.arguments) arguments.push_back(value_to_json(argument));
  json document = {{"format", kCaseFormat},
                   {"passes", std::move(passes)},
                   {"expected", content.expected},
                   {"origin", content.origin}};
  if (!content.test.entry.empty()) document["entry"] = content.test.entry;
  if (content.arguments_given) document["arguments"] = std::move(arguments);
  if (!has_faithful_text(content.test.module)) document["module"] = to_json(content.test.module);
  return document;
}

// Writes JSON with short containers on one line, as people do.
void write_pretty(const json& value, std::size_t indent, std::string& out) {
  const std::string flat = value.dump();
  constexpr std::size_t kLine = 100;
  if (!value.is_structured() || value.empty() || flat.size() + indent <= kLine) {
    out += flat;
    return;
  }
  out += value.is_object() ? "{" : "[";
  bool first = true;
  for (auto child = value.begin(); child != value.end(); ++child) {
    out += (first ? "\n" : ",\n") + std::string(indent + 2, ' ');
    if (value.is_object()) out += json(child.key()).dump() + ": ";
    write_pretty(*child, indent + 2, out);
    first = false;
  }
  out += "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

void collect_cases(const fs::path& folder, int depth, std::vector<fs::path>& into) {
  std::error_code error;
  if (folder.extension() == kPartial) return;
  if (fs::is_regular_file(folder / kManifest, error)) {
    into.push_back(folder);
    return;  // folders inside of a case are no cases
  }
  if (depth == 0) return;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored))
      collect_cases(entry->path(), depth - 1, into);
  }
}

}  // namespace

Result<CaseFolder> read_case(const fs::path& folder) {
  CaseFolder content;
  const fs::path manifest_file = folder / kManifest;
  const auto document = parse_json(TRY(read_file(manifest_file)));
  if (!document)
    return Error{document.error().code, manifest_file.string() + ": " + document.error().message};
  ManifestReader reader(manifest_file, content);
  TRY_VOID(reader.read(*document));
  if (!reader.has_module()) {
    const fs::path source_file = folder / kSource;
    auto module = parse_text(TRY(read_file(source_file)));
    if (!module) return Error{module.error().code, source_file.string() + ": " + module.error().message};
    content.test.module = *std::move(module);
  }
  const std::string& entry = content.test.entry;
  const Module& module = content.test.module;
  if (!entry.empty() && module.find(entry) == nullptr && module.find_prim_func(entry) == nullptr) {
    return Error{"case.field",
                 manifest_file.string() + ": the module has no function \"" + entry + "\""};
  }
  if (const auto readme = read_file(folder / kReadme)) content.readme = *readme;
  return content;
}

Result<fs::path> write_case(const CaseFolder& content, const fs::path& folder,
                            const std::map<std::string, std::string>& extra) {
  const Error failed{"case.write", folder.string() + ": cannot be written"};
  std::error_code error;
  if (fs::exists(folder, error)) return Error{"case.write", folder.string() + ": exists already"};
  fs::path temporary = folder;
  temporary += "." + std::to_string(getpid()) + std::string(kPartial);  // another process may write the same case at the same time
  fs::remove_all(temporary, error);  // a run that was killed may have left it
  std::string document;
  write_pretty(manifest(content), 0, document);
  const auto write = [&](const fs::path& name, const std::string& text) { return !write_whole(temporary / name, text); };
  bool ok = write(kManifest, document + "\n") && write(kSource, print(content.test.module)) && write(kReadme, content.readme);
  for (const auto& [name, text] : extra) ok = ok && write(name, text);
  if (ok) fs::rename(temporary, folder, error);
  if (ok && !error) return folder;
  fs::remove_all(temporary, error);
  return failed;
}

std::vector<fs::path> find_cases(const fs::path& root) {
  std::vector<fs::path> cases;
  // A path that ends with a slash has no file name.
  collect_cases(root.has_filename() ? root : root.parent_path(), kMaxFolderDepth, cases);
  std::sort(cases.begin(), cases.end());
  return cases;
}

}  // namespace passdiff
