# Where the argument's type does not tell the callee's symbolic dims, a match_cast defines new ones, in every call.
# arguments: {"y": [1, 2, 3]}
# fault dataflow-leak: form.dataflow-escape
# fault match-cast-dims-shared


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor(dtype="float32", ndim=1),
        y: R.Tensor(dtype="float32", ndim=1),
    ) -> R.Tensor(dtype="float32", ndim=2):
        cls = Source
        a = cls.pair(x, x)
        b = cls.pair(y, y)
        return b

    @R.function(private=True)
    def pair(
        x: R.Tensor(("n",), "float32"),
        y: R.Tensor(("n",), "float32"),
    ) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        m = T.int64()
        s = R.add(x, y)
        t = R.match_cast(s, R.Tensor((m,), "float32"))
        with R.dataflow():
            z = R.zeros(R.shape([m, n]), dtype="float32")
            u = R.add(z, z)
            R.output(u)
        return u


@I.ir_module
class Target:
    @R.function
    def main(
        x: R.Tensor(dtype="float32", ndim=1),
        y: R.Tensor(dtype="float32", ndim=1),
    ) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        m = T.int64()
        n_1 = T.int64()
        m_1 = T.int64()
        x_1 = R.match_cast(x, R.Tensor((n,), "float32"))
        y_1 = R.match_cast(x, R.Tensor((n,), "float32"))
        s = R.add(x_1, y_1)
        t = R.match_cast(s, R.Tensor((m,), "float32"))
        with R.dataflow():
            z = R.zeros(R.shape([m, n]), dtype="float32")
            u = R.add(z, z)
            R.output(u)
        a: R.Tensor(dtype="float32", ndim=2) = u
        x_2 = R.match_cast(y, R.Tensor((n_1,), "float32"))
        y_2 = R.match_cast(y, R.Tensor((n_1,), "float32"))
        s_1 = R.add(x_2, y_2)
        t_1 = R.match_cast(s_1, R.Tensor((m_1,), "float32"))
        with R.dataflow():
            z_1 = R.zeros(R.shape([m_1, n_1]), dtype="float32")
            u_1 = R.add(z_1, z_1)
            R.output(u_1)
        b: R.Tensor(dtype="float32", ndim=2) = u_1
        return b


@I.ir_module
class MatchCastDimsShared:
    @R.function
    def main(
        x: R.Tensor(dtype="float32", ndim=1),
        y: R.Tensor(dtype="float32", ndim=1),
    ) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        m = T.int64()
        n_1 = T.int64()
        x_1 = R.match_cast(x, R.Tensor((n,), "float32"))
        y_1 = R.match_cast(x, R.Tensor((n,), "float32"))
        s = R.add(x_1, y_1)
        t = R.match_cast(s, R.Tensor((m,), "float32"))
        with R.dataflow():
            z = R.zeros(R.shape([m, n]), dtype="float32")
            u = R.add(z, z)
            R.output(u)
        a: R.Tensor(dtype="float32", ndim=2) = u
        x_2 = R.match_cast(y, R.Tensor((n_1,), "float32"))
        y_2 = R.match_cast(y, R.Tensor((n_1,), "float32"))
        s_1 = R.add(x_2, y_2)
        t_1 = R.match_cast(s_1, R.Tensor((m,), "float32"))
        with R.dataflow():
            z_1 = R.zeros(R.shape([m, n_1]), dtype="float32")
            u_1 = R.add(z_1, z_1)
            R.output(u_1)
        b: R.Tensor(dtype="float32", ndim=2) = u_1
        return b
