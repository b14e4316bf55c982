#!/bin/sh
# Waits until the prefill Job has filled the shared cache, at most TIMEOUT_SECONDS: an
# unbounded wait would hold the node's GPUs for ever.
#
# MODEL_PATH       folder of the model on the volume
# TIMEOUT_SECONDS  longest wait
set -eu

waited=0
while [ ! -e "$MODEL_PATH/.complete" ]; do
	if [ "$waited" -ge "$TIMEOUT_SECONDS" ]; then
		echo "wait-for-model: no $MODEL_PATH/.complete after $TIMEOUT_SECONDS s; see the prefill Job" >&2
		exit 1
	fi
	sleep 5
	waited=$((waited + 5))
done
