#!/bin/sh
# Writes and reads one key through the Service, the way a client does.
#
# When:   helm test.
# Budget: 60 s.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${0%/*}/lib.sh"

# find_master: the master's name; the Service itself without Sentinel. A node of a cluster
# names the one that has the key, and -c asks that one.
find_master() {
  if [ "$MODE" = sentinel ]; then
    cli 5 "$SERVICE" "$SENTINEL_PORT" SENTINEL get-master-addr-by-name "$MASTER" </dev/null | head -n 1
  else
    echo "$SERVICE"
  fi
}

follow=
[ "$MODE" != cluster ] || follow=-c
began=$(now)
while [ $(($(now) - began)) -lt 60 ]; do
  master=$(find_master)
  if [ -n "$master" ] &&
    [ "$(cli 5 "$master" "$REDIS_PORT" $follow SET kilter-test "$began" EX 60 </dev/null)" = OK ] &&
    [ "$(cli 5 "$master" "$REDIS_PORT" $follow GET kilter-test </dev/null)" = "$began" ]; then
    log "wrote and read a key at $master"
    exit 0
  fi
  sleep 2
done
log "no write and read within 60 s; the master is ${master:-unknown}"
exit 1
