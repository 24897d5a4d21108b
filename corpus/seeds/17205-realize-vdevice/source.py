from tvm.script import ir as I
from tvm.script import relax as R


@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})

    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        with R.dataflow():
            lv = R.hint_on_device(x, R.device(1, 0))
            lv1 = R.add(lv, y)
            lv2 = R.multiply(lv1, y)
            R.output(lv2)
        return lv2
