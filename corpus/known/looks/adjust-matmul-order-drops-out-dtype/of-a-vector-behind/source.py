# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), dtype="uint8"), x1: R.Tensor((3,), dtype="uint8"), x2: R.Tensor((1,), dtype="float32")) -> R.Tensor((), dtype="float32"):
        gv: R.Tensor((1,), dtype="float32") = R.matmul(x, x1, out_dtype="float32")
        gv1: R.Tensor((), dtype="float32") = R.matmul(x2, gv, out_dtype="float32")
        return gv1
