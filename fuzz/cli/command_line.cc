#include "fuzz/cli/command_line.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace passdiff {
namespace {

constexpr int kMostJobs = 256;

// The cores on which this process may run, which may be fewer than the machine has; 0 if that cannot be told.
int usable_cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
  return static_cast<int>(std::thread::hardware_concurrency());
}

// Of each validator, the result is what is wrong with the text; empty if nothing is.
std::string fault_of_number(const std::string& text) {
  errno = 0;
  std::strtoull(text.c_str(), nullptr, 0);
  if (text.find('-') == std::string::npos && errno != ERANGE) return {};
  return fmt::format("{} is no number from 0 to {}", text, UINT64_MAX);
}
std::string fault_of_value(const std::string& text) {
  return text.empty() ? "the value is empty" : "";
}

// The arguments of a program that `record` runs may be empty.
bool is_program(const CLI::Option& option) {
  return option.get_positional() && option.get_name() == "command";
}

const CLI::App* subcommand(const CLI::App& app, std::string_view name) {
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (one->get_name() == name) return one;
  }
  return nullptr;
}

// The error in a list of commas alone, if the argument is an option of a list that is given one.
std::optional<Error> fault_of_list(const CLI::App& command, std::string_view argument, std::string_view next) {
  const std::size_t equals = argument.find('=');
  const std::string name(argument.substr(0, equals));
  const CLI::Option* option = command.get_option_no_throw(name);
  if (!name.starts_with("-") || option == nullptr || option->get_delimiter() == '\0') return std::nullopt;
  const std::string_view list = equals == std::string_view::npos ? next : argument.substr(equals + 1);
  if (list.empty() || list.find_first_not_of(option->get_delimiter()) != std::string_view::npos) return std::nullopt;
  return Error{"usage.list", fmt::format("{}: nothing is named in `{}`", name, list)};
}

}  // namespace

void add_seed(CLI::App& command, std::uint64_t& seed, const std::string& help) {
  command.add_option("--seed", seed, help)->capture_default_str()->check(fault_of_number);
}

void add_jobs(CLI::App& command, int& jobs, const std::string& help) {
  jobs = std::clamp(usable_cores(), 1, kMostJobs);
  command.add_option("--jobs", jobs, help)->check(CLI::Range(1, kMostJobs));
}

void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
    if (option->get_items_expected_max() > 0 && !is_program(*option)) option->check(fault_of_value);
  }
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) refuse_empty_values(*command);
}

std::optional<Error> fault_of_arguments(const CLI::App& app, std::span<char* const> arguments) {
  const CLI::App* at = &app;
  std::string path = app.get_name();
  std::size_t i = 0;
  for (; i < arguments.size() && !at->get_subcommands([](const CLI::App*) { return true; }).empty(); ++i) {
    const std::string_view name = arguments[i];
    if (name.starts_with("-")) return std::nullopt;
    const CLI::App* next = subcommand(*at, name);
    if (next == nullptr) return Error{"usage.command", fmt::format("{}: no such command; see `{} --help`", name, path)};
    at = next;
    path += fmt::format(" {}", name);
  }
  for (; i < arguments.size() && std::string_view(arguments[i]) != "--"; ++i) {
    if (auto fault = fault_of_list(*at, arguments[i], i + 1 < arguments.size() ? arguments[i + 1] : "")) return fault;
  }
  return std::nullopt;
}

}  // namespace passdiff
