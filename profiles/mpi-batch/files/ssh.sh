#!/bin/sh
# A node of mode ssh-launcher: runs sshd; node 0 also waits for the others, at most
# RENDEZVOUS_SECONDS, and becomes mpirun, whose exit code is the job's. All nodes are one
# identity: the key of the Secret is that of user and host, so that ssh trusts no other.
set -eu
umask 077
export PATH="$PATH:/usr/sbin:/sbin"

for program in ssh ssh-keygen sshd mpirun; do
  if ! command -v "$program" >/dev/null; then
    echo "node $NODE_RANK: the image has no $program" >&2
    exit 127
  fi
done

# ssh takes no key that others may read, and a volume's group may.
mkdir -p "$RUN_DIR"
rm -f "$RUN_DIR/key"
cp "$KEY_FILE" "$RUN_DIR/key"
public=$(ssh-keygen -y -f "$RUN_DIR/key")
echo "$public" >"$RUN_DIR/authorized_keys"
echo "mpi $public" >"$RUN_DIR/known_hosts"

# A session has the environment of its node, which sshd would not give it.
export -p >"$RUN_DIR/environment"
cat >"$RUN_DIR/session" <<END
. $RUN_DIR/environment
exec /bin/sh -c "\$SSH_ORIGINAL_COMMAND"
END
cat >"$RUN_DIR/sshd_config" <<END
Port $SSH_PORT
HostKey $RUN_DIR/key
AuthorizedKeysFile $RUN_DIR/authorized_keys
AuthenticationMethods publickey
ForceCommand /bin/sh $RUN_DIR/session
PidFile none
UsePAM no
StrictModes no
AllowTcpForwarding no
X11Forwarding no
MaxStartups 1000
END
cat >"$RUN_DIR/ssh_config" <<END
Host *
  Port $SSH_PORT
  IdentityFile $RUN_DIR/key
  IdentitiesOnly yes
  UserKnownHostsFile $RUN_DIR/known_hosts
  HostKeyAlias mpi
  StrictHostKeyChecking yes
  BatchMode yes
  LogLevel ERROR
  ConnectTimeout 10
  ServerAliveInterval 15
  ServerAliveCountMax 4
END
cat >"$RUN_DIR/ssh" <<END
#!/bin/sh
exec ssh -F $RUN_DIR/ssh_config "\$@"
END
chmod 700 "$RUN_DIR/ssh"

# The first process of a container does not end by a signal that it has no trap for.
trap 'exit 143' TERM

# sshd must be called by its path.
"$(command -v sshd)" -D -e -f "$RUN_DIR/sshd_config" &
sshd=$!
if [ "$NODE_RANK" != 0 ]; then
  # Told to stop, it lets mpirun, which is told as well, end what runs here.
  trap : TERM
  code=0
  wait "$sshd" || code=$?
  while [ -n "$(cat "/proc/$sshd/task/$sshd/children" 2>/dev/null)" ]; do
    sleep 1
  done
  exit "$code"
fi

# What each implementation calls the program that reaches the nodes, the file of hosts, and
# in it the processes of a host.
separator=:
case $MPI_IMPLEMENTATION in
OpenMPI)
  export OMPI_MCA_plm_rsh_agent="$RUN_DIR/ssh" PRTE_MCA_plm_ssh_agent="$RUN_DIR/ssh" OMPI_MCA_orte_keep_fqdn_hostnames=t
  hosts=--hostfile
  separator=" slots="
  ;;
Intel)
  export I_MPI_HYDRA_BOOTSTRAP=ssh I_MPI_HYDRA_BOOTSTRAP_EXEC="$RUN_DIR/ssh"
  hosts=-f
  ;;
*)
  export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC="$RUN_DIR/ssh"
  hosts=-f
  ;;
esac

deadline=$(($(date +%s) + RENDEZVOUS_SECONDS))
node=0
: >"$RUN_DIR/hostfile"
while [ "$node" -lt "$NNODES" ]; do
  host=$JOB_NAME-$node.$SERVICE
  until "$RUN_DIR/ssh" "$host" true 2>"$RUN_DIR/error"; do
    if [ "$(date +%s)" -ge "$deadline" ]; then
      echo "launcher: $host does not answer in $RENDEZVOUS_SECONDS seconds: $(cat "$RUN_DIR/error")" >&2
      exit 1
    fi
    sleep 1
  done
  echo "$host$separator$SLOTS" >>"$RUN_DIR/hostfile"
  node=$((node + 1))
done
exec mpirun "$hosts" "$RUN_DIR/hostfile" -n "$((NNODES * SLOTS))" "$@"
