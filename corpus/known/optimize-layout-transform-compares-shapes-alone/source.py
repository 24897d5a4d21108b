from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
        lv: R.Tensor((2, 2), dtype="float32") = R.layout_transform(x, index_map=T.index_map(lambda i, j: (j, i)))
        gv: R.Tensor((2, 2), dtype="float32") = R.layout_transform(lv, index_map=T.index_map(lambda i, j: (i, j)))
        return gv
