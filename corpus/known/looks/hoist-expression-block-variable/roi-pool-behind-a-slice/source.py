# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, "n", 1, 1), dtype="float32"), x1: R.Tensor((), dtype="int32")) -> R.Tensor(("3 * n",), dtype="int8"):
        n = T.int64()
        gv: R.Tensor((1, n, 3, 1), dtype="float32") = R.vision.roi_pool(x, R.const([[0.0, 0.0, 0.0, 0.0, 0.0]], "float32"), pooled_size=[3, 1], spatial_scale=1.0, layout="NCHW")
        gv1: R.Tensor((1, 3, n, 1), dtype="float32") = R.permute_dims(gv)
        gv2: R.Tensor((3 * n,), dtype="float32") = R.flatten(gv1)
        gv3: R.Tensor((3 * n,), dtype="int8") = R.quantize(gv2, R.const(1.0, "float16"), x1, axis=-1, out_dtype="int8")
        gv4: R.Tensor((3 * n,), dtype="int8") = R.strided_slice(gv3, (0,), (0,), (n * 3,), assume_inbound=False)
        return gv4
