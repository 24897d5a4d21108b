# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor(("n", 1), dtype="float32")) -> R.Tensor(("n", 1), dtype="float32"):
        n = T.int64()
        return x

    @R.function
    def main(x: R.Tensor((1, 1), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")), R.Tensor((), dtype="int64")):
        n = T.int64()
        gv: R.Tensor((n, 1), dtype="float32") = R.match_cast(x, R.Tensor((n, 1), dtype="float32"))
        gv1: R.Tensor((n, 1), dtype="float32") = R.matmul(gv, x)
        gv2: R.Tuple(R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")), R.Tensor((n, 1), dtype="float32")) = ((R.const(0.0, "float32"), R.const(0.0, "float32"), R.const(0.0, "float32"), R.const(0.0, "float32")), gv1)
        gv3: R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")) = gv2[0]
        gv4: R.Tensor((), dtype="int64") = R.size(gv)
        return (gv3, gv4)
