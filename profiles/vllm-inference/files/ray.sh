#!/bin/sh
# Makes a Ray cluster of the nodes of a group. The leader waits for all of them, and serves
# only then, with the arguments given; it fails when they do not come in time. The others
# end when the leader does, and the operator starts the group again as a whole.
set -eu
role=$1
shift
if [ "$role" = worker ]; then
	end=$(($(date +%s) + JOIN_TIMEOUT_SECONDS))
	# The leader's name has no address at first.
	until python3 -c 'import socket, sys; socket.create_connection((sys.argv[1], 6379), 5)' "$LWS_LEADER_ADDRESS" 2>/dev/null; do
		if [ "$(date +%s)" -ge "$end" ]; then
			echo "no Ray at $LWS_LEADER_ADDRESS:6379 after $JOIN_TIMEOUT_SECONDS s" >&2
			exit 1
		fi
		sleep 2
	done
	exec ray start --address="$LWS_LEADER_ADDRESS:6379" --node-ip-address="$VLLM_HOST_IP" --disable-usage-stats --block
fi
ray start --head --port=6379 --node-ip-address="$VLLM_HOST_IP" --disable-usage-stats
python3 - "$LWS_GROUP_SIZE" "$JOIN_TIMEOUT_SECONDS" <<'END'
import sys, time, ray
size, end = int(sys.argv[1]), time.time() + int(sys.argv[2])
ray.init(address="auto", log_to_driver=False)
while (alive := sum(node["Alive"] for node in ray.nodes())) < size:
    if time.time() > end:
        sys.exit(f"{alive} of {size} nodes joined in {sys.argv[2]} s")
    time.sleep(2)
END
exec vllm serve "$@"
