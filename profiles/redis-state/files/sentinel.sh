#!/bin/sh
# Starts the sentinel of a node, with what it knew before: the volume keeps its memory of
# the master, the replicas and the other sentinels. A sentinel without memory knows no
# master until settle.sh names one.
#
# When:   the command of the sidecar, which starts before the server and ends after it.
# Budget: 120 s for a node that must hear of the master first; then it exits with 1.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${0%/*}/lib.sh"
memory=$DATA_DIR/sentinel/sentinel.conf
mkdir -p "${memory%/*}" || exit 1

# remembered: the lines of the last run that are memory and not configuration.
remembered() {
  sed -n "/^sentinel \(monitor\|config-epoch\|leader-epoch\|known-replica\|known-sentinel\) $MASTER /p;/^sentinel current-epoch /p" "$memory" 2>/dev/null
}

configuration() {
  cat "$CONF_DIR/sentinel.conf"
  echo "dir $RUN_DIR"
  [ -z "${BIND:-}" ] || echo "bind $BIND"
  echo "sentinel announce-ip $SELF"
  echo "sentinel announce-port $SENTINEL_PORT"
  echo "sentinel myid $(printf %s "$SELF" | sha1sum | cut -c 1-40)"
  if [ -n "$PASSWORD" ]; then
    printf '%s\n' "requirepass $(quoted "$PASSWORD")" "sentinel sentinel-pass $(quoted "$PASSWORD")"
  fi
  remembered
  if remembered | grep -q "^sentinel monitor "; then
    master_options | while read -r option value; do printf '%s\n' "sentinel $option $MASTER $value"; done
  fi
}

# await_master: a node other than ordinal 0 that has data but no memory of a master does
# not answer until another node's sentinel knows one. So ordinal 0, which asks all before
# it leads, cannot overlook data that came with a volume from elsewhere.
await_master() {
  if [ "${POD_NAME##*-}" = 0 ] || ! has_files || remembered | grep -q .; then
    return 0
  fi
  log "there is data but no memory of a master: waiting for the other sentinels"
  began=$(now)
  while [ $(($(now) - began)) -lt 120 ]; do
    [ -z "$(views | elected)" ] || return 0
    sleep 2
  done
  log "no sentinel knows a master; move the data to the volume of ordinal 0"
  return 1
}

# resolve: gives the remembered names up to 10 s; sentinel mixes up nodes whose names do
# not resolve when it starts.
resolve() {
  remembered | sed -n 's/^sentinel \(monitor\|known-replica\) [^ ]* \([^ ]*\) .*/\2/p' | while read -r name; do
    while ! timeout 5 getent ahosts "$name" >/dev/null && [ $(($(now) - began)) -lt 10 ]; do
      sleep 1
    done
  done
}

# follow_voters PID: while the process lives, keeps the quorum at the majority of the
# sentinels that vote, so that no file holds their number and scaling restarts no pod.
follow_voters() {
  while sleep 10 && kill -0 "$1" 2>/dev/null; do
    reply=$(cli 2 "$HOST" "$SENTINEL_PORT" SENTINEL MASTER "$MASTER" </dev/null)
    others=$(echo "$reply" | field num-other-sentinels)
    majority=$(((${others:-0} + 1) / 2 + 1))
    if [ "$majority" -ge 2 ] && [ "$majority" != "$(echo "$reply" | field quorum)" ]; then
      cli 2 "$HOST" "$SENTINEL_PORT" SENTINEL SET "$MASTER" quorum "$majority" </dev/null >/dev/null
    fi
  done
}

began=$(now)
resolve
await_master || exit 1
configuration >"$memory.new" && mv "$memory.new" "$memory" || exit 1
follow_voters "$$" &
exec "$ENGINE-server" "$memory" --sentinel
