#!/usr/bin/env bash
# One workload of the profile vllm-inference in three forms, and the proof that they agree.
set -euo pipefail
cd "$(dirname "$0")"
kilter=$PWD/bin/kilter
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

say() { printf '\n$ %s\n' "$*"; "$@"; }

say "$kilter" new llama --profile vllm-inference --set model.id=meta-llama/Llama-3.1-8B-Instruct
say find llama -maxdepth 2
"$kilter" render llama/kilter.yaml -o json >workload.json
"$kilter" render llama/chart --name llama --skip-tests -o json >chart.json
"$kilter" render llama/kustomize/overlays/prod -o json >kustomize.json

printf '\nThe Deployment, from llama/kilter.yaml:\n\n'
"$kilter" render llama/kilter.yaml | awk '/^kind: Deployment/{p=1} p{print} /^---/{if(p)exit}' | head -60

printf '\nObjects of each form:\n'
for form in workload chart kustomize; do
  printf '  %-10s %s\n' "$form" "$(grep -c '^    "kind":' "$form.json")"
done
