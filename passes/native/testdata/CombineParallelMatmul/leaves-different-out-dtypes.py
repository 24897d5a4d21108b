# Matmuls with different out_dtypes are not joined.
# unchanged
# fault mixed-out-dtypes: form.wrong-type


@I.ir_module
class Source:
    @R.function
    def main(
        x: R.Tensor((2, 3), "float32"),
        v: R.Tensor((3, 4), "float32"),
        w: R.Tensor((3, 5), "float32"),
    ) -> R.Tuple(R.Tensor((2, 4), "float64"), R.Tensor((2, 5), "float32")):
        with R.dataflow():
            y = R.matmul(x, v, out_dtype="float64")
            z = R.matmul(x, w)
            R.output(y, z)
        return (y, z)
