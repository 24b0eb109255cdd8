#!/bin/bash
# Runs two public tools from PyPI on the OpenAPI document: a generated client, which sends requests, and a property-based tester,
# which looks for server errors and for responses that do not match their schema. The environment variable EXAMPLES is the number
# of examples for each operation (10 by default), and PHASES names the phases of Schemathesis. The script needs a built service.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=$PWD/build/tools/testers
work=$(mktemp --directory)
if [ ! -x "$tools/bin/schemathesis" ]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet schemathesis==4.32.5 openapi-python-client==0.29.1
fi
node dist/cli/main.js serve --port 0 --data-dir "$work/data" --snapshot.path "$work/snapshots" >"$work/log" &
server=$!
trap 'kill $server; wait $server; rm -r "$work"' EXIT
for _ in $(seq 100); do
  base=$(sed -n 's/.*"msg":"ready on \(http:[^"]*\)".*/\1/p' "$work/log")
  [ -n "$base" ] && break
  sleep 0.1
done
curl --silent --fail "$base/openapi.json" >"$work/openapi.json"

printf 'post_hooks: []\ncontent_type_overrides:\n  application/x-ndjson: application/octet-stream\n' >"$work/client.yaml"
"$tools/bin/openapi-python-client" generate --path "$work/openapi.json" --config "$work/client.yaml" \
  --output-path "$work/generated" --meta none --fail-on-warning
python=$tools/bin/python
"$python" test/testers/client.py "$work" "$base"

json='content-type: application/json'
curl --silent --fail --output /dev/null -X PUT -H "$json" "$base/books/_doc/1?refresh=true" -d '{"title":"red fox","n":1}'
curl --silent --fail --output /dev/null -X POST -H "$json" "$base/_memory/agent" -d '{"id":"1","text":"the cat sleeps"}'
SCHEMATHESIS_HOOKS=$PWD/test/testers/ndjson.py "$tools/bin/schemathesis" run "$base/openapi.json" --no-color \
  --checks not_a_server_error,response_schema_conformance,content_type_conformance,status_code_conformance \
  --phases "${PHASES:-examples,fuzzing}" --max-examples "${EXAMPLES:-10}" --seed 1 --suppress-health-check all \
  --request-timeout 60 --continue-on-failure
