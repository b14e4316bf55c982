# shellcheck shell=sh
# What the other scripts share; each of them reads this file first.
#
# The environment says which node this is:
#   ENGINE      redis or valkey: the prefix of the programs' names
#   SELF        the name under which the other nodes reach this one
#   PEERS       names that resolve to the addresses of all nodes, this one included
#   POD_NAME    ends in the ordinal; POD_IPS this node's addresses, with commas between
#   AUTH_FILE   the file that holds the password; empty for none
# and, where they differ from a pod's: HOST to reach this node, BIND for the servers to
# listen on, DATA_DIR, CONF_DIR and RUN_DIR.
set -u
umask 077

HOST=${HOST:-127.0.0.1}
DATA_DIR=${DATA_DIR:-/data}
CONF_DIR=${CONF_DIR:-/config}
RUN_DIR=${RUN_DIR:-/tmp}
MASTER=mymaster
REDIS_PORT=6379
SENTINEL_PORT=26379
export CONF_DIR MASTER REDIS_PORT SENTINEL_PORT

log() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

now() { date +%s; }

# A pod keeps the password it started with: a changed Secret counts from the next pod on,
# so that probes and restarted containers go on to agree with the servers that run.
PASSWORD=
if [ -n "${AUTH_FILE:-}" ]; then
  if [ ! -s "$RUN_DIR/password" ]; then
    cp "$AUTH_FILE" "$RUN_DIR/password.$$" && mv "$RUN_DIR/password.$$" "$RUN_DIR/password" || exit 1
  fi
  PASSWORD=$(cat "$RUN_DIR/password")
  export REDISCLI_AUTH="$PASSWORD" VALKEYCLI_AUTH="$PASSWORD"
fi

# quoted TEXT: the text as a string of a configuration file.
quoted() { printf '"%s"' "$(printf %s "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../\\x&/g')"; }

# cli SECONDS HOST PORT [ARG...]: the server's reply, nothing when none came in time. An
# error is a reply too, so callers look for the text they need. Commands may come from
# standard input instead.
cli() {
  cli_limit=$1 cli_host=$2 cli_port=$3
  shift 3
  timeout "$cli_limit" "$ENGINE-cli" -h "$cli_host" -p "$cli_port" "$@" 2>/dev/null | tr -d '\r'
}

# field NAME: of a reply that lists names and values line by line, the value of NAME.
field() { sed -n "/^$1\$/{n;p;q;}"; }

# peers: the addresses of the other nodes that have one. The names of nodes are not
# counted up: a pod that has no address yet would hide those after it.
peers() {
  for peers_name in $PEERS; do
    timeout 5 getent ahosts "$peers_name"
  done | while read -r peers_address _; do
    case ",$POD_IPS," in *",$peers_address,"*) ;; *) echo "$peers_address" ;; esac
  done | sort -u
}

# view HOST: what the node's sentinel believes: "EPOCH NAME" of the master, "none" when it
# knows no master, "silent" when it does not answer.
view() {
  view_reply=$(cli 2 "$1" "$SENTINEL_PORT" SENTINEL MASTER "$MASTER" </dev/null)
  case $view_reply in
    *"No such master"*) echo none ;;
    *config-epoch*) echo "$(echo "$view_reply" | field config-epoch) $(echo "$view_reply" | field ip)" ;;
    *) echo silent ;;
  esac
}

# views: a line "ADDRESS VIEW" for each peer.
views() {
  for views_peer in $(peers); do
    echo "$views_peer $(view "$views_peer")"
  done
}

# elected: of lines "ADDRESS VIEW", the name of the master; nothing when no sentinel knows
# one. Each failover raises the epoch by a vote of the majority, so the highest epoch is
# what the last majority decided; within an epoch the most votes count.
elected() {
  sed -n 's/^[^ ]* \([0-9][0-9]* .*\)$/\1/p' | sort | uniq -c | sort -k2,2nr -k1,1nr -k3,3 |
    { read -r _ _ elected_name && echo "$elected_name"; }
}

# has_files: the data folder holds a data set, perhaps an empty one.
has_files() {
  for has_file in "$DATA_DIR"/dump.rdb "$DATA_DIR"/appendonlydir/*; do
    [ -s "$has_file" ] && return 0
  done
  return 1
}

# holds_data: the data set of this node was complete once: it led, or it finished a sync.
holds_data() { [ -e "$DATA_DIR/complete" ] && has_files; }

# master_options: the settings of the master for sentinel, as "OPTION VALUE" lines.
master_options() {
  cat "$CONF_DIR/sentinel-master.conf"
  [ -z "$PASSWORD" ] || printf '%s\n' "auth-pass $(quoted "$PASSWORD")"
}
