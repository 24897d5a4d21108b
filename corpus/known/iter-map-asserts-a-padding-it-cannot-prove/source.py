# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "m"), dtype="float32"), x1: R.Tensor((3, 2, "m - 2"), dtype="float32"), w: R.Tensor((), dtype="bool")) -> R.Tensor((), dtype="bool"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 2})
        with R.dataflow():
            lv: R.Tensor((3, 2, m - 2), dtype="float32") = R.squeeze(x1, axis=[])
            R.output()
        return w
