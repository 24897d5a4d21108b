# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor(("n", "n", 1, 1), dtype="float32")) -> R.Tensor(("n", "n", 1, 1), dtype="float32"):
        n = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, n, 1, 1), dtype="float32") = R.grad.avg_pool2d_backward(x, x, pool_size=[1, 1], strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], ceil_mode=False, count_include_pad=False, layout="NCHW", out_layout="NCHW")
            gv: R.Tensor((n, n, 1, 1), dtype="float32") = R.add(lv, lv)
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((1, 1, 1, 1), dtype="float32")) -> R.Tensor((1, 1, 1, 1), dtype="float32"):
        cls = Module
        gv: R.Tensor((1, 1, 1, 1), dtype="float32") = cls.f(x)
        return gv
