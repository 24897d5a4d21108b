// passdiff doctor: whether TVM's passes can be run here, and what to mend if they cannot.
#include "fuzz/cli/doctor.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/documents/case.h"
#include "fuzz/cli/commands.h"
#include "fuzz/cli/locations.h"
#include "passes/tvm/client.h"
#include "passes/tvm/host_process.h"
#include "passes/tvm/location.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Programs for the Python in question. Each is a host that says hello and ends (passes/tvm/PROTOCOL.md): its hello holds the facts.
// Python puts the current folder in front of its path for such a program, but not for the host: it is taken away.
constexpr std::string_view kWithoutCurrentFolder =
    "import sys\nsys.path[:] = [entry for entry in sys.path if entry]\n";
// The versions of the packages are read without importing them, since two that do not fit each other may crash. The second argument
// is the folder of host_compiler.py, which knows the pairs that fit.
constexpr std::string_view kFacts = R"py(
import importlib.util, os, platform
sys.path.append(sys.argv[1])
import host_compiler as known
version = known._installed("apache-tvm")
facts = {"python": platform.python_version(), "new": sys.version_info >= (3, 9), "tvm": version, "ffi": known._installed("apache-tvm-ffi"),
         "found": importlib.util.find_spec("tvm") is not None, "good": known.GOOD_PAIRS.get(known._series(version or "")),
         "remedy": known._remedy(version), "adapter": known.find_adapter(None)}
)py";
constexpr std::string_view kImport = "import tvm\nfacts = {'version': tvm.__version__}\n";
constexpr std::string_view kHello = R"py(
import json, os, socket, struct
header = json.dumps({"hello": 1, **facts}).encode()
socket.socket(fileno=int(os.environ["PASSDIFF_SOCKET"])).sendall(struct.pack("<II", 1, len(header)) + header)
)py";

// The error's message without the words about the host: to whoever reads it, the program of this file is none.
std::string message_of(const Error& error) {
  std::string_view message = error.message;
  for (const std::string_view words : {"TVM host: ", "it ended before it said hello: "}) {
    if (message.starts_with(words)) message.remove_prefix(words.size());
  }
  return std::string(message.empty() ? "it ends and prints nothing" : message);
}

Result<json> facts_of(const std::string& python, std::string_view program) {
  const std::string whole = fmt::format("{}{}{}", kWithoutCurrentFolder, program, kHello);
  const auto host = TRY(
      HostProcess::start({python, {"-c", whole, default_host_folder().string()}}, std::chrono::seconds(60)));
  return host->hello();
}

std::string text_in(const json& facts, const char* key) {
  const auto found = facts.find(key);
  return found != facts.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool flag_in(const json& facts, const char* key) {
  const auto found = facts.find(key);
  return found != facts.end() && found->is_boolean() && found->get<bool>();
}

Diagnosis check_scripts() {
  const fs::path script = default_host_folder() / "host.py";
  std::error_code error;
  if (fs::exists(script, error)) return {"host's scripts", Health::ok, script.parent_path().string()};
  return {"host's scripts", Health::wrong,
          script.string() + " is missing: build the target passdiff, or set PASSDIFF_HOST_DIR"};
}

Diagnosis check_python(const std::string& python, const Result<json>& facts) {
  if (!facts) return {"python", Health::wrong, message_of(facts.error())};
  const std::string version = text_in(*facts, "python");
  if (!flag_in(*facts, "new"))
    return {"python", Health::wrong,
            fmt::format("{} is Python {}: the host needs 3.9 or newer", python, version)};
  return {"python", Health::ok, fmt::format("{} is Python {}", python, version)};
}

Diagnosis check_packages(const json& facts) {
  const std::string tvm = text_in(facts, "tvm");
  const std::string ffi = text_in(facts, "ffi");
  const std::string remedy = text_in(facts, "remedy");
  if (!flag_in(facts, "found"))
    return {"packages", Health::wrong,
            "this Python has no tvm: " + remedy + ", or name another one with --python"};
  if (tvm.empty())
    return {"packages", Health::note,
            "tvm is there, but not as the package apache-tvm: nothing tells which tvm_ffi it needs"};
  if (ffi.empty())
    return {"packages", Health::wrong, fmt::format("apache-tvm {} without apache-tvm-ffi: {}", tvm, remedy)};
  const std::string both = fmt::format("apache-tvm {} with apache-tvm-ffi {}", tvm, ffi);
  const auto good = facts.find("good");
  if (good != facts.end() && *good == json::array({tvm, ffi}))
    return {"packages", Health::ok, both + ", a pair that works"};
  return {"packages", Health::note, fmt::format("{} is no pair that is known to work: {}", both, remedy)};
}

Diagnosis check_import(const std::string& python, const std::string& remedy) {
  const Result<json> facts = facts_of(python, kImport);
  if (facts) return {"import tvm", Health::ok, "is version " + text_in(*facts, "version")};
  return {"import tvm", Health::wrong, fmt::format("fails ({}): {}", message_of(facts.error()), remedy)};
}

// What the adapter is, once the host was started with it or not.
Diagnosis check_adapter(const std::string& adapter, const Error* failure) {
  std::error_code error;
  if (!fs::exists(adapter, error)) {
    return {"adapter", Health::wrong,
            fmt::format("there is no {}: build the target passdiff with -DPASSDIFF_TVM_ADAPTER=ON", adapter)};
  }
  if (failure == nullptr) return {"adapter", Health::ok, adapter + " loads"};
  if (failure->code != "subject.adapter")
    return {"adapter", Health::unknown, adapter + " is there; the host did not come so far as to load it"};
  return {"adapter", Health::wrong,
          message_of(*failure) + "; build it against this Python's packages: -DPASSDIFF_PYTHON=..."};
}

// The rows for the adapter and the host.
void check_host(const std::string& python, const std::string& adapter, std::vector<Diagnosis>& rows) {
  TvmOptions options;
  options.python = python;
  const Result<std::unique_ptr<Subject>> subject = make_tvm_subject(options);
  rows.push_back(check_adapter(adapter, subject ? nullptr : &subject.error()));
  if (rows.back().health == Health::wrong) return;
  if (!subject) {
    rows.push_back({"host", Health::wrong, message_of(subject.error())});
    return;
  }
  const auto passes = (*subject)->passes();
  const auto usable =
      std::count_if(passes.begin(), passes.end(), [](const Pass& pass) { return pass.unsupported.empty(); });
  rows.push_back(
      {"host", Health::ok,
       fmt::format("starts: {} {}, {} passes", (*subject)->name(), (*subject)->version(), usable)});
}

Diagnosis check_known() {
  const fs::path folder = default_known_folder();
  if (folder.empty())
    return {"known cases", Health::note,
            "no corpus/known beside the sources: known causes will be reported as new ones"};
  return {"known cases", Health::ok, fmt::format("{} in {}", find_cases(folder).size(), folder.string())};
}

// A worker's limit of address space, as host_supervisor.py sets it.
Diagnosis check_memory() {
  constexpr std::uint64_t kWanted = std::uint64_t{8} << 30;
  std::uint64_t given = kWanted;
  if (const char* text = std::getenv("PASSDIFF_WORKER_MEMORY"); text != nullptr) {
    const std::string_view digits = text;
    const auto [end, fault] = std::from_chars(digits.begin(), digits.end(), given);
    if (fault != std::errc() || end != digits.end())
      return {
          "memory", Health::wrong,
          fmt::format("PASSDIFF_WORKER_MEMORY is '{}': it must be a number of bytes, or not be set", digits)};
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_max != RLIM_INFINITY)
    given = std::min<std::uint64_t>(given, limit.rlim_max);
  const std::string text =
      fmt::format("{:.1f} GiB of address space for each worker", static_cast<double>(given) / (1 << 30));
  if (given >= kWanted) return {"memory", Health::ok, text};
  return {"memory", Health::note,
          text + ": less than 8, passes may fail for want of it (ulimit -v, PASSDIFF_WORKER_MEMORY)"};
}

// The rows about the Python and all that runs in it. What cannot be tried, because what it needs is wrong, has no row.
void check_subject(const std::string& python, std::vector<Diagnosis>& rows) {
  rows.push_back(check_scripts());
  if (rows.back().health == Health::wrong) return;
  const Result<json> facts = facts_of(python, kFacts);
  rows.push_back(check_python(python, facts));
  if (rows.back().health == Health::wrong) return;
  rows.push_back(check_packages(*facts));
  if (rows.back().health == Health::wrong) return;
  rows.push_back(check_import(python, text_in(*facts, "remedy")));
  if (rows.back().health == Health::wrong) return;
  check_host(python, text_in(*facts, "adapter"), rows);
}

const char* word_of(Health health) {
  switch (health) {
    case Health::ok:
      return "ok";
    case Health::note:
      return "note";
    case Health::wrong:
      return "WRONG";
    case Health::unknown:
      return "?";
  }
  return "";
}

int run_doctor(const std::string& python) {
  bool well = true;
  for (const Diagnosis& diagnosis : diagnose(python)) {
    fmt::print("{}\n", to_string(diagnosis));
    well = well && diagnosis.health != Health::wrong;
  }
  return well ? kExitClean : kExitSubject;
}

}  // namespace

std::vector<Diagnosis> diagnose(const std::string& python) {
  std::vector<Diagnosis> rows;
  check_subject(python.empty() ? default_tvm_python() : python, rows);
  rows.push_back(check_known());
  rows.push_back(check_memory());
  return rows;
}

std::string to_string(const Diagnosis& diagnosis) {
  return fmt::format("{:<6} {:<15} {}", word_of(diagnosis.health), diagnosis.what, diagnosis.text);
}

void add_doctor(CLI::App& app, Run& run) {
  auto python = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Check what passdiff needs here to run TVM's passes, and say how to mend what is wrong");
  command->add_option("--python", *python, "The Python whose tvm is tested (default: build/venv's)");
  command->callback([python, &run] { run = [python] { return run_doctor(*python); }; });
}

}  // namespace passdiff
