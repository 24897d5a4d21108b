from typing import TypeVar

from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

n0 = TypeVar("n0")


@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def kernel(x: T.Buffer((n0,), "float32"), y: T.Buffer((n0,), "float32")):
        T.func_attr({"tirx.noalias": True})
        for i in T.serial(n0 // T.int64(2), annotations={"pragma_loop_partition_hint": 1}):
            with T.sblock("b"):
                v = T.axis.spatial(n0, i)
                T.reads(x[v])
                T.writes(y[v])
                if n0 <= v:
                    y[v] = T.float32(0.0)
                if T.int64(1) <= v:
                    y[v] = T.float32(1.0)
                if v * T.int64(2) < n0:
                    y[v] = x[v]

    @R.function
    def main(x: R.Tensor(("n",), dtype="float32")) -> R.Tensor(("n",), dtype="float32"):
        n = T.int64()
        cls = Module
        y: R.Tensor((n,), dtype="float32") = R.call_tir(cls.kernel, (x,), out_ty=R.Tensor((n,), dtype="float32"))
        return y
