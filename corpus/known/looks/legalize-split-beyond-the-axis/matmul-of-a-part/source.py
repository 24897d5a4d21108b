# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((), dtype="float32"):
        gv: R.Tuple(R.Tensor((1,), dtype="float32"), R.Tensor((1,), dtype="float32"), R.Tensor((0,), dtype="float32")) = R.split(x, indices_or_sections=[1, 3], axis=0)
        gv1: R.Tensor((1,), dtype="float32") = gv[1]
        gv2: R.Tensor((), dtype="float32") = R.matmul(gv1, R.const([0.0], "float32"))
        return gv2
