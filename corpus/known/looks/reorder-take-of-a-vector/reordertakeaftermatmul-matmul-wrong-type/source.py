# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def helper(x2: R.Tensor((2, 2, 1), dtype="float32"), x3: R.Tensor((1,), dtype="float32"), x4: R.Tensor((1,), dtype="int64")) -> R.Tensor((2, 2), dtype="float32"):
        lv2: R.Tensor((1,), dtype="float32") = R.take(x3, x4, axis=0, mode="clip")
        lv3: R.Tensor((2, 2), dtype="float32") = R.matmul(x2, lv2)
        return lv3
