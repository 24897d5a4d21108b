# A weight that only a branch uses is taken out of the tuple before the If.
# fault nested-use-overlooked: form.undefined-var


@I.ir_module
class Source:
    @R.function
    def main(
        c: R.Tensor((), "bool"),
        w: R.Tensor((2,), "float32"),
        v: R.Tensor(("n",), "float32"),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor(("n",), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        z = R.zeros(R.shape([n]), dtype="float32")
        if c:
            t = R.add(w, w)
            y = t
        else:
            e = R.zeros(R.shape([2]), dtype="float32")
            y = e
        u = R.add(z, v)
        return (y, u)


@I.ir_module
class Target:
    @R.function
    def main(
        c: R.Tensor((), "bool"),
        model_params: R.Tuple(R.Tensor((2,), "float32"), R.Tensor(("n",), "float32")),
    ) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor(("n",), "float32")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        z = R.zeros(R.shape([n]), dtype="float32")
        w = model_params[0]
        if c:
            t = R.add(w, w)
            y = t
        else:
            e = R.zeros(R.shape([2]), dtype="float32")
            y = e
        v = model_params[1]
        u = R.add(z, v)
        return (y, u)
