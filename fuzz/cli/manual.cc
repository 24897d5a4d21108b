// The manual page. `passdiff manual` prints it.
#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "fuzz/cli/commands.h"
#include "fuzz/cli/help.h"

namespace passdiff {
namespace {

// Text as roff: its own characters lose their meaning, and hyphens stay hyphens, so that flags can be copied from the page.
std::string escaped(std::string_view text) {
  std::string roff;
  for (const char c : text) {
    if (c == '\\') {
      roff += "\\e";
    } else if (c == '-') {
      roff += "\\-";
    } else if ((c == '.' || c == '\'') && (roff.empty() || roff.back() == '\n')) {
      roff += std::string("\\&") + c;
    } else {
      roff += c;
    }
  }
  return roff;
}

std::string value_text(const HelpEntry& entry) {
  if (!entry.takes_value) return "";
  if (entry.words.empty()) return fmt::format(" \\fI{}\\fR", escaped(entry.value));
  return fmt::format(" \\fI{}\\fR", escaped(fmt::format("{}", fmt::join(entry.words, "|"))));
}

std::string entry_text(const HelpEntry& entry) {
  std::string names;
  for (const std::string& name : entry.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
  std::string text = fmt::format(".TP\n{}{}\n{}", names, value_text(entry), escaped(entry.summary));
  if (!entry.initial.empty()) text += fmt::format(" (default: {})", escaped(entry.initial));
  return text + "\n";
}

std::string synopsis_of(const CommandHelp& command) {
  std::string line = fmt::format("\\fBpassdiff {}\\fR [\\fIOPTION\\fR...]", escaped(command.name));
  if (!command.commands.empty()) line += " \\fICOMMAND\\fR";
  for (const HelpEntry& argument : command.arguments) {
    const std::string name =
        fmt::format("\\fI{}\\fR{}", escaped(argument.names.front()), argument.repeated ? "..." : "");
    line += argument.required ? " " + name : " [" + name + "]";
  }
  return line;
}

std::string command_text(const CommandHelp& command) {
  std::string text =
      fmt::format(".SS {}\n{}\n.PP\n{}\n", escaped(command.name), synopsis_of(command), escaped(command.summary));
  for (const HelpEntry& argument : command.arguments) text += entry_text(argument);
  for (const HelpEntry& flag : command.flags) text += entry_text(flag);
  for (const CommandHelp& one : command.commands) text += command_text(one);
  return text;
}

}  // namespace

std::string manual_page(const ProgramHelp& program) {
  std::string page =
      fmt::format(".TH {} 1\n.SH NAME\n{} \\- {}\n", "PASSDIFF", program.name, escaped(program.summary));
  page += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n",
                      program.name);
  page += ".SH COMMANDS\n";
  for (const CommandHelp& command : program.commands) page += command_text(command);
  page += fmt::format(".SH EXIT STATUS\n{}\n", escaped(program.footer));
  return page;
}

void add_manual(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("manual", "Print the manual page: passdiff manual | man -l -");
  command->callback([&app, &run] {
    run = [&app] {
      std::fputs(manual_page(help_of(app)).c_str(), stdout);
      return kExitClean;
    };
  });
}

}  // namespace passdiff
