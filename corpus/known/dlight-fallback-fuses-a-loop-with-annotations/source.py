# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((), "float32"), B: T.Buffer((), "float32")):
        with T.sblock("root"):
            T.reads()
            T.writes()
            for i in T.serial(T.int64(1), annotations={"pragma_loop_partition_hint": 1}):
                if T.bool(False):
                    with T.sblock("block"):
                        vi = T.axis.spatial(T.int64(1), i)
                        T.where(T.bool(False))
                        T.reads(A[()])
                        T.writes(B[()])
                        B[()] = T.float32(0.0)
                else:
                    with T.sblock("block1"):
                        vj = T.axis.spatial(T.int64(1), i)
                        T.reads(A[()])
                        T.writes(B[()])
                        B[()] = T.float32(0.0)

    @R.function
    def main(x: R.Tensor((), dtype="float32")) -> R.Tensor((), dtype="float32"):
        cls = Module
        gv: R.Tensor((), dtype="float32") = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((), dtype="float32"))
        return gv
