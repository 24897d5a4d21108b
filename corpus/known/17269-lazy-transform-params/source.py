from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def transform_params(params: R.Tuple(R.Tensor((3, 3), "float32"), R.Tensor((3,), "float32"))) -> R.Tuple(R.Tensor((3, 3), "float32"), R.Tensor((3,), "float32")):
        cls = Module
        packed = cls.helper(params)
        return packed

    @R.function
    def helper(params: R.Tuple(R.Tensor((3, 3), "float32"), R.Tensor((3,), "float32"))) -> R.Tuple(R.Tensor((3, 3), "float32"), R.Tensor((3,), "float32")):
        w0 = params[0]
        w1 = params[1]
        t0 = R.permute_dims(w0, axes=[1, 0])
        t1 = R.multiply(w1, w1)
        out = (t0, t1)
        return out
