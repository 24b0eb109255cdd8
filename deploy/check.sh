#!/bin/bash
# Checks every file of this folder with the checker of its format. The checkers are installed from package registries into
# build/tools: helm from Go, kubernetes-validate and yamllint from PyPI. promtool is part of Debian's package prometheus, and
# systemd-analyze is part of systemd.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/build/tools
mkdir -p "$tools"
if [ ! -x "$tools/helm" ]; then GOBIN=$tools go install helm.sh/helm/v3/cmd/helm@v3.17.3; fi
if [ ! -x "$tools/python/bin/kubernetes-validate" ]; then
  python3 -m venv "$tools/python"
  "$tools/python/bin/pip" install --quiet kubernetes-validate==1.37.0 yamllint==1.38.0
fi
if [ ! -x "$tools/promtool" ]; then
  if command -v promtool >/dev/null; then
    ln -s "$(command -v promtool)" "$tools/promtool"
  else
    (cd "$tools" && apt-get download --quiet prometheus && dpkg --extract prometheus_*.deb prometheus)
    ln -s prometheus/usr/bin/promtool "$tools/promtool"
  fi
fi

echo "chart"
"$tools/helm" lint --strict deploy/helm/quarry
fresh=$(mktemp --directory)
trap 'rm -r "$fresh"' EXIT
HELM=$tools/helm deploy/make-manifests.sh "$fresh"
diff --recursive deploy/kubernetes "$fresh"
if "$tools/helm" template quarry deploy/helm/quarry --kube-version 1.31.0 --set config.data_dir=/x >/dev/null 2>&1; then
  echo "the chart takes a setting that is its own" >&2
  exit 1
fi
"$tools/helm" template quarry deploy/helm/quarry --kube-version 1.31.0 --set tls.secretName=cert >"$fresh/tls.yaml"
echo "manifests"
for version in 1.29 1.31 1.34; do
  "$tools/python/bin/kubernetes-validate" --kubernetes-version "$version" --strict --quiet --no-warn \
    deploy/kubernetes/*.yaml "$fresh/tls.yaml"
done
"$tools/python/bin/yamllint" --strict \
  --config-data '{extends: default, rules: {line-length: disable, document-start: disable, indentation: disable, braces: disable}}' \
  deploy/kubernetes deploy/alerts.test.yaml deploy/helm/quarry/values.yaml deploy/helm/quarry/files/alerts.yaml
echo "alerts"
"$tools/promtool" check rules deploy/helm/quarry/files/alerts.yaml
"$tools/promtool" test rules deploy/alerts.test.yaml
echo "unit"
systemd-analyze verify --man=no deploy/systemd/quarry.service
systemd-analyze security --offline=true --threshold=20 deploy/systemd/quarry.service | tail -1
