// Completion of the command's own words in shells. `passdiff completion SHELL` prints the script.
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

std::string zsh_command(const CommandHelp& command) {
  std::string text = fmt::format("    {})\n      _arguments \\\n", command.name);
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

std::string fish_command(const CommandHelp& command) {
  const std::string here = in_quotes("__fish_seen_subcommand_from " + command.name);
  std::string text;
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
  return text;
}

std::vector<std::string> command_names(const ProgramHelp& program) {
  std::vector<std::string> names;
  for (const CommandHelp& command : program.commands) names.push_back(command.name);
  return names;
}

}  // namespace

std::string bash_completion(const ProgramHelp& program) {
  std::string words_by_flag, words_by_command;
  for (const CommandHelp& command : program.commands) {
    std::vector<std::string> words = words_of_arguments(command);
    for (const HelpEntry& flag : command.flags) {
      words.insert(words.end(), flag.names.begin(), flag.names.end());
      if (!flag.takes_value) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : flag.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
      // After a flag that takes a value: its words, or files.
      words_by_flag += fmt::format("    {})\n      words='{}' ;;\n", fmt::join(patterns, " | "),
                                   fmt::join(flag.words, " "));
    }
    words_by_command += fmt::format("      {}) words='{}' ;;\n", command.name, fmt::join(words, " "));
  }
  return fmt::format(R"(# Completion of passdiff for bash: source <(passdiff completion bash)
_passdiff() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{}' -- "$word"))
    return
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
                     fmt::join(command_names(program), " "), words_by_flag, words_by_command);
}

std::string zsh_completion(const ProgramHelp& program) {
  std::string described, commands;
  for (const CommandHelp& command : program.commands) {
    described += fmt::format("    {}\n", in_quotes(command.name + ":" + zsh_text(brief(command.summary))));
    commands += zsh_command(command);
  }
  return fmt::format(R"(#compdef passdiff
# Completion of passdiff for zsh: source <(passdiff completion zsh), after compinit
_passdiff() {{
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
compdef _passdiff passdiff
)",
                     described, commands);
}

std::string fish_completion(const ProgramHelp& program) {
  std::string text = "# Completion of passdiff for fish: passdiff completion fish | source\n";
  for (const CommandHelp& command : program.commands) {
    text += fmt::format("complete -c passdiff -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                        in_quotes(brief(command.summary)));
  }
  for (const CommandHelp& command : program.commands) text += fish_command(command);
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
