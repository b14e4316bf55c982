#!/bin/sh
# Hands the master's role to a replica before the server is stopped.
#
# When:   preStop hook of the server's container; the sentinel sidecar still runs.
# Budget: FAILOVER_SECONDS. It always exits with 0: the pod stops either way, and without
#         a failover the sentinels notice the loss themselves.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${0%/*}/lib.sh"

redis() { cli 2 "$HOST" "$REDIS_PORT" "$@" </dev/null; }
sentinel() { cli 2 "$HOST" "$SENTINEL_PORT" "$@" </dev/null; }
left() { [ "$(now)" -lt "$deadline" ]; }

# caught_up: every replica that is online has what this master wrote before the pause.
caught_up() {
  redis INFO replication | sed -n 's/^slave[0-9]*:.*state=online,offset=\([0-9]*\),.*/\1/p' | {
    while read -r offset; do [ "$offset" -ge "$written" ] || exit 1; done
  }
}

# moved: every other sentinel that answers names the same other master. This node's own one
# does not count: the others may not have heard of the failover it made, and would make a
# second one, to another replica, if it ended now.
moved() {
  master=$(views | sed -n 's/^[^ ]* [0-9][0-9]* //p' | sort -u)
  case $master in
    "" | *"$SELF"* | *"
"*) return 1 ;;
  esac
}

deadline=$(($(now) + FAILOVER_SECONDS))
case $(redis INFO replication) in
  *role:master*) ;;
  *) exit 0 ;;
esac
if moved; then
  log "the sentinels have $master as master already"
  exit 0
fi

# From here on this node accepts no write, so that none can be lost; reads go on.
redis CLIENT PAUSE $(((2 + FAILOVER_SECONDS) * 1000)) WRITE >/dev/null
written=$(redis INFO replication | sed -n 's/^master_repl_offset://p')
patience=$(($(now) + 5)) # a replica that hangs must not cost the failover
until caught_up || [ "$(now)" -ge "$patience" ]; do sleep 1; done

asked=
while left; do
  if [ -z "$asked" ]; then
    reply=$(sentinel SENTINEL FAILOVER "$MASTER")
    case $reply in
      OK | *INPROG*) asked=1 ;;
      *) log "no failover yet: $reply" ;;
    esac
  fi
  if moved; then
    log "the master is now $master"
    exit 0
  fi
  sleep 1
done
log "no failover within $FAILOVER_SECONDS s"
exit 0
