# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f() -> R.Tuple(R.Tensor((1,), dtype="float16"), R.Tensor((1,), dtype="float16"), R.Tensor((1,), dtype="float16")):
        with R.dataflow():
            gv: R.Tuple(R.Tensor((1,), dtype="float16"), R.Tensor((1,), dtype="float16"), R.Tensor((1,), dtype="float16")) = R.nn.batch_norm(R.const([0.0], "float16"), R.const([0.0], "float16"), R.const([0.0], "float16"), R.const([0.0], "float16"), R.const([0.0], "float16"), axis=0, epsilon=1e-05, center=True, scale=True, momentum=0.1, training=True)
            R.output(gv)
        return gv

    @R.function
    def main() -> R.Tuple(R.Tensor((1,), dtype="float16"), R.Tensor((1,), dtype="float16"), R.Tensor((1,), dtype="float16")):
        cls = Module
        gv: R.Tuple(R.Tensor((1,), dtype="float16"), R.Tensor((1,), dtype="float16"), R.Tensor((1,), dtype="float16")) = cls.f()
        return gv
