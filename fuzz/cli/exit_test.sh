#!/usr/bin/env bash
# exit_test.sh PASSDIFF CORPUS: exit codes and messages where output cannot be written, and where a command is asked for what it cannot do.
set -uo pipefail
passdiff=$1
corpus=$2
good=$corpus/kernels/vectorised-recurrence
source "$(dirname "$0")/testing.sh"
cd "$work" || exit 1

# ends CODE TEXT COMMAND...: the command ends with the code, and standard error, which is one line, holds the text.
ends() {
  local expected=$1 text=$2 code=0
  shift 2
  "$@" >out 2>err || code=$?
  [ "$code" -eq "$expected" ] || complain "$*: ends with $code, not with $expected: $(cat err)"
  [ "$(wc -l <err)" -eq 1 ] || complain "$*: not one line of errors: $(cat err)"
  grep --quiet --fixed-strings -e "$text" err || complain "$*: does not say '$text': $(cat err)"
}

to_full() { "$passdiff" "$@" >/dev/full; }
to_nothing() { "$passdiff" "$@" >&-; }
unwritten='standard output cannot be written'
ends 2 "$unwritten" to_full manual
ends 2 "$unwritten" to_full --help
ends 2 "$unwritten" to_full list ops
ends 2 "$unwritten" to_full list passes --subject native
ends 2 "$unwritten" to_full show --subject native "$good"
ends 2 "$unwritten" to_full replay --subject native "$good"
ends 2 "$unwritten" to_nothing replay --subject native "$good"
for end in to_full to_nothing; do
  code=0
  "$end" fuzz --subject native --cases 3 --passes FoldConstant --json 2>err || code=$?
  [ "$code" -eq 2 ] && grep --quiet "$unwritten" err || complain "fuzz $end: ends with $code: $(cat err)"
done
grep --quiet --recursive '"format"' findings --include=campaign.lock && complain "a file of the campaign took standard output's place"
# A reader may close the pipe.
"$passdiff" manual 2>err | head -1 >out
[ ! -s err ] && [ -s out ] || complain "manual | head: $(cat err)"

for cases in -1 0 99999999999999999999; do
  code=0
  "$passdiff" bench --native-only --cases "$cases" >out 2>err || code=$?
  [ "$code" -eq 2 ] && [ ! -s out ] || complain "bench --cases $cases: ends with $code: $(cat out err)"
done

# The program's own end, also where it imports no TVM: that nothing was recorded is a warning.
unrecorded='nothing was recorded'
ends 7 "$unrecorded" "$passdiff" record -o recorded -- bash -c 'exit 7'
ends 0 "$unrecorded" "$passdiff" record -o recorded -- true
ends 139 "$unrecorded" "$passdiff" record -o recorded -- bash -c 'kill -SEGV $$'
ends 2 'cannot be run' "$passdiff" record -o recorded -- ./no-such-program
ends 2 "$unrecorded" "$passdiff" record -o recorded

ends 2 'nothing to reduce' "$passdiff" reduce --subject native "$good"
ends 2 'nothing to reproduce' "$passdiff" repro --subject native "$good"

touch file
for folder in /proc/x file; do ends 2 'no files can be written there' "$passdiff" conform --ops abs --calls 1 -o "$folder"; done
exit "$status"
