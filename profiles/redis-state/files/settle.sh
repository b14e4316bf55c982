#!/bin/sh
# Settles a node that has just started: tells its sentinel who the master is, and lets it
# become master itself once its data set is complete. An empty replica has priority 0
# until then, so that no failover can choose it.
#
# When:   start.sh runs it beside the server, with the server's process id and the master.
# Budget: none; it ends when both is done, or with the server.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${0%/*}/lib.sh"
server=$1 master=$2

# introduce: true when this node's sentinel knows a master.
introduce() {
  case $(view "$HOST") in
    none) ;;
    silent) return 1 ;;
    *) return 0 ;;
  esac
  latest=$(views | elected)
  {
    echo "SENTINEL MONITOR $MASTER ${latest:-$master} $REDIS_PORT 2"
    master_options | while read -r option value; do printf '%s\n' "SENTINEL SET $MASTER $option $value"; done
  } | cli 5 "$HOST" "$SENTINEL_PORT" >/dev/null
  return 1
}

# settled: true when the node's data set is that of the master, or it is the master.
settled() {
  [ -z "$finished" ] || return 0
  info=$(cli 5 "$HOST" "$REDIS_PORT" INFO </dev/null)
  case $info in *loading:0*) ;; *) return 1 ;; esac
  case $info in
    *role:master*) ;;
    *master_link_status:up*master_sync_in_progress:0*) ;;
    *) return 1 ;;
  esac
  [ "$(cli 5 "$HOST" "$REDIS_PORT" CONFIG SET replica-priority 100 </dev/null)" = OK ] || return 1
  : >"$DATA_DIR/complete"
  finished=1
}

finished=
while kill -0 "$server" 2>/dev/null; do
  introduce && settled && exit 0
  settled
  sleep 1
done
