# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float32")) -> R.Tensor(dtype="float32", ndim=1):
        with R.dataflow():
            lv: R.Tensor(dtype="float32", ndim=1) = R.match_cast(x, R.Tensor(dtype="float32", ndim=1))
            lv1: R.Tuple(R.Tuple(R.Tensor(dtype="float32", ndim=1))) = ((lv,),)
            lv2: R.Tuple(R.Tensor(dtype="float32", ndim=1)) = lv1[0]
            gv: R.Tensor(dtype="float32", ndim=1) = lv2[0]
            R.output(gv)
        return gv
