# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def decode(x1: R.Tensor((1,), dtype="int8"), w: R.Tensor((1,), dtype="int8")) -> R.Tuple(R.Tensor((1,), dtype="int8")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv: R.Tensor((1,), dtype="int8") = R.permute_dims(w)
            lv3: R.Tensor((1,), dtype="int8") = R.floor_divide(lv, x1)
            lv4: R.Tuple(R.Tensor((1,), dtype="int8")) = (lv3,)
            R.output(lv4)
        return lv4

    @R.function
    def transform_params(params_0: R.Tensor((1,), dtype="int8"), params_1: R.Tensor((1,), dtype="int32"), params_2: R.Tensor((1,), dtype="int8"), params_3: R.Tensor((1,), dtype="int8"), lv8: R.Tensor((1,), dtype="int8"), lv11: R.Tensor((1,), dtype="int8"), lv14: R.Tensor((1,), dtype="int8"), lv7: R.Tensor((1,), dtype="int8"), lv16: R.Tensor((1,), dtype="int32")) -> R.Tuple(R.Tuple(R.Tensor((1,), dtype="int8"))):
        lv: R.Tuple(R.Tensor((1,), dtype="int8")) = (lv7,)
        out: R.Tuple(R.Tuple(R.Tensor((1,), dtype="int8"))) = (lv,)
        return out
