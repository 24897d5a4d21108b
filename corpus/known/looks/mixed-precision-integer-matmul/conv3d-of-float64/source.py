# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 1, 1, 1), dtype="float64"), x1: R.Tensor((1, 1, 1, 1, 1), dtype="float64")) -> R.Tensor((1, 1, 1, 1, 1), dtype="float64"):
        with R.dataflow():
            gv: R.Tensor((1, 1, 1, 1, 1), dtype="float64") = R.nn.conv3d(x, x1, strides=[1, 1, 1], padding=[0, 0, 0, 0, 0, 0], dilation=[1, 1, 1], groups=1, data_layout="NCDHW", kernel_layout="OIDHW", out_layout="NCDHW")
            R.output(gv)
        return gv
