# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, "n", 1), dtype="float32")) -> R.Tuple(R.Tensor((1, "n", 1), dtype="bool"), R.Tensor((1, "n", 1), dtype="bool")):
        n = T.int64()
        gv: R.Tensor((1, n, 1), dtype="bool") = R.astype(x, dtype="bool")
        gv1: R.Tensor((1, n, 1), dtype="bool") = R.astype(x, dtype="bool")
        gv2: R.Tensor((1, n, 1), dtype="bool") = R.strided_slice(gv1, (2, 1), (0, 0), (1, n), (2, 1), assume_inbound=False)
        return (gv, gv2)
