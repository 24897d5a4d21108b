// Values as Python expressions, for repro.py.
#pragma once

#include <string>
#include <vector>

#include "core/tensor/value.h"
#include "passes/tvm/repro_python.h"

namespace passdiff {

// A number as Python reads it back: 1.5, -0.0, np.nan.
std::string python_number(double value, DType dtype);
// An array: np.zeros((2, 3), "float32"), np.arange(6, dtype="int64").reshape(2, 3), np.array([1.0, 2.0], "float32").
std::string numpy_array(const Tensor& tensor);
// A value as TVM's virtual machine takes it: tvm.runtime.tensor(np.zeros((2,), "float32")), a tuple,
// tvm_ffi.Shape((2, 3)), 3.
std::string machine_value(const Value& value);
// Whether numpy's own types lack one of the value's: ml_dtypes, which comes with TVM, brings it.
bool needs_ml_dtypes(const Value& value);
// Statements that bind `args` to the list of the arguments.
PythonLines bind_arguments(const std::vector<Value>& arguments);

}  // namespace passdiff
