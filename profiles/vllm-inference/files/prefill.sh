#!/bin/sh
# Fills the shared model cache once. It downloads to a folder of its own Job and renames
# that in the end, so that servers see the model complete or not at all, and the Job of
# another version never writes to the same files. A retry goes on where the last one was.
#
# MODEL_ID, MODEL_REVISION  what to download; the revision may be empty
# MODEL_PATH                folder of this model and revision on the volume
# JOB_NAME                  name of this Job, the same for all of its pods
set -eu

if [ -e "$MODEL_PATH/.complete" ]; then
	echo "prefill: $MODEL_PATH is complete"
	exit 0
fi
part=$MODEL_PATH.$JOB_NAME
mkdir -p "$part"
set -- "$MODEL_ID" --local-dir "$part" --max-workers 4
if [ -n "$MODEL_REVISION" ]; then
	set -- "$@" --revision "$MODEL_REVISION"
fi
hf download "$@"
echo "$MODEL_ID $MODEL_REVISION" >"$part/.complete"
sync
if ! mv -T "$part" "$MODEL_PATH"; then
	if [ ! -e "$MODEL_PATH/.complete" ]; then
		echo "prefill: $MODEL_PATH is in the way and not complete: remove it" >&2
		exit 1
	fi
	rm -rf "$part" # another Job was first
fi
echo "prefill: filled $MODEL_PATH"
