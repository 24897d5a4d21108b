#!/usr/bin/env bash
# usage_test.sh PASSDIFF CORPUS PYTHON: each wrong command line ends with exit code 2, prints a line that names what is wrong, and writes nothing.
# What needs TVM is left out where PYTHON is missing.
set -euo pipefail
passdiff=$1
corpus=$2
python=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0

complain() {
  echo "usage_test: $*" >&2
  status=1
}

# ends CODE TEXT FLAGS... : passdiff with these flags ends with the code and prints TEXT, in its only line if it speaks as passdiff; nothing is
# written.
ends() {
  local expected=$1 text=$2 code=0 printed
  shift 2
  printed=$("$passdiff" "$@" 2>&1) || code=$?
  [ "$code" -eq "$expected" ] || complain "$*: ends with $code, not $expected: $printed"
  grep --quiet --fixed-strings -e "$text" <<<"$printed" || complain "$*: no '$text' in: $printed"
  [[ $printed != passdiff:* ]] || [ "$(wc -l <<<"$printed")" -eq 1 ] || complain "$*: more than a line: $printed"
  [ -z "$(ls)" ] || complain "$*: writes $(ls)"
}
refused() { ends 2 "$@"; }

ends 0 'passdiff 0.' --version
refused 'foo: no such command; see `passdiff --help`' foo
refused 'foo: no such command; see `passdiff corpus --help`' corpus foo
for command in "fuzz --subject native" stats replay conform mutants agreement "run case" "show case" "reduce case"; do
  refused '--seed: -1 is no number from 0 to 18446744073709551615' $command --seed -1
  refused '--seed: 99999999999999999999999 is no number from' $command --seed 99999999999999999999999
done
refused '--cases: -1 is no number from' bench --cases -1

refused '--passes: nothing is named in `,,`' fuzz --subject native --passes ',,' --cases 1
refused '--passes: nothing is named in `,`' fuzz --subject native --passes=, --cases 1
refused '--passes: the value is empty' fuzz --subject native --passes '' --cases 1
refused '--passes: the value is empty' run --subject native "$corpus/kernels/index-out-of-bounds" --passes ''
refused '--ops: the value is empty' conform --ops ''
refused '--findings: the value is empty' fuzz --subject native --findings '' --cases 1
refused 'LegalizeOps: the subject native has no such pass; --subject tvm has it' fuzz --subject native --passes LegalizeOps
refused '`passdiff run CASE --passes` takes options' fuzz --subject native --passes 'LiftTransformParams:{"shared_transform": true}'
exit "$status"
