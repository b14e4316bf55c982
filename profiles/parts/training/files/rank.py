"""Becomes the training program of one rank: with the arguments that resume the run, when
it has checkpoints. That is looked up at every start, since torchrun may start its ranks
again without a new pod.

usage: rank.py [--local_rank=N] COUNT RESUME... [-m] PROGRAM ARGUMENT...

--local_rank    from DeepSpeed's launcher, for the program
COUNT           number of arguments RESUME that follow
-m              PROGRAM is the name of a Python module

CHECKPOINT_DIR      folder of the run's checkpoints; made if it is a path
CHECKPOINT_PATTERN  what a checkpoint in it is called
"""
import glob
import os
import sys


def main():
    arguments = sys.argv[1:]
    local = [arguments.pop(0)] if arguments[0].startswith("--local_rank") else []
    count = int(arguments.pop(0))
    resume, program = arguments[:count], arguments[count:]
    folder = os.environ["CHECKPOINT_DIR"]
    if folder.startswith("/"):
        os.makedirs(folder, exist_ok=True)
        if not glob.glob(os.path.join(glob.escape(folder), os.environ["CHECKPOINT_PATTERN"])):
            resume = []
    words = 2 if program[0] == "-m" else 1
    command = [sys.executable, "-u", *program[:words], *local, *program[words:], *resume]
    os.execv(sys.executable, command)


if __name__ == "__main__":
    main()
