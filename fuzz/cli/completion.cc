// Completion of the command's own words in shells. `passdiff completion SHELL` prints the script.
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "fuzz/cli/commands.h"
#include "fuzz/cli/help.h"

namespace passdiff {
namespace {

// In single quotes, for any of the three shells.
std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c == '\n' ? ' ' : c;
    }
  }
  return result + "'";
}

// The first sentence, or clause: completions have one short line for each word.
std::string brief(std::string_view summary) {
  return std::string(summary.substr(0, summary.find_first_of(":;(\n")));
}

// The words by which the commands are chosen.
std::vector<std::string> words_of(const std::vector<CommandHelp>& commands) {
  std::vector<std::string> words;
  for (const CommandHelp& command : commands) words.push_back(command.word());
  return words;
}

std::vector<std::string> words_of_arguments(const CommandHelp& command) {
  std::vector<std::string> words;
  for (const HelpEntry& argument : command.arguments)
    words.insert(words.end(), argument.words.begin(), argument.words.end());
  return words;
}

// In zsh's specifications colons and brackets end a part.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(const HelpEntry& entry) {
  return entry.words.empty() ? "_files" : fmt::format("({})", fmt::join(entry.words, " "));
}

// The function that completes the arguments of a command, after its name.
std::string zsh_function(const std::string& name) {
  std::string function = "_passdiff_" + name;
  std::replace(function.begin(), function.end(), ' ', '_');
  return function;
}

std::string zsh_command(const CommandHelp& command) {
  if (!command.commands.empty()) return fmt::format("    {})\n      {}\n      ;;\n", command.word(), zsh_function(command.name));
  std::string text = fmt::format("    {})\n      _arguments \\\n", command.word());
  for (const HelpEntry& flag : command.flags) {
    for (const std::string& name : flag.names) {
      const std::string value =
          flag.takes_value ? fmt::format(":{}:{}", zsh_text(flag.value), zsh_action(flag)) : "";
      const std::string spec = fmt::format("{}[{}]{}", name, zsh_text(brief(flag.summary)), value);
      text += fmt::format("        {} \\\n", in_quotes(spec));
    }
  }
  for (const HelpEntry& argument : command.arguments) {
    text += fmt::format("        {} \\\n", in_quotes(fmt::format("{}{}:{}", argument.repeated ? "*:" : ":",
                                                              zsh_text(argument.names.front()),
                                                              zsh_action(argument))));
  }
  return text + "        && return\n      ;;\n";
}

// A function of this name that completes one of the commands and what follows it; before it those of the commands that have some of their own.
std::string zsh_commands(const std::string& function, const std::vector<CommandHelp>& commands) {
  std::string text, described, cases;
  for (const CommandHelp& command : commands) {
    if (!command.commands.empty()) text += zsh_commands(zsh_function(command.name), command.commands);
    described += fmt::format("    {}\n", in_quotes(command.word() + ":" + zsh_text(brief(command.summary))));
    cases += zsh_command(command);
  }
  return text + fmt::format(R"({}() {{
  local -a commands=(
{})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
)",
                            function, described, cases);
}

// What holds where the command was named and none of its own yet: fish asks for words anywhere in the line, so that `stats` may be a command of
// `corpus` as well.
std::string fish_condition(const CommandHelp& command, const std::vector<CommandHelp>& others) {
  std::string text;
  for (std::size_t begin = 0; begin < command.name.size();) {
    const std::size_t end = std::min(command.name.find(' ', begin), command.name.size());
    text += fmt::format("{}__fish_seen_subcommand_from {}", begin == 0 ? "" : "; and ", command.name.substr(begin, end - begin));
    begin = end + 1;
  }
  if (!command.commands.empty()) text += fmt::format("; and not __fish_seen_subcommand_from {}", fmt::join(words_of(command.commands), " "));
  for (const CommandHelp& other : others) {
    const std::vector<std::string> words = words_of(other.commands);
    if (std::find(words.begin(), words.end(), command.name) != words.end())
      text += "; and not __fish_seen_subcommand_from " + other.name;
  }
  return in_quotes(text);
}

std::string fish_command(const CommandHelp& command, const std::vector<CommandHelp>& others) {
  const std::string here = fish_condition(command, others);
  std::string text;
  for (const CommandHelp& one : command.commands) {
    text += fmt::format("complete -c passdiff -n {} -f -a {} -d {}\n", here, one.word(), in_quotes(brief(one.summary)));
  }
  for (const HelpEntry& flag : command.flags) {
    text += fmt::format("complete -c passdiff -n {}", here);
    for (const std::string& name : flag.names) {
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (flag.takes_value) text += " -r";
    if (!flag.words.empty()) text += fmt::format(" -f -a {}", in_quotes(fmt::format("{}", fmt::join(flag.words, " "))));
    text += fmt::format(" -d {}\n", in_quotes(brief(flag.summary)));
  }
  const std::vector<std::string> words = words_of_arguments(command);
  if (!words.empty()) {
    text += fmt::format("complete -c passdiff -n {} -f -a {}\n", here,
                        in_quotes(fmt::format("{}", fmt::join(words, " "))));
  }
  for (const CommandHelp& one : command.commands) text += fish_command(one, {});
  return text;
}

// The cases of bash's script: after a flag that takes a value its words, or files; the words of a command's arguments and flags.
struct BashCases {
  std::string by_flag, by_command;
  std::vector<std::string> nested;  // commands of commands, as patterns

  void add(const CommandHelp& command) {
    std::vector<std::string> words = words_of(command.commands);
    for (const std::string& word : words_of_arguments(command)) words.push_back(word);
    for (const HelpEntry& flag : command.flags) {
      words.insert(words.end(), flag.names.begin(), flag.names.end());
      if (!flag.takes_value) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : flag.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
      by_flag += fmt::format("    {})\n      words='{}' ;;\n", fmt::join(patterns, " | "), fmt::join(flag.words, " "));
    }
    by_command += fmt::format("      '{}') words='{}' ;;\n", command.name, fmt::join(words, " "));
    for (const CommandHelp& one : command.commands) {
      nested.push_back(in_quotes(one.name));
      add(one);
    }
  }
};

}  // namespace

std::string bash_completion(const ProgramHelp& program) {
  BashCases cases;
  for (const CommandHelp& command : program.commands) cases.add(command);
  return fmt::format(R"(# Completion of passdiff for bash: source <(passdiff completion bash)
_passdiff() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{}' -- "$word"))
    return
  fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$command ${{COMP_WORDS[2]}}" in
    {}) command+=" ${{COMP_WORDS[2]}}" ;;
    esac
  fi
  case "$command $before" in
{}    *)
      case $command in
{}      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _passdiff passdiff
)",
                     fmt::join(words_of(program.commands), " "), fmt::join(cases.nested, " | "), cases.by_flag, cases.by_command);
}

std::string zsh_completion(const ProgramHelp& program) {
  return fmt::format(R"(#compdef passdiff
# Completion of passdiff for zsh: source <(passdiff completion zsh), after compinit
{}compdef _passdiff passdiff
)",
                     zsh_commands("_passdiff", program.commands));
}

std::string fish_completion(const ProgramHelp& program) {
  std::string text = "# Completion of passdiff for fish: passdiff completion fish | source\n";
  for (const CommandHelp& command : program.commands) {
    text += fmt::format("complete -c passdiff -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        in_quotes(brief(command.summary)));
  }
  for (const CommandHelp& command : program.commands) text += fish_command(command, program.commands);
  return text;
}

void add_completion(CLI::App& app, Run& run) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "completion", "Print a script that completes the words of this command in a shell");
  command->add_option("shell", *shell, "The shell")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([&app, &run, shell] {
    run = [&app, shell] {
      const ProgramHelp help = help_of(app);
      const std::string script = *shell == "bash"  ? bash_completion(help)
                                 : *shell == "zsh" ? zsh_completion(help)
                                                   : fish_completion(help);
      std::fputs(script.c_str(), stdout);
      return kExitClean;
    };
  });
}

}  // namespace passdiff
