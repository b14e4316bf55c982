#!/bin/sh
# Hands a shard over to a replica before its master is stopped. The replica makes the master
# hold writes back until it has all of them, so that none that was acknowledged is lost.
#
# When:   preStop hook of the server's container in mode cluster.
# Budget: FAILOVER_SECONDS. It always exits with 0: the pod stops either way, and without
#         a failover the other nodes notice the loss themselves.
dir=${0%/*}
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$dir/lib.sh"
# shellcheck source-path=SCRIPTDIR source=cluster.sh
. "$dir/cluster.sh"

began=$(now) asked=0 heir=
while [ $(($(now) - began)) -lt "$FAILOVER_SECONDS" ]; do
  view=$(table "$HOST")
  id=$(leading "$view")
  if [ -z "$id" ]; then
    [ -z "$heir" ] || log "the master is now $heir"
    exit 0
  fi
  if [ $(($(now) - asked)) -ge 6 ]; then # the server gives up on a failover after 5 s
    heir=$(best_replica "$view" "$id")
    reply="no replica answers"
    [ -z "$heir" ] || reply=$(cli 2 "$heir" "$REDIS_PORT" CLUSTER FAILOVER </dev/null)
    if [ "$reply" = OK ]; then asked=$(now); else log "no failover yet: $reply"; fi
  fi
  sleep 1
done
log "no failover within $FAILOVER_SECONDS s"
exit 0
