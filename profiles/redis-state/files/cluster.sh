# shellcheck shell=sh
# What the scripts of mode cluster share, besides lib.sh.

redis() { cli 2 "$HOST" "$REDIS_PORT" "$@" </dev/null; }

# table HOST: what the node knows of the cluster, a line for each node, with - for what is
# empty: "ID ADDRESS NAME FLAGS MASTER LINK SLOT...". Nothing when it does not answer.
table() { cli 2 "$1" "$REDIS_PORT" CLUSTER NODES </dev/null | entries; }

# entries: such lines of what CLUSTER NODES answers, or of nodes.conf.
entries() {
  sed -n 's/^\([0-9a-f]\{40\}\) \(.*\):[0-9]*@[0-9]*,*\([^ ,]*\)[^ ]* \([^ ]*\) \([^ ]*\) [^ ]* [^ ]* [^ ]* \([^ ]*\)/\1 _\2 _\3 \4 \5 \6/p' |
    sed -e ':a' -e 's/ _ / - /;ta' -e 's/ _/ /g'
}

# own TABLE: the line of the node that made the table.
own() { echo "$1" | sed -n '/^[^ ]* [^ ]* [^ ]* [^ ]*myself/p'; }

# leading TABLE: the id of the node that made the table, if it is a master that has slots.
leading() {
  own "$1" | {
    read -r id _ _ flags _ _ slots
    case $flags in *master*) [ -z "$slots" ] || echo "$id" ;; esac
  }
}

# info NAME: of what INFO answers, the value of NAME.
info() { sed -n "s/^$1://p"; }

# best_replica TABLE ID: the address of the replica of that master that has most of its
# data, of those that answer. After a restart a replica cannot say how far it came; one
# that has no keys either has none of them.
best_replica() {
  echo "$1" | while read -r _ address _ flags of _; do
    [ "$of" = "$2" ] || continue
    case $flags in *noaddr* | *handshake*) continue ;; esac
    reply=$(cli 2 "$address" "$REDIS_PORT" INFO </dev/null)
    offset=$(echo "$reply" | info slave_repl_offset)
    keys=$(echo "$reply" | sed -n 's/^db0:keys=\([0-9]*\),.*/\1/p')
    case $reply in *loading:1* | *master_sync_in_progress:1*) continue ;; esac
    [ "${offset:-0}" -gt 1 ] || [ "${keys:-0}" -gt 0 ] || continue
    echo "$offset ${keys:-0} $address"
  done | sort -k1,1nr -k2,2nr | sed -n '1s/.* //p'
}
