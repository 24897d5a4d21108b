# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(y: T.Buffer((4,), "float32")):
        a = T.alloc_buffer((4,))
        b = T.decl_buffer((4,), data=a.data)
        for i in range(4):
            y[i] = T.float32(1.0)

    @R.function
    def main() -> R.Tensor((4,), dtype="float32"):
        cls = Module
        y: R.Tensor((4,), dtype="float32") = R.call_tir(cls.kernel, R.tuple(), out_ty=R.Tensor((4,), dtype="float32"))
        return y
