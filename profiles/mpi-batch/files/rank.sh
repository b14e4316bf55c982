#!/bin/sh
# A node of mode rank-env: waits until the master has an address, at most RENDEZVOUS_SECONDS,
# and becomes the program, which gets the signals and whose exit code is the node's.
set -eu

# The first process of a container does not end by a signal that it has no trap for.
trap 'exit 143' TERM

if ! command -v getent >/dev/null; then
  echo "rank $RANK: the image has no getent, which asks for the address of $MASTER_ADDR" >&2
  exit 127
fi
deadline=$(($(date +%s) + RENDEZVOUS_SECONDS))
until getent hosts "$MASTER_ADDR" >/dev/null; do
  if [ "$(date +%s)" -ge "$deadline" ]; then
    echo "rank $RANK: no address of $MASTER_ADDR in $RENDEZVOUS_SECONDS seconds" >&2
    exit 1
  fi
  sleep 1
done
exec "$@"
