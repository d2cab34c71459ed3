#!/usr/bin/env python3
"""Starts gopi-web for one person of JupyterHub: as Spawner.cmd, and for BatchSpawner, which runs programs in Python only."""
import os
import sys

# Through a pipe: other programs of this user can read the variables with which a process was started.
reader, writer = os.pipe()
os.write(writer, os.environ.pop("JUPYTERHUB_API_TOKEN", "").encode())
os.close(writer)
os.environ.pop("JPY_API_TOKEN", None)
os.environ["GOPI_HUB_TOKEN_FD"] = str(reader)
os.set_inheritable(reader, True)
os.execvp("gopi-web", ["gopi-web", *sys.argv[1:]])
