# Sourced by the tests of the command line: an empty folder to work in, which goes with the test, and complaints, after which a test goes on
# and ends with $status.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

complain() {
  echo "$(basename "$0" .sh): $*" >&2
  status=1
}
