#!/bin/sh
# Makes a node that has just started a member of the cluster, and the cluster if there is
# none.
#
# When:   start.sh runs it beside the server, with the server's process id.
# Budget: none; it ends with the server, and looks again when the node has lost its master
#         or the cluster does not work. Ordinal 0 has nodes forgotten that were scaled in.
#
# Nodes may start at the same time, in any order, with any addresses, and with or without
# data:
#   1 Every node introduces itself to all others by the addresses they have now.
#   2 When no node has slots, ordinal 0 deals them out, once as many nodes answer as there
#     are to be. So it cannot overlook a cluster whose nodes have not started.
#   3 A node whose volume was lost is a new one. It has a replica take the old one's shard
#     over, and makes the others forget the old one.
#   4 A node without slots becomes the master of a shard that is missing, to which slots are
#     moved by hand, or else a replica. Nodes choose one after the other.
dir=${0%/*}
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$dir/lib.sh"
# shellcheck source-path=SCRIPTDIR source=cluster.sh
. "$dir/cluster.sh"
# shellcheck source-path=SCRIPTDIR source=shards.sh
. "$dir/shards.sh"
server=$1

# survey: of each node that answers, this one too, "node" and its line of its own table,
# with the node of Kubernetes in place of the link; and "lost" and the lines that others
# have of nodes that had this one's name. A node of another cluster, to which an address may
# belong by now, is left out.
survey() {
  for host in $(peers) "$HOST"; do
    reply=$(printf 'CLUSTER NODES\nCONFIG GET syslog-ident\n' | cli 2 "$host" "$REDIS_PORT")
    table=$(echo "$reply" | entries)
    own "$table" | while read -r id address name flags master _ slots; do
      [ "${name#*.}" = "${SELF#*.}" ] || continue
      echo "node $id $address $name $flags $master $(echo "$reply" | field syslog-ident) $slots"
    done
    echo "$table" | sed -n "/^$me /d;s/^[^ ]* [^ ]* $SELF /lost &/p"
  done
}

# introduce: true when this node has a link to every other one.
introduce() {
  strangers=$(echo "$nodes" | while read -r id address _; do
    [ "$id" = "$me" ] || echo "$view" | grep -q "^$id $address [^ ]* [^ ]* [^ ]* connected" || echo "$address"
  done)
  for stranger in $strangers; do
    redis CLUSTER MEET "$stranger" "$REDIS_PORT" >/dev/null
  done
  [ -z "$strangers" ]
}

# forget ID: makes all nodes forget that one; they must within a minute, or learn of it anew.
forget() {
  for address in $(echo "$nodes" | cut -d ' ' -f 2); do
    cli 2 "$address" "$REDIS_PORT" CLUSTER FORGET "$1" </dev/null >/dev/null
  done
}

# succeed: true when no other node takes a lost one that had this one's name for a member.
succeed() {
  [ -n "$lost" ] || return 0
  echo "$lost" | while read -r id _ _ _ _ _ slots; do
    if [ -n "$slots" ]; then
      heir=$(best_replica "$nodes" "$id")
      if [ -n "$heir" ]; then
        log "$heir takes over the shard: $(cli 2 "$heir" "$REDIS_PORT" CLUSTER FAILOVER FORCE </dev/null)"
      else
        log "no replica answers that has the shard's data; if none ever will: redis-cli --cluster fix"
      fi
    else
      forget "$id"
    fi
  done
  return 1
}

# member: true when this node is one and has its part. The shape is a file, and no variable
# of the pod, because a pod sees it change: scaling restarts none.
member() {
  read -r shards replicas <"$CONF_DIR/shape" || return 1
  assigned=$(redis CLUSTER INFO | info cluster_slots_assigned)
  view=$(table "$HOST") # at least as new
  me=$(own "$view" | cut -d ' ' -f 1)
  [ -n "$me" ] || return 1 # it loads its data
  found=$(survey)
  nodes=$(echo "$found" | sed -n 's/^node //p')
  lost=$(echo "$found" | sed -n 's/^lost //p' | sort -u)
  introduce && succeed || return 1
  if [ "$assigned" = "$slots_in_all" ]; then
    rm -f "$DATA_DIR/plan"
    take_part && works && admit
    return
  fi
  why="$assigned of $slots_in_all slots have a node, $(echo "$nodes" | wc -l) of $((shards * (1 + replicas))) nodes answer"
  [ "$why" = "$said" ] || log "$why"
  said=$why
  [ "${POD_NAME##*-}" = 0 ] && may_found && found
  return 1
}

# tidy: makes all nodes forget those that failed, have no slots, and are beyond the number of
# nodes that there are to be.
tidy() {
  read -r shards replicas <"$CONF_DIR/shape" || return 0
  table "$HOST" | while read -r id _ name flags _ _ slots; do
    case "$flags," in *,fail,* | *,noaddr,*) ;; *) continue ;; esac
    if [ -z "$slots" ] && [ "$(ordinal "$name")" -ge $((shards * (1 + replicas))) ] 2>/dev/null; then
      nodes=$(survey | sed -n 's/^node //p')
      log "$name is gone for good: all forget it"
      forget "$id"
    fi
  done
}

# works: the cluster accepts commands, and this node has its master if it needs one.
works() {
  case $(redis CLUSTER INFO) in *cluster_state:ok*) ;; *) return 1 ;; esac
  case $(redis INFO replication) in *role:master* | *master_link_status:up*) ;; *) return 1 ;; esac
}

said='' tried='' slots_in_all=16384
rm -f "$RUN_DIR/member"
until member; do
  kill -0 "$server" 2>/dev/null || exit 1
  sleep 1
done
log "this node is a member of the cluster"
while sleep 10 && kill -0 "$server" 2>/dev/null; do
  works || member
  [ "${POD_NAME##*-}" != 0 ] || tidy
done
