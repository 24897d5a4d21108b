# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1, 3), dtype="float32"):
        gv: R.Tensor((1, 1, 1, 1, 3), dtype="float32") = R.layout_transform(x, index_map=T.index_map(lambda i, j, k, l: (i, j, k, l // 3, l % 3)))
        gv1: R.Tensor((1, 1, 1, 3), dtype="float32") = R.layout_transform(gv, index_map=T.index_map(lambda i, j, k, l, m: (i, j, k, l * 3 + m)))
        return gv1
