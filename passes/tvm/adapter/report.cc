#include "passes/tvm/adapter/report.h"

#include <nlohmann/json.hpp>
#include <string>

#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/encode.h"

namespace passdiff {
namespace {

constexpr std::size_t kMaxMessage = 16 << 10;  // TVM's messages may print the module

// The name of a function: "tvm::relax::Foo" for "void tvm::relax::Foo(int)". "(anonymous namespace)" and "operator()" are parts of a
// name.
std::string_view function_name(std::string_view symbol) {
  std::size_t start = 0;
  int angles = 0;
  for (std::size_t at = 0; at < symbol.size(); ++at) {
    const std::string_view rest = symbol.substr(at);
    if (rest.starts_with("(anonymous namespace)")) {
      at += std::string_view("(anonymous namespace)").size() - 1;
    } else if (rest.starts_with("operator")) {
      return symbol.substr(start, at - start + std::string_view("operator").size());
    } else if (rest.front() == '<') {
      ++angles;
    } else if (rest.front() == '>') {
      --angles;
    } else if (angles == 0 && rest.front() == ' ') {
      start = at + 1;
    } else if (angles == 0 && rest.front() == '(') {
      return symbol.substr(start, at - start);
    }
  }
  return symbol.substr(start);
}

// The place of the first frame as "file.cc:function". Frames read: File "/tvm/src/file.cc", line 12, in function(int)
std::string throw_site(std::string_view backtrace) {
  constexpr std::string_view kFile = "File \"";
  constexpr std::string_view kIn = ", in ";
  const std::string_view line = backtrace.substr(0, backtrace.find('\n'));
  const std::size_t file = line.find(kFile);
  const std::size_t in = line.find(kIn);
  if (file == std::string_view::npos || in == std::string_view::npos) return "";
  std::string_view path = line.substr(file + kFile.size());
  path = path.substr(0, path.find('"'));
  path = path.substr(path.rfind('/') + 1);
  return std::string(path) + ":" + std::string(function_name(line.substr(in + kIn.size())));
}

}  // namespace

nlohmann::json error_report(const std::string& kind, const std::string& site, std::string_view message) {
  return {{"kind", kind}, {"site", site}, {"message", std::string(message.substr(0, kMaxMessage))}};
}

nlohmann::json error_report(const ffi::Error& error) {
  std::string kind = error.kind();
  const std::string message = error.message();
  if (message == "std::bad_alloc") kind = "MemoryError";
  const TVMFFIByteArray trace =
      error.operator->() == nullptr ? TVMFFIByteArray{} : error.operator->()->backtrace;
  const std::string site = throw_site({trace.data, trace.size});
  return error_report(kind, site.empty() ? kind : kind + "@" + site, message);
}

std::optional<nlohmann::json> attempt(const std::function<void()>& work) {
  try {
    work();
    return std::nullopt;
  } catch (const ffi::Error& error) {
    return error_report(error);
  } catch (const Refusal& refusal) {
    return error_report(refusal.kind, refusal.kind, refusal.what());
  } catch (const Unreadable& unreadable) {
    return error_report("Unreadable", "Unreadable", unreadable.what());
  } catch (const DocumentError& error) {
    return error_report("DocumentError", "DocumentError", error.what());
  } catch (const std::bad_alloc&) {
    return error_report("MemoryError", "MemoryError", "the adapter ran out of memory");
  }
}

std::string to_text(const nlohmann::json& document) {
  return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace passdiff
