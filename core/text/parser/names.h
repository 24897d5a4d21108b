// Which names are in scope while a text is read, and what they stand for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/expr.h"
#include "core/ir/tir/expr.h"

namespace passdiff {

// What a name stands for: a variable, a symbolic or scalar variable, a buffer, or an expression of TensorIR; the others are null.
struct NameMeaning {
  Var var = nullptr;
  SymVar symbol = nullptr;
  tir::Buffer buffer = nullptr;
  tir::Expr value = nullptr;
};

class NameTable {
 public:
  const NameMeaning* find(std::string_view name) const;
  // Hides what the name stood for until the innermost NameScope ends.
  void set(std::string_view name, Var var) { set_meaning(name, {.var = std::move(var)}); }
  void set(std::string_view name, SymVar symbol) { set_meaning(name, {.symbol = std::move(symbol)}); }
  void set(std::string_view name, tir::Buffer buffer) { set_meaning(name, {.buffer = std::move(buffer)}); }
  void set(std::string_view name, tir::Expr value) { set_meaning(name, {.value = std::move(value)}); }
  // The prefix with a number; each call gives another one.
  std::string numbered(std::string_view prefix) { return std::string(prefix) + std::to_string(next_number_++); }

 private:
  friend class NameScope;
  struct Hidden {
    std::string name;
    std::optional<NameMeaning> before;
  };
  void set_meaning(std::string_view name, NameMeaning meaning);
  void close(std::size_t mark);

  std::map<std::string, NameMeaning, std::less<>> names_;
  std::vector<Hidden> hidden_;  // in the order in which names were set
  int next_number_ = 0;
};

// What is named during its lifetime is forgotten with it, and what that hid comes back.
class NameScope {
 public:
  explicit NameScope(NameTable& names) : names_(names), mark_(names.hidden_.size()) {}
  NameScope(const NameScope&) = delete;
  NameScope& operator=(const NameScope&) = delete;
  ~NameScope() { names_.close(mark_); }

 private:
  NameTable& names_;
  std::size_t mark_;
};

}  // namespace passdiff
