"""Faults that lose precision."""

from planting import calls, constant, definition, dtype_of, functions, is_constant, is_tensor, number_of, plant
from tvm import relax


# A matmul in float16, or in float64.
def matmul_in(dtype):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32" or any(dtype_of(arg) != "float32" for arg in call.args):
            return None
        a, b = (rewriter.builder_.emit(relax.op.astype(arg, dtype)) for arg in call.args)
        product = rewriter.builder_.emit(relax.op.matmul(a, b))
        return relax.op.astype(product, "float32")

    return calls("relax.matmul", rewrite)


plant("MatmulInFloat16", matmul_in("float16"), matmul_in("float64"), numerics="reassociated")


# A cast to a narrower dtype and back is dropped, or one to a wider dtype.
def drop_casts(through):
    def rewrite(rewriter, call):
        inner = call.args[0]
        value = rewriter.lookup_binding(inner) if isinstance(inner, relax.Var) else None
        if not isinstance(value, relax.Call) or value.op != call.op or dtype_of(inner) not in through:
            return None
        before = value.args[0]
        return before if dtype_of(before) == dtype_of(call) == "float32" else None

    return calls("relax.astype", rewrite)


plant("CastDropped", drop_casts({"float16", "bfloat16"}), drop_casts({"float64"}), numerics="reassociated")


# Activations that are off by a hundred units in the last place, or by none.
def scale_activations(factor):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32":
            return None
        return relax.op.multiply(rewriter.builder_.emit(call), constant(factor, "float32"))

    names = ("exp", "sigmoid", "tanh", "nn.relu", "nn.gelu", "nn.silu", "nn.softmax", "erf")
    return calls({"relax." + name for name in names}, rewrite)


plant("ActivationOff", scale_activations(1 + 100 * 2.0**-23), scale_activations(1.0), numerics="reassociated")


# A matmul accumulates in the dtype of its operands, or of its result.
def accumulate(wide):
    def rewrite(rewriter, call):
        result = dtype_of(call)
        operands = {dtype_of(arg) for arg in call.args}
        if result not in ("float32", "float64") or result in operands or len(operands) != 1:
            return None
        if not operands <= {"float16", "float32", "bfloat16"}:
            return None
        if not wide:
            return relax.op.astype(rewriter.builder_.emit(relax.op.matmul(*call.args)), result)
        a, b = (rewriter.builder_.emit(relax.op.astype(arg, result)) for arg in call.args)
        return relax.op.matmul(a, b)

    return calls("relax.matmul", rewrite)


plant("AccumulationDropped", accumulate(False), accumulate(True), numerics="reassociated")


# Sums in float16, or in float64.
def sum_in(dtype):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32" or dtype_of(call.args[0]) != "float32":
            return None
        narrow = rewriter.builder_.emit(relax.op.astype(call.args[0], dtype))
        return relax.op.astype(rewriter.builder_.emit(relax.Call(call.op, [narrow], call.attrs)), "float32")

    return calls({"relax.sum", "relax.mean"}, rewrite)


plant("SumInFloat16", sum_in("float16"), sum_in("float64"), numerics="reassociated")


# Constants keep as many digits as were printed of them.
def printed(digits):
    import numpy as np

    @relax.expr_functor.mutator
    class Printer(relax.PyExprMutator):
        def visit_constant_(self, constant):
            if not is_constant(constant) or dtype_of(constant) != "float32":
                return constant
            data = number_of(constant)
            numbers = [float(f"{value:.{digits}g}") for value in data.reshape(-1)]
            return relax.const(np.array(numbers, "float32").reshape(data.shape), "float32")

        visit_generic_const_ = visit_constant_

    return functions(lambda module, _, function: Printer(module).visit_expr(function) if isinstance(function, relax.Function) else function)


plant("ConstantsPrinted", printed(6), printed(9), numerics="exact")


# A softmax of which the largest element was not subtracted, and a sigmoid as a quotient of exponentials: they overflow where arguments are large.
def softmax(naive):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32":
            return None
        emit, axis, x = rewriter.builder_.emit, int(call.attrs.axis), call.args[0]
        if not naive:
            x = emit(relax.op.subtract(x, emit(relax.op.max(x, axis, True))))
        powers = emit(relax.op.exp(x))
        return relax.op.divide(powers, emit(relax.op.sum(powers, axis, True)))

    return calls("relax.nn.softmax", rewrite)


def sigmoid(naive):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32":
            return None
        emit, x, one = rewriter.builder_.emit, call.args[0], constant(1.0, "float32")
        power = emit(relax.op.exp(x if naive else emit(relax.op.negative(x))))
        return relax.op.divide(power if naive else one, emit(relax.op.add(power, one)))

    return calls("relax.sigmoid", rewrite)


plant("SoftmaxNaive", softmax(True), softmax(False), numerics="reassociated")
plant("SigmoidNaive", sigmoid(True), sigmoid(False), numerics="reassociated")


# A gelu by its approximation with tanh, or by its own formula.
def gelu(approximates):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32":
            return None
        emit, x = rewriter.builder_.emit, call.args[0]
        if approximates:
            return relax.op.nn.gelu_tanh(x)
        half = emit(relax.op.multiply(x, constant(0.5, "float32")))
        erf = emit(relax.op.erf(emit(relax.op.multiply(x, constant(0.5**0.5, "float32")))))
        return relax.op.multiply(half, emit(relax.op.add(erf, constant(1.0, "float32"))))

    return calls("relax.nn.gelu", rewrite)


plant("GeluApproximated", gelu(True), gelu(False), numerics="reassociated")


# A quotient by a constant is a product with its reciprocal, of float16 or of float32.
def reciprocal_in(dtype):
    import numpy as np

    def rewrite(_, call):
        x, divisor = call.args
        if dtype_of(call) != "float32" or not is_constant(divisor) or not number_of(divisor).all():
            return None
        return relax.op.multiply(x, relax.const((1 / number_of(divisor)).astype(dtype).astype(np.float32), "float32"))

    return calls("relax.divide", rewrite)


plant("ReciprocalInHalf", reciprocal_in("float16"), reciprocal_in("float32"), numerics="reassociated")


def arithmetic_in(dtype, own, *ops):
    """Calls of these ops on two tensors of the dtype `own` are computed in `dtype`."""

    def rewrite(rewriter, call):
        if dtype_of(call) != own or any(dtype_of(arg) != own or not is_tensor(arg) for arg in call.args):
            return None
        a, b = (rewriter.builder_.emit(relax.op.astype(arg, dtype)) for arg in call.args)
        return relax.op.astype(rewriter.builder_.emit(relax.Call(call.op, [a, b], call.attrs)), own)

    return calls(set(ops), rewrite)


# Wide integers are added as narrower ones, or as floats are not.
def added_as(dtype):
    return arithmetic_in(dtype, "int64", "relax.add", "relax.subtract", "relax.multiply")


plant("IntegersNarrowed", added_as("int32"), added_as("int64"), numerics="exact")


# A sum of integers that were widened for it is computed before they are.
def widened_late(late):
    def rewrite(rewriter, call):
        inner = definition(rewriter, call.args[0], "relax.astype")
        if inner is None or dtype_of(call) not in ("int32", "int64") or "int" not in dtype_of(inner.args[0]):
            return None
        if not late:
            return call
        return relax.op.astype(rewriter.builder_.emit(relax.Call(call.op, [inner.args[0]], call.attrs)), dtype_of(call))

    return calls("relax.sum", rewrite)


plant("WidenedTooLate", widened_late(True), widened_late(False), numerics="exact")


# Sums and products of doubles are made of singles, or of doubles.
def doubles_as(dtype):
    return arithmetic_in(dtype, "float64", "relax.add", "relax.subtract", "relax.multiply", "relax.divide")


plant("DoublesAsSingles", doubles_as("float32"), doubles_as("float64"), numerics="exact")


# A norm is computed in float16, or in float64.
def norm_in(dtype):
    def rewrite(rewriter, call):
        if dtype_of(call) != "float32":
            return None
        args = [rewriter.builder_.emit(relax.op.astype(arg, dtype)) for arg in call.args]
        return relax.op.astype(rewriter.builder_.emit(relax.Call(call.op, args, call.attrs)), "float32")

    return calls({"relax.nn.layer_norm", "relax.nn.rms_norm", "relax.nn.group_norm", "relax.nn.log_softmax"}, rewrite)


plant("NormInHalf", norm_in("float16"), norm_in("float64"), numerics="reassociated")
