#!/bin/bash
set -eu
# Builds the targets of tests/fuzz into $OUT, each with its seeds. OSS-Fuzz sets the variables; $WORK is the build folder.

# Ubuntu's libraries use libstdc++. They are linked statically because the image that runs the targets has none of them.
export CXXFLAGS="${CXXFLAGS/-stdlib=libc++/}"
cmake -S . -B "$WORK/gpulint" -G Ninja -DCMAKE_BUILD_TYPE=None -DGPULINT_TESTS=OFF -DGPULINT_STATIC=ON \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=64 \
  -DGPULINT_FUZZ=ON -DGPULINT_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DCMAKE_EXE_LINKER_FLAGS=-static-libstdc++
cmake --build "$WORK/gpulint" --target fuzz_targets
for target in "$WORK"/gpulint/tests/fuzz/fuzz_*; do
  [ -f "$target" ] && [ -x "$target" ] || continue
  name=${target##*/}
  cp "$target" "$OUT"
  seeds=(rules)
  [ ! -d "tests/fuzz/seeds/${name#fuzz_}" ] || seeds+=("tests/fuzz/seeds/${name#fuzz_}")
  find "${seeds[@]}" -type f -size -32k ! -name '*.cpp' ! -name '*.expect' | zip -q "$OUT/${name}_seed_corpus.zip" -@
  printf '[libfuzzer]\nmax_len = 32768\n' >"$OUT/$name.options"
done
