#include "fuzz/cli/target_inputs.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/form/well_formed.h"
#include "core/text/text.h"
#include "fuzz/cases/target_input.h"
#include "fuzz/cli/commands.h"
#include "fuzz/targets/interpreted_input.h"

namespace passdiff {
namespace {

// Far beyond what any engine makes: a file as large as this is something else.
constexpr std::size_t kMaxInputBytes = 1 << 24;

// Of a document that is no module and no value, why it is neither; else what it is.
void print_read(const Result<Module>& module, const Result<Value>& value) {
  if (module) {
    fmt::print("# a module\n{}", print(*module));
    if (const auto fault = well_formed(*module)) fmt::print("# ill-formed: {}\n", fault->message);
  } else {
    fmt::print("# no module: {}\n", module.error().message);
  }
  if (value) {
    fmt::print("# a value\n{}\n", to_string(*value));
  } else {
    fmt::print("# no value: {}\n", value.error().message);
  }
}

void show_json(std::string_view text) {
  const Result<nlohmann::json> document = parse_json(text);
  if (!document) return fmt::print("# no document: {}\n", document.error().message);
  fmt::print("# the document\n{}\n", document->dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  print_read(module_from_json(*document), value_from_json(*document));
}

void show_cbor(std::span<const std::uint8_t> bytes) {
  const Result<nlohmann::json> document = parse_cbor(bytes);
  if (document) {
    fmt::print("# the document\n{}\n",
               document->dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("# no document: {}\n", document.error().message);
  }
  print_read(module_from_cbor(bytes), value_from_cbor(bytes));
}

void show_text(std::string_view text) {
  const Result<Module> module = parse_text(text);
  if (!module) return fmt::print("# no module: {}\n", module.error().message);
  fmt::print("# the module\n{}", print(*module));
  if (const auto fault = well_formed(*module)) fmt::print("# ill-formed: {}\n", fault->message);
}

void show_runs(std::string_view text, std::span<const std::uint8_t> input) {
  show_text(text);
  const Result<Module> module = parse_text(text);
  if (!module || well_formed(*module)) return;
  for (const GlobalFunction& global : module->functions) {
    const auto arguments = arguments_of_input(*module, global.name, input);
    if (!arguments) {
      fmt::print("# {}: no arguments: {}\n", global.name, arguments.error().message);
      continue;
    }
    for (std::size_t i = 0; i < arguments->size(); ++i)
      fmt::print("# {}: argument {}: {}\n", global.name, i, to_string((*arguments)[i]));
    const InterpretOptions options{.rounding = {}, .limits = kInputLimits, .host_functions = {}};
    fmt::print("# {}: {}\n", global.name, to_string(interpret(*module, global.name, *arguments, options)));
  }
}

}  // namespace

std::optional<Error> check_target(const std::string& name) {
  if (reads_documents(name) || rule_of_target(name)) return std::nullopt;
  return Error{"usage.target", fmt::format("{}: no such target; there are {}", name,
                                           fmt::join(target_names(), ", "))};
}

Result<std::vector<std::uint8_t>> read_input(const std::string& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) return Error{"usage.input", file + ": cannot be read"};
  if (size > kMaxInputBytes) return Error{"usage.input", file + ": larger than any input of a target"};
  return std::vector<std::uint8_t>((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
}

int show_document(const std::string& target, const std::vector<std::uint8_t>& input) {
  const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  if (target == "fuzz_json") show_json(text);
  if (target == "fuzz_cbor") show_cbor(input);
  if (target == "fuzz_text") show_text(text);
  if (target == "fuzz_interpreter") show_runs(text, input);
  return kExitClean;
}

}  // namespace passdiff
