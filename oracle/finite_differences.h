// Derivatives as finite differences show them: the reference for what automatic differentiation makes.
#pragma once

#include <functional>
#include <optional>

namespace passdiff {

// A derivative, by how much the differences that it is made from may be off, and the function's value there.
struct Slope {
  double value;
  double error;
  double height;
};

// The derivative at 0 of a function that is computed in double precision, by central differences with steps of about `scale` / 1000, whose
// errors of second order cancel. Nothing where the function is not defined nearby, is not finite, or has a kink or a jump: the
// differences to both sides do not approach each other there as the step shrinks.
std::optional<Slope> slope_at_zero(const std::function<std::optional<double>(double step)>& function, double scale);

}  // namespace passdiff
