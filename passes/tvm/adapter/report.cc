#include "passes/tvm/adapter/report.h"

#include <nlohmann/json.hpp>
#include <string>

#include "passes/tvm/adapter/build.h"
#include "passes/tvm/adapter/document.h"
#include "passes/tvm/adapter/encode.h"

namespace passdiff {
namespace {

constexpr std::size_t kMaxMessage = 16 << 10;  // TVM's messages may print the module

// "tvm::relax::Foo(int)" without its parameters; "(anonymous namespace)" and "operator()" are part of a name.
std::string_view function_name(std::string_view symbol) {
  for (std::size_t at = symbol.find('('); at != std::string_view::npos; at = symbol.find('(', at + 1)) {
    if (symbol.substr(at).starts_with("(anonymous")) continue;
    if (symbol.substr(0, at).ends_with("operator")) continue;
    return symbol.substr(0, at);
  }
  return symbol;
}

// "file.cc:function" of the first frame: File "/tvm/src/file.cc", line 12, in function(int)
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
