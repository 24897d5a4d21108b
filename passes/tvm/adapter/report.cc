#include "passes/tvm/adapter/report.h"

#include <cctype>
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

// The place of a frame as "file.cc:function"; empty for other lines. Frames read: File "/tvm/src/file.cc", line 12, in function(int)
std::string place_of(std::string_view line) {
  constexpr std::string_view kFile = "File \"";
  constexpr std::string_view kIn = ", in ";
  const std::size_t file = line.find(kFile);
  const std::size_t in = line.find(kIn);
  if (file == std::string_view::npos || in == std::string_view::npos) return "";
  std::string_view path = line.substr(file + kFile.size());
  path = path.substr(0, path.find('"'));
  path = path.substr(path.rfind('/') + 1);
  std::string function(function_name(line.substr(in + kIn.size())));
  // A map of few entries is of another class than one of many, which says nothing of an error in it.
  for (const std::string_view kind : {"DenseMapBaseObj::At", "SmallMapBaseObj::at"}) {
    if (const std::size_t at = function.find(kind); at != std::string::npos) function.replace(at, kind.size(), "MapBaseObj::At");
  }
  return std::string(path) + ":" + function;
}

// Frames of the bridge between Python and C++, which every error of the other side crosses, and of its containers.
bool belongs_to_the_bridge(std::string_view place) {
  return place.starts_with("<unknown>") || place.starts_with("container.py:") || place.find(".pxi:") != std::string_view::npos;
}

// The innermost place that tells something; empty if there is none.
std::string throw_site(std::string_view backtrace) {
  while (!backtrace.empty()) {
    const std::size_t end = backtrace.find('\n');
    std::string place = place_of(backtrace.substr(0, end));
    if (!place.empty() && !belongs_to_the_bridge(place)) return place;
    backtrace = end == std::string_view::npos ? std::string_view() : backtrace.substr(end + 1);
  }
  return "";
}

// What of a message's first line does not depend on the module: its words, but for those in brackets and those with digits, ten at most:
// "Cannot-treat-type-ir.GenericConst-as-type-ir.Var".
std::string constant_words(std::string_view message) {
  constexpr int kMostWords = 10;
  std::string words, word;
  int count = 0, depth = 0;
  const auto end_word = [&] {
    const bool digits = word.find_first_of("0123456789") != std::string::npos;
    if (!word.empty() && !digits && count++ < kMostWords) words += (words.empty() ? "" : "-") + word;
    word.clear();
  };
  for (const char c : message.substr(0, message.find('\n'))) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    const bool part = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    if (depth == 0 && part) {
      word += c;
    } else {
      end_word();
    }
    if (c == ')' || c == ']' || c == '}') depth = depth > 0 ? depth - 1 : 0;
  }
  end_word();
  while (!words.empty() && words.back() == '.') words.pop_back();
  return words;
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
  std::string site = throw_site({trace.data, trace.size});
  if (site.empty()) site = "says:" + constant_words(message);
  return error_report(kind, kind + "@" + site, message);
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
