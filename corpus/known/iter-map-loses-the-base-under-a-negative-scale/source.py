# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(x: T.Buffer((2, 3), "float32"), y: T.Buffer((2, 3), "float32")):
        for i, j in T.grid(2, 3):
            y[i, j] = x[i, (1 - j) % 3]
