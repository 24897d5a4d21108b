# A transformation returns a tuple: there are no items to set otherwise.
# rejects: native.no-tuple


@I.ir_module
class Source:
    @R.function
    def transform_params(w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return w
