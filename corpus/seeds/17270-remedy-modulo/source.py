from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 16), "float32"), w: R.Tensor((16, 16), "float32"), indices: R.Tensor((3,), "int64")) -> R.Tensor((2, 3), "float32"):
        with R.dataflow():
            inside = R.floor_mod(indices, R.const(16, "int64"))
            picked = R.take(w, inside, axis=1)
            out = R.matmul(x, picked)
            R.output(out)
        return out
