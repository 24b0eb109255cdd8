#!/usr/bin/env bash
# Compares lexical searches of the core with Lucene 10 and Tantivy in interleaved rounds, with one thread and one segment each,
# and prints the table of ../shared/peers/lexical.
# usage: beside-lucene.sh    Run it from the root of the repository, after run.sh of that folder has built the peers and their
#                            indexes in WORK.
# environment: WORK (that folder), COPIES (copies of the commits, 1 by default), ROUNDS (2), PASSES (passes of the JVM in each
#              round, 20), BUILD (build/bench-native).
set -euo pipefail
PEERS=$(cd ../shared/peers/lexical && pwd)
WORKLOAD=$(cd ../shared/lexical/workload && pwd)/gitlog.ndjson
BUILD=${BUILD:-build/bench-native}
cmake -S . -B "$BUILD" -DCMAKE_BUILD_TYPE=Release -DQUARRY_SANITIZE=OFF >/dev/null
cmake --build "$BUILD" --target words_bench --parallel 2
OURS=$(cd "$BUILD" && pwd)/words_bench
cd "${WORK:?the folder in which run.sh of the peers has worked}"
COPIES=${COPIES:-1}
TSV=norm$COPIES.tsv
OUT=ours$COPIES
mkdir -p "$OUT"

lucene() {
  jre/bin/java --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC \
    -Xms2g -Xmx2g -cp "classes10:$(echo jars10/*.jar | tr ' ' :)" Peer "$@" 2>lucene10.log
}
tantivy() { target/release/peer-tantivy "$@"; }

[ -e "$TSV" ] || node "$PEERS/scale.mjs" norm1.tsv "$TSV" "$COPIES"
[ -e "idx$COPIES.l10" ] || lucene index "$TSV" "idx$COPIES.l10" 0
[ -e "idx$COPIES.tv" ] || tantivy index "$TSV" "idx$COPIES.tv" 0
for ((round = 1; round <= ${ROUNDS:-2}; round++)); do
  tantivy query "idx$COPIES.tv" "$WORKLOAD" "$OUT/tv.$round.jsonl" 5
  "$OURS" "$TSV" "$WORKLOAD" --passes 5 --rows "$OUT/plus.$round.jsonl" >"$OUT/work.txt"
  lucene query "idx$COPIES.l10" "$WORKLOAD" "$OUT/l10.$round.jsonl" "${PASSES:-20}"
  lucene query "idx$COPIES.l10" dates.ndjson "$OUT/l10s.$round.jsonl" "${PASSES:-20}" tss
done
files() { ls "$OUT/$1".*.jsonl | paste -sd, -; }
echo "load $(cut -d' ' -f1-3 /proc/loadavg), copies $COPIES"
# The table recognises an engine that is not a peer by its name, so the name is replaced afterwards.
node "$PEERS/table.mjs" "l10=$(files l10),$(files l10s)" "tv=$(files tv)" "plus=$(files plus)" | sed 's/plus/ours/g'
