// Equality of dimensions: both sides are brought into a sum of products with integer coefficients.
#include <algorithm>

#include "core/ir/dim.h"

namespace passdiff {
namespace {

// A factor of a product: a variable, or an operator that sums of products cannot express.
using Atom = const DimNode*;
// A product of atoms: their indices, sorted, with repetitions.
using Monomial = std::vector<int>;

struct Term {
  Monomial monomial;
  std::int64_t coefficient = 0;
};
// A sum of products, sorted by monomial, without zero coefficients.
using Polynomial = std::vector<Term>;

constexpr int kMaxSteps = 20'000;      // dims of untrusted modules may share nodes exponentially
constexpr std::size_t kMaxTerms = 64;  // (a + b) * (c + d) * ... doubles with each factor
constexpr std::size_t kMaxDegree = 16;

class Normaliser {
 public:
  // The dimension as a sum of products; nothing if it is too large for this, or if coefficients overflow.
  std::optional<Polynomial> normalise(const Dim& dim);

 private:
  int atom_index(Atom atom);
  bool same_atom(Atom a, Atom b);
  static std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b, std::int64_t factor);
  static std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b);

  std::vector<Atom> atoms_;
  int steps_ = 0;
};

Polynomial constant(std::int64_t value) {
  return value == 0 ? Polynomial{} : Polynomial{{{}, value}};
}

// The sum a + factor * b; nothing if a coefficient overflows.
std::optional<Polynomial> Normaliser::add(const Polynomial& a, const Polynomial& b, std::int64_t factor) {
  Polynomial sum;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool take_a = i < a.size() && (j == b.size() || a[i].monomial <= b[j].monomial);
    const bool take_b = j < b.size() && (i == a.size() || b[j].monomial <= a[i].monomial);
    Term term{take_a ? a[i].monomial : b[j].monomial, take_a ? a[i].coefficient : 0};
    if (take_b) {
      std::int64_t scaled = 0;
      if (__builtin_mul_overflow(b[j].coefficient, factor, &scaled)) return std::nullopt;
      if (__builtin_add_overflow(term.coefficient, scaled, &term.coefficient)) return std::nullopt;
    }
    if (term.coefficient != 0) sum.push_back(std::move(term));
    i += take_a ? 1 : 0;
    j += take_b ? 1 : 0;
  }
  if (sum.size() > kMaxTerms) return std::nullopt;
  return sum;
}

std::optional<Polynomial> Normaliser::multiply(const Polynomial& a, const Polynomial& b) {
  Polynomial product;
  for (const Term& left : a) {
    Polynomial row;
    for (const Term& right : b) {
      Term term;
      if (__builtin_mul_overflow(left.coefficient, right.coefficient, &term.coefficient)) return std::nullopt;
      std::merge(left.monomial.begin(), left.monomial.end(), right.monomial.begin(), right.monomial.end(),
                 std::back_inserter(term.monomial));
      if (term.monomial.size() > kMaxDegree) return std::nullopt;
      row.push_back(std::move(term));
    }
    // Multiplying by one monomial does not keep the lexicographic order of the others.
    std::sort(row.begin(), row.end(), [](const Term& x, const Term& y) { return x.monomial < y.monomial; });
    std::optional<Polynomial> sum = add(product, row, 1);
    if (!sum) return std::nullopt;
    product = std::move(*sum);
  }
  return product;
}

bool Normaliser::same_atom(Atom a, Atom b) {
  if (a == b) return true;
  const SymVar* var_a = std::get_if<SymVar>(&a->node);
  const SymVar* var_b = std::get_if<SymVar>(&b->node);
  if (var_a != nullptr || var_b != nullptr) {
    return var_a != nullptr && var_b != nullptr && *var_a == *var_b;
  }
  const auto& left = std::get<DimBinary>(a->node);
  const auto& right = std::get<DimBinary>(b->node);
  if (left.op != right.op) return false;
  const auto equal_sides = [this](const Dim& x, const Dim& y) {
    const std::optional<Polynomial> p = normalise(x);
    const std::optional<Polynomial> q = p ? normalise(y) : std::nullopt;
    const std::optional<Polynomial> difference = q ? add(*p, *q, -1) : std::nullopt;
    return difference && difference->empty();
  };
  return equal_sides(left.lhs, right.lhs) && equal_sides(left.rhs, right.rhs);
}

int Normaliser::atom_index(Atom atom) {
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    if (same_atom(atoms_[i], atom)) return static_cast<int>(i);
  }
  atoms_.push_back(atom);
  return static_cast<int>(atoms_.size()) - 1;
}

std::optional<Polynomial> Normaliser::normalise(const Dim& dim) {
  if (++steps_ > kMaxSteps) return std::nullopt;
  if (dim.is_static()) return constant(dim.value());
  const auto* binary = std::get_if<DimBinary>(&dim.node()->node);
  if (binary == nullptr || binary->op > DimOp::multiply) return Polynomial{{{atom_index(dim.node())}, 1}};
  const std::optional<Polynomial> lhs = normalise(binary->lhs);
  const std::optional<Polynomial> rhs = lhs ? normalise(binary->rhs) : std::nullopt;
  if (!rhs) return std::nullopt;
  if (binary->op == DimOp::multiply) return multiply(*lhs, *rhs);
  return add(*lhs, *rhs, binary->op == DimOp::add ? 1 : -1);
}

// The difference a - b; nothing if one of them cannot be normalised.
std::optional<Polynomial> difference(const Dim& a, const Dim& b) {
  Normaliser normaliser;
  return normaliser.normalise(a - b);
}

}  // namespace

bool proven_equal(const Dim& a, const Dim& b) {
  if (a.is_static() && b.is_static()) return a.value() == b.value();
  if (a.node() == b.node()) return true;
  const SymVar* var_a = a.as_var();
  const SymVar* var_b = b.as_var();
  if (var_a != nullptr && var_b != nullptr) return *var_a == *var_b;
  if ((var_a != nullptr && b.is_static()) || (var_b != nullptr && a.is_static())) return false;
  const std::optional<Polynomial> rest = difference(a, b);
  return rest && rest->empty();
}

bool proven_equal(const Shape& a, const Shape& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Dim& x, const Dim& y) { return proven_equal(x, y); });
}

bool proven_different(const Dim& a, const Dim& b) {
  if (a.is_static() && b.is_static()) return a.value() != b.value();
  if (a.node() == b.node()) return false;
  const std::optional<Polynomial> rest = difference(a, b);
  return rest && rest->size() == 1 && rest->front().monomial.empty();
}

}  // namespace passdiff
