# A matmul inside a branch and one outside of it are not joined.
# unchanged


@I.ir_module
class Source:
    @R.function
    def main(
        c: R.Tensor((), "bool"),
        x: R.Tensor((3, 3), "float32"),
        v: R.Tensor((3, 3), "float32"),
    ) -> R.Tensor((3, 3), "float32"):
        m = R.matmul(x, v)
        if c:
            n = R.matmul(x, v)
            y = n
        else:
            y = m
        z = R.add(m, y)
        return z
