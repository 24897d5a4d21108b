#!/bin/bash -eu
# Builds every fuzz target but TVM's for a fuzzing engine, as OSS-Fuzz and ClusterFuzzLite ask for it: compilers and flags are in CC, CXX,
# CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE; this repository is $SRC/passdiff, with the libraries of dependencies.sh beside it; work goes
# to $WORK. Writes to $OUT: the targets, and for each its seed corpus, its options and, if it reads documents, its dictionary.
source=$SRC/passdiff
build=$WORK/build

cmake -S "$source" -B "$build" -DPASSDIFF_ENGINE="$LIB_FUZZING_ENGINE" \
  -DCMAKE_INCLUDE_PATH="$SRC/xtensor/include;$SRC/xtl/include;$SRC/fmt/include;$SRC/json/include;$SRC/xxhash"
cmake --build "$build" --target fuzz_targets --parallel "${JOBS:-$(nproc)}"

for program in "$build"/fuzz_*; do
  [ -f "$program" ] && [ -x "$program" ] || continue
  target=$(basename "$program")
  cp "$program" "$OUT/"
  rm -f "$OUT/${target}_seed_corpus.zip"
  zip --quiet --junk-paths "$OUT/${target}_seed_corpus.zip" "$source/corpus/fuzz/$target"/*
  case $target in
    fuzz_text | fuzz_interpreter) dictionary=text ;;
    fuzz_json) dictionary=json ;;
    fuzz_cbor) dictionary=cbor ;;
    *) dictionary= ;;
  esac
  if [ -n "$dictionary" ]; then
    cp "$source/fuzz/oss-fuzz/readers.options" "$OUT/$target.options"
    "$build/target_dictionary" "$dictionary" >"$OUT/$target.dict"
  else
    cp "$source/fuzz/oss-fuzz/passes.options" "$OUT/$target.options"
  fi
done
