#!/bin/sh
# Keeps a master whose data is gone from starting before a replica has taken over: it would
# make its replicas throw theirs away. After that it comes back as a replica itself.
#
# When:   start.sh runs it before the server, in mode cluster.
# Budget: START_SECONDS; then it exits with 1, but for a cache without files with 0.
dir=${0%/*}
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$dir/lib.sh"
# shellcheck source-path=SCRIPTDIR source=cluster.sh
. "$dir/cluster.sh"

# heirs: for each replica of this master, leads when it took over, data when it holds some,
# and silent when it does not answer; nothing for one that is empty.
heirs() {
  answers=$(for peer in $(peers); do echo "$peer $(own "$(table "$peer")")"; done)
  for replica in $(echo "$view" | sed -n "s/^\([^ ]*\) [^ ]* [^ ]* [^ ]* $master .*/\1/p"); do
    answer=$(echo "$answers" | sed -n "s/^\([^ ]*\) $replica [^ ]* [^ ]* \([^ ]*\) [^ ]* [^ ]*/\1 \2/p")
    case $answer in
      "") echo silent ;;
      *,master" "[0-9]*) echo leads ;;
      *)
        case $(cli 2 "${answer%% *}" "$REDIS_PORT" INFO </dev/null) in
          "" | *db0:keys=* | *loading:1*) echo data ;;
        esac
        ;;
    esac
  done
}

view=$(entries 2>/dev/null <"$DATA_DIR/nodes.conf")
master=$(leading "$view")
if [ -z "$master" ] || has_files; then
  exit 0
fi
log "the data is gone: waiting for a replica to take over"
began=$(now)
while [ $(($(now) - began)) -lt "$START_SECONDS" ]; do
  case $(heirs) in "" | *leads*) exit 0 ;; esac
  sleep 1
done
log "no replica has taken over: $(heirs | tr '\n' ' ')"
grep -q '^appendonly no' "$CONF_DIR/redis.conf"
