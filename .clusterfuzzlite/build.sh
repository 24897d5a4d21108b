#!/bin/bash -eu
# ClusterFuzzLite seeks its files here; what they do stands in fuzz/oss-fuzz.
exec bash -eu "$SRC/passdiff/fuzz/oss-fuzz/build.sh"
