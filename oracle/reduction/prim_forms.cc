// Functions of TensorIR with other sizes, and with plain names.
#include <string>
#include <unordered_map>
#include <utility>

#include "oracle/reduction/prim_funcs.h"

namespace passdiff {
namespace {

// Maps integers above 1.
class SizeMapper : public tir::Mutator {
 public:
  explicit SizeMapper(const std::function<std::int64_t(std::int64_t)>& map) : map_(map) {}
  tir::Expr expr(const tir::Expr& old) override {
    const auto* number = tir::as<tir::IntImm>(old);
    if (number == nullptr || number->value <= 1) return parts(old);
    const std::int64_t mapped = map_(number->value);
    return mapped == number->value ? old : tir::make_expr(tir::IntImm{mapped}, old->type);
  }
  tir::Param param(const tir::Param& old) {
    const auto* declared = std::get_if<tir::Buffer>(&old);
    return declared == nullptr ? old : tir::Param(buffer(*declared));
  }

 private:
  const std::function<std::int64_t(std::int64_t)>& map_;
};

// Makes sizes that are 1 larger, and leaves other numbers alone: a 1 may be an index, or a value.
class OnesEnlarger : public tir::Mutator {
 public:
  explicit OnesEnlarger(std::int64_t size) : size_(size) {}
  tir::Stmt stmt(const tir::Stmt& old) override {
    tir::Stmt now = parts(old);
    if (const auto* loop = tir::as<tir::For>(now)) {
      tir::For longer = *loop;
      longer.extent = enlarged(loop->extent);
      return tir::make_stmt(std::move(longer));
    }
    if (const auto* realized = tir::as<tir::SBlockRealize>(now)) {
      tir::SBlockRealize wider = *realized;
      for (tir::IterVar& iter : wider.block.iter_vars) iter.domain.extent = enlarged(iter.domain.extent);
      return tir::make_stmt(std::move(wider));
    }
    return now;
  }
  tir::Param param(const tir::Param& old) {
    const auto* declared = std::get_if<tir::Buffer>(&old);
    return declared == nullptr ? old : tir::Param(buffer(*declared));
  }

 protected:
  tir::Buffer buffer(const tir::Buffer& old) override {
    const auto found = wider_.find(old.get());
    if (found != wider_.end()) return found->second;
    tir::BufferNode wider = *Mutator::buffer(old);
    for (tir::Expr& extent : wider.shape) extent = enlarged(extent);
    return wider_[old.get()] = std::make_shared<const tir::BufferNode>(std::move(wider));
  }

 private:
  tir::Expr enlarged(const tir::Expr& extent) const {
    const auto* number = tir::as<tir::IntImm>(extent);
    return number == nullptr || number->value != 1 ? extent : tir::make_expr(tir::IntImm{size_}, extent->type);
  }

  std::int64_t size_;
  std::unordered_map<const tir::BufferNode*, tir::Buffer> wider_;
};

// Gives what a function defines plain names, in the order in which it stands.
class PlainNamer : public tir::Mutator {
 public:
  tir::Param param(const tir::Param& old) {
    const auto* declared = std::get_if<tir::Buffer>(&old);
    return declared == nullptr ? old : tir::Param(definition(*declared));
  }
  tir::Expr expr(const tir::Expr& old) override {
    const tir::Var* var = tir::as<tir::Var>(old);
    if (var == nullptr) return parts(old);
    const auto found = vars_.find(var->get());
    return found == vars_.end() ? old : tir::var_expr(found->second);
  }
  tir::Stmt stmt(const tir::Stmt& old) override {
    const auto* realize = tir::as<tir::SBlockRealize>(old);
    if (realize == nullptr) {
      in_block_ = false;
      return parts(old);
    }
    tir::SBlockRealize renamed = *realize;
    if (renamed.block.name != "root") renamed.block.name = fresh("block", blocks_++);
    in_block_ = true;
    return parts(tir::make_stmt(std::move(renamed)));
  }

 protected:
  tir::Var definition(const tir::Var& old) override {
    const std::string letters = "ijkl";
    int& count = in_block_ ? iters_ : loops_;
    const std::string letter(1, letters[static_cast<std::size_t>(count) % letters.size()]);
    const std::string name = fresh((in_block_ ? "v" : "") + letter, count / static_cast<int>(letters.size()));
    ++count;
    return vars_[old.get()] = tir::make_var(name, old->type);
  }
  tir::Buffer definition(const tir::Buffer& old) override {
    const std::string letters = "ABCDEFGH";
    tir::BufferNode node = *Mutator::buffer(old);
    const std::string letter(1, letters[static_cast<std::size_t>(named_) % letters.size()]);
    node.name = fresh(letter, named_ / static_cast<int>(letters.size()));
    ++named_;
    return renamed_[old.get()] = std::make_shared<const tir::BufferNode>(std::move(node));
  }
  tir::Buffer buffer(const tir::Buffer& old) override {
    const auto found = renamed_.find(old.get());
    return found == renamed_.end() ? Mutator::buffer(old) : found->second;
  }

 private:
  static std::string fresh(const std::string& base, int count) {
    return count == 0 ? base : base + std::to_string(count);
  }

  std::unordered_map<const SymVarNode*, tir::Var> vars_;
  std::unordered_map<const tir::BufferNode*, tir::Buffer> renamed_;
  bool in_block_ = false;
  int loops_ = 0;
  int iters_ = 0;
  int blocks_ = 0;
  int named_ = 0;
};

}  // namespace

tir::PrimFuncPtr with_sizes(const tir::PrimFuncPtr& function,
                            const std::function<std::int64_t(std::int64_t)>& map) {
  return mapped(function, SizeMapper(map));
}

tir::PrimFuncPtr with_larger_ones(const tir::PrimFuncPtr& function, std::int64_t size) {
  return mapped(function, OnesEnlarger(size));
}

tir::PrimFuncPtr with_plain_names(const tir::PrimFuncPtr& function) {
  return mapped(function, PlainNamer());
}

}  // namespace passdiff
