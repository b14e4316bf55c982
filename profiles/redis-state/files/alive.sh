#!/bin/sh
# Says whether a server's process answers at all. It may be loading its data, have lost its
# master, or have another password than this pod's: stopping it would help with none of it.
#
# When:   startup and liveness probe; the argument is the port, 26379 for the sentinel.
# Budget: 5 s, below the probe's timeout.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "${0%/*}/lib.sh"

reply=$(cli 5 "$HOST" "$1" PING </dev/null)
case $reply in
  PONG | LOADING* | MASTERDOWN* | NOAUTH* | BUSY* | MISCONF*) exit 0 ;;
esac
log "${reply:-no reply to PING within 5 s}"
exit 1
