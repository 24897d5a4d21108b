# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        gv: R.Tensor((), dtype="float32") = R.nn.cross_entropy_with_logits(x, x)
        gv1: R.Tuple(R.Tensor((), dtype="float32")) = (gv,)
        gv2: R.Tuple() = R.print(x, x, format=R.str("{}"))
        gv3: R.Tensor((), dtype="float32") = gv1[0]
        @R.function
        def inner(x1: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
            return x1
        gv4: R.Tensor((), dtype="float32") = inner(gv3)
        return gv4
