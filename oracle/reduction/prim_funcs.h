// Shared by the steps of reduction for functions of TensorIR.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/documents/case.h"
#include "core/ir/tir/mutator.h"
#include "oracle/reduction/steps.h"

namespace passdiff {

// A statement that is to leave no trace; its address tells.
const tir::Stmt& nothing();
// What is left of a statement some of whose children became nothing.
tir::Stmt collapsed(const tir::Stmt& stmt);

// Rewrites the statements for which it is given something else.
class StmtEditor : public tir::Mutator {
 public:
  using Edit = std::function<std::optional<tir::Stmt>(const tir::Stmt&)>;
  explicit StmtEditor(Edit edit) : edit_(std::move(edit)) {}
  tir::Stmt stmt(const tir::Stmt& old) override;

 private:
  Edit edit_;
};

// The statements of all functions, each before those inside of it; a sequence is none.
std::vector<tir::Stmt> stmts_of(const TestCase& test);
// The case with the bodies, or statements, edited; nothing if none of them changes.
std::optional<TestCase> with_bodies(const TestCase& test,
                                    const std::function<tir::Stmt(const tir::Stmt&)>& edit);
std::optional<TestCase> with_stmts(const TestCase& test, const StmtEditor::Edit& edit);

// Whether a statement, which may be null, reads, writes or mentions the buffer. What blocks say of regions
// does not count.
bool accesses(const tir::Stmt& stmt, const tir::Buffer& buffer);
// The number as an expression.
tir::Expr number(const tir::ScalarType& type, std::int64_t value);
// Whether two expressions are built alike from the same variables and buffers.
bool is_same(const tir::Expr& a, const tir::Expr& b);

// Statements in whose place a plainer one may stand: loops, branches, blocks.
using Alternatives = std::vector<tir::Stmt>;
Alternatives alternatives(const tir::Stmt& stmt);
// The block without what its statements do not need: buffers, regions, variables.
tir::SBlockRealize tidied(const tir::SBlockRealize& realize);

// Takes an axis away from the chosen buffers, and from all that is read from and written to them.
class AxisDropper : public tir::Mutator {
 public:
  AxisDropper(std::function<bool(const tir::Buffer&)> chosen, std::size_t axis)
      : chosen_(std::move(chosen)), axis_(axis) {}
  tir::Expr expr(const tir::Expr& old) override;
  tir::Stmt stmt(const tir::Stmt& old) override;
  tir::Param param(const tir::Param& old) {
    const auto* declared = std::get_if<tir::Buffer>(&old);
    return declared == nullptr ? old : tir::Param(buffer(*declared));
  }

 protected:
  tir::Buffer buffer(const tir::Buffer& old) override;
  tir::BufferRegion region(const tir::BufferRegion& old) override;

 private:
  bool drops(const tir::Buffer& buffer) const;

  std::function<bool(const tir::Buffer&)> chosen_;
  std::size_t axis_;
  std::unordered_map<const tir::BufferNode*, tir::Buffer> shorter_;
};

// The function with parameters and body mapped.
template <class Mapper>
tir::PrimFuncPtr mapped(const tir::PrimFuncPtr& function, Mapper&& mapper) {
  tir::PrimFunc fresh = *function;
  for (tir::Param& param : fresh.params) param = mapper.param(param);
  fresh.body = mapper.stmt(fresh.body);
  return std::make_shared<const tir::PrimFunc>(std::move(fresh));
}

// The function with every integer in it above 1 mapped, so that sizes, extents and regions still fit each
// other.
tir::PrimFuncPtr with_sizes(const tir::PrimFuncPtr& function,
                            const std::function<std::int64_t(std::int64_t)>& map);
// The function with extents of loops, domains of blocks, and sizes of buffers that are 1 made `size`.
tir::PrimFuncPtr with_larger_ones(const tir::PrimFuncPtr& function, std::int64_t size);
// The function with plain names: buffers are A, B, ..., loops i, j, ..., blocks "block".
tir::PrimFuncPtr with_plain_names(const tir::PrimFuncPtr& function);

}  // namespace passdiff
