#!/usr/bin/env bash
# The main job, end to end: one workload of the profile vllm-inference in three forms, and
# the proof that they hold the same objects. KILTER names another program than bin/kilter.
set -euo pipefail
cd "$(dirname "$0")"
bin=$PWD/bin
PATH=$(dirname "${KILTER:-$bin/kilter}"):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

step() { printf '\n# %s\n' "$1"; }
run() { printf '$ %s\n' "$1"; bash -o pipefail -c "$1"; }
must_fail() { printf '$ %s\n' "$1"; if bash -o pipefail -c "$1" 2>&1; then echo "this should have failed"; exit 1; fi; }

step 'A service from a profile: its parameters, a Helm chart, a kustomization.'
run 'kilter new llama --profile vllm-inference --set model.id=meta-llama/Llama-3.1-8B-Instruct --set replicas=2'
run 'cat llama/kilter.yaml'

step 'What follows from them. A rollout waits for no GPU that nobody has: the old server stops first.'
run "kilter render llama | grep -A4 '^  strategy:'"

step 'The proof: kilter.yaml, the chart and the kustomization, compared object by object and field by field.'
run 'kilter diff llama llama/chart'
run 'kilter diff llama llama/kustomize/overlays/prod'

step 'Also with other values, which decide other objects: a StatefulSet, an autoscaler, a free GPU.'
run 'kilter diff llama llama/chart --set modelCache.mode=perReplica --set autoscaling.enabled=true'
run 'kilter diff llama llama/chart --set rollout.spareGpus=4 --set monitoring.enabled=true --kube-version 1.36'

step 'Two workloads do differ, and the comparison says where.'
run 'kilter new one --profile vllm-inference --to helm >one.txt'
must_fail 'kilter diff llama one/chart'

step 'Values that cannot work are refused by every form, before the cluster sees them.'
must_fail 'kilter render llama --set gpu.count=2 --set engine.tensorParallelSize=4'
must_fail 'kilter render llama/chart --set gpu.count=2 --set engine.tensorParallelSize=4'

step 'The same with the real programs, where make tools has built them.'
for helm in helm3 helm4; do
  if [ -x "$bin/$helm" ]; then
    run "$bin/$helm template llama llama/chart --skip-tests --kube-version 1.34 | kilter diff llama -"
  else
    echo "($helm is not there)"
  fi
done
if [ -x "$bin/kustomize" ]; then
  run "$bin/kustomize build llama/kustomize/overlays/prod | kilter diff llama -"
else
  echo '(kustomize is not there)'
fi
