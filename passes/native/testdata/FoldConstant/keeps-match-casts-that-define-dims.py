# A match_cast of a constant stays where it defines a symbolic dim.
# unchanged
# fault match-cast-removed: form.undefined-symbol


@I.ir_module
class Source:
    @R.function
    def main() -> R.Tensor(dtype="float32", ndim=1):
        k = T.int64()
        a = R.match_cast(R.const([1.0, 2.0], "float32"), R.Tensor((k,), "float32"))
        b = R.zeros(R.shape([k]), dtype="float32")
        return b
