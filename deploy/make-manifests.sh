#!/bin/sh
# Renders the manifests of the chart: quarry.yaml for any cluster, monitoring.yaml for clusters with the Prometheus operator.
# The environment variable HELM names the helm command to use.
set -eu
cd "$(dirname "$0")"
out=${1:-kubernetes}
helm=${HELM:-helm}
mkdir -p "$out"
"$helm" template quarry helm/quarry --kube-version 1.31.0 \
  --set metrics.serviceMonitor.enabled=false --set metrics.rules.enabled=false >"$out/quarry.yaml"
"$helm" template quarry helm/quarry --kube-version 1.31.0 \
  --show-only templates/monitoring.yaml >"$out/monitoring.yaml"
