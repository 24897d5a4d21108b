# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main() -> R.Tensor((), dtype="int64"):
        gv: R.Tensor((), dtype="int64") = R.bucketize(R.const(0.0, "float32"), R.const([], "float32"), out_int32=False, right=False)
        return gv
