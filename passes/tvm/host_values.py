"""Value documents (core/documents/json.md) and the values of TVM's virtual machine."""

import math

import tvm
import tvm_ffi

_tensor = tvm.get_global_func("passdiff.tensor")
_tensor_of_bytes = tvm.get_global_func("passdiff.tensor_of_bytes")
_tensor_parts = tvm.get_global_func("passdiff.tensor_parts")
_copy_tensor = tvm.get_global_func("passdiff.copy_tensor")

# Tensors of more bytes travel as parts of frames.
MAX_INLINE_BYTES = 1 << 16


def from_document(document, parts=()):
    if document is None:
        return None
    if "part" in document:
        return _tensor_of_bytes(document["tensor"], document["shape"], parts[document["part"]])
    if "tensor" in document:
        return _tensor(document["tensor"], document["shape"], document["data"])
    if "tuple" in document:
        return [from_document(field, parts) for field in document["tuple"]]
    if "shape_value" in document:
        return tvm_ffi.Shape(document["shape_value"])
    if "prim" in document:
        value = document["value"]
        if document["prim"] == "bool":
            return bool(value)
        return float(value) if document["prim"].startswith(("float", "bfloat")) else value
    if "string" in document:
        return document["string"]
    if "dtype" in document:
        return tvm_ffi.dtype(document["dtype"])
    raise ValueError(f"no value has the fields {sorted(document)}")


def _float_document(value):
    if math.isnan(value):
        return "nan"
    return value if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def to_document(value, bodies):
    """The value; the bytes of large tensors are appended to `bodies`, of which the first is part 1."""
    if value is None:
        return None
    if isinstance(value, tvm_ffi.Tensor):
        dtype, shape, data = _tensor_parts(value, MAX_INLINE_BYTES)
        document = {"tensor": str(dtype), "shape": [int(dim) for dim in shape]}
        if not isinstance(data, bytes):
            return {**document, "data": str(data)}
        bodies.append(data)
        return {**document, "part": len(bodies)}
    if isinstance(value, bool):
        return {"prim": "bool", "value": int(value)}
    if isinstance(value, tvm_ffi.dtype):
        return {"dtype": str(value)}
    if isinstance(value, str):
        return {"string": str(value)}
    if isinstance(value, int):
        return {"prim": "int64", "value": value}
    if isinstance(value, float):
        return {"prim": "float64", "value": _float_document(value)}
    if isinstance(value, tvm_ffi.Shape):
        return {"shape_value": [int(dim) for dim in value]}
    if isinstance(value, (tvm_ffi.Array, list, tuple)):
        return {"tuple": [to_document(field, bodies) for field in value]}
    raise TypeError(f"a result of type {type(value).__name__}")


def equal(a, b):
    """Whether two values of one type hold the same bits."""
    bodies, others = [], []
    return to_document(a, bodies) == to_document(b, others) and bodies == others


def copied(value):
    """The value in memory of its own: results may share memory with arguments, and with later results."""
    if isinstance(value, tvm_ffi.Tensor):
        return _copy_tensor(value)
    if isinstance(value, (tvm_ffi.Array, list, tuple)) and not isinstance(value, tvm_ffi.Shape):
        return [copied(field) for field in value]
    return value
