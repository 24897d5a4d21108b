// The tests of passes that are written as modules: testdata/<Pass>/<case>.py holds a source and the target that the
// pass must make of it. README.md says what else such a file may hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/check.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

using Lines = std::vector<std::string>;

// A fault with which some check must report a finding.
struct FaultLine {
  std::string name;  // the fault's name without that of its pass
  std::string code;  // how the finding's site begins, or empty; kHarmless: no check reports a finding
};
const std::string kHarmless = "harmless";

struct CaseFile {
  std::string pass;
  std::string options = "{}";
  std::string rejects;  // the code of the error that the pass ends with
  bool unchanged = false;
  nlohmann::json arguments = nlohmann::json::object();  // elements of tensors, by the parameter's name
  std::vector<FaultLine> faults;
  std::map<std::string, Module> modules;  // by class name

  const Module& source() const { return modules.at("Source"); }
  const Module& target() const { return modules.at(unchanged ? "Source" : "Target"); }
  Pipeline pipeline() const { return {{pass, options}}; }
};

Error header_error(const std::string& message) {
  return {"testdata.header", message};
}

Result<nlohmann::json> read_object(const std::string& text) {
  const nlohmann::json object = TRY(parse_json(text));
  if (!object.is_object()) return header_error("no JSON object: " + text);
  return object;
}

// Reads a line, given without its `# `; false if it is a comment for people only.
Result<bool> read_header_line(const std::string& line, CaseFile& file) {
  const std::size_t colon = line.find(": ");
  const std::string key = line.substr(0, colon);
  const std::string value = colon == std::string::npos ? "" : line.substr(colon + 2);
  if (key == "unchanged" && value.empty()) {
    file.unchanged = true;
  } else if (key.starts_with("fault ")) {
    file.faults.push_back({key.substr(6), value});
  } else if (key == "rejects") {
    file.rejects = value;
  } else if (key == "options") {
    TRY(read_object(value));
    file.options = value;
  } else if (key == "arguments") {
    file.arguments = TRY(read_object(value));
  } else {
    return false;
  }
  return true;
}

// Reads the lines at the top of a file: first those that say in words what the case shows, then those for the test.
std::optional<Error> read_header(const Lines& lines, CaseFile& file) {
  bool in_words = false;
  for (std::size_t i = 0; i < lines.size() && lines[i].starts_with("# "); ++i) {
    const bool read = TRY(read_header_line(lines[i].substr(2), file));
    if (!read && i > 0 && !in_words) return header_error("not understood: " + lines[i]);
    in_words = !read;
    if (i == 0 && !in_words) break;
  }
  if (lines.empty() || !lines[0].starts_with("# ")) return header_error("the first line is no comment");
  return std::nullopt;
}

// Parses each module by itself, behind as many empty lines as give its lines the numbers that they have in the file.
std::optional<Error> read_modules(const Lines& lines, CaseFile& file) {
  const auto is_start = [](const std::string& line) { return line == "@I.ir_module"; };
  for (auto begin = std::find_if(lines.begin(), lines.end(), is_start); begin != lines.end();) {
    const auto end = std::find_if(begin + 1, lines.end(), is_start);
    std::string text(static_cast<std::size_t>(begin - lines.begin()), '\n'), name;
    for (auto line = begin; line != end; ++line) {
      text += *line + "\n";
      if (line->starts_with("class ")) name = line->substr(6, line->find(':') - 6);
    }
    if (!file.modules.emplace(name, TRY(parse_text(text))).second)
      return Error{"testdata.module", "there are two classes " + name};
    begin = end;
  }
  const int outcomes = (file.modules.contains("Target") ? 1 : 0) + (file.unchanged ? 1 : 0) +
                       (file.rejects.empty() ? 0 : 1);
  if (!file.modules.contains("Source") || outcomes != 1)
    return Error{"testdata.module", "not a class Source and one of: class Target, # unchanged, # rejects: CODE"};
  return std::nullopt;
}

Result<CaseFile> read_case_file(const fs::path& path) {
  Lines lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  CaseFile file{.pass = path.parent_path().filename()};
  TRY_VOID(read_header(lines, file));
  TRY_VOID(read_modules(lines, file));
  return file;
}

const Fault& find_fault_of(const CaseFile& file, const std::string& name) {
  const auto faults = all_faults();
  const auto found = std::find_if(faults.begin(), faults.end(), [&](const Fault& fault) {
    return fault.pass == file.pass && fault.name.ends_with("/" + name);
  });
  CHECK(found != faults.end()) << file.pass << " has no fault of the name " << name;
  return *found;
}

// "mode-dropped" -> "ModeDropped": the class that holds what the pass makes of the source under this fault.
std::string class_name(const std::string& fault) {
  std::string name;
  for (std::size_t i = 0; i < fault.size(); ++i) {
    const bool starts_word = i == 0 || fault[i - 1] == '-';
    if (fault[i] != '-') name += static_cast<char>(starts_word ? std::toupper(fault[i]) : fault[i]);
  }
  return name;
}

// All lines of both texts: `-` marks those of the first alone, `+` those of the second alone.
std::string line_diff(const std::string& first, const std::string& second) {
  const auto lines_of = [](const std::string& text) {
    Lines lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  };
  const Lines a = lines_of(first), b = lines_of(second);
  // The length of the longest common subsequence of a's lines from i on and b's from j on.
  std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::string diff;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      diff += "  " + a[i++] + "\n";
      ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      diff += "- " + a[i++] + "\n";
    } else {
      diff += "+ " + b[j++] + "\n";
    }
  }
  return diff;
}

void expect_well_formed(const Module& module) {
  const auto broken = well_formed(module);
  EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(module);
}

// Expects structural equality. A pass can declare a type that is narrower than the inferred one, which text cannot; so a module
// may also be equal after it was printed and parsed again.
void expect_equal(const Module& expected, const Module& made) {
  if (structural_equal(expected, made)) return;
  const Result<Module> reread = parse_text(print(made));
  EXPECT_TRUE(reread.ok() && structural_equal(expected, *reread))
      << "- expected, + made by the pass:\n" << line_diff(print(expected), print(made));
}

// Values for the parameters of a function, the same in every run: small numbers, integers that mostly are indices in
// range, and what the file says of a parameter.
class Arguments {
 public:
  // Symbolic dims have the sizes 2, 3, ..., or all have the size 1.
  Arguments(const CaseFile& file, bool all_sizes_one) : file_(file), all_sizes_one_(all_sizes_one) {}

  // The arguments; nothing if a parameter has a function type, which no value is made for.
  std::optional<std::vector<Value>> of(const Function& function) {
    for (const Var& param : function.params) {
      for_each_sym_var(param->type, [&](const SymVar& symbol) {
        sizes_.try_emplace(symbol.get(), all_sizes_one_ ? 1 : static_cast<std::int64_t>(sizes_.size()) + 2);
      });
    }
    std::vector<Value> values;
    for (const Var& param : function.params) {
      std::optional<Value> value = make(param->type, file_.arguments.value(param->name, nlohmann::json()));
      if (!value) return std::nullopt;
      values.push_back(*std::move(value));
    }
    return values;
  }

 private:
  std::optional<Value> make(const Type& type, const nlohmann::json& given) {
    if (const TensorType* tensor = type.as_tensor()) {
      if (!tensor->dtype) return std::nullopt;
      auto shape = sizes(tensor->shape, tensor->rank);
      if (!tensor->shape && given.is_array()) shape = {static_cast<std::int64_t>(given.size())};
      return make_tensor(fill(zeros(*tensor->dtype, shape), given));
    }
    if (const ShapeType* shape = type.as_shape()) return ShapeValue{sizes(shape->values, shape->rank)};
    const TupleType* tuple = type.as_tuple();
    if (tuple == nullptr) return std::nullopt;
    TupleValue fields;
    for (const Type& field : tuple->fields) {
      std::optional<Value> value = make(field, {});
      if (!value) return std::nullopt;
      fields.fields.push_back(*std::move(value));
    }
    return fields;
  }

  std::vector<std::int64_t> sizes(const std::optional<Shape>& shape, int rank) const {
    if (!shape) return std::vector<std::int64_t>(static_cast<std::size_t>(std::max(rank, 0)), 2);
    std::vector<std::int64_t> sizes;
    for (const Dim& dim : *shape) {
      sizes.push_back(
          *evaluate(dim, [&](const SymVar& symbol) { return std::optional(sizes_.at(symbol.get())); }));
    }
    return sizes;
  }

  Tensor fill(Tensor tensor, const nlohmann::json& given) {
    const std::size_t salt = 2 * filled_++;
    CHECK(!given.is_array() || given.size() == tensor.size()) << "arguments for " << to_string(tensor);
    const auto element = [&](std::size_t i) {
      if (given.is_array()) return given.at(i).get<double>();
      if (is_float(tensor.dtype)) return static_cast<double>((5 * i + salt) % 7) - 3;
      return static_cast<double>((i + salt) % (tensor.dtype == DType::boolean ? 2 : 3));
    };
    const auto fill = [&](auto& values) {
      using Element = typename std::decay_t<decltype(values)>::value_type;
      for (std::size_t i = 0; i < values.size(); ++i) values.data()[i] = static_cast<Element>(element(i));
    };
    std::visit(fill, tensor.values);
    return tensor;
  }

  const CaseFile& file_;
  bool all_sizes_one_;
  std::size_t filled_ = 0;
  std::map<const SymVarNode*, std::int64_t> sizes_;
};

bool has_parameter(const Module& module, const std::string& name) {
  return std::any_of(module.functions.begin(), module.functions.end(), [&](const GlobalFunction& global) {
    const auto& params = global.function->params;
    return std::any_of(params.begin(), params.end(), [&](const Var& param) { return param->name == name; });
  });
}

// The verdicts on the pass for each public function of the source, called with two sets of arguments.
std::vector<Verdict> verdicts(const CaseFile& file, std::string_view fault = {}) {
  const auto subject = make_native_subject(fault);
  std::vector<Verdict> verdicts;
  for (const GlobalFunction& global : file.source().functions) {
    if (!global.is_public) continue;
    for (const bool all_sizes_one : {false, true}) {
      const auto arguments = Arguments(file, all_sizes_one).of(*global.function);
      if (!arguments) continue;
      const CheckOptions every_check{.confirm = false, .sampling = Sampling::every_case()};
      const TestCase test{file.source(), global.name, *arguments};
      verdicts.push_back(check(*subject, test, file.pipeline(), every_check).verdict);
    }
  }
  return verdicts;
}

Result<Module> run_pass(const CaseFile& file, std::string_view fault = {}) {
  const Pipeline pipeline = file.pipeline();
  auto replies = make_native_subject(fault)->transform(file.source(), std::span(&pipeline, 1), {});
  if (const auto* refused = std::get_if<Refused>(&replies.at(0).result))
    return Error{refused->kind, refused->message};
  return *std::get<Transformed>(replies[0].result).target;
}

void expect_target(const CaseFile& file) {
  expect_well_formed(file.source());
  for (const auto& [name, elements] : file.arguments.items())
    EXPECT_TRUE(has_parameter(file.source(), name)) << "# arguments: no parameter is called " << name;
  const Result<Module> made = run_pass(file);
  if (!file.rejects.empty()) {
    EXPECT_EQ(made.ok() ? "no error" : made.error().code, file.rejects);
    return;
  }
  ASSERT_TRUE(made.ok()) << made.error().message;
  expect_well_formed(*made);
  expect_well_formed(file.target());
  expect_equal(file.target(), *made);
  for (const Verdict& verdict : verdicts(file)) {
    // Nothing is compared if the target is the source, or if no call of the target does what the source's function did.
    const bool not_compared = file.unchanged || verdict.site == kComposedConvention;
    EXPECT_TRUE(verdict.symptom == Symptom::agree || not_compared) << to_string(verdict);
    EXPECT_FALSE(is_finding(verdict.symptom)) << to_string(verdict);
  }
}

void expect_fault(const CaseFile& file, const FaultLine& line) {
  const Fault& fault = find_fault_of(file, line.name);
  const bool harmless = line.code == kHarmless;
  bool found = false;
  std::string all;
  for (const Verdict& verdict : verdicts(file, fault.name)) {
    found |= is_finding(verdict.symptom) && (harmless || verdict.site.starts_with(line.code));
    all += to_string(verdict) + "\n";
  }
  EXPECT_NE(found, harmless) << "with " << fault.name << " the checks should say "
                             << (line.code.empty() ? "something" : line.code) << ", and say\n"
                             << all;
  const auto expected = file.modules.find(class_name(line.name));
  if (expected == file.modules.end()) return;
  const Result<Module> made = run_pass(file, fault.name);
  ASSERT_TRUE(made.ok()) << fault.name << ": " << made.error().message;
  expect_equal(expected->second, *made);
}

class PassCase : public testing::TestWithParam<fs::path> {};

TEST_P(PassCase, TurnsSourceIntoTarget) {
  const Result<CaseFile> file = read_case_file(GetParam());
  ASSERT_TRUE(file.ok()) << GetParam() << ": " << file.error().message;
  expect_target(*file);
  std::set<std::string> classes = {"Source", "Target"};
  for (const FaultLine& line : file->faults) {
    expect_fault(*file, line);
    classes.insert(class_name(line.name));
  }
  for (const auto& [name, module] : file->modules)
    EXPECT_TRUE(classes.contains(name)) << "no `# fault` line belongs to the class " << name;
}

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  const fs::path folder = fs::path(PASSDIFF_SOURCE_DIR) / "passes" / "native" / "testdata";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".py") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// FoldConstant_folds_casts: GoogleTest's names hold neither slashes nor hyphens.
std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = info.param.parent_path().filename().string() + "_" + info.param.stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Native, PassCase, testing::ValuesIn(case_files()), test_name);

TEST(PassCases, ShowEveryFaultToTheCheckThatShouldSeeIt) {
  std::set<std::string_view> seen;
  for (const fs::path& path : case_files()) {
    const Result<CaseFile> file = read_case_file(path);
    ASSERT_TRUE(file.ok()) << path << ": " << file.error().message;
    for (const FaultLine& line : file->faults) {
      const Fault& fault = find_fault_of(*file, line.name);
      for (const Verdict& verdict : verdicts(*file, fault.name)) {
        if (is_finding(verdict.symptom) && verdict.check == fault.check) seen.insert(fault.name);
      }
    }
  }
  for (const Fault& fault : all_faults())
    EXPECT_TRUE(seen.contains(fault.name)) << fault.name << ": no case shows it to " << fault.check;
}

}  // namespace
}  // namespace passdiff
