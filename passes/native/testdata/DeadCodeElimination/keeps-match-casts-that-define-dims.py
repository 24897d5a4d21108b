# A match_cast whose variable nothing uses stays: it defines a symbolic dim.
# unchanged
# fault match-cast-removed: form.undefined-symbol


@I.ir_module
class Source:
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=1)) -> R.Tensor(dtype="float32", ndim=1):
        n = T.int64()
        a = R.match_cast(x, R.Tensor((n,), "float32"))
        y = R.zeros(R.shape([n]), dtype="float32")
        return y
