#!/usr/bin/env bash
# show_input_test.sh PASSDIFF CORPUS: `passdiff show --target` opens the inputs of every libFuzzer target but TVM's, what it saves replays as
# it says, `reduce` goes on from a crash file, and errors are one line.
set -euo pipefail
passdiff=$1
corpus=$2
source "$(dirname "$0")/testing.sh"
cd "$work"

for folder in "$corpus"/*; do
  target=$(basename "$folder")
  [ "$target" != fuzz_tvm ] || continue
  input=$(find "$folder" -type f | sort | head -1)
  "$passdiff" show --target "$target" "$input" >shown || complain "$target: ends with $?"
  grep --quiet '^# \(source\|the\|a\|no\)' shown || complain "$target: shows $(head -1 shown)"
done

input=$(find "$corpus/fuzz_FoldConstant" -type f | sort | head -1)
"$passdiff" show --target fuzz_FoldConstant "$input" --save saved >shown || complain "--save ends with $?"
grep --quiet '^# pass: FoldConstant' shown || complain "no pass is shown"
"$passdiff" replay --subject native saved >replayed || complain "what was saved does not replay: $(cat replayed)"

# A fault makes some input of its pass a crash file.
for input in "$corpus"/fuzz_FoldConstant/*; do
  code=0
  "$passdiff" reduce --target fuzz_FoldConstant --fault fold-constant/only-operands-replaced "$input" >reduced 2>&1 || code=$?
  [ "$code" -ne 1 ] || break
done
[ "$code" -eq 1 ] && [ -n "$(ls findings)" ] || complain "no input of FoldConstant can be reduced: $(cat reduced)"
grep --quiet --extended-regexp '^(1 binding|[0-9]+ bindings)(, as before| becomes? [0-9]+): findings/' reduced || complain "reduce says: $(cat reduced)"

# refused FLAGS... : usage errors are one line, and the exit code says so.
refused() {
  code=0
  "$passdiff" "$@" >out 2>err || code=$?
  [ "$code" -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || complain "$*: ends with $code: $(cat out err)"
}
refused show --target fuzz_Nothing "$input"
refused show --target fuzz_FoldConstant no/such/file
refused show --target fuzz_text "$input" --save other
refused reduce --target fuzz_json "$input"
exit "$status"
