# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor((0, 0), dtype="float32"), w: R.Tensor((3, 0, 0, 2), dtype="float32"), w1: R.Tensor((0,), dtype="float32"), w2: R.Tensor((0,), dtype="float32"), w3: R.Tensor((0,), dtype="float32"), w4: R.Tensor((0,), dtype="float32"), w5: R.Tensor((0,), dtype="float32"), w6: R.Tensor((0,), dtype="float32")) -> R.Tuple(R.Tuple(R.Tensor((3, 0, 0, 2), dtype="float32"), R.Tensor((0,), dtype="float32"), R.Tensor((0,), dtype="float32")), R.Tensor((0,), dtype="int32"), R.Tensor((3, 0), dtype="float32"), R.Tensor((0,), dtype="int32"), R.Tensor((0, 0), dtype="float32")):
        R.func_attr({"num_input": 1})
        lv: R.Tensor((3, 0, 0, 2), dtype="float32") = R.multiply(w, R.const(0.0078125, "float32"))
        lv1: R.Tuple(R.Tensor((3, 0, 0, 2), dtype="float32"), R.Tensor((0,), dtype="float32"), R.Tensor((0,), dtype="float32")) = R.nn.batch_norm(lv, w1, w2, w3, w4, axis=1, epsilon=0.5, center=True, scale=True, momentum=0.1, training=False)
        lv2: R.Tensor((3, 0, 0, 2), dtype="float32") = lv1[0]
        lv3: R.Tuple(R.Tensor((3, 0, 0, 2), dtype="float32"), R.Tensor((0,), dtype="float32"), R.Tensor((0,), dtype="float32")) = R.nn.batch_norm(lv, w1, w2, w3, w4, axis=1, epsilon=0.5, center=False, scale=True, momentum=0.1, training=False)
        lv4: R.Tensor((0,), dtype="int32") = R.bitwise_xor(R.const([], "int32"), R.const([], "int32"))
        lv5: R.Tensor((3, 0), dtype="float32") = R.nn.batch_flatten(lv2)
        lv6: R.Tensor((0,), dtype="int32") = R.bitwise_xor(R.const([], "int32"), R.const([], "int32"))
        lv7: R.Tensor((0, 0), dtype="float32") = R.multiply(x, R.const(0.0078125, "float32"))
        lv8: R.Tuple(R.Tensor((0, 0), dtype="float32"), R.Tensor((0,), dtype="float32"), R.Tensor((0,), dtype="float32")) = R.nn.batch_norm(lv7, w5, w6, R.const([], "float32"), R.const([], "float32"), axis=0, epsilon=0.001, center=False, scale=False, momentum=0.1, training=False)
        lv9: R.Tensor((0, 0), dtype="float32") = lv8[0]
        lv10: R.Tuple(R.Tensor((0, 0), dtype="float32"), R.Tensor((0,), dtype="float32"), R.Tensor((0,), dtype="float32")) = R.nn.batch_norm(lv9, w5, w6, R.const([], "float32"), R.const([], "float32"), axis=0, epsilon=0.001, center=True, scale=False, momentum=0.1, training=False)
        lv11: R.Tensor((0, 0), dtype="float32") = lv10[0]
        lv12: R.Tensor((0, 0), dtype="float32") = R.maximum(lv11, lv11)
        lv13: R.Tensor((0, 0), dtype="float32") = lv11
        lv14: R.Tensor((0, 0), dtype="float32") = R.maximum(lv13, lv11)
        lv15: R.Tensor((0, 0), dtype="float32") = R.multiply(lv12, lv14)
        return (lv3, lv4, lv5, lv6, lv15)
