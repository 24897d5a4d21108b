from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T


@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((2, 2), dtype="float32"):
        with R.dataflow():
            y = R.layout_transform(R.const([[1.0, 2.0], [3.0, 4.0]], "float32"), index_map=T.index_map(lambda i, j: (j, i)), pad_value=0.0)
            R.output(y)
        return y
