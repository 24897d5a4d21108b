#!/bin/bash -eu
# Fetches the libraries that the fuzz targets need into $SRC. Of each, headers alone are used; a commit's hash vouches for what is in
# it. They are newer than the Debian packages that the rest of passdiff is built with where clang's newest version needs that.
fetch() {
  local name=$1 url=$2 commit=$3
  git init --quiet "$SRC/$name"
  git -C "$SRC/$name" fetch --quiet --depth 1 "$url" "$commit"
  git -C "$SRC/$name" checkout --quiet FETCH_HEAD
  [ "$(git -C "$SRC/$name" rev-parse HEAD)" = "$commit" ]
}
fetch xtensor https://github.com/xtensor-stack/xtensor c7ae1a6aae85bed9f6bf912da78c70b3a7f49900 # 0.27.0
fetch xtl https://github.com/xtensor-stack/xtl ef84e9f27020ad54961c99acd293d80d4b775dd3 # 0.8.0
fetch fmt https://github.com/fmtlib/fmt e69e5f977d458f2650bb346dadf2ad30c5320281 # 10.2.1
fetch json https://github.com/nlohmann/json 9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03 # 3.11.3
fetch xxhash https://github.com/Cyan4973/xxHash 35b0373c697b5f160d3db26b1cbb45a0d5ba788c # 0.8.1
