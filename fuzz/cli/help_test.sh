#!/usr/bin/env bash
# help_test.sh PASSDIFF: every subcommand, of subcommands too, and every flag that --help names stands in the manual page and in each shell's completion,
# these are well-formed as far as the programs here can tell, and bash completes with its own.
set -euo pipefail
passdiff=$1
source "$(dirname "$0")/testing.sh"

# contains FILE WORD: whether the word stands there, not as a part of another.
contains() {
  grep --quiet --extended-regexp -e "(^|[^a-zA-Z0-9-])$2([^a-zA-Z0-9-]|\$)" "$1"
}

page=$work/passdiff.1  # mandoc tells the section from the name
"$passdiff" manual >"$page"
sed 's/\\-/-/g; s/\\f[BIR]/ /g' "$page" >"$work/manual"  # without roff's hyphens and fonts
for shell in bash zsh fish; do "$passdiff" completion "$shell" >"$work/$shell"; done

# commands_of COMMAND...: the subcommands that its help names; without a command those of the program.
commands_of() { "$passdiff" "$@" --help | sed -n '/^Subcommands:/,$s/^  \([a-z]\+\) .*/\1/p'; }

commands=$(commands_of)
[ "$(wc -w <<<"$commands")" -ge 15 ] || complain "only these subcommands were found: $commands"
flags=0
nested=0
all=$commands
for command in $commands; do
  for word in $(commands_of "$command"); do
    nested=$((nested + 1))
    all+=$'\n'"$command $word"
  done
done
[ "$nested" -ge 3 ] || complain "only $nested commands of commands were found"
while read -r command; do
  for file in manual bash zsh fish; do
    contains "$work/$file" "${command#* }" || complain "$file lacks the command $command"
  done
  contains "$work/manual" "passdiff $command" || complain "manual lacks a synopsis of $command"
  read -ra words <<<"$command"
  for flag in $("$passdiff" "${words[@]}" --help | sed -n 's/^  \(-[^ ]*\).*/\1/p' | tr ',' '\n'); do
    flags=$((flags + 1))
    for file in manual bash zsh; do
      contains "$work/$file" "$flag" || complain "$file lacks $command $flag"
    done
    name=${flag#-}
    contains "$work/fish" "${name#-}" || complain "fish lacks $command $flag"
  done
done <<<"$all"
[ "$flags" -ge 50 ] || complain "only $flags flags were found"

# has PROGRAM: whether the machine has it; what cannot be checked here is checked elsewhere.
has() { command -v "$1" >/dev/null; }
bash -n "$work/bash" || complain "bash cannot read its script"
if has zsh; then zsh -n "$work/zsh" || complain "zsh cannot read its script"; fi
if has fish; then fish --no-execute "$work/fish" || complain "fish cannot read its script"; fi
if has mandoc; then
  # Pages that packages do not date or place have neither a date nor a volume.
  faults=$(mandoc -Tlint -Wwarning "$page" 2>&1 | grep --invert-match --extended-regexp 'missing date|missing manual' || true)
  [ -z "$faults" ] || complain "the manual page: $faults"
fi

# completes WORDS... : what bash offers for the last of them.
completes() {
  bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _passdiff; echo "${COMPREPLY[*]}"' _ "$work/bash" "$@"
}
expect() {
  local expected=$1
  shift
  [ "$(completes "$@")" = "$expected" ] || complain "$* is completed by '$(completes "$@")', not by '$expected'"
}
expect "replay repro report" passdiff rep
expect "--subject" passdiff fuzz --sub
expect "tvm native" passdiff fuzz --subject ""
expect "symptoms" passdiff list sy
expect "stats" passdiff corpus sta
expect "minimise merge" passdiff corpus m
expect "--json" passdiff corpus stats --js
expect "tvm native" passdiff corpus minimise --subject ""
expect "" passdiff corpus merge --sub
exit "$status"
