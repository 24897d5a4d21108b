// What the command's --help says, as data: the source of its manual page and of the shells' completions.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace passdiff {

// A flag or an argument without a name.
struct HelpEntry {
  std::vector<std::string> names;  // "--jobs", "-o"; an argument's own name alone: "case"
  std::string value;               // what kind of value it takes, "TEXT"; empty: none, or one of `words`
  std::vector<std::string> words;  // the only values that it takes; empty: any
  std::string summary;
  std::string initial;  // the value that it has without being given; empty: none is told
  bool takes_value = false;
  bool required = false;
  bool repeated = false;  // any number of values
};

struct CommandHelp {
  std::string name;  // with that of the command that it belongs to: "corpus stats"
  std::string summary;
  std::vector<HelpEntry> arguments;
  std::vector<HelpEntry> flags;
  std::vector<CommandHelp> commands;  // of which one must be named, unless there are none

  // The word by which the command that it belongs to knows it: "stats".
  std::string word() const { return name.substr(name.rfind(' ') + 1); }
};

struct ProgramHelp {
  std::string name;
  std::string summary;
  std::string footer;
  std::vector<CommandHelp> commands;  // in the order in which --help lists them
};

ProgramHelp help_of(const CLI::App& app);

// The page as roff, for `man -l`.
std::string manual_page(const ProgramHelp& program);

// Scripts that complete commands, flags and words for the shells of these names; files everywhere else.
std::string bash_completion(const ProgramHelp& program);
std::string zsh_completion(const ProgramHelp& program);
std::string fish_completion(const ProgramHelp& program);

}  // namespace passdiff
