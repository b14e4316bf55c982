#!/bin/sh
# Says whether a server can serve: a master that answers, or a replica whose data set is
# complete and current; in mode cluster a member with a part, while the cluster works. A
# rollout goes on only from such a node. A sentinel can serve when it knows the master.
#
# When:   readiness probe; the argument is the port, 26379 for the sentinel.
# Budget: 5 s, below the probe's timeout.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${0%/*}/lib.sh"

if [ "$1" = "$SENTINEL_PORT" ]; then
  reply=$(cli 5 "$HOST" "$1" SENTINEL get-master-addr-by-name "$MASTER" </dev/null | head -n 1)
  case $reply in
    "" | NOAUTH* | ERR*) ;;
    *) exit 0 ;;
  esac
else
  works= # CLUSTER INFO is an error in other modes
  if [ "$MODE" = cluster ]; then
    works=cluster_state:ok
    [ -e "$RUN_DIR/member" ] || { log "not ready: no member of the cluster yet"; exit 1; }
  fi
  reply=$(printf '%s\n' PING 'INFO replication' 'CLUSTER INFO' | cli 5 "$HOST" "$1")
  case $reply in
    PONG*role:master*$works*) exit 0 ;;
    PONG*master_link_status:up*master_sync_in_progress:0*$works*) exit 0 ;;
  esac
fi
log "not ready: $(echo "${reply:-no reply within 5 s}" | sed -n '1p;/^role:/p;/^master_link_status:/p;/^master_sync_in_progress:/p;/^cluster_state:/p' | tr '\n' ' ')"
exit 1
