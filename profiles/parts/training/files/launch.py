"""Starts the ranks of one node, and ends with the exit code of the rank that failed first.

usage: launch.py torch|accelerate|deepspeed ARGUMENT...

ARGUMENT  what torchrun, accelerate launch or deepspeed.launcher.launch takes

MASTER_ADDR         host of the node with rank 0
RENDEZVOUS_SECONDS  longest wait for that name: an unbounded one would hold GPUs for ever
NNODES              nodes, for DeepSpeed
NPROC_PER_NODE      processes of a node, for DeepSpeed
"""
import base64
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import time

MODULES = {"torch": "torch.distributed.run", "accelerate": "accelerate.commands.launch"}


def wait_for(host, seconds):
    """Waits until the host has an address: the pod of rank 0 may come last."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            socket.getaddrinfo(host, None)
            return
        except socket.gaierror as error:
            if time.monotonic() >= deadline:
                sys.exit(f"launch.py: {host} has no address after {seconds} s: {error}")
        time.sleep(1)


def pass_on(number, _):
    """Sends a signal to the ranks: the first process of a container gets it alone."""
    signal.signal(number, signal.SIG_IGN)
    os.killpg(0, number)


def deepspeed(arguments):
    """Becomes DeepSpeed's launcher of one node. The command deepspeed would want a
    hostfile, would call every node 127.0.0.1 without one, and passes no SIGTERM on."""
    ranks = list(range(int(os.environ["NPROC_PER_NODE"])))
    world = {f"node-{node}": ranks for node in range(int(os.environ["NNODES"]))}
    info = base64.urlsafe_b64encode(json.dumps(world).encode()).decode()
    module = ["-u", "-m", "deepspeed.launcher.launch", f"--world_info={info}"]
    os.execv(sys.executable, [sys.executable, *module, *arguments])


def elastic(module, arguments):
    """Runs a launcher that is made of torch's, and returns the exit code."""
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError

    sys.argv = [module, *arguments]
    try:
        importlib.import_module(module).main()
    except ChildFailedError as failed:
        return failed.get_first_failure()[1].exitcode
    except subprocess.CalledProcessError as failed:  # accelerate, with one process
        return failed.returncode
    return 0


def main():
    framework, arguments = sys.argv[1], sys.argv[2:]
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    wait_for(os.environ["MASTER_ADDR"], int(os.environ["RENDEZVOUS_SECONDS"]))
    if framework == "deepspeed":
        deepspeed(arguments)
    signal.signal(signal.SIGTERM, pass_on)
    code = elastic(MODULES[framework], arguments)
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
