#!/bin/sh
# Puts the addresses that the other nodes have now into what this one remembers of them. An
# address may belong to another node by now, and a replica takes all data from whatever
# server answers at the one it has for its master.
#
# When:   start.sh runs it before the server, in mode cluster.
# Budget: a few seconds for each name that does not resolve.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${0%/*}/lib.sh"
memory=$DATA_DIR/nodes.conf
nowhere=192.0.2.1 # no host has it; without any address a node would never count as failed

[ -s "$memory" ] || exit 0
while read -r id address flags rest; do
  case "$address $flags" in
    *,*" "*myself*) ;;
    *@*,*)
      name=${address#*,}
      port=${address%%@*}
      now=$(timeout 2 getent ahosts "${name%%,*}" | sed -n '1s/ .*//p')
      address=${now:-$nowhere}:${port##*:}@${address#*@}
      ;;
  esac
  echo "$id $address $flags $rest"
done <"$memory" >"$memory.new" && mv "$memory.new" "$memory"
