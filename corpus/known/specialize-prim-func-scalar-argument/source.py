from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main(s: R.Shape(["n"])) -> R.Tensor((1,), dtype="int64"):
        n = T.int64()
        y = R.shape_to_tensor(R.shape([n]))
        return y
