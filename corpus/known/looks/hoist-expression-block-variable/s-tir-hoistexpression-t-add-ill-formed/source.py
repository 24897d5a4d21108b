# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def loops(x: T.Buffer((T.int64(3), T.int64(3)), "float32"), y: T.Buffer((T.int64(3),), "float32")):
        T.func_attr({"tirx.noalias": True})
        # with T.sblock("root"):
        stage0 = T.sblock_alloc_buffer((T.int64(3), T.int64(3)))
        stage10 = T.sblock_alloc_buffer((T.int64(3), T.int64(3)))
        for i1, i2 in T.grid(T.int64(1), T.int64(3)):
            for i3 in T.vectorized(T.int64(3)):
                if T.Div(T.Max(T.int64(-6), T.int64(-1)), T.int64(1)) > T.Min(T.int64(-6), T.int64(-1)):
                    with T.sblock("b6"):
                        v4 = T.axis.spatial(T.int64(3), i1 * T.int64(3) + i2)
                        v5 = T.axis.spatial(T.int64(3), i3)
                        T.reads(x[T.int64(0):T.int64(3), T.int64(0):T.int64(3)])
                        T.writes(stage0[v4, v5])
                        stage0[v4, v5] = T.max(T.if_then_else(T.int64(2) <= v4, x[v4 - T.int64(2), v5], T.float32(2.0)), T.float32(0.0))
                else:
                    with T.sblock("b9"):
                        v7 = T.axis.spatial(T.int64(3), i1 * T.int64(3) + i2)
                        v8 = T.axis.spatial(T.int64(3), i3)
                        T.reads(x[T.int64(0):T.int64(3), T.int64(0):T.int64(3)])
                        T.writes(stage0[v7, v8])
                        stage0[v7, v8] = x[v7, v8]
        for i11 in range(T.int64(1), T.int64(4)):
            for i12 in range(T.int64(3)):
                if T.FloorDiv(T.int64(6), T.int64(5)) < T.int64(2):
                    with T.sblock("b15"):
                        v13 = T.axis.spatial(T.int64(3), i11 - T.int64(1))
                        v14 = T.axis.spatial(T.int64(3), i12)
                        T.reads(stage0[T.int64(0):T.int64(3), T.int64(0):T.int64(3)])
                        T.writes(stage10[v13, v14])
                        stage10[v13, v14] = T.if_then_else(T.int64(1) <= v14, stage0[v13, v14 - T.int64(1)], T.float32(0.0)) + T.Cast("float32", v14 * (v14 + v14 + v13))
                else:
                    with T.sblock("b18"):
                        v16 = T.axis.spatial(T.int64(3), i11 - T.int64(1))
                        v17 = T.axis.spatial(T.int64(3), i12)
                        T.reads(stage0[T.int64(0):T.int64(3), T.int64(0):T.int64(3)])
                        T.writes(stage10[v16, v17])
                        stage10[v16, v17] = T.max(stage0[v16, v17], T.float32(0.0))
        for i19, i20 in T.grid(T.int64(3), T.int64(3)):
            with T.sblock("b23"):
                v21, v22 = T.axis.remap("SR", [i19, i20])
                T.reads(stage10[T.int64(0):T.int64(3), T.int64(0):T.int64(3)])
                T.writes(y[v21])
                with T.init():
                    y[v21] = T.float32(100.0)
                y[v21] = T.min(y[v21], T.max(stage10[v21, T.max(T.min(v22 * T.int64(-1) + T.int64(1), T.int64(2)), T.int64(0))], T.float32(2.0)))

    @R.function
    def main(lv7: R.Tensor((3, 3), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        cls = Module
        lv8: R.Tensor((3,), dtype="float32") = R.call_tir(cls.loops, (lv7,), out_ty=R.Tensor((3,), dtype="float32"))
        return lv8
