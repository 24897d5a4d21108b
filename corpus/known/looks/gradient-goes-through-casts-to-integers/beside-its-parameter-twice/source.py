# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32"), R.Tensor((), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((), dtype="int32") = R.astype(x, dtype="int32")
            gv: R.Tensor((), dtype="float32") = R.astype(lv, dtype="float32")
            R.output(gv)
        return (x, x, gv)
