#!/usr/bin/env bash
# run_test.sh PASSDIFF KERNELS: what `run` and `show` print of cases that are a function of TensorIR alone, under our own passes.
set -euo pipefail
passdiff=$1
kernels=$2
status=0

# expect LINE COMMAND CASE FLAGS...: the command prints the line.
expect() {
  local line=$1 command=$2 case=$3 printed
  shift 3
  printed=$("$passdiff" "$command" --subject native "$kernels/$case" "$@") || true
  grep --quiet --line-regexp --fixed-strings -e "$line" <<<"$printed" && return
  echo "run_test: $command $case $*: no line '$line' in" >&2
  echo "$printed" >&2
  status=1
}

expect 'same result' run vectorised-recurrence --values
expect '    sums(x, n, y)' run vectorised-recurrence
expect '    source.py:10: y[i] = x[i + 1]' run index-out-of-bounds
expect '# because: source.py:10: y[i] = x[i + 1]' show index-out-of-bounds --explain
expect "ok           $kernels/index-out-of-bounds: undefined at source.py:10: y[i] = x[i + 1]" replay index-out-of-bounds
expect 'result[1] (float32[8]): 6 of 8 elements differ' run vectorised-recurrence --values --fault tir-vectorize/serial-too
exit $status
