# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
        lv3: R.Tensor((1, 1), dtype="float32") = R.einsum((x,), subscripts="i->ii")
        @R.function
        def lv7(p5: R.Tensor((1, 1), dtype="float32")) -> R.Tensor((1,), dtype="float32"):
            return x
        lv9: R.Tensor((1,), dtype="float32") = lv7(lv3)
        return lv9
