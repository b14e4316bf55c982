// SPDX-License-Identifier: Apache-2.0

package profiles_test

// trainingStubs are Python packages in miniature, with the names, arguments and exit codes
// of the real launchers: PyTorch 2.8, accelerate 1.10, DeepSpeed 0.17. STUB is a folder for
// what they leave behind; the file STUB/hosts says which names have an address.
const trainingStubs = `
-- sitecustomize.py --
import os, socket
def getaddrinfo(host, *_):
    with open(os.environ["STUB"] + "/hosts") as hosts:
        if host not in hosts.read().split():
            raise socket.gaierror(-2, "Name or service not known")
socket.getaddrinfo = getaddrinfo
-- torch/__init__.py --
-- torch/distributed/__init__.py --
-- torch/distributed/elastic/__init__.py --
-- torch/distributed/elastic/multiprocessing/__init__.py --
-- torch/distributed/elastic/multiprocessing/errors/__init__.py --
class Failure:
    def __init__(self, code):
        self.exitcode = code
class ChildFailedError(Exception):
    def __init__(self, failures):
        self.failures = failures
    def get_first_failure(self):
        return min(self.failures.items())
-- torch/distributed/run.py --
import argparse, os, signal, subprocess, sys, time
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError, Failure
def parser():
    p = argparse.ArgumentParser(allow_abbrev=False)
    for name in "nnodes nproc-per-node node-rank master-addr master-port rdzv-backend rdzv-endpoint rdzv-id rdzv-conf local-addr max-restarts".split():
        p.add_argument("--" + name)
    p.add_argument("script")
    p.add_argument("args", nargs=argparse.REMAINDER)
    return p
def node(args):
    if args.rdzv_backend != "c10d":
        return int(args.node_rank), args.master_addr, args.master_port
    assert args.local_addr and args.rdzv_id and args.node_rank is None
    for rank in range(int(args.nnodes.split(":")[1])):
        try:
            os.close(os.open(f"{os.environ['STUB']}/{args.rdzv_id}-{rank}", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        return rank, *args.rdzv_endpoint.split(":")
def start(rank, args, first, world, address, port, command):
    return subprocess.Popen(command, start_new_session=True, env={**os.environ, "MASTER_ADDR": address, "MASTER_PORT": port,
        "RANK": str(first + rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(world)})
class Stopped(Exception):
    pass
stopped = [] # a handler that waits, or raises, may do so while poll holds a lock
def run(args):
    group, address, port = node(args)
    n, nodes = int(args.nproc_per_node), int(args.nnodes.split(":")[-1])
    command = [sys.executable, "-u", args.script, *args.args]
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    for attempt in range(int(args.max_restarts) + 1):
        ranks = [start(r, args, group * n, nodes * n, address, port, command) for r in range(n)]
        try:
            while not stopped and not any(r.poll() for r in ranks) and any(r.poll() is None for r in ranks):
                time.sleep(0.02)
        finally:
            for r in ranks:
                r.poll() is None and os.killpg(r.pid, signal.SIGTERM)
        if stopped:
            raise Stopped()
        failures = {i: Failure(r.returncode) for i, r in enumerate(ranks) if r.poll()}
        [r.wait() for r in ranks]
        if not failures:
            return
    raise ChildFailedError(failures)
def main(args=None):
    run(parser().parse_args(args))
-- accelerate/__init__.py --
-- accelerate/commands/__init__.py --
-- accelerate/commands/launch.py --
import argparse, os, subprocess, sys
import torch.distributed.run as distrib
def main():
    p = argparse.ArgumentParser(allow_abbrev=False)
    for name in "num_machines num_processes machine_rank main_process_ip main_process_port rdzv_conf max_restarts mixed_precision".split():
        p.add_argument("--" + name)
    p.add_argument("--multi_gpu", action="store_true")
    p.add_argument("--cpu", action="store_true")
    p.add_argument("script")
    p.add_argument("args", nargs=argparse.REMAINDER)
    a = p.parse_args()
    if not a.multi_gpu:
        assert a.num_processes == "1"
        command = [sys.executable, a.script, *a.args]
        process = subprocess.Popen(command, env={**os.environ, "RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": "1"})
        process.wait()
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        return
    each = int(a.num_processes) // int(a.num_machines)
    distrib.run(distrib.parser().parse_args(["--nnodes", a.num_machines, "--nproc-per-node", str(each), "--node-rank", a.machine_rank,
        "--master-addr", a.main_process_ip, "--master-port", a.main_process_port, "--max-restarts", a.max_restarts, a.script, *a.args]))
if __name__ == "__main__":
    main()
-- deepspeed/__init__.py --
-- deepspeed/launcher/__init__.py --
-- deepspeed/launcher/launch.py --
import argparse, base64, json, os, signal, subprocess, sys, time
p = argparse.ArgumentParser(allow_abbrev=False)
for name in "node_rank master_addr master_port world_info".split():
    p.add_argument("--" + name)
p.add_argument("script")
p.add_argument("args", nargs=argparse.REMAINDER)
a = p.parse_args()
world = json.loads(base64.urlsafe_b64decode(a.world_info))
mine = list(world.values())[int(a.node_rank)]
before = sum(len(ids) for ids in list(world.values())[:int(a.node_rank)])
ranks = [subprocess.Popen([sys.executable, "-u", a.script, f"--local_rank={i}", *a.args], env={**os.environ,
    "MASTER_ADDR": a.master_addr, "MASTER_PORT": a.master_port, "WORLD_SIZE": str(sum(map(len, world.values()))),
    "RANK": str(before + i), "LOCAL_RANK": str(i)}) for i in mine]
def stop():
    failed = [r.returncode for r in ranks if r.poll()]
    [r.terminate() for r in ranks if r.poll() is None]
    [r.wait() for r in ranks]
    sys.exit(failed[0] if failed else 1)
stopped = [] # a handler that waits may do so while poll holds a lock
signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
while any(r.poll() is None for r in ranks):
    (stopped or any(r.poll() for r in ranks)) and stop()
    time.sleep(0.02)
(stopped or any(r.poll() for r in ranks)) and stop()
-- train.py --
# Says who it is; then does what the file STUB/do says: end with a code, or wait for SIGTERM
# and save a checkpoint.
import argparse, json, os, signal, sys, time
p = argparse.ArgumentParser(allow_abbrev=False)
p.add_argument("--local_rank", default=os.environ.get("LOCAL_RANK"))
p.add_argument("--resume")
p.add_argument("--epochs")
a = p.parse_args()
e = os.environ
def save(*_):
    os.makedirs(e["CHECKPOINT_DIR"] + "/checkpoint-1", exist_ok=True)
    sys.exit(143)
signal.signal(signal.SIGTERM, save)
with open(e["STUB"] + "/said", "a") as said:
    said.write(json.dumps({"rank": int(e["RANK"]), "world": int(e["WORLD_SIZE"]), "local": int(a.local_rank),
        "master": e.get("MASTER_ADDR"), "port": e.get("MASTER_PORT"), "resume": a.resume, "epochs": a.epochs}) + "\n")
todo = open(e["STUB"] + "/do").read()
if todo == "wait":
    time.sleep(60)
code = int(todo) if int(e["RANK"]) == 0 else 0
sys.exit(code)
`
