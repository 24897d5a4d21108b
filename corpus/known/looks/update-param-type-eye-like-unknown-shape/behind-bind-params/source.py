from tvm.script import ir as I, relax as R, tirx as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), dtype="float32"), y: R.Tensor(("n * 3",), dtype="float32"), w: R.Tensor(("n * 3",), dtype="float32")) -> R.Tensor((2, "n * 3"), dtype="float32"):
        n = T.int64()
        lv: R.Tensor((2, n * 3), dtype="float32") = R.stack((y, w), axis=0)
        gv: R.Tensor((2, n * 3), dtype="float32") = R.eye_like(lv, 0)
        return gv
