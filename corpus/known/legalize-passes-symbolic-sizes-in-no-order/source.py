# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("a", "b", "c", "d", "e", "f"), dtype="float32")) -> R.Tensor((6,), dtype="int64"):
        a = T.int64()
        b = T.int64()
        c = T.int64()
        d = T.int64()
        e = T.int64()
        f = T.int64()
        with R.dataflow():
            lv: R.Shape([a, b, c, d, e, f]) = R.shape_of(x)
            gv: R.Tensor((6,), dtype="int64") = R.shape_to_tensor(lv)
            R.output(gv)
        return gv
