# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def row_sums(x: T.Buffer((2, 3), "float32"), y: T.Buffer((2,), "float32")):
        # with T.sblock("root"):
        for i, k in T.grid(2, 3):
            with T.sblock("y"):
                v_i, v_k = T.axis.remap("SR", [i, k])
                T.reads(x[v_i, v_k])
                T.writes(y[v_i])
                with T.init():
                    y[v_i] = T.float32(0.0)
                y[v_i] = y[v_i] + x[v_i, v_k]
