# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((2,), dtype="int64"), x1: R.Tensor((2, 2, 3), dtype="float16"), w: R.Tensor((0, 2), dtype="float16"), w1: R.Tensor((2, 2), dtype="float16"), w2: R.Tensor((), dtype="float16", vdevice="llvm:1:global"), w3: R.Tensor((), dtype="int16"), w4: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((2, 2, 3), dtype="float16")):
        R.func_attr({"num_input": 2})
        with R.dataflow():
            lv9: R.Tensor((2, 2, 3), dtype="float16") = R.divide(x1, x1)
            lv10: R.Tensor((2, 2, 3), dtype="float16") = R.add(lv9, x1)
            R.output(lv10)
        return (lv10,)

    @R.function
    def decode(w: R.Tensor((0, 2), dtype="float16"), w1: R.Tensor((2, 2), dtype="float16"), w2: R.Tensor((), dtype="float16", vdevice="llvm:1:global"), w3: R.Tensor((), dtype="int16"), w4: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((2, 0), dtype="float16"), R.Tensor((), dtype="int16")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            lv: R.Tensor((2, 0), dtype="float16") = R.permute_dims(w)
            lv1: R.Tensor((), dtype="int16") = R.permute_dims(w3)
            lv2: R.Tensor((), dtype="int16") = R.bitwise_or(lv1, lv1)
            lv3: R.Tensor((), dtype="int16") = R.bitwise_or(w3, lv2)
            R.output(lv, lv3)
        return (lv, lv3)
