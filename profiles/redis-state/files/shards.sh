# shellcheck shell=sh disable=SC2154
# How join.sh gives nodes their parts; $nodes, $view and $me are what it has found out,
# and $shards and $replicas how many there are to be.

# ordinal NAME: the number of the pod of that name.
ordinal() {
  pod=${1%%.*}
  echo "${pod##*-}"
}

# masters WHICH: lines "ORDINAL ID HOST" of the masters that have slots, or with "" of
# those that have none.
masters() {
  echo "$nodes" | while read -r id _ name flags _ host slots; do
    case "$flags ${slots:+slots}" in *master*" $1") echo "$(ordinal "$name") $id $host" ;; esac
  done | sort -n
}

# may_found: no node has slots, or this one has not finished to deal them out; and all are
# there that are to be, none of which was a replica before.
may_found() {
  { [ -s "$DATA_DIR/plan" ] || [ -z "$(masters slots)" ]; } &&
    [ "$({ masters slots; masters ""; } | wc -l)" -eq $((shards * (1 + replicas))) ]
}

# plan: the ids of the nodes to be masters, on as many hosts as there are: a cluster that
# loses most of its masters at a time cannot go on.
plan() {
  masters "" | sort -k3,3 -k1,1n | {
    last='' turn=0
    while read -r number id host; do
      if [ "$host" = "$last" ]; then turn=$((turn + 1)); else turn=0; fi
      last=$host
      echo "$turn $number $id"
    done
  } | sort -k1,1n -k2,2n | head -n "$shards" | sed 's/.* //'
}

# found: deals the slots out. The plan is kept until that is done, whatever happens.
found() {
  if [ ! -s "$DATA_DIR/plan" ]; then
    plan >"$DATA_DIR/plan.new" && mv "$DATA_DIR/plan.new" "$DATA_DIR/plan" || return 1
  fi
  shard=0
  while read -r id; do
    address=$(echo "$nodes" | sed -n "s/^$id \([^ ]*\) .*/\1/p")
    first=$((shard * slots_in_all / shards)) shard=$((shard + 1))
    [ -z "$address" ] ||
      cli 2 "$address" "$REDIS_PORT" CLUSTER ADDSLOTSRANGE "$first" $((shard * slots_in_all / shards - 1)) </dev/null >/dev/null
  done <"$DATA_DIR/plan"
  log "dealt out the slots"
}

# choose: the id of the master to be a replica of: one with the fewest, on another host, and
# of these one that most of the nodes that choose later cannot take.
choose() {
  echo "$leaders" | while read -r number id host; do
    count=$(echo "$nodes" | grep -c "^[^ ]* [^ ]* [^ ]* [^ ]*slave[^ ]* $id ")
    together=0
    [ "$host" != "$NODE_NAME" ] || together=1
    cannot=$(echo "$later" | grep -c " $host\$")
    echo "$count $together $cannot $number $id"
  done | sort -k1,1n -k2,2n -k3,3nr -k4,4n | sed -n '1s/.* //p'
}

# take_part: true when this node leads a shard, or follows its master.
take_part() {
  case $(own "$view" | cut -d ' ' -f 4) in
    *slave*) follow ;;
    *) [ -n "$(leading "$view")" ] || { take_shard; return 1; } ;;
  esac
}

# take_shard: gives this node, which has no slots, its part when it is its turn.
take_shard() {
  empty=$(masters "")
  rank=$(echo "$empty" | sed -n "/ $me /=")
  held=$(echo "$view" | grep -c '^[^ ]* [^ ]* [^ ]* [^ ]*master[^ ]* [^ ]* [^ ]* [^ ]')
  missing=$((held < shards ? shards - held : 0))
  if [ "$rank" -le "$missing" ]; then
    admit # it waits for slots, or until the shard is no longer missing
    sleep 4
  elif [ "$rank" -eq $((missing + 1)) ]; then
    later=$(echo "$empty" | sed "1,${rank}d")
    leaders=$({ masters slots; echo "$empty" | head -n "$missing"; } | grep .)
    master=$(choose)
    log "becoming a replica of $master: $(redis CLUSTER REPLICATE "$master")"
  fi
}

# admit: makes this node a member: ready.sh asks for the file, and replicas may turn to it.
admit() {
  redis ACL SETUSER default +psync >/dev/null
  : >"$RUN_DIR/member"
}

# follow: true when this replica is connected to its master. A server may go on to try the
# address that its master had, though it knows the new one; starting anew helps when
# nothing else does.
follow() {
  replication=$(redis INFO replication)
  case $replication in *master_link_status:up*) return 0 ;; esac
  master=$(own "$view" | cut -d ' ' -f 5)
  address=$(echo "$nodes" | sed -n "s/^$master \([^ ]*\) .*/\1/p")
  if [ -n "$address" ] && [ "$address" != "$(echo "$replication" | info master_host)" ]; then
    if [ "$tried" = "$address" ]; then redis SHUTDOWN; fi
    log "its master is at $address now: $(redis CLUSTER REPLICATE "$master")"
    tried=$address
  fi
  return 1
}
