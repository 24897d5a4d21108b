#!/usr/bin/env bash
# usage_test.sh PASSDIFF CORPUS PYTHON: each wrong command line ends with exit code 2, prints a line that names what is wrong, and writes nothing.
# What needs TVM is left out where PYTHON is missing.
set -euo pipefail
passdiff=$1
corpus=$2
python=${3:-}
source "$(dirname "$0")/testing.sh"
cd "$work"

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
refused 'Value -1 not in range 1 to 1099511627776' bench --cases -1

refused '--passes: nothing is named in `,,`' fuzz --subject native --passes ',,' --cases 1
refused '--passes: nothing is named in `,`' fuzz --subject native --passes=, --cases 1
refused '--passes: the value is empty' fuzz --subject native --passes '' --cases 1
refused '--passes: the value is empty' run --subject native "$corpus/kernels/index-out-of-bounds" --passes ''
refused '--ops: the value is empty' conform --ops ''
refused '--findings: the value is empty' fuzz --subject native --findings '' --cases 1
refused 'LegalizeOps: the subject native has no such pass; --subject tvm has it' fuzz --subject native --passes LegalizeOps
refused '`passdiff run CASE --passes` takes options' fuzz --subject native --passes 'LiftTransformParams:{"shared_transform": true}'

refused '/nonexistent: no such folder' run /nonexistent
refused 'kernels/index-out-of-bounds/case.json: a file; what is wanted is a case folder' run "$corpus/kernels/index-out-of-bounds/case.json"
refused 'seeds: a tree of case folders, not one of them; `passdiff replay`, `causes` and `matrix` take trees' show "$corpus/seeds"
refused 'targets: no case folder: it holds no case.json' reduce "$corpus/../fuzz/targets"
refused 'targets: no findings there' causes --subject native "$corpus/../fuzz/targets"
refused 'the case gives the arguments of main; --entry is for recorded cases' \
  run --subject native "$corpus/seeds/17207-lift-transform-params" --entry other

refused '--fault: has no effect on the subject tvm' fuzz --fault foo
refused '--plugin: has no effect on the subject native' run --subject native "$corpus/kernels/index-out-of-bounds" --plugin plugin.py
refused 'vm-agrees: this check is never made of a subject that does not compile modules' fuzz --subject native --check vm-agrees=1
refused 'LiftTransformParams: it cannot be made from the options {"shared_tranform": true}: LiftTransformParams: no such option: shared_tranform' \
  run --subject native "$corpus/seeds/17207-lift-transform-params" --passes 'LiftTransformParams:{"shared_tranform": true}'
ends 3 'it exited with 0 and printed nothing; give the Python that has tvm with --python' list passes --python /bin/true

# A copy of a case, with a verdict that is none.
copy=$(mktemp -d)
trap 'rm -rf "$work" "$copy"' EXIT
cp -r "$corpus/seeds/17207-lift-transform-params" "$copy/case"
sed -i 's/"expected": *{[^}]*}/"expected": {"native": "bananas"}/' "$copy/case/case.json"
refused 'expected.native should be a symptom, not "bananas"' replay --subject native "$copy/case"
refused 'expected.native should be a symptom, not "bananas"' show --subject native "$copy/case"

[ -n "$python" ] || exit "$status"
lifted=$corpus/seeds/17207-lift-transform-params
refused "LiftTransformParams() got an unexpected keyword argument 'shared_tranform'" \
  run --python "$python" "$lifted" --passes 'LiftTransformParams:{"shared_tranform": true}'
refused 'ToMixedPrecision: it cannot be made from the options {"out_dtype": 3}: ' run --python "$python" "$lifted" --passes 'ToMixedPrecision:{"out_dtype": 3}'
refused 'RunCodegen: cannot be driven: ' run --python "$python" "$lifted" --passes RunCodegen
refused 'TirUnroll: the subject tvm has no such pass; --subject native has it' run --python "$python" "$corpus/kernels/index-out-of-bounds"

# plugin LINES: a plugin of these lines.
plugin() { printf 'import tvm\nfrom passdiff_plugin import register\n%s\n' "$1" >"$copy/plugin.py"; }
plugin 'register("Bad", lambda: None)'
ends 3 'Bad makes a NoneType, which is no Pass' fuzz --python "$python" --plugin "$copy/plugin.py" --passes Bad --cases 2
plugin 'register("LegalizeOps", tvm.transform.Sequential([]))'
ends 3 'LegalizeOps: TVM has a pass of this name' fuzz --python "$python" --plugin "$copy/plugin.py" --passes LegalizeOps --cases 2
plugin 'register("Deep", lambda depth: tvm.transform.Sequential([]))'
refused "Deep: cannot be driven here: it cannot be made without options: TypeError" \
  fuzz --python "$python" --plugin "$copy/plugin.py" --passes Deep --cases 2
ends 0 'numerics reassociated, needs options' list passes --python "$python" --plugin "$copy/plugin.py"
ends 0 'verdict: agree' run --python "$python" "$lifted" --plugin "$copy/plugin.py" --passes 'Deep:{"depth": 1}'
exit "$status"
