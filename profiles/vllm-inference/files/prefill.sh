#!/bin/sh
# Fills the shared model cache once. The marker is written last, so that a folder without
# it is never served, and a second run has nothing to do.
#
# MODEL_ID, MODEL_REVISION  what to download; the revision may be empty
# MODEL_PATH                folder of this model and revision on the volume
set -eu

marker=$MODEL_PATH/.complete
if [ -e "$marker" ]; then
	echo "prefill: $MODEL_PATH is complete"
	exit 0
fi
mkdir -p "$MODEL_PATH"
set -- "$MODEL_ID" --local-dir "$MODEL_PATH" --max-workers 4
if [ -n "$MODEL_REVISION" ]; then
	set -- "$@" --revision "$MODEL_REVISION"
fi
hf download "$@"
sync
echo "$MODEL_ID $MODEL_REVISION" >"$marker.part"
mv "$marker.part" "$marker"
echo "prefill: filled $MODEL_PATH"
