#include "fuzz/cli/help.h"

#include <CLI/CLI.hpp>

namespace passdiff {
namespace {

// CLI11 writes the words of CLI::IsMember into the name of the value's type: "TEXT:{tvm,native}".
std::vector<std::string> words_of(const std::string& type) {
  std::vector<std::string> words;
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return words;
  std::string word;
  for (const char c : type.substr(open + 1, close - open - 1) + ",") {
    if (c == ',') {
      words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  return words;
}

HelpEntry entry_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  HelpEntry entry{.names = {},
                  .value = type.substr(0, type.find_first_of(":{ ")),
                  .words = words_of(type),
                  .summary = option.get_description(),
                  .initial = option.get_default_str(),
                  .takes_value = option.get_items_expected_max() > 0,
                  .required = option.get_required(),
                  .repeated = option.get_items_expected_max() > 1};
  if (option.get_positional()) {
    entry.names = {option.get_name()};
    return entry;
  }
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  return entry;
}

// The commands of a program, or of a command, whose name stands before theirs.
std::vector<CommandHelp> commands_of(const CLI::App& app, const std::string& prefix) {
  std::vector<CommandHelp> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string name = prefix + command->get_name();
    CommandHelp help{.name = name,
                     .summary = command->get_description(),
                     .arguments = {},
                     .flags = {},
                     .commands = commands_of(*command, name + " ")};
    for (const CLI::Option* option : command->get_options()) {
      (option->get_positional() ? help.arguments : help.flags).push_back(entry_of(*option));
    }
    commands.push_back(std::move(help));
  }
  return commands;
}

}  // namespace

ProgramHelp help_of(const CLI::App& app) {
  return {.name = app.get_name(), .summary = app.get_description(), .footer = app.get_footer(), .commands = commands_of(app, "")};
}

}  // namespace passdiff
