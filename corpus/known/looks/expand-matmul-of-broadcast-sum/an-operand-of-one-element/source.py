# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((), dtype="float32"):
        gv: R.Tensor((2,), dtype="float32") = R.add(R.const([0.0], "float32"), R.const([0.0, 0.0], "float32"))
        gv1: R.Tensor((), dtype="float32") = R.matmul(R.const([0.0, 0.0], "float32"), gv)
        return gv1
