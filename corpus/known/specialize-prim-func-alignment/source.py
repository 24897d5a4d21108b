# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def helper(x4: R.Tensor((1, 1), dtype="int64")) -> R.Tuple(R.Tensor((1,), dtype="int64"), R.Tensor((1,), dtype="int64")):
        with R.dataflow():
            lv2: R.Tuple(R.Tensor((1,), dtype="int64"), R.Tensor((1,), dtype="int64")) = R.median(x4, axis=[1], keepdims=False)
            R.output(lv2)
        return lv2
