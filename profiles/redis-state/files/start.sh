#!/bin/sh
# Starts the server of a node: as the master, or as a replica of it; in mode cluster as what
# it was, or as nothing yet: join.sh makes it a member.
#
# When:   the command of the container.
# Budget: START_SECONDS to find out who the master is; then it exits with 1 and the kubelet
#         starts it again. Loading the data set comes after that.
#
# Nodes may start at the same time, in any order, and with or without data:
#   1 The master is who the sentinels say it is, each of them asked by its own address; the
#     own one counts too, it has its memory on the volume.
#   2 The node they mean leads if it holds data. Without data it would make the others
#     throw theirs away, so it waits until they have moved the master elsewhere; it leads
#     only when no other node holds anything either.
#   3 When nobody knows a master, only ordinal 0 leads, and only after every other node
#     that has an address, one at least, has said that it knows and holds nothing.
#   All others wait, and follow.
dir=${0%/*}
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$dir/lib.sh"

# others_hold_nothing: every peer of $votes is known to hold no data; false without peers.
# A peer whose sentinel knows no master has not started its server before; one whose
# server answers can be asked.
others_hold_nothing() {
  [ -n "$votes" ] || return 1
  echo "$votes" | {
    while read -r peer peer_view; do
      info=$(cli 2 "$peer" "$REDIS_PORT" INFO </dev/null)
      case $info in
        "") [ "$peer_view" = none ] || exit 1 ;;
        *db[0-9]*:keys=* | *loading:1* | *role:master*) exit 1 ;;
        *role:slave*) ;;
        *) exit 1 ;;
      esac
    done
  }
}

# may_lead: whether this node may start as the master that $votes and $master make it.
may_lead() {
  if [ "$master" = "$SELF" ] && holds_data; then
    # The own memory may be old: hear everybody, or be patient.
    case "$votes " in *" silent"*) [ "$waited" -ge 20 ] ;; " ") [ "$waited" -ge 20 ] ;; esac
  elif [ "$master" = "$SELF" ] || [ "${POD_NAME##*-}" = 0 ]; then
    others_hold_nothing
  else
    return 1
  fi
}

# find_master: sets master; false when the budget is spent.
find_master() {
  began=$(now) said=
  while waited=$(($(now) - began)); [ "$waited" -lt "$START_SECONDS" ]; do
    votes=$(views)
    master=$({ echo "$votes"; echo "self $(view "$HOST")"; } | elected)
    case $master in
      "" | "$SELF") may_lead && master=$SELF && return 0 ;;
      *) return 0 ;;
    esac
    why="the sentinels name ${master:-no master}; the other nodes say: $(echo "$votes" | tr '\n' ';')"
    [ "$why" = "$said" ] || log "waiting, $why"
    said=$why
    sleep 1
  done
  log "gave up after ${waited} s, $said"
  return 1
}

# permissions: what the user may do. A replica whose master lost its volume might find this
# node at its master's address, and throw its data away to be like it: a node of a cluster
# that had no part yet refuses replicas until join.sh has given it one. A replica that is
# refused tries SYNC next, of Redis before 2.8: one that was let in by it would never confirm
# a write, so it is not let in.
permissions() {
  echo "$ACL"
  [ "$MODE" = cluster ] || return 0
  echo "-sync"
  grep -q 'myself,slave\|myself.* connected [0-9]' "$DATA_DIR/nodes.conf" 2>/dev/null || echo "-psync"
}

configuration() {
  [ "$MODE" != cluster ] || cat "$CONF_DIR/cluster.conf"
  cat "$CONF_DIR/redis.conf"
  echo "dir $DATA_DIR"
  [ -z "${BIND:-}" ] || echo "bind $BIND"
  granted=$(permissions | tr '\n' ' ')
  if [ -n "$PASSWORD" ]; then
    echo "user default on #$(printf %s "$PASSWORD" | sha256sum | cut -d ' ' -f 1) $granted"
    printf '%s\n' "masterauth $(quoted "$PASSWORD")"
  else
    echo "user default on nopass $granted"
  fi
  if [ "$MODE" = cluster ]; then
    echo "cluster-announce-hostname $SELF"
    echo "cluster-announce-ip ${POD_IPS%%,*}"
    echo "syslog-ident $(quoted "$NODE_NAME")" # where join.sh of other nodes finds it
  fi
  [ "$MODE" = sentinel ] || return 0
  echo "replica-announce-ip $SELF"
  if [ "$master" != "$SELF" ]; then
    echo "replicaof $master $REDIS_PORT"
    holds_data || echo "replica-priority 0" # settle.sh lifts it after the first sync
  fi
}

case $MODE in
  sentinel)
    find_master || exit 1
    log "the master is $master"
    "$dir/settle.sh" "$$" "$master" &
    ;;
  cluster)
    "$dir/addresses.sh" && "$dir/heir.sh" || exit 1
    "$dir/join.sh" "$$" &
    ;;
esac
configuration >"$RUN_DIR/redis.conf" || exit 1
exec "$ENGINE-server" "$RUN_DIR/redis.conf"
