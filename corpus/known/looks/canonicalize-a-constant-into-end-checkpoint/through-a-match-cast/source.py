# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(w: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((), dtype="float32") = R.match_cast(w, R.Tensor((), dtype="float32"))
            gv: R.Tensor((), dtype="float32") = R.grad.start_checkpoint(lv)
            R.output(gv)
        return gv
